"""Two builds differ in what does something else, and not in what only moved."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from sonde.core.evidence import DataObject, Function, Key, Language, Snapshot
from sonde.core.findings.selections import Churn
from sonde.methods.selection.differences import difference_between
from tests.evidence_values import snapshots

PACK = "bin/pack"


def key(name, source="", output=PACK):
    return Key(output, source, name)


def function(code, masked="", raw="", texts=""):
    return Function(code, masked or code, frozenset(), raw or code, texts, 10)


OLD = Snapshot(
    languages={PACK: Language.MACHINE},
    functions={key(name): function(name) for name in ("main", "copy", "report", "usage", "gone", "moved")},
    objects={key("levels"): DataObject("1", 8, True), key("sizes"): DataObject("2", 8, True)},
    startup={PACK: "s"},
    files={"notes.txt": "n"},
)
NEW = replace(
    OLD,
    functions={
        key("main"): function("main", raw="elsewhere"),
        key("copy"): function("other"),
        key("report"): function("line 12", masked="report"),
        key("usage"): function("usage", texts="other words"),
        key("moved", "b.c"): function("moved"),
        key("fresh"): function("fresh"),
    },
    objects={
        key("levels"): DataObject("9", 8, True),
        key("more"): DataObject("3", 8, True, is_gathered=True),
    },
    startup={PACK: "other"},
    files={},
)


def test_each_kind_of_difference_is_told_apart():
    found = difference_between(OLD, NEW)

    assert found.raw == {key("main"), key("copy"), key("report")}
    assert found.normalised == {key("copy"), key("report")}
    assert found.changed == {key("copy")}
    assert found.relined == {key("report")}
    assert found.texts == {key("usage")}
    assert found.deleted == {key("gone")}
    assert found.added == {key("fresh")}
    assert found.moved == {key("moved")}
    assert found.objects == {key("levels"), key("sizes")}
    assert found.added_objects == {key("more")}
    assert found.unreferenced == {key("more")}
    assert found.startup == {PACK}
    assert found.files == {"notes.txt"}
    assert found.churn == Churn(6, raw=3, normalised=2, masked=1, new=1, deleted=1, objects=3)


def test_a_function_moves_with_its_output_and_not_where_its_name_is_ambiguous():
    renamed = replace(OLD, functions={key("main", output="bin/pack2"): function("main")})
    assert difference_between(OLD, renamed).moved == {key("main")}

    doubled = replace(
        OLD, functions={key("main", "a.c"): function("main"), key("main", "b.c"): function("x")}
    )
    found = difference_between(OLD, doubled)
    assert key("main") in found.deleted
    assert len(found.added) == 2


@given(snapshots)
def test_a_build_does_not_differ_from_itself(build):
    found = difference_between(build, build)

    assert found.is_none
    assert not found.touched_outputs
    assert not found.files
    assert found.churn == Churn(len(build.functions), 0, 0, 0, 0, 0, 0)


@given(snapshots, snapshots)
def test_every_function_is_kept_deleted_or_added(old, new):
    found = difference_between(old, new)

    assert found.counterparts.keys() | found.deleted == old.functions.keys()
    assert set(found.counterparts.values()) | found.added == new.functions.keys()
    assert len(set(found.counterparts.values())) == len(found.counterparts)
    assert found.changed <= found.normalised
    assert not found.is_none or old.fingerprint == new.fingerprint
