"""In which function's source a line stands: what tells inlined code apart from the function around it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from sonde.core.code import Routine, SourceLine, Unit


class LineOwners:
    """The routines of units by their lines."""

    def __init__(self, units: Iterable[Unit]) -> None:
        """Each routine has the lines from its own to the last one of its instructions in the same file."""
        spans: defaultdict[str, dict[tuple[int, int], dict[str, Routine]]] = defaultdict(dict)
        self._elsewhere: defaultdict[SourceLine, dict[str, Routine]] = defaultdict(dict)
        for unit in units:
            for routine in unit.routines:
                home, last = routine.place, routine.place.line
                for place in {each.place for each in routine.instructions}:
                    if place.file == home.file and place.line >= home.line:
                        last = max(last, place.line)
                    elif place.line:
                        self._elsewhere[place][routine.name] = routine
                if home.line:
                    spans[home.file].setdefault((home.line, last), {})[routine.name] = routine
        self._spans: Mapping[str, list[tuple[tuple[int, int], tuple[Routine, ...]]]] = {
            file: sorted((span, tuple(routines.values())) for span, routines in several.items())
            for file, several in spans.items()
        }

    def owners(self, place: SourceLine) -> tuple[Routine, ...]:
        """The routines in whose source a line stands: several for instances of a template; none if unknown.

        Of nested functions the innermost; else those that have code from there, as from an included list.
        """
        spans = self._spans.get(place.file, [])
        number = bisect_right(spans, place.line, key=lambda each: each[0][0])
        first = spans[number - 1][0][0] if number else 0
        found: list[Routine] = []
        while number and spans[number - 1][0][0] == first:
            number -= 1
            (_, last), routines = spans[number]
            if place.line <= last:
                found += routines
        return (
            tuple(found)
            or self._around(spans, number, place)
            or tuple(self._elsewhere.get(place, {}).values())
        )

    def _around(
        self, spans: list[tuple[tuple[int, int], tuple[Routine, ...]]], number: int, place: SourceLine
    ) -> tuple[Routine, ...]:
        """The nearest earlier routines that reach to a line behind a nested one."""
        for (_, last), routines in reversed(spans[:number]):
            if place.line <= last:
                return routines
        return ()
