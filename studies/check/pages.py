"""docs/studies/check.md: each part of the study writes its own section."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "check.md"
TITLE = "# Check: are its verdicts right, and what do they cost?"


def with_part(page: str, part: str) -> str:
    """The page with this section, in the place of the one with the same title or at the end."""
    sections = _sections(page)
    sections[_title(part)] = part.strip()
    return "\n\n".join([TITLE, *sections.values()]) + "\n"


def write_part(part: str, page: Path = PAGE) -> None:
    """Put a section into the page."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(with_part(page.read_text() if page.exists() else "", part))


def _sections(page: str) -> dict[str, str]:
    parts = [f"## {part}".strip() for part in f"\n{page}".split("\n## ")[1:]]
    return {_title(part): part for part in parts}


def _title(part: str) -> str:
    return part.strip().splitlines()[0]
