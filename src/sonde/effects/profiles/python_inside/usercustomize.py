"""Begins to profile where a benchmark has set PYTHONPATH itself, so that our `sitecustomize` is not found."""

from __future__ import annotations

__import__("sonde_recorder")
