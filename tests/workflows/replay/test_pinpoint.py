"""`sonde replay pinpoint` from a recording or an oracle to its findings."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from itertools import product
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from sonde.cli.app import app
from sonde.core.errors import NothingMeasured, UsageError, UserError
from sonde.core.events import Limited, Planned, ResultKnown
from sonde.core.findings.pinpoints import Stop
from sonde.core.results import Failed
from sonde.effects.oracles import checked_oracle
from sonde.workflows.pinpoint.searches import ROAMING, SEARCHES, search_named
from sonde.workflows.replay.pinpoint import PinpointReplay, RecordedRequest, replay_oracle, replay_recording
from sonde.workflows.thresholds import parse_threshold
from tests.effects.models.spaces import PACKER_XML
from tests.workflows.everywhere import Everywhere

FIRST, REVISIONS = 100, 12
WISH = PinpointReplay("everywhere")


class Watched:
    def __init__(self) -> None:
        self.events: list[Any] = []

    def notice(self, event) -> None:
        self.events.append(event)


class System:
    """Two changes, one of them only where `b` is off."""

    options = ("a", "b")
    revisions = REVISIONS

    def value(self, revision, selected, rng):
        slow = 2.0 if revision >= 4 and "a" in selected else 1.0
        return slow * (0.5 if revision >= 9 and "b" not in selected else 1.0)


def write_recording(folder, benchmarks=("",), leave_out=()):
    folder.mkdir()
    rows = list(product((0, 1), repeat=2))
    lines = ["configuration,a,b", *(f"c{a}{b},{a},{b}" for a, b in rows if (a, b) not in leave_out)]
    (folder / "configurations.csv").write_text("\n".join(lines) + "\n")
    points = ["revision,configuration,benchmark,value" if any(benchmarks) else "revision,configuration,value"]
    for (a, b), benchmark, revision in product(rows, benchmarks, range(REVISIONS)):
        if (a, b) not in leave_out:
            selected = {name for name, is_on in (("a", a), ("b", b)) if is_on}
            value = System().value(revision, selected, None)
            name = f"c{a}{b},{benchmark}" if benchmark else f"c{a}{b}"
            points.append(f"{FIRST + revision},{name},{value}")
    (folder / "points.csv").write_text("\n".join(points) + "\n")
    return folder


@pytest.fixture
def everywhere(monkeypatch):
    """The search of the tests, on the command line as well."""
    monkeypatch.setitem(cast(dict[str, Any], SEARCHES), "everywhere", Everywhere)
    return {"everywhere": Everywhere}


@pytest.fixture
def oracle_file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = tmp_path / "subjects.py"
    file.write_text(
        "class System:\n"
        "    def __init__(self, revisions=8, bad='none'):\n"
        "        self.options, self.revisions, self.bad = ['a', 'b'], revisions, bad\n"
        "    def value(self, revision, selected, rng):\n"
        "        if self.bad == 'raise': raise ValueError('not today')\n"
        "        if self.bad == 'nan': return float('nan')\n"
        "        if self.bad == 'some' and revision % 2: return 0\n"
        "        return 3.0 if revision >= 4 and 'a' in selected else 1.0\n"
    )
    return f"{file}:System"


def invoke(*words: object):
    return CliRunner().invoke(app, ["replay", "pinpoint", *map(str, words)], catch_exceptions=False)


def complaint(*words: object) -> str:
    with pytest.raises(UserError) as raised:
        invoke(*words)
    assert raised.value.exit_code == 2
    return str(raised.value)


def found(replayed):
    return [
        (replayed.revisions[one.position], sorted(map(str, one.term)), round(one.effect, 6))
        for one in replayed.found.findings
    ]


def test_an_oracle_is_searched(everywhere):
    replayed = replay_oracle(checked_oracle("two", System()), WISH, Watched(), everywhere)

    assert found(replayed) == [(4, ["a"], round(math.log(2), 6)), (9, ["!b"], round(-math.log(2), 6))]
    assert replayed.runs == replayed.found.points == 4 * REVISIONS
    assert replayed.found.ending == "every point is measured"
    assert replayed.planner_seconds > 0


def test_a_recording_is_searched_and_revisions_have_its_numbers(everywhere, tmp_path):
    folder = write_recording(tmp_path / "packer")

    replayed = replay_recording(RecordedRequest(folder), WISH, Watched(), everywhere)

    assert replayed.name == "packer"
    assert [(revision, term) for revision, term, _ in found(replayed)] == [(104, ["a"]), (109, ["!b"])]
    assert replayed.found.points == 4 * REVISIONS


def test_only_what_is_recorded_is_asked_for(everywhere, tmp_path):
    folder = write_recording(tmp_path / "packer", leave_out={(1, 1)})

    replayed = replay_recording(RecordedRequest(folder), WISH, Watched(), everywhere)

    assert replayed.found.points == 3 * REVISIONS
    assert replayed.found.failed == 0


def test_a_search_that_roams_is_answered_by_the_nearest_until_they_are_used_up(tmp_path):
    folder = write_recording(tmp_path / "packer", leave_out={(1, 1)})
    (name,) = ROAMING

    replayed = replay_recording(
        RecordedRequest(folder), PinpointReplay(name), watched := Watched(), {name: Everywhere}
    )

    results = [event.result for event in watched.events if isinstance(event, ResultKnown)]
    assert {one.point.configuration for one in results if one.instead_of is not None} <= {
        one.point.configuration for one in results if one.instead_of is None
    }
    assert replayed.found.points == 3 * REVISIONS
    assert replayed.found.failed == REVISIONS
    shown = [event for event in watched.events if isinstance(event, ResultKnown) and event.result.cost.runs]
    assert sum(isinstance(event.result.outcome, Failed) for event in shown) == 5  # the first few


def test_a_search_that_roams_asks_for_what_the_model_allows(tmp_path):
    folder = tmp_path / "packer"
    folder.mkdir()
    (folder / "feature-model.xml").write_text(PACKER_XML)
    from sonde.effects.models import read_model

    valid = list(read_model(folder / "feature-model.xml").configurations())[:40:3]
    names = list(valid[0].chosen)
    rows = [",".join([str(at), *(str(int(each[name])) for name in names)]) for at, each in enumerate(valid)]
    (folder / "configurations.csv").write_text("\n".join([",".join(["configuration", *names]), *rows]) + "\n")
    points = [f"{revision},{at},{1 + at + revision}" for at in range(len(valid)) for revision in range(3)]
    (folder / "points.csv").write_text("\n".join(["revision,configuration,value", *points]) + "\n")
    (name,) = ROAMING

    replayed = replay_recording(RecordedRequest(folder), PinpointReplay(name), Watched(), {name: Everywhere})

    assert replayed.found.points == 3 * len(valid)  # each was asked for, or stood in for another


def test_a_share_is_one_of_all_points_and_runs_are_runs(everywhere, tmp_path):
    folder = write_recording(tmp_path / "packer")

    def points(budget):
        request = PinpointReplay("everywhere", budget=budget)
        return replay_recording(RecordedRequest(folder), request, Watched(), everywhere)

    assert points("25%").found.points == REVISIONS
    assert points("25%").found.ending == "the budget of 12 points is spent"
    assert points("1%").found.points == 4
    assert points("25%").found.stop is Stop.BUDGET
    assert points("7").runs == 7
    assert points("").found.points == 4 * REVISIONS
    assert points("").found.stop is Stop.FINISHED


@pytest.mark.parametrize(("budget", "announced"), [("7", Limited(7)), ("25%", Planned(12, is_limit=True))])
def test_a_budget_is_announced_in_its_own_unit(everywhere, tmp_path, budget, announced):
    folder, watched = write_recording(tmp_path / "packer"), Watched()

    replay_recording(
        RecordedRequest(folder), PinpointReplay("everywhere", budget=budget), watched, everywhere
    )

    assert [event for event in watched.events if not isinstance(event, ResultKnown)] == [announced]


def test_a_budget_that_is_spent_is_no_search_that_found_nothing(everywhere, oracle_file):
    text = invoke("--oracle", oracle_file, "--planner", "everywhere", "--budget", "9").stdout

    assert "Nothing found so far: the budget was spent before the search ended." in text
    assert "above the noise" not in text


def test_repeats_are_drawn_where_that_is_wanted(everywhere, tmp_path):
    folder = write_recording(tmp_path / "packer")
    cells = ",".join(["0.3"] * REVISIONS)
    head = ",".join(str(FIRST + revision) for revision in range(REVISIONS))
    rows = [f"c{a}{b},{cells}" for a, b in product((0, 1), repeat=2)]
    (folder / "relative-deviation.csv").write_text("\n".join([f"configuration,{head}", *rows]) + "\n")

    def effects(draw, seed):
        request = PinpointReplay("everywhere", seed=seed)
        return found(replay_recording(RecordedRequest(folder, "", draw), request, Watched(), everywhere))

    assert effects(False, 1) == effects(False, 2)
    assert effects(True, 1) == effects(True, 1)
    assert effects(True, 1) != effects(True, 2)
    assert len(effects(True, 1)) > 2


def test_a_benchmark_is_chosen(everywhere, tmp_path):
    folder = write_recording(tmp_path / "packer", benchmarks=("pack", "unpack"))

    answer = json.loads(invoke(folder, "--planner", "everywhere", "--benchmark", "unpack", "--json").stdout)

    assert answer["points"] == 4 * REVISIONS
    assert "there are 2 benchmarks. Choose one with --benchmark: pack, unpack" in complaint(
        folder, "--planner", "everywhere"
    )
    assert "there is no benchmark 'list'. It has pack, unpack" in complaint(
        folder, "--planner", "everywhere", "--benchmark", "list"
    )


def test_the_command_prints_findings_as_json(everywhere, oracle_file):
    result = invoke(
        "--oracle", oracle_file, "--oracle-args", "revisions=6", "--planner", "everywhere", "--json"
    )

    answer = json.loads(result.stdout)
    (finding,) = answer["findings"]
    assert finding["revision"] == finding["earliest"] == finding["latest"] == 4
    assert finding["options"] == ["a"]
    assert finding["effect"] == pytest.approx(math.log(3))
    assert finding["low"] < finding["effect"] < finding["high"]
    assert finding["probability"] == 0.97
    assert (answer["runs"], answer["points"], answer["planner"]) == (24, 24, "everywhere")
    assert answer["planner_seconds"] > 0
    assert answer["ending"] == "every point is measured"


def test_the_command_prints_findings_in_words(everywhere, oracle_file):
    text = invoke("--oracle", oracle_file, "--planner", "everywhere", "--threshold", "10%").stdout

    assert "planner everywhere, changes of 10 % and more." in text
    assert "revision 4: +200 % where a is on; probability .97; measured in 2 configurations\n" in text
    assert "It took 32 runs at 32 points in 4 configurations." in text


def test_an_oracle_that_fails_now_and_then_still_gives_an_answer(everywhere, oracle_file):
    result = invoke("--oracle", oracle_file, "--oracle-args", "bad=some", "--planner", "everywhere")

    assert result.exit_code == 0
    assert "Nothing found above the noise: no change of 5 % or more." in result.stdout
    assert "16 points failed." in result.stdout
    assert result.stderr.count("failed: The oracle returned 0.0") == 5


@pytest.mark.parametrize(("bad", "said"), [("raise", "ValueError: not today"), ("nan", "returned nan")])
def test_an_oracle_that_always_fails_is_an_error(everywhere, oracle_file, bad, said):
    words = ["--oracle", oracle_file, "--oracle-args", f"bad={bad}", "--planner", "everywhere", "--json"]

    result = CliRunner().invoke(app, ["replay", "pinpoint", *words])

    assert isinstance(result.exception, NothingMeasured)
    assert result.exception.exit_code == 3
    assert said in result.stderr
    assert json.loads(result.stdout)["findings"] == []


def test_mistakes_are_told_in_a_sentence(everywhere, oracle_file, tmp_path):
    folder = write_recording(tmp_path / "packer")
    planner = ("--planner", "everywhere")
    assert "give either the folder of a recording or an --oracle" in complaint()
    assert "give either the folder of a recording or an --oracle" in complaint(
        folder, "--oracle", oracle_file
    )
    assert "there is no planner 'best'. Known ones: shared-steps, paper" in complaint(
        folder, "--planner", "best"
    )
    assert "threshold 'much' is invalid" in complaint(folder, *planner, "--threshold", "much")
    assert "budget 'much' is invalid" in complaint(folder, *planner, "--budget", "much")
    assert "a replay takes no time" in complaint(folder, *planner, "--budget", "2h")
    assert "a budget of 5% has no meaning" in complaint("--oracle", oracle_file, *planner, "--budget", "5%")
    assert "there is no relative-deviation.csv" in complaint(folder, *planner, "--draw-repeats")
    assert "need a recording" in complaint("--oracle", oracle_file, *planner, "-b", "pack")
    assert "needs an --oracle" in complaint(folder, *planner, "--oracle-args", "a=1")
    assert "this folder does not exist" in complaint(tmp_path / "nothing", *planner)


@pytest.mark.parametrize(
    ("text", "threshold"), [("5%", 0.05), (" 12.5 % ", 0.125), ("0.05", 0.05), (".1", 0.1)]
)
def test_a_threshold_is_a_share(text, threshold):
    assert parse_threshold(text) == pytest.approx(threshold)


@pytest.mark.parametrize(
    "text", ["", "much", "0", "0%", "-5%", "100%", "1", "5", "250%", "nan", "5%%", "1e-2"]
)
def test_any_other_threshold_is_an_error(text):
    with pytest.raises(UsageError, match=r"threshold '.*' is invalid.*5%, or 0\.05"):
        parse_threshold(text)


def test_an_unknown_search_is_an_error_that_lists_them():
    with pytest.raises(UsageError, match=r"no planner 'x'\. Known ones: shared-steps, paper\."):
        search_named("x")


def test_influences_of_an_oracle_are_those_that_it_has(everywhere):
    class Sum(System):
        def value(self, revision, selected, rng):
            return 10.0 + (2.0 + 3.0 * (revision >= 4)) * ("a" in selected) - 1.5 * ("b" in selected)

    request = replace(WISH, predict=("a,b",), at="3", influences=True)
    replayed = replay_oracle(checked_oracle("sum", Sum()), request, Watched(), everywhere)

    influences = replayed.found.influences
    assert influences is not None
    told = {
        ",".join(map(str, one.term)): [(since, round(value, 6)) for since, value in one.over_time]
        for one in influences.terms
    }
    assert told == {"": [(0, 10.0)], "a": [(0, 2.0), (4, 5.0)], "b": [(0, -1.5)]}
    assert [one.value for one in influences.predictions] == [pytest.approx(10.5)]
    assert influences.points == 4 * REVISIONS


def test_a_configuration_that_is_not_recorded_can_be_predicted(everywhere, tmp_path):
    folder = tmp_path / "sum"
    folder.mkdir()
    recorded = list(product((0, 1), repeat=3))[:-1]
    rows = [f"c{a}{b}{c},{a},{b},{c}" for a, b, c in recorded]
    (folder / "configurations.csv").write_text("\n".join(["configuration,a,b,c", *rows]) + "\n")
    points = [
        f"{FIRST + revision},c{a}{b}{c},{10 + 2 * a + 5 * b - 3 * c}"
        for a, b, c in recorded
        for revision in range(REVISIONS)
    ]
    (folder / "points.csv").write_text("\n".join(["revision,configuration,value", *points]) + "\n")

    answer = json.loads(invoke(folder, "--planner", "everywhere", "--predict", "a,b,c", "--json").stdout)

    (prediction,) = answer["predictions"]
    assert prediction["revision"] == FIRST + REVISIONS - 1
    assert prediction["configuration"] == {"a": True, "b": True, "c": True}
    assert prediction["value"] == pytest.approx(14.0, rel=0.01)
    assert answer["fitted_points"] == 7 * REVISIONS


def test_influences_are_fitted_only_where_they_are_asked_for(everywhere, oracle_file, monkeypatch):
    words = ("--oracle", oracle_file, "--planner", "everywhere")

    def fit(*_):
        raise AssertionError("nobody asked for it")

    with monkeypatch.context() as patched:
        patched.setattr("sonde.methods.pinpointing.influences.of_line.fit_influences", fit)
        plain = json.loads(invoke(*words, "--json").stdout)
    asked = json.loads(invoke(*words, "--influences", "--json").stdout)

    assert "influences" not in plain
    assert asked["findings"] == plain["findings"]
    (a,) = (one for one in asked["influences"] if one["options"] == ["a"])
    assert [one["from_revision"] for one in a["over_time"]] == [0, 4]
    assert [one["value"] for one in a["over_time"]] == pytest.approx([0.0, 2.0], abs=1e-6)
    assert asked["predictions"] == []


def test_the_command_tells_influences_and_predictions_in_words(everywhere, oracle_file):
    words = ("--oracle", oracle_file, "--planner", "everywhere", "--predict", "a", "--at", "2")

    text = invoke(*words).stdout

    assert "Influences, fitted to 32 points." in text
    assert "4: 0 → +2" in text
    assert "Predicted by these influences at 2, with a mean relative error of" in text


def test_where_every_run_fails_there_are_no_influences(oracle_file, everywhere):
    words = ["--oracle", oracle_file, "--oracle-args", "bad=nan", "--planner", "everywhere", "--influences"]

    result = CliRunner().invoke(app, ["replay", "pinpoint", *words])

    assert isinstance(result.exception, NothingMeasured)
    assert "There are no influences to report" in result.stdout
    assert "Nothing could be measured: 32 points failed." in result.stdout
    assert "Nothing found" not in result.stdout


def test_mistakes_about_predictions_are_told_in_a_sentence(everywhere, oracle_file):
    words = ("--oracle", oracle_file, "--planner", "everywhere")
    assert "is only for predictions" in complaint(*words, "--at", "2")
    assert "has no such revision. Write a number from 0 to 7" in complaint(
        *words, "--predict", "a", "--at", "HEAD"
    )
    assert "'treads'" in complaint(*words, "--predict", "treads")
