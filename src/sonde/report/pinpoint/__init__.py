"""The answer of `sonde pinpoint`: as text and JSON."""
