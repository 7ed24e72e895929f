"""The files of a scenario after its change; the program itself is kept once."""

from collections.abc import Iterable, Mapping


def with_changes(files: Mapping[str, str], changes: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The texts after `changes` in their order; a change whose `old` is empty adds its file."""
    changed = dict(files)
    for change in changes:
        name, old, new = change["file"], change["old"], change["new"]
        if not old:
            assert name not in changed, f"{name} exists, so it cannot be added"
            changed[name] = new
            continue
        assert changed[name].count(old) == 1, f"{name} must have once what changes: {old!r}"
        changed[name] = changed[name].replace(old, new)
    return changed
