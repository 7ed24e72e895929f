"""What of the kernel's account of runs differs together with a time: work, the kernel's part, or waiting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median

from sonde.core.findings.comparisons import Moved, Pair
from sonde.core.results import Metric, Sample

LEAST = 0.05  # a share: what differs by less did not move
SURE = 0.9  # of the pairs must show it
LEAST_OF_TIME = 0.02  # of the run: a time that is less explains nothing
LEAST_COUNT = 100  # switches or faults

Read = Callable[[Sample], float | None]


def _account(name: str) -> Read:
    def read(sample: Sample) -> float | None:
        account = sample.gauges.account
        return None if account is None else float(getattr(account, name))

    return read


def _user(sample: Sample) -> float | None:
    account, cpu = sample.gauges.account, sample.values.get(Metric.CPU)
    return None if account is None or cpu is None else max(cpu - account.system, 0.0)


TIMES: Mapping[str, Read] = {"user time": _user, "system time": _account("system")}
COUNTS: Mapping[str, Read] = {
    "waits": _account("voluntary_switches"),
    "page faults": _account("minor_faults"),
    "page faults that read": _account("major_faults"),
}
MEMORY: Mapping[str, Read] = {"peak memory": lambda sample: sample.values.get(Metric.MEMORY)}


def moved_between(pairs: Sequence[Pair]) -> tuple[Moved, ...]:
    """What nearly all pairs show to be larger at one side."""
    walls = [run.values.get(Metric.WALL, 0.0) for pair in pairs for run in (pair.base, pair.head)]
    least_seconds = LEAST_OF_TIME * median(walls) if walls else 0.0
    return (
        *_found(TIMES, "s", pairs, least_seconds),
        *_found(MEMORY, "B", pairs, 0.0),
        *_found(COUNTS, "", pairs, LEAST_COUNT),
    )


def _found(readers: Mapping[str, Read], unit: str, pairs: Sequence[Pair], least: float) -> Iterator[Moved]:
    for name, read in readers.items():
        values = [(read(pair.base), read(pair.head)) for pair in pairs]
        known = [(base, head) for base, head in values if base is not None and head is not None]
        if len(known) < len(values) or not known:
            continue
        base, head = median(base for base, _ in known), median(head for _, head in known)
        larger = sum(after > before for before, after in known)
        smaller = sum(after < before for before, after in known)
        is_sure = max(larger, smaller) >= SURE * len(known)
        if is_sure and abs(head - base) >= max(least, LEAST * base):
            yield Moved(name, unit, base, head)
