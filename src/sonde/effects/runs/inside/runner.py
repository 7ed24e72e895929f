"""Performs one run: setup, server, warm-up runs, the measured run, teardown; and reports what it took."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sonde.effects.runs.inside import measured, servers
    from sonde.effects.sandbox.inside import keeper, limits, steps
else:
    import keeper
    import limits
    import measured
    import servers
    import steps


class Stopped(Exception):
    """A step failed; what is known of it is the argument."""


def main(channel: int) -> None:
    """Perform the run that the order describes, and send the report."""
    order = keeper.listen(channel)
    if not order["gauge"]:
        keeper.become_reaper()  # with a gauge, it was it that started us, and did so
        if not order["aslr"]:
            keeper.fix_addresses()
    os.umask(0o022)
    limits.keep(order["limits"])
    os.chdir(order["folder"])
    run = Run(order, channel)
    report = run.perform()
    keeper.end_descendants(frozenset())
    keeper.answer(channel, report)


class Run:
    """One run, from its setup to its teardown."""

    def __init__(self, order: dict[str, Any], channel: int) -> None:
        self.order = order
        self.channel = channel
        self.watch = steps.Watch(channel, order["limits"])
        self.left_behind = 0

    def perform(self) -> dict[str, Any]:
        """The report: the first step that failed, if one did, and the numbers of the measured run."""
        report: dict[str, Any] = {"failed": None, "run": None, "numbers": None}
        try:
            self._prepare()
            report["run"], report["numbers"] = self._measure("run", self.order["argv"])
        except Stopped as stopped:
            report["failed"] = stopped.args[0]
        try:
            self._shell("teardown")
        except Stopped as stopped:
            report["failed"] = report["failed"] or stopped.args[0]
        servers.end(self.watch)
        report["left_behind"] = self.left_behind
        return report

    def _prepare(self) -> None:
        self._shell("setup")
        if self.order["server"]:
            failed = servers.begin(self.order, self.watch)
            if failed:
                raise Stopped(failed)
        for _ in range(self.order["warmups"]):
            self._measure("warm-up run", self.order["warmup_argv"])
        if self.order["meets"]:
            keeper.meet(self.channel)

    def _shell(self, name: str) -> None:
        """Run the setup or the teardown, if there is one. What it starts in the background lives on."""
        if not self.order[name]:
            return
        output = steps.Output(self.order["keep_bytes"])
        child = steps.Child(self.order[name], self.order["variables"], "", output)
        result, _ = self._wait(name, child)
        if _was_ended(result):
            keeper.end_descendants(frozenset())
        if _was_ended(result) or result["code"] != 0:
            raise Stopped(result)

    def _measure(self, name: str, argv: list[str]) -> tuple[dict[str, Any], dict[str, float]]:
        """How the benchmark ended, and its numbers; it leaves no process behind."""
        # What the setup or the server began stays; a scan takes time, so there is none if they began nothing.
        spared = keeper.descendants(os.getpid()) if keeper.has_children() else set()
        gauge = measured.Gauge(self.order)
        output = steps.Output(self.order["keep_bytes"])
        child = steps.Child(
            gauge.argv(argv), self.order["variables"], self.order["stdin"], output, gauge.writer
        )
        result, usage = self._wait(name, child)
        numbers, result["code"] = gauge.read(result, usage)
        self.left_behind += keeper.end_descendants(spared)
        if _was_ended(result) or result["code"] not in self.order["exit_codes"]:
            raise Stopped(result)
        return result, numbers

    def _wait(self, name: str, child: steps.Child) -> tuple[dict[str, Any], Any]:
        """How a step ended, and its resources. One whose time is over goes on: whoever calls ends it."""
        in_time = self.watch.ended_in_time(child, self.order["timeout_seconds"])
        code, usage, seconds = child.wait() if in_time else (0, None, time.monotonic() - child.began)
        if not in_time:
            child.take_output()
        exceeded = self.watch.exceeded
        timed_out = not in_time and not exceeded
        result = {
            "step": name,
            "code": code,
            "timed_out": timed_out,
            "exceeded": exceeded,
            "seconds": seconds,
        }
        return result | child.output.report(), usage


def _was_ended(result: dict[str, Any]) -> bool:
    """Whether a step took too long or too much."""
    return bool(result["timed_out"] or result["exceeded"])
