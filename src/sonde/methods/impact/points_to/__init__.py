"""What pointers may point to: which memory a load reads, which routine a pointer calls."""

from sonde.methods.impact.points_to.solving import solve

__all__ = ["solve"]
