"""Compiles units to bitcode, several at a time, as far as none of them is known."""

# pathlib and contextlib take long to import.
# ruff: noqa: PTH104, PTH110, PTH118, SIM105

from __future__ import annotations

import hashlib
import os
import re
import select
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sonde.effects.sandbox.inside import keeper, limits
else:
    import keeper
    import limits

MOST_DROPPED = 12  # words that clang does not know
SHOWN_BYTES = 4000
OPTIMISED = "-D__OPTIMIZE__=1"  # what compilers define that optimise; the code stays as it is without
FULL_DISK = "No space left on device"
# How clang names a word that it does not take. gcc has more of them.
COMPLAINTS = (
    re.compile(r"error: unknown argument:? '([^']+)'"),
    re.compile(r"error: unsupported option '([^']+)'"),
    re.compile(r"error: unsupported argument '[^']*' to option '([^']+)'"),
    re.compile(r"error: invalid argument '([^']+)'"),
    re.compile(r"error: invalid value '[^']*' in '([^']+)'"),
    re.compile(r"error: (?:unknown target CPU) '()"),
)


class Undone(Exception):
    """Clang did not take a unit; what it said is the argument, and whether it would say so again."""


def main(channel: int) -> None:
    """Compile what the order names, and tell what came of each unit."""
    order = keeper.listen(channel)
    keeper.become_reaper()
    os.umask(0o022)
    limits.keep(order["limits"])
    threading.Thread(target=_watch, args=(channel,), daemon=True).start()
    with ThreadPoolExecutor(order["lanes"]) as pool:
        units = list(pool.map(lambda job: _compile(order, *job), enumerate(order["jobs"])))
    keeper.end_descendants(frozenset())
    keeper.answer(channel, {"units": units})


def _watch(channel: int) -> None:
    """End everything when Sonde is gone."""
    select.select([channel], [], [])
    keeper.abandon()


def _compile(order: dict[str, Any], number: int, job: dict[str, Any]) -> dict[str, Any]:
    _restore(job)
    try:
        digest = _emit(order, number, job)
    except Undone as undone:
        output, is_lasting = undone.args
        try:  # some sources refuse to be compiled without optimisation
            optimised = {**job, "shaping": [*job["shaping"], OPTIMISED]}
            digest = _emit(order, number, optimised) if is_lasting else ""
        except Undone:
            digest = ""
        if not digest:
            return {"digest": "", "output": output, "is_lasting": is_lasting}
    return {"digest": digest, "output": "", "is_lasting": True}


def _emit(order: dict[str, Any], number: int, job: dict[str, Any]) -> str:
    """The digest of a unit, whose bitcode is made if it is not known."""
    text, shaping = _preprocess(order, job)
    text = text.replace(order["tree"].encode(), order["root"].encode())
    meaning = "\0".join([order["version"], job["folder_name"], job["language"], *shaping])
    content = meaning.encode(errors="surrogateescape") + b"\0\0" + text
    name = hashlib.sha256(content).hexdigest()
    if order["apart"] and not _is_known(order, name):  # what it compiles may differ from what it showed
        name = hashlib.sha256(order["apart"].encode() + b"\0" + content).hexdigest()
    if not _is_known(order, name):
        made = f"{order['new']}/unfinished-{number}"
        _clang(order, job, shaping, (*order["emitting"], "-o", made))
        os.rename(made, f"{order['new']}/{name}.bc")
    return name


def _is_known(order: dict[str, Any], name: str) -> bool:
    return os.path.exists(f"{order['known']}/{name[:2]}/{name}.bc")


def _restore(job: dict[str, Any]) -> None:
    """Put a source back that the build has removed."""
    place = os.path.join(job["folder"], job["path"])
    if not os.path.exists(place) and os.path.exists(job["copy"]):
        try:
            shutil.copyfile(job["copy"], place)
        except OSError:
            pass  # its folder is gone as well; clang will say so


def _preprocess(order: dict[str, Any], job: dict[str, Any]) -> tuple[bytes, list[str]]:
    """The text of a unit, and the words that clang takes."""
    shaping = list(job["shaping"])
    for _ in range(MOST_DROPPED):
        try:
            return _clang(order, job, shaping, ("-E",)), shaping
        except Undone as undone:
            shorter = _without_unknown(shaping, undone.args[0])
            if shorter == shaping:
                raise
            shaping = shorter
    return _clang(order, job, shaping, ("-E",)), shaping


def _without_unknown(words: list[str], complaint: str) -> list[str]:
    unknown = [match for pattern in COMPLAINTS for match in pattern.findall(complaint)]
    if "" in unknown:
        unknown = ["-march=", "-mcpu="]
    return [word for word in words if not any(_names(each, word) for each in unknown)]


def _names(unknown: str, word: str) -> bool:
    return word == unknown or (unknown.endswith("=") and word.startswith(unknown))


def _clang(order: dict[str, Any], job: dict[str, Any], shaping: list[str], doing: tuple[str, ...]) -> bytes:
    words = [*order["clang"], *job["mode"], *job["reading"], *shaping, *order["always"], *doing]
    try:
        ended = subprocess.run(
            [*words, *job["source"]],
            cwd=job["folder"],
            env={**order["variables"], **job["variables"]},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise Undone(f"{error.filename}: {error.strerror}", False) from error
    if ended.returncode != 0:
        said = ended.stderr[:SHOWN_BYTES].decode(errors="replace")
        is_lasting = ended.returncode > 0 and FULL_DISK not in said
        raise Undone(said or f"clang ended with exit code {ended.returncode}", is_lasting)
    return ended.stdout
