"""A first project file, guessed from what lies in a repository."""

from __future__ import annotations

from pathlib import Path

from sonde.effects.project_file.starter.detect_autotools import detect_autotools
from sonde.effects.project_file.starter.detect_cargo import detect_cargo
from sonde.effects.project_file.starter.detect_cmake import detect_cmake
from sonde.effects.project_file.starter.detect_make import detect_any_make, detect_linking_make
from sonde.effects.project_file.starter.detect_meson import detect_meson
from sonde.effects.project_file.starter.detect_python import detect_python
from sonde.effects.project_file.starter.existing import suggestions
from sonde.effects.project_file.starter.guesses import LIST_OUTPUTS, CommandGuess, Detector, Guess
from sonde.effects.project_file.starter.writing import write_starter
from sonde.space.space import Space

# The first that finds something decides. A makefile that links nothing often only serves a Python package.
DETECTORS: tuple[Detector, ...] = (
    detect_cargo,
    detect_cmake,
    detect_meson,
    detect_autotools,
    detect_linking_make,
    detect_python,
    detect_any_make,
)

UNKNOWN = Guess(
    evidence="",
    command="",
    outputs=("*",),
    call=CommandGuess(LIST_OUTPUTS, "Sonde does not know how to run this, so this only lists the files."),
    remarks=('Sonde does not know how this is built. Write command = "..." and the outputs that it leaves.',),
)


def starter_file(repository: Path, space: Space | None = None) -> str:
    """A commented project file for `repository`, to be written to its root, with the options of `space`.

    It runs as it is where the guess is right, and says in comments what could not be known.
    """
    root = repository.resolve()
    guesses = (detect(root) for detect in DETECTORS)
    guess = next((guess for guess in guesses if guess is not None), UNKNOWN)
    return write_starter(guess, suggestions(root), space)
