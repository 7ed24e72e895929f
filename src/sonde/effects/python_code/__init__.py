"""Python programs as units of code: functions of modules from their syntax trees, for `sonde impact`."""

from sonde.effects.python_code.reading import Unreadable, read_python
from sonde.effects.python_code.sources import Source, find_sources

__all__ = ["Source", "Unreadable", "find_sources", "read_python"]
