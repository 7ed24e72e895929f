r"""Which files are build inputs: patterns much like those of a `.gitignore`.

- A pattern without a slash, or with one only at its end, matches a name in any folder: `*.c`, `Makefile`.
- A pattern with any other slash begins at the root of the work tree: `src/*.c`, `/Makefile`.
- `*` matches any letters but the slash, `?` one letter, `[a-z]` and `[!a-z]` one of a set, `\` takes the
  next letter as it is. Names that begin with a dot are no exception. Letters are not folded.
- `**` between slashes matches any number of folders, none included; at the end (`src/**`) all that lies
  below.
- A pattern that matches a folder matches all that lies below it; with a slash at its end (`doc/`) it
  matches only folders. A link to a submodule counts as a folder whose files nobody knows: it is chosen if
  one of them may be.
- `!pattern` takes files out again. The last pattern that matches decides, also below a folder that was
  taken out (there, git differs). Without a match a file is no input, unless the first pattern takes out:
  then it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sonde.core.errors import ProjectFileError

ANY = None  # the part `**`


@dataclass(frozen=True)
class PathPattern:
    """A pattern, split at its slashes."""

    parts: tuple[re.Pattern[str] | None, ...]
    takes_out: bool
    only_folders: bool

    @property
    def beginning(self) -> frozenset[int]:
        """Where in the pattern one stands at the root of the work tree."""
        return frozenset(self._skipping(0))

    def step(self, places: frozenset[int], name: str, is_folder: bool) -> tuple[bool, frozenset[int]]:
        """Whether `name` completes the pattern, and where one stands below it."""
        completes, below = False, set[int]()
        for place in places:
            part = self.parts[place]
            if part is ANY:
                below.update(self._skipping(place))
                completes |= place + 1 == len(self.parts)
            elif part.fullmatch(name):
                below.update(self._skipping(place + 1))
                completes |= place + 1 == len(self.parts)
        return completes and (is_folder or not self.only_folders), frozenset(below)

    def takes_all_below(self, places: frozenset[int]) -> bool:
        """Whether whatever lies below a folder completes the pattern, when one stands there."""
        last = len(self.parts) - 1
        return last in places and self.parts[last] is ANY and not self.only_folders

    def _skipping(self, place: int) -> Iterator[int]:
        """The place, and those after it that `**` can skip to; a `**` at the end is not skipped."""
        while place < len(self.parts):
            yield place
            if self.parts[place] is not ANY or place + 1 == len(self.parts):
                return
            place += 1


@dataclass(frozen=True, eq=False)  # compared by identity: `Patterns` makes each only once
class Standing:
    """What patterns say of a folder: its files are chosen or not, unless an open pattern differs."""

    chosen: bool
    open: tuple[tuple[int, frozenset[int]], ...]  # a pattern's number, and where one stands in it

    @property
    def is_settled(self) -> bool:
        """Whether all files below are decided alike."""
        return not self.open


class Patterns:
    """Patterns, asked on the way down from the root of the work tree."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self._patterns = tuple(parse_pattern(text) for text in texts)
        self._standings: dict[tuple[bool, tuple[tuple[int, frozenset[int]], ...]], Standing] = {}
        self._known: dict[tuple[Standing, str, bool], Standing] = {}
        chosen = bool(self._patterns) and self._patterns[0].takes_out
        beginnings = [(number, pattern.beginning) for number, pattern in enumerate(self._patterns)]
        self.root = self._folder(chosen, beginnings)

    def enter(self, folder: Standing, name: str) -> Standing:
        """What the patterns say of the folder `name` within `folder`."""
        return self._step(folder, name, is_folder=True)

    def choose(self, folder: Standing, name: str) -> bool:
        """Whether the file `name` within `folder` is chosen."""
        return self._step(folder, name, is_folder=False).chosen

    def choose_path(self, path: str) -> bool:
        """Whether the file with this path is chosen."""
        *folders, name = path.split("/")
        standing = self.root
        for folder in folders:
            standing = self.enter(standing, folder)
        return self.choose(standing, name)

    def may_choose_below(self, path: str) -> bool:
        """Whether a file in the folder with this path could be chosen."""
        standing = self.root
        for folder in path.split("/"):
            standing = self.enter(standing, folder)
        return standing.chosen or not standing.is_settled

    def _step(self, folder: Standing, name: str, is_folder: bool) -> Standing:
        if folder.is_settled:
            return folder
        key = (folder, name, is_folder)
        if key not in self._known:
            chosen = folder.chosen
            still_open: list[tuple[int, frozenset[int]]] = []
            for number, places in folder.open:
                pattern = self._patterns[number]
                completes, below = pattern.step(places, name, is_folder)
                if completes:
                    chosen, still_open = not pattern.takes_out, []
                elif below:
                    still_open.append((number, below))
            self._known[key] = self._folder(chosen, still_open) if is_folder else self._standing(chosen, [])
        return self._known[key]

    def _folder(self, chosen: bool, still_open: list[tuple[int, frozenset[int]]]) -> Standing:
        kept: list[tuple[int, frozenset[int]]] = []
        for number, places in still_open:
            if self._patterns[number].takes_all_below(places):
                chosen, kept = not self._patterns[number].takes_out, []
            else:
                kept.append((number, places))
        return self._standing(chosen, kept)

    def _standing(self, chosen: bool, still_open: list[tuple[int, frozenset[int]]]) -> Standing:
        # Open patterns that could only repeat what is decided say nothing, up to the first that could differ.
        differing = [
            n for n, (number, _) in enumerate(still_open) if self._patterns[number].takes_out == chosen
        ]
        kept = tuple(still_open[differing[0] :]) if differing else ()
        return self._standings.setdefault((chosen, kept), Standing(chosen, kept))


def parse_pattern(text: str) -> PathPattern:
    """The pattern that `text` spells."""
    takes_out = text.startswith("!")
    path = text.removeprefix("!")
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if not parts:
        raise ProjectFileError(f"build inputs: the pattern '{text}' is empty. Write '**' for all files.")
    if ".." in parts:
        raise ProjectFileError(
            f"build inputs: the pattern '{text}' points out of the repository. Write it without '..'."
        )
    compiled = [ANY if part == "**" else re.compile(_expression(part), re.DOTALL) for part in parts]
    begins_anywhere = "/" not in path.rstrip("/") and compiled[0] is not ANY
    return PathPattern(
        parts=(ANY, *compiled) if begins_anywhere else tuple(compiled),
        takes_out=takes_out,
        only_folders=path.endswith("/"),
    )


_PIECES = re.compile(
    r"(?P<many>\*+)|(?P<one>\?)|\[(?P<set>[!^]?(?:\][^\]]*|[^\]]+))\]|\\(?P<plain>.)|(?P<letter>.)", re.DOTALL
)


def _expression(part: str) -> str:
    """The regular expression of one part of a pattern."""
    return "".join(_piece(match) for match in _PIECES.finditer(part))


def _piece(match: re.Match[str]) -> str:
    if match["many"]:
        return ".*"
    if match["one"]:
        return "."
    if match["set"] and match["set"] not in {"!", "^"}:
        inverted = match["set"][0] in "!^"
        letters = match["set"][1:] if inverted else match["set"]
        escaped = re.sub(r"([\\\]\[^&~|])", r"\\\1", letters)
        expression = f"[{'^' if inverted else ''}{escaped}]"
        return expression if _is_valid(expression) else r"(?!)"  # a backward set matches nothing
    return re.escape(match["plain"] or match[0])


def _is_valid(expression: str) -> bool:
    try:
        re.compile(expression)
    except re.error:
        return False
    return True
