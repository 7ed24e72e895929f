"""Oracles: objects in a file of the user that tell the value of any revision and configuration."""

from sonde.effects.oracles.loading import load_oracle
from sonde.effects.oracles.oracle import Oracle, checked_oracle

__all__ = ["Oracle", "checked_oracle", "load_oracle"]
