"""The functions behind a difference, by real profiles."""

from __future__ import annotations

import pytest

from sonde.core.events import Event, ProfileBegan
from sonde.core.findings.comparisons import Case
from sonde.workflows.check.growth import grown_between
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import open_project
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import write_project

pytestmark = pytest.mark.needs("git", "bwrap", "c++", "valgrind")

SOURCE = """\
#include <cstdio>
namespace work {{
__attribute__((noinline)) long {fill}(long turns) {{
    volatile long sum = 0;
    for (long turn = 0; turn < turns; turn++) sum = sum + turn;
    return sum;
}}
__attribute__((noinline)) long rank(long turns) {{
    volatile long sum = 0;
    for (long turn = 0; turn < turns; turn++) sum = sum ^ turn;
    return sum;
}}
}}
int main() {{ return work::{fill}(20000) + work::rank({turns}) == 1; }}
"""

PROJECT = """\
repository = "subject"

[build]
command = "c++ -O1 -o work work.cc"
outputs = ["work"]

[benchmarks.work]
command = "{build}/work"
metric = "cpu"
"""


class Noted:
    def __init__(self) -> None:
        self.profiles = 0

    def notice(self, event: Event) -> None:
        self.profiles += isinstance(event, ProfileBegan)


def test_the_function_that_does_more_is_named_as_its_source_does(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"work.cc": SOURCE.format(fill="fill", turns=20000)})
    maker.revision({"work.cc": SOURCE.format(fill="renamed", turns=30000)})
    maker.revision({"work.cc": "this is not C++\n"})
    maker.make(tmp_path / "subject")
    write_project(tmp_path, PROJECT)
    project, noted = open_project(tmp_path), Noted()
    with (
        open_tools(project, project.history(""), ["work"], is_sandboxed=True) as tools,
        tools.executor(noted) as executor,
    ):
        base, head, broken = tools.history
        case = Case("work", project.file.space.default)

        (grown,) = grown_between(tools, executor, case, base, head)
        (shrunk,) = grown_between(tools, executor, case, head, base)

        assert grown.name == shrunk.name == "work::rank(long)"
        assert grown.after == pytest.approx(1.5 * grown.before, rel=0.01)
        assert grown.share == pytest.approx(1.0, abs=0.02)
        assert (shrunk.before, shrunk.after) == (grown.after, grown.before)
        assert noted.profiles == 2
        assert grown_between(tools, executor, case, base, base) == ()
        assert grown_between(tools, executor, case, base, broken) == ()
