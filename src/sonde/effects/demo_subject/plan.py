"""The plan of the demo subject: its revisions in first-parent order, and the trees that they give."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources import files
from importlib.resources.abc import Traversable

from sonde.effects.demo_subject.edits import Create, apply_edits
from sonde.effects.demo_subject.planned import PlannedRevision, Reason, quiet
from sonde.effects.demo_subject.story import (
    broken,
    planted_algorithms,
    planted_checksums,
    planted_stages,
    side_branches,
)
from sonde.effects.demo_subject.story.new_option import DICTIONARY
from sonde.effects.demo_subject.story.quiet_comments import COMMENTS
from sonde.effects.demo_subject.story.quiet_documentation import DOCUMENTATION
from sonde.effects.demo_subject.story.quiet_refactoring import EARLY_CODE
from sonde.effects.demo_subject.story.quiet_refactoring_last import LAST_CODE
from sonde.effects.demo_subject.story.quiet_refactoring_later import LATE_CODE
from sonde.effects.demo_subject.story.quiet_tests import TESTS

# Each word takes the next revision of its theme; @ tags the revision before it.
_ORDER = """
start documentation comments documentation tests code documentation @v1.0
documentation tests comments code documentation examples documentation code
unpack-without-window documentation comments code tests documentation
semicolon semicolon comments code documentation tests
small-checksum-table documentation code comments tests code documentation
patient-runs documentation code comments documentation tests defaults code documentation
exit-codes exit-codes comments code documentation tests
code documentation comments documentation tests code dictionary documentation documentation tests @v1.1
comments code documentation tests comments documentation
utf8-survey documentation code tests documentation comments
code comments documentation
no-patient-runs documentation documentation code comments documentation tests documentation code
stride-from-sample documentation comments code tests documentation
paths paths paths documentation comments documentation
words-by-first-letter code documentation documentation comments tests documentation @v1.2
more-levels prototype prototype documentation code tests comments documentation
weigh-filter-for-huffman documentation documentation code tests comments documentation
crash crash code documentation tests documentation comments
deeper-search documentation code tests documentation comments documentation
no-code-reuse documentation comments code documentation tests @v1.3
comments documentation code documentation comments
sums-without-checksum documentation documentation code comments documentation tests tests
"""


def plan() -> tuple[PlannedRevision, ...]:
    """All revisions of the main branch, oldest first."""
    themes = {name: iter(revisions) for name, revisions in _themes().items()}
    planned: list[PlannedRevision] = []
    for word in _ORDER.split():
        if word.startswith("@"):
            planned[-1] = replace(planned[-1], tag=word[1:])
        else:
            planned.append(next(themes[word]))
    left = [revision.subject for revisions in themes.values() for revision in revisions]
    if left:
        raise ValueError(f"The order of the demo's plan leaves out: {', '.join(left)}.")
    return tuple(planned)


def trees(planned: tuple[PlannedRevision, ...]) -> Iterator[dict[str, str]]:
    """The files of each revision, path -> text, in order."""
    tree: dict[str, str] = {}
    for revision in planned:
        tree = apply_edits(tree, revision.edits)
        yield tree


def _themes() -> Mapping[str, tuple[PlannedRevision, ...]]:
    return {
        "start": (_start(),),
        "documentation": DOCUMENTATION,
        "comments": COMMENTS,
        "tests": TESTS,
        "code": (*EARLY_CODE, *LATE_CODE, *LAST_CODE),
        "examples": (side_branches.EXAMPLES,),
        "defaults": (side_branches.DEFAULTS,),
        "more-levels": (side_branches.MORE_LEVELS,),
        "semicolon": broken.FORGOTTEN_SEMICOLON,
        "exit-codes": broken.FORGOTTEN_FILE,
        "paths": broken.HALF_A_RENAMING,
        "prototype": broken.OTHER_PROTOTYPE,
        "crash": broken.CRASH,
        "dictionary": (DICTIONARY,),
        "unpack-without-window": (planted_algorithms.UNPACK_WITHOUT_WINDOW,),
        "small-checksum-table": (planted_checksums.SMALL_CHECKSUM_TABLE,),
        "patient-runs": (planted_algorithms.PATIENT_RUNS,),
        "utf8-survey": (planted_stages.UTF8_SURVEY,),
        "no-patient-runs": (planted_algorithms.NO_PATIENT_RUNS,),
        "stride-from-sample": (planted_stages.STRIDE_FROM_SAMPLE,),
        "words-by-first-letter": (planted_algorithms.WORDS_BY_FIRST_LETTER,),
        "weigh-filter-for-huffman": (planted_stages.WEIGH_FILTER_FOR_HUFFMAN,),
        "deeper-search": (planted_algorithms.DEEPER_SEARCH,),
        "no-code-reuse": (planted_algorithms.NO_CODE_REUSE,),
        "sums-without-checksum": (planted_checksums.SUMS_WITHOUT_CHECKSUM,),
    }


def _start() -> PlannedRevision:
    program = files("sonde.effects.demo_subject") / "program"
    created = (Create(path, text) for path, text in _texts(program, ""))
    # Not a file of the package: there, git would obey it.
    ignored = Create(".gitignore", "packer\n*.o\n")
    return quiet(Reason.START, "Pack and unpack files", *created, ignored)


def _texts(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _texts(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry.read_text("utf-8")
