"""`sonde demo`: a subject to try everything on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json


def demo(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    json: Json = False,
) -> None:
    """Write a demo subject: a real git repository with planted performance changes, and its project file."""
    from sonde.cli.terminal.printing import print_json, say
    from sonde.effects.demo_subject.write import write_demo

    subject = write_demo(folder)
    if json:
        print_json(
            {
                "folder": str(subject.folder),
                "revisions": len(subject.revision_ids),
                "truth": str(subject.truth_file),
            }
        )
        return
    say(f"Wrote a git repository with {len(subject.revision_ids)} revisions to {subject.folder}.")
    say(f"The planted changes are listed in {subject.truth_file}. Try:\n")
    say(f"  cd {subject.folder}\n  sonde measure HEAD~20..")
