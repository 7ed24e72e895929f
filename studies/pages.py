"""Pages of docs/studies: each part of a study writes its own sections, and leaves the others as they are."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "studies"


def with_sections(page: str, sections: Iterable[str], head: str = "") -> str:
    """The page with these sections, in the place of those with the same titles or at the end.

    A head takes the place of what stands above the first section.
    """
    before, kept = _parts(page)
    kept |= {_title(each): each.strip() for each in sections}
    return "\n\n".join([head.strip() or before, *kept.values()]) + "\n"


def write_sections(name: str, sections: Iterable[str], head: str = "") -> None:
    """Put sections into the page of a study."""
    page = FOLDER / f"{name}.md"
    page.write_text(with_sections(page.read_text(), sections, head))


def _parts(page: str) -> tuple[str, dict[str, str]]:
    head, *sections = f"\n{page}".split("\n## ")
    parts = [f"## {each}".strip() for each in sections]
    return head.strip(), {_title(part): part for part in parts}


def _title(section: str) -> str:
    return section.strip().splitlines()[0]
