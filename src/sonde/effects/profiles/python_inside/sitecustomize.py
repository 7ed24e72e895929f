"""Begins to profile, and then lets the `sitecustomize` act that would have been found without this one."""

# ruff: noqa: PTH100, PTH120

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

HERE = os.path.dirname(os.path.abspath(__file__))

sys.path.insert(0, HERE)
__import__("sonde_recorder")
sys.path.remove(HERE)

spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if os.path.abspath(path) != HERE])
if spec is not None and spec.loader is not None:
    sys.modules["sitecustomize"] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
