"""Where a routine ends without returning: usage messages, failed assertions, `exit`.

Two questions, two answers. *Stops* are blocks from which a routine cannot come to its usual end, and for
which the rest does not wait: decisions for or against them do not matter for it. *Dead ends* are those of
them that only lead to failure, where performance does not matter; `exit(0)` is none, nor is a loop that works
until somebody stops it, nor is what calls routines that loop: there are programs that end their usual work
with `exit(1)`. An end without failure is a stop if a word of the command line asks for it, such as `--help`;
where anything else decides ("there is nothing to do"), the rest is executed or not, as with `return`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sonde.methods.impact.endings.outcomes import Outcome, RoutineOutcomes
from sonde.methods.impact.program.block_routes import reached_from
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.command_words import CommandWords
from sonde.methods.impact.program.linking import Program


@dataclass(frozen=True)
class Ends:
    """What is known of the ends of every routine of a program."""

    stops: Mapping[int, frozenset[int]]  # blocks, for each routine
    dead_ends: Mapping[int, frozenset[int]]
    final: Mapping[int, frozenset[int]]  # blocks that something ends before they come to where they lead
    never_return: frozenset[int]  # routines


def find_ends(program: Program, calls: Mapping[int, Sequence[Call]]) -> Ends:
    """Stops and dead ends of the routines whose calls are given; what they call is taken into account."""
    outcomes = RoutineOutcomes(program, calls)
    ends = {number: _ends_of(outcomes, number) for number in calls}
    named = cache(lambda unit: {each.name: each for each in program.units[unit].globals})
    asked = {number: stops for number, (stops, _, _) in ends.items()}
    for number, (stops, dead, _) in ends.items():
        if len(stops) > len(dead):
            command = CommandWords(program.routines[number], named(program.unit_of_routine[number]))
            asked[number] = dead | _asked_for(command, outcomes.routes[number], stops - dead, dead)
    return Ends(
        asked,
        {number: dead for number, (_, dead, _) in ends.items()},
        {number: final for number, (_, _, final) in ends.items()},
        frozenset(outcomes.of_routine),
    )


def _ends_of(outcomes: RoutineOutcomes, number: int) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """The stops, the dead ends and the final blocks of a routine."""
    routine = outcomes.program.routines[number]
    final = outcomes.final(number)
    if not final:
        return frozenset(), frozenset(), frozenset()
    blocks = range(len(routine.blocks))
    after = [() if block in final else outcomes.routes[number][block] for block in blocks]
    returns = {block for block in routine.returning if block not in final}
    works = {block for block, outcome in final.items() if outcome != Outcome.FAILS}
    reached = reached_from(after, [0])
    loops = outcomes.working_loops(number, reached, after) if number in outcomes.of_routine else set()
    if number in outcomes.of_routine:
        usual = loops | {max(works & reached, default=-1)} - {-1}
        if not usual and routine.name == "main":
            usual = {max(final.keys() & reached)}
    else:
        usual = returns
    before: list[list[int]] = [[] for _ in blocks]
    for block in blocks:
        for each in after[block]:
            before[each].append(block)
    endless = _endless(reached, before, set(final) | returns)
    can_end = reached_from(before, usual | endless)
    can_work = reached_from(before, usual | returns | works | loops | endless)
    every = frozenset(blocks)
    failing = reached - can_work
    if failing:
        busy = outcomes.working_blocks(number, failing) | outcomes.working_loops(number, failing, after)
        can_work |= reached_from(before, busy)
    return every - can_end, every - can_work, frozenset(final)


def _endless(reached: set[int], before: list[list[int]], ends: set[int]) -> set[int]:
    """Blocks from which no end is reached at all: loops that nothing but a signal ends."""
    return reached - reached_from(before, ends)


def _asked_for(
    command: CommandWords, after: Sequence[Sequence[int]], stops: frozenset[int], dead: frozenset[int]
) -> frozenset[int]:
    """Those of these blocks that nothing but words of the command line leads to; all if there is no rest."""
    if not stops or 0 in stops | dead:
        return stops
    found = set(stops)
    while True:
        wrong = {
            target
            for block, targets in enumerate(after)
            if block not in found and block not in dead
            for target in targets
            if target in found and command.leading(block, target) is None
        }
        if not wrong:
            return frozenset(found)
        found -= wrong
