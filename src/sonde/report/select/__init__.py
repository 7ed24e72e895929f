"""The answer of `sonde select`."""
