"""Sonde finds the revision, the option and the benchmark behind a performance change."""

__version__ = "0.1.0"
