"""Orthogonal designs for factors with a prime number of levels, from shift registers.

R. L. Plackett, J. P. Burman: The design of optimum multifactorial experiments. Biometrika 33(4), 1946.

For a prime p and p^k runs, the published tables are the cyclic shifts of one row of p^k - 1 levels, and a row
of zeros. That row is a linear recurrence modulo p with the longest possible period, so it is generated here.
"""

from __future__ import annotations

from functools import cache
from itertools import product

Design = tuple[tuple[int, ...], ...]  # one row a run, one column a factor; levels count from 0


def orthogonal_design(levels: int, factors: int, runs: int = 0) -> Design:
    """The smallest design of at least `runs` runs; two factors have each pair of levels equally often.

    `levels` is a prime number. There are levels^k runs, k > 1, for at most (runs - 1) / (levels - 1) factors.
    """
    power = 2
    while levels**power < runs or columns_of(levels**power, levels) < factors:
        power += 1
    row = longest_recurrence(levels, power)
    shifts = tuple(tuple(row[(run + at) % len(row)] for at in range(factors)) for run in range(len(row)))
    return (*shifts, (0,) * factors)


def largest_within(levels: int, count: int) -> int:
    """The runs of the largest design that has at most `count` of them; 0 if there is none."""
    runs = levels**2 if is_prime(levels) and levels**2 <= count else 0
    while runs and runs * levels <= count:
        runs *= levels
    return runs


def columns_of(runs: int, levels: int) -> int:
    """How many factors a design can have; a column further on is a multiple of one before it."""
    return (runs - 1) // (levels - 1)


def is_prime(number: int) -> bool:
    """Whether `number` has no divisor but one and itself."""
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


@cache
def longest_recurrence(prime: int, order: int) -> tuple[int, ...]:
    """One period of the first linear recurrence modulo `prime` that repeats after prime^order - 1 numbers."""
    period = prime**order - 1
    begin = (*(0,) * (order - 1), 1)
    for factors in product(range(prime), repeat=order):
        if factors[0] == 0:  # such a recurrence never comes back to its beginning
            continue
        row: list[int] = []
        state = begin
        while len(row) < period:
            row.append(state[0])
            following = sum(factor * number for factor, number in zip(factors, state, strict=True)) % prime
            state = (*state[1:], following)
            if state == begin:
                break
        if len(row) == period and state == begin:
            return tuple(row)
    raise AssertionError(f"every prime has a primitive polynomial, but {prime} has none of degree {order}")
