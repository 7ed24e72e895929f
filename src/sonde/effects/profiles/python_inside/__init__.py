"""What runs inside the Python processes of a benchmark; see `sonde.effects.profiles.python`."""
