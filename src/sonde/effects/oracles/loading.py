"""Loads an oracle from a file of the user."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

from sonde.core.errors import UsageError
from sonde.effects.oracles.oracle import Oracle, checked_oracle, told
from sonde.space.facts import number_of
from sonde.space.nearest import did_you_mean

Arguments = Mapping[str, int | float | str]


def load_oracle(text: str, arguments: str = "") -> Oracle:
    """The oracle that `FILE.py:NAME` writes; raises UsageError.

    NAME is an object that is an oracle, or a class or function that makes one of the arguments: `a=1,b=x`.
    """
    path, separator, name = text.rpartition(":")
    if not separator or not path or not name:
        raise UsageError(f"oracle '{text}': write it as FILE.py:NAME, for instance synthetic.py:System.")
    given = read_arguments(arguments)
    module = _module(Path(path))
    names = [each for each in vars(module) if not each.startswith("_")]
    if name not in vars(module):
        known = f" It has {', '.join(sorted(names))}." if names else ""
        raise UsageError(f"{path}: there is no '{name}'.{did_you_mean(name, names)}{known}")
    return checked_oracle(text, _made(text, vars(module)[name], given))


def read_arguments(text: str) -> Arguments:
    """What `a=1,b=2.5,c=word` writes: numbers where they look so, else text."""
    arguments: dict[str, int | float | str] = {}
    for part in text.split(",") if text.strip() else ():
        name, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator or not name.isidentifier():
            raise UsageError(f"oracle arguments '{text}': '{part}' is not NAME=VALUE. Write a=1,b=2.")
        if name in arguments:
            raise UsageError(f"oracle arguments '{text}': '{name}' is given twice; give it once.")
        number = number_of(value)
        arguments[name] = value if number is None else number
    return arguments


def _made(text: str, found: object, arguments: Arguments) -> object:
    """The object itself, or what it makes of the arguments if it is a class or a function."""
    is_maker = isinstance(found, type) or (callable(found) and not hasattr(found, "options"))
    if not is_maker:
        if arguments:
            raise UsageError(f"{text} is not a class or function, so it takes no arguments. Remove them.")
        return found
    assert callable(found)
    try:
        with redirect_stdout(sys.stderr):
            return found(**arguments)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of the user
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items()) or "no arguments"
        raise UsageError(
            f"{text} cannot be created with {given}: {told(error)}. Fix it, or use other --oracle-args."
        ) from None


def _module(path: Path) -> ModuleType:
    if not path.is_file():
        what = "this is not a file" if path.exists() else "there is no such file"
        raise UsageError(f"{path}: {what}. Name the Python file that contains the oracle.")
    name = f"sonde_oracle_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path}: this is not a Python file. Name one that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there for the module that they are in
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # so that it can import its neighbours, now and at each run
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of the user
        raise UsageError(f"{path} cannot be loaded: {told(error)}. Fix the file.") from None
    return module
