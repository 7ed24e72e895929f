"""The code of a build."""

from sonde.core.evidence import Language, Snapshot
from sonde.effects.builds.code import fingerprint_code


def snapshot(*languages: Language) -> Snapshot:
    return Snapshot({str(at): language for at, language in enumerate(languages)}, {}, {}, {}, {})


def test_files_that_can_be_executed_count_by_their_names(tmp_path):
    for name in ("tool", "text"):
        (tmp_path / name).touch()
    built = snapshot(Language.MACHINE)
    before = fingerprint_code(built, tmp_path, ["tool", "text"])
    (tmp_path / "tool").chmod(0o755)

    after = fingerprint_code(built, tmp_path, ["tool", "text"])

    assert before is not None
    assert after is not None
    assert before != after


def test_only_code_of_machines_has_one(tmp_path):
    assert fingerprint_code(snapshot(), tmp_path, ()) is None
    assert fingerprint_code(snapshot(Language.MACHINE, Language.PYTHON), tmp_path, ()) is None
