"""Equations 3 to 7 of the paper, letter by letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt


def theta(one: float, other: float, threshold: float) -> int:
    """Eq. 3, with τ relative to the smaller value."""
    tau = threshold * min(one, other)
    return 1 if abs(one - other) >= tau else 0


def raw_likelihood(v: int, pi: Mapping[int, float], threshold: float) -> float:
    """p'(v), eq. 4, over the sampled steps T instead of V."""
    total = 0.0
    for a in pi:
        for b in pi:
            if a < v < b:
                total += theta(pi[a], pi[b], threshold) * (a - b) ** -2.0
    return total


def likelihood(pi: Mapping[int, float], steps: int, threshold: float) -> list[float]:
    """p(v), eq. 5."""
    raw = [raw_likelihood(v, pi, threshold) for v in range(steps)]
    total = sum(raw)
    return [value / total if total else 0.0 for value in raw]


def peak_threshold(p: Sequence[float], factor: float) -> float:
    """t_CPL, eq. 6, with p for the p' under the root."""
    squares = 0.0
    for value in p:
        squares += (1 / len(p) - value) ** 2
    return 1 / len(p) + factor * sqrt(1 / len(p) * squares)


def peaks(p: Sequence[float], factor: float) -> list[int]:
    """Maxima above eq. 6: to both sides of the equal values around a step it goes down, or over the edge."""
    found = []
    for v, value in enumerate(p):
        left = v
        while left > 0 and p[left - 1] == value:
            left -= 1
        right = v
        while right < len(p) - 1 and p[right + 1] == value:
            right += 1
        is_top = (left == 0 or p[left - 1] < value) and (right == len(p) - 1 or p[right + 1] < value)
        if is_top and v == (left + right + 1) // 2 and value > peak_threshold(p, factor):
            found.append(v)
    return found


def influence_threshold(c: Sequence[float], factor: float) -> float:
    """t_influence, eq. 7."""
    n = len(c)
    squares = 0.0
    for influence in c:
        squares += (1 / n - influence) ** 2
    return 1 / n + factor * sqrt(1 / n * squares)
