"""What a proof asks of Python code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sonde.core.evidence import (
    Activity,
    Aspect,
    CostUnit,
    Function,
    Key,
    Language,
    Profile,
    ProfiledFunction,
    Snapshot,
)
from sonde.core.results import Metric
from sonde.methods.selection.differences import difference_between
from sonde.methods.selection.exposure import exposure_to
from sonde.methods.selection.proof import Doubt, Proven, prove
from sonde.methods.selection.reach import reach_of

CORE, OTHER = "pack/core.py", "pack/other.py"
OURS = "cpython 3.11"


def function(code: str, texts: str = "", raw: str = "") -> Function:
    return Function(code, code, frozenset(), raw or code, texts, 1)


def snapshot(modules: dict[str, dict[str, Function]], interpreter: str = OURS) -> Snapshot:
    return Snapshot(
        languages=dict.fromkeys(modules, Language.PYTHON),
        functions={
            Key(file, "", name): each for file, names in modules.items() for name, each in names.items()
        },
        objects={},
        startup={file: str(sorted(names.items())) for file, names in modules.items()},
        files={"pack/table.json": "table"},
        interpreter=interpreter,
    )


MODULES = {
    CORE: {"<module>": function("m"), "run": function("r"), "rule": function("u", texts="a : b")},
    OTHER: {"<module>": function("o")},
}
OLD = snapshot(MODULES)
CHANGED = snapshot({**MODULES, OTHER: {"<module>": function("changed")}})  # which nobody imports
RAN = Profile(
    CostUnit.NANOSECONDS,
    {
        ProfiledFunction(CORE, "", "<module>"): Activity(1, 10, 20),
        ProfiledFunction(CORE, "", "run"): Activity(1, 10, 10),
    },
    nameless=0,
    outside={},
    outside_files={},
    opened=frozenset(),
    interpreters=frozenset({OURS}),
    modules=frozenset({"pack", "core", "json", "fast"}),
)


def tried(new: Snapshot, profile: Profile = RAN, old: Snapshot = OLD) -> Proven | Doubt:
    exposure = exposure_to(difference_between(old, new), reach_of(profile, old))
    return prove(exposure, profile, Metric.CPU)


def test_a_module_that_nobody_imports_may_change():
    assert isinstance(tried(CHANGED), Proven)


@pytest.mark.parametrize("other", ["cpython 3.12", "cpython 3.11 -O", "pypy 3.11"])
def test_functions_are_known_for_one_interpreter_alone(other):
    doubt = tried(CHANGED, replace(RAN, interpreters=frozenset({OURS, other})))

    assert isinstance(doubt, Doubt)
    assert doubt.reasons == (f"it runs {other}, and its functions are known only for {OURS}",)
    assert isinstance(tried(replace(CHANGED, interpreter=other)), Doubt)


def test_a_function_that_its_file_does_not_have_is_a_doubt_even_if_it_took_no_time():
    made = {**RAN.activities, ProfiledFunction(CORE, "", "made"): Activity(1, 0, 0)}

    assert isinstance(tried(CHANGED, replace(RAN, activities=made)), Doubt)


@pytest.mark.parametrize(
    ("file", "is_proven"),
    [
        ("pack/fast.py", False),
        ("fast/__init__.py", False),
        ("fast/deep/any.txt", False),
        ("json.cpython-311-x86_64-linux-gnu.so", False),
        ("pack/fast.txt", True),
        ("pack/slow.py", True),
        ("pack/__init__.py", False),
        ("slow/core.pyc", False),
    ],
)
def test_a_file_that_comes_or_goes_counts_if_a_module_of_its_name_was_looked_for(file, is_proven):
    more = replace(OLD, files={**OLD.files, file: "new"})

    assert isinstance(tried(more), Proven) is is_proven
    assert isinstance(tried(OLD, old=more), Proven) is is_proven


def test_docstrings_count_where_they_may_be_read_even_of_functions_that_do_not_run():
    new = snapshot({**MODULES, CORE: {**MODULES[CORE], "rule": function("u", texts="a : b c")}})

    assert isinstance(tried(new), Proven)
    assert isinstance(tried(new, replace(RAN, aspects=frozenset({Aspect.LINES}))), Proven)
    doubt = tried(new, replace(RAN, aspects=frozenset({Aspect.DOCSTRINGS})))
    assert isinstance(doubt, Doubt)
    assert doubt.reasons == ("its string constants changed in rule",)


def test_line_numbers_count_where_the_build_looks_at_them():
    new = snapshot({**MODULES, CORE: {**MODULES[CORE], "rule": function("u", texts="a : b", raw="line 2")}})

    assert isinstance(tried(new), Proven)
    assert isinstance(tried(new, replace(RAN, aspects=frozenset({Aspect.DOCSTRINGS}))), Proven)
    assert isinstance(tried(new, replace(RAN, aspects=frozenset({Aspect.LINES}))), Doubt)


def test_a_profile_that_is_not_complete_says_why():
    doubt = tried(CHANGED, replace(RAN, is_complete=False, gap="a Python process was killed"))

    assert isinstance(doubt, Doubt)
    assert doubt.reasons == ("the profile is not complete: a Python process was killed",)
