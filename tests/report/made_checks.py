"""Checks of every kind, made by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from sonde.core.findings.comparisons import (
    Audit,
    AuditOutcome,
    Audits,
    Case,
    Check,
    Compared,
    CountedWork,
    Culprit,
    Dropped,
    Grown,
    Modes,
    NarrowingStep,
    Ratio,
    Verdict,
)
from sonde.core.options import Configuration
from sonde.core.results import Cost, Failed, Metric, Stage
from sonde.core.revisions import Revision, RevisionId
from sonde.methods.comparison.auditing import tally_of
from sonde.methods.comparison.patterns import find_patterns
from sonde.methods.comparison.reasons import depends_reason


def _id(letter: str) -> RevisionId:
    return RevisionId(letter * 40)


HEAD = Revision(_id("7"), (_id("6"),), 7, "Ada", "Search deeper, which nobody had asked for")
BASE = Revision(_id("6"), (_id("5"),), 6, "Bob", "Mend\tthe README")
EARLIER = Revision(_id("2"), (_id("1"),), 2, "Bob", "Begin anew")

DEFAULT = Configuration.of({"algorithm": "lz", "checksum": False, "level": 5})
STRONG = Configuration.of({"algorithm": "lz", "checksum": False, "level": 9})
RLE = Configuration.of({"algorithm": "rle", "checksum": True, "level": 9})
EXIT = Failed(Stage.RUN, "The benchmark ended with exit code 7.", "packer: no such level\n")

PROVEN = Dropped(NarrowingStep.BUILDS, True, "the build inputs are the same", 252, ("pack", "unpack"))
NOT_REACHED = Dropped(NarrowingStep.SELECT, True, "no code that they run has changed", 30, ("pack",))
BY_IMPACT = Dropped(
    NarrowingStep.IMPACT, False, "the change reaches hot code only through level", 216, ("pack", "unpack")
)
BY_SAMPLE = Dropped(
    NarrowingStep.SAMPLE,
    False,
    "the measured configurations cover all combinations of 2 options",
    4,
    ("pack",),
)


def case(benchmark: str = "pack", configuration: Configuration = DEFAULT) -> Case:
    return Case(benchmark, configuration)


def counted(where: Case, verdict: Verdict, log: float) -> Compared:
    """By instructions, of which two runs say everything."""
    ratio, base = Ratio(log, log, log, 2, 0.0), 31_650_000.0
    return Compared(where, Metric.INSTRUCTIONS, 0.01, verdict, "", ratio, base, base * (1 + log))


def timed(where: Case, verdict: Verdict, log: float, reason: str = "") -> Compared:
    """By time, with an interval."""
    ratio = Ratio(log, log - 0.021, log + 0.034, 24, 0.003)
    return Compared(where, Metric.CPU, 0.05, verdict, reason, ratio, 0.0512, 0.0512 * (1 + log), True)


def depending(where: Case, change: float) -> Compared:
    """A change in 4 of 10 set-ups."""
    modes = Modes(change, 4, 0.001, 6)
    return replace(
        timed(where, Verdict.DEPENDS, change / 2, depends_reason(modes)),
        modes=modes,
        work=CountedWork(2_000_000.0, 2_000_400.0),
    )


def failing(where: Case, verdict: Verdict, reason: str) -> Compared:
    return Compared(where, Metric.INSTRUCTIONS, 0.01, verdict, reason, failed=EXIT)


def check(*compared: Compared, dropped: tuple[Dropped, ...] = (NOT_REACHED, BY_IMPACT)) -> Check:
    """A check of these cases."""
    total = len(compared) + sum(each.cases for each in dropped)
    return Check(
        HEAD,
        BASE,
        DEFAULT,
        total,
        dropped,
        compared,
        ("level",),
        patterns=find_patterns(compared),
        seconds_all=1129.0,
        cost=Cost(runs=63, builds=4, seconds=103.0),
    )


SLOWER = check(
    counted(case("pack", STRONG), Verdict.SLOWER, 0.253),
    counted(case("pack", RLE), Verdict.SLOWER, 0.162),
    counted(case("pack"), Verdict.EQUAL, 0.0004),
    counted(case("unpack", STRONG), Verdict.SLOWER, 0.9),
    counted(case("unpack"), Verdict.FASTER, -0.11),
)
FASTER = check(timed(case(), Verdict.FASTER, -0.31), timed(case("unpack"), Verdict.EQUAL, 0.002))
FAILS = check(
    failing(case("pack", RLE), Verdict.FAILS, f"it fails, but did not fail at the base: {EXIT.reason}"),
    counted(case(), Verdict.EQUAL, 0.0),
)
MENDED = check(failing(case("pack", RLE), Verdict.MENDED, f"it failed at the base: {EXIT.reason}"))
DEPENDS = check(depending(case("pack", STRONG), 0.157), timed(case(), Verdict.EQUAL, 0.004))
BROKEN = check(failing(case("pack", RLE), Verdict.BROKEN, f"it fails at both revisions: {EXIT.reason}"))
INCONCLUSIVE = replace(
    check(
        timed(
            case(), Verdict.INCONCLUSIVE, 0.041, "the interval reaches beyond the threshold after 40 pairs"
        ),
        timed(case("unpack"), Verdict.EQUAL, 0.001),
        dropped=(BY_SAMPLE,),
    ),
    warnings=("the machine is noisy: equal runs differ by about 9 %. Use --pairs 120, or end other work.",),
)
EQUAL = check(counted(case(), Verdict.EQUAL, 0.0), timed(case("unpack"), Verdict.EQUAL, 0.01), dropped=())
UNCHANGED = replace(check(dropped=(PROVEN,)), related_options=None, seconds_all=None, cost=Cost())
NOTHING = check(dropped=(NOT_REACHED, BY_IMPACT))

GROWN = (Grown("compress", 3_600_000, 4_680_000, 1.08), Grown("hash", 90_000.0, 0.0, -0.08))
CULPRITS = replace(
    check(counted(case("pack", STRONG), Verdict.SLOWER, 0.253)),
    culprits=(
        Culprit(case("pack", STRONG), HEAD, HEAD, 1.0, 5, "instructions change by +25.3 %", GROWN),
        Culprit(case("unpack"), EARLIER, HEAD, 0.973, 8, "not decided for 1 of them"),
    ),
)
_GROWING = replace(SLOWER.patterns[0], grown=GROWN)
GROWTH = replace(SLOWER, patterns=(_GROWING, *SLOWER.patterns[1:]))

MANY = check(
    *(
        counted(
            case(f"pack-{name}", Configuration.of({"algorithm": algorithm, "checksum": on, "level": level})),
            Verdict.SLOWER,
            0.011 * level,
        )
        for name, algorithm, on, level in product(
            ("text", "image", "log"), ("lz", "rle", "huffman"), (False, True), (1, 5, 9)
        )
    )
)

_ODD = Configuration.of({"a*b|c": True, "<b>": "x_y_z", "`quote`": False})
ODD_NAMES = replace(
    check(
        counted(case("pack|all_*_[files](x)", _ODD), Verdict.SLOWER, 0.2),
        failing(case("a<b>", _ODD), Verdict.FAILS, "it fails: *no* such `file` <here> | there"),
    ),
    default=Configuration.of({"a*b|c": False, "<b>": "x_y_z", "`quote`": True}),
    head=replace(HEAD, subject="Use <T> | *all* of `it`, [see](x) #1 ~~not~~"),
    warnings=("50 * 2 | <3>",),
)

OTHER_OUTPUT = replace(
    FASTER, compared=tuple(replace(each, is_output_same=each.ratio is None) for each in FASTER.compared)
)
_SAME = {("pack", STRONG): False, ("pack", RLE): True, ("pack", DEFAULT): True}
SOME_OUTPUTS = replace(
    SLOWER,
    compared=tuple(
        replace(each, is_output_same=_SAME.get((each.case.benchmark, each.case.configuration)))
        for each in SLOWER.compared
    ),
)
COSTLY = replace(SLOWER, seconds_all=4.2, seconds_narrowing=31.0)

MERGE = replace(EQUAL, head=replace(HEAD, parents=(_id("6"), _id("2")), subject="Merge what was asked for"))

FILTERED = Configuration.of({"algorithm": "huffman", "checksum": True, "level": 5})


def audited(found: Check, *audits: tuple[Compared, AuditOutcome], before: int = 82, missed: int = 0) -> Check:
    """The check with audits of what its last step left out; so many others were made before."""
    (*others, last) = found.dropped
    earlier = [AuditOutcome.MISSED] * missed + [AuditOutcome.UNCHANGED] * (before - missed)
    tally = tally_of([*earlier, *(outcome for _, outcome in audits)])
    cases = tuple(Audit(*each) for each in audits)
    left = replace(last, cases=last.cases - len(audits))
    compared = (*found.compared, *(each for each, _ in audits))
    return replace(
        found,
        dropped=(*others, left) if left.cases else tuple(others),
        audits=Audits(last.step, last.reason, last.cases, cases, tally),
        patterns=find_patterns(compared),
    )


_SAME_AUDIT = (counted(case("pack", FILTERED), Verdict.EQUAL, 0.0), AuditOutcome.UNCHANGED)
_OTHER_AUDIT = (counted(case("unpack", FILTERED), Verdict.EQUAL, 0.0), AuditOutcome.UNCHANGED)
_MISSED_AUDIT = (counted(case("pack", FILTERED), Verdict.SLOWER, 0.37), AuditOutcome.MISSED)
_OPEN = "after 40 pairs, -2.1 % to +7.4 % is possible; the machine is too noisy for this benchmark"
_OPEN_AUDIT = (timed(case("pack", FILTERED), Verdict.INCONCLUSIVE, 0.02, _OPEN), AuditOutcome.UNDECIDED)

_STRONG_FILTERED = Configuration.of({**FILTERED.chosen, "level": 9})

AUDITED = audited(check(counted(case(), Verdict.EQUAL, 0.0)), _SAME_AUDIT, _OTHER_AUDIT)
AUDITED_ALONE = audited(NOTHING, _SAME_AUDIT, _OTHER_AUDIT, before=0)
AUDIT_MISSED = audited(check(counted(case(), Verdict.EQUAL, 0.0)), _MISSED_AUDIT, _OTHER_AUDIT)
AUDITS_MISSED = audited(
    check(timed(case(), Verdict.EQUAL, 0.0), dropped=(replace(BY_SAMPLE, cases=5_000),)),
    *(
        (timed(case("pack", Configuration.of({**RLE.chosen, "level": level})), Verdict.SLOWER, log), missed)
        for level, log, missed in zip(
            range(5), (0.1, 0.2, 0.3, 0.4, 0.5), [AuditOutcome.MISSED] * 5, strict=True
        )
    ),
    missed=1,
)
AUDITS_DIFFER = audited(
    SLOWER,
    (counted(case("pack", _STRONG_FILTERED), Verdict.SLOWER, 0.21), AuditOutcome.REPORTED),
    _OTHER_AUDIT,
    _OPEN_AUDIT,
    missed=2,
)

KINDS = {
    "audited": AUDITED,
    "audited-alone": AUDITED_ALONE,
    "audit-missed": AUDIT_MISSED,
    "audits-missed": AUDITS_MISSED,
    "audits-differ": AUDITS_DIFFER,
    "slower": SLOWER,
    "faster": FASTER,
    "fails": FAILS,
    "mended": MENDED,
    "broken": BROKEN,
    "depends": DEPENDS,
    "inconclusive": INCONCLUSIVE,
    "equal": EQUAL,
    "unchanged": UNCHANGED,
    "nothing": NOTHING,
    "culprits": CULPRITS,
    "growth": GROWTH,
    "many": MANY,
    "odd-names": ODD_NAMES,
    "other-output": OTHER_OUTPUT,
    "some-outputs": SOME_OUTPUTS,
    "costly": COSTLY,
    "merge": MERGE,
}
