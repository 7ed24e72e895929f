"""The loop: ask the planner, execute, store, tell. The same for a machine, a cluster and a recording."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from sonde.campaign.budget import Budget, Ledger, in_words
from sonde.core.events import ResultKnown
from sonde.core.points import Request
from sonde.core.protocols import Clock, Executor, Planner, Store, Watcher
from sonde.core.results import Cost, Result


@dataclass(frozen=True)
class CampaignEnding:
    """Why a campaign ended, in words, and what it cost."""

    reason: str
    spent: Cost
    is_budget_spent: bool = False  # which kept it from going on


@dataclass(frozen=True)
class Campaign:
    """Everything that the loop needs beside the planner.

    The whole loop:

        planner.tell(known)
        while planner.finished is None:
            for observation in executor.execute(planner.ask(batch)):
                store.append(*observation.records)
                planner.tell([observation.result])
    """

    executor: Executor
    store: Store
    budget: Budget
    revisions: int  # length of the history, for budgets that are a share of it
    clock: Clock
    watcher: Watcher
    batch: int = 16  # points that are in work, and interleaved, at the same time
    runs_per_sample: int = 1  # 2 where something runs beside each run

    def run(self, planner: Planner, known: Iterable[Result] = ()) -> CampaignEnding:
        """Ask, execute, store and tell until the planner has finished or the budget is spent.

        `known` is what the store holds already: resuming is telling everything known.
        """
        ledger = Ledger(self.budget, self.revisions, self.clock(), self.runs_per_sample)
        known = list(known)
        for result in known:
            ledger.note(result)
        planner.tell(known)
        waiting: list[Request] = []  # asked for, but not yet allowed in full
        while planner.finished is None:
            waiting += planner.ask(self.batch - len(waiting))
            allowed = ledger.allow(waiting)
            if not waiting:
                return CampaignEnding(_why(planner), ledger.spent)
            if not allowed:
                return self._spent(ledger)
            heard = self._execute(planner, ledger, allowed)
            if ledger.is_overdue(self.clock()):
                return self._spent(ledger)
            if not heard and planner.finished is None:
                return CampaignEnding(_why(planner), ledger.spent)
            granted = frozenset(allowed)  # those that were cut stay
            waiting = [request for request in waiting if request not in granted]
        return CampaignEnding(planner.finished, ledger.spent)

    def _spent(self, ledger: Ledger) -> CampaignEnding:
        reason = f"the budget of {in_words(self.budget)} is spent"
        return CampaignEnding(reason, ledger.spent, is_budget_spent=True)

    def _execute(self, planner: Planner, ledger: Ledger, requests: Sequence[Request]) -> bool:
        """Execute until all is done or the time is up; whether anything came of it."""
        heard = False
        with closing(self.executor.execute(requests)) as observations:
            for observation in observations:
                heard = True
                self.store.append(*observation.records)
                ledger.pay(observation.cost)
                if observation.result is not None:
                    planner.tell([observation.result])
                    ledger.note(observation.result)
                    self.watcher.notice(ResultKnown(observation.result, ledger.spent))
                if ledger.is_overdue(self.clock()):
                    break
        return heard


def _why(planner: Planner) -> str:
    """What a planner says that has nothing to ask for and waits for nothing."""
    return planner.finished or "nothing more can be measured"
