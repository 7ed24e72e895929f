"""What else differs where a time is slower or faster: the kernel's account of the runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sonde.core.findings.comparisons import Compared, Moved
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.core.results import Metric
from sonde.report.labels import difference
from sonde.report.quantities import quantity

_LIKE = {"s": Metric.CPU, "B": Metric.MEMORY, "": Metric.INSTRUCTIONS}  # how values of a unit are shown


def moved_texts(told: Sequence[Compared], default: Configuration) -> Iterator[str]:
    """A line for each benchmark, about the case that changes most."""
    most: dict[BenchmarkName, Compared] = {}
    for each in told:
        known = most.get(each.case.benchmark)
        if each.moved and (known is None or _size(each) > _size(known)):
            most[each.case.benchmark] = each
    for benchmark, each in most.items():
        where = difference(each.case.configuration, default)
        yield f"{benchmark}, {where}: also changed: {', '.join(map(_text, each.moved))}."


def moved_json(moved: Sequence[Moved]) -> list[Mapping[str, object]]:
    """Name, unit (s, B or none), and the medians of base and head."""
    return [{"name": one.name, "unit": one.unit, "base": one.base, "head": one.head} for one in moved]


def _size(compared: Compared) -> float:
    return abs(compared.ratio.log) if compared.ratio else 0.0


def _text(moved: Moved) -> str:
    base, head = (quantity(value, _LIKE[moved.unit]) for value in (moved.base, moved.head))
    return f"{moved.name} {base} -> {head}"
