"""Figures of the normal distribution."""

from __future__ import annotations

NORMAL_95 = 1.6449  # so that 90 % lie within both sides, in standard deviations
