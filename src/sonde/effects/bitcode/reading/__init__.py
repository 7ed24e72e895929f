"""Bitcode as units of code: LLVM turns it into text, which is read here."""

from sonde.effects.bitcode.reading.units import UnreadableBitcode, read_unit, read_units

__all__ = ["UnreadableBitcode", "read_unit", "read_units"]
