"""The answer of `sonde history`."""
