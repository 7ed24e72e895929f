"""The program that performs a run inside the sandbox; see `sonde.effects.sandbox.inside`."""
