"""The judge of pinpointing: a folder with `synthetic.py`, which makes systems, and `score.py`."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

FILES = ("score.py", "synthetic.py")

Json = dict[str, Any]


@dataclass(frozen=True)
class Judge:
    """What its two files say; a truth is what `score.py pinpoint` reads as such."""

    folder: Path

    def system(self, **parameters: float) -> Any:
        """An oracle that also has a `truth(threshold)`."""
        return _module(self.folder / "synthetic.py").System(**parameters)

    def score(self, truth: Mapping[str, object], findings: Sequence[Json]) -> Json:
        """Precision, recall and all else that it says of findings."""
        with TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("truth.json", "findings.json")]
            files[0].write_text(json.dumps(truth))
            files[1].write_text(json.dumps({"findings": list(findings)}))
            scored: Json = _module(self.folder / "score.py").score_pinpoint(*files)
        return scored


@cache
def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"judge_{path.stem}", path)
    assert spec is not None  # the path ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
