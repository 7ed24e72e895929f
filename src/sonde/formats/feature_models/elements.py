"""XML as a small tree with line numbers, safe against what XML can do to its reader.

Document types are refused, and with them every entity: no bombs, and no files or addresses read along.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn
from xml.parsers import expat

from sonde.formats.feature_models.errors import ModelError, mistake

DEEPEST = 32


@dataclass(frozen=True)
class Element:
    """An element, its text without outer blanks, and the line on which it begins."""

    name: str
    line: int
    attributes: Mapping[str, str]
    text: str
    children: tuple[Element, ...]

    def all(self, name: str) -> Iterator[Element]:
        """The children of this name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        """The first child of this name."""
        return next(self.all(name), None)

    def text_of(self, name: str) -> str:
        """The text of the first child of this name; empty if there is none."""
        child = self.first(name)
        return child.text if child else ""


def read_elements(text: str, file: str) -> Element:
    """The outermost element of a document; raises ModelError where it is not well-formed."""
    builder = _Builder(file)
    try:
        builder.parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise mistake(file, error.lineno, f"this is not XML: {reason}. Is the file complete?") from None
    return builder.outermost()


class _Open:
    """An element whose end has not come yet."""

    def __init__(self, name: str, line: int, attributes: Mapping[str, str]) -> None:
        self.name, self.line, self.attributes = name, line, attributes
        self.texts: list[str] = []
        self.children: list[Element] = []

    def closed(self) -> Element:
        return Element(
            self.name, self.line, self.attributes, "".join(self.texts).strip(), tuple(self.children)
        )


class _Builder:
    """Listens to the parser."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._open = [_Open("", 0, {})]
        # An encoding given here wins over the one that the document declares: the text is UTF-8 by now.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._hear

    def outermost(self) -> Element:
        return self._open[0].children[0]

    def _refuse(self, *_: object) -> NoReturn:
        raise self._mistake("a document type is not allowed here. Remove <!DOCTYPE ...> and its entities.")

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._open) > DEEPEST:
            raise self._mistake(
                f"elements are nested more than {DEEPEST} deep, so this is not a feature model."
            )
        self._open.append(_Open(name, self.parser.CurrentLineNumber, attributes))

    def _end(self, name: str) -> None:
        closed = self._open.pop().closed()
        self._open[-1].children.append(closed)

    def _hear(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _mistake(self, message: str) -> ModelError:
        return mistake(self._file, self.parser.CurrentLineNumber, message)
