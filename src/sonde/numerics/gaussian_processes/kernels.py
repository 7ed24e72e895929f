"""The five kernels of Table II, over positions on a line.

Every hyperparameter is a positive field, so that a fit treats all kernels alike: as a vector of logarithms.
"""

from __future__ import annotations

from dataclasses import Field, dataclass, fields, replace
from math import isfinite, sqrt
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from sonde.numerics.gaussian_processes.observations import Array


class Kernel(Protocol):
    """A frozen dataclass of positive floats that gives the covariance of the values at two positions."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def variance(self) -> float:
        """The factor sigma^2 of every covariance."""

    def covariance(self, x: Array, y: Array) -> Array:
        """k(x, y), with a row for each x and a column for each y."""

    def diagonal(self, x: Array) -> Array:
        """k(x, x) for each x, which is its variance before any observation."""


AnyKernel = TypeVar("AnyKernel", bound=Kernel)


def log_hyperparameters(kernel: Kernel) -> Array:
    """Logarithms of the hyperparameters, in the order of the fields."""
    return np.log([getattr(kernel, field.name) for field in fields(kernel)])


def with_log_hyperparameters(kernel: AnyKernel, logarithms: Array) -> AnyKernel:
    """The same kind of kernel with other hyperparameters, which `log_hyperparameters` reads again."""
    values = np.exp(logarithms).tolist()
    return replace(kernel, **{field.name: value for field, value in zip(fields(kernel), values, strict=True)})


@dataclass(frozen=True)
class RadialBasis:
    """RBF: infinitely smooth."""

    variance: float  # sigma^2
    lengthscale: float  # theta

    def __post_init__(self) -> None:
        _require_positive(self)

    def covariance(self, x: Array, y: Array) -> Array:
        return self.variance * np.exp(-0.5 * (_distance(x, y) / self.lengthscale) ** 2)

    def diagonal(self, x: Array) -> Array:
        return np.full(x.shape, self.variance)


@dataclass(frozen=True)
class RationalQuadratic:
    """RQF: radial bases of many lengthscales; with a large alpha that of one.

    Table II misprints it, with a minus sign, a positive power and theta unsquared, which is no kernel.
    GPy's `RatQuad` has no alpha in the denominator: its lengthscale is theta * sqrt(alpha).
    """

    variance: float  # sigma^2
    lengthscale: float  # theta
    alpha: float

    def __post_init__(self) -> None:
        _require_positive(self)

    def covariance(self, x: Array, y: Array) -> Array:
        squares = (_distance(x, y) / self.lengthscale) ** 2
        # log1p, since 1 + squares / alpha is 1 where alpha is large
        return self.variance * np.exp(-self.alpha * np.log1p(squares / (2 * self.alpha)))

    def diagonal(self, x: Array) -> Array:
        return np.full(x.shape, self.variance)


@dataclass(frozen=True)
class Brownian:
    """BK: a random walk that is 0 at position 0. Positions are not negative.

    `brownian.py` has the same process in linear time.
    """

    variance: float  # sigma^2, a unit of position

    def __post_init__(self) -> None:
        _require_positive(self)

    def covariance(self, x: Array, y: Array) -> Array:
        require_positions_from_zero(x)
        require_positions_from_zero(y)
        return self.variance * np.minimum(x[:, None], y[None, :])

    def diagonal(self, x: Array) -> Array:
        require_positions_from_zero(x)
        return self.variance * x


@dataclass(frozen=True)
class Matern32:
    """MK3/2: differentiable once."""

    variance: float  # sigma^2
    lengthscale: float  # theta

    def __post_init__(self) -> None:
        _require_positive(self)

    def covariance(self, x: Array, y: Array) -> Array:
        scaled = sqrt(3) * _distance(x, y) / self.lengthscale
        return self.variance * (1 + scaled) * np.exp(-scaled)

    def diagonal(self, x: Array) -> Array:
        return np.full(x.shape, self.variance)


@dataclass(frozen=True)
class Matern52:
    """MK5/2: differentiable twice."""

    variance: float  # sigma^2
    lengthscale: float  # theta

    def __post_init__(self) -> None:
        _require_positive(self)

    def covariance(self, x: Array, y: Array) -> Array:
        scaled = sqrt(5) * _distance(x, y) / self.lengthscale
        return self.variance * (1 + scaled + scaled**2 / 3) * np.exp(-scaled)

    def diagonal(self, x: Array) -> Array:
        return np.full(x.shape, self.variance)


def require_positions_from_zero(x: Array) -> None:
    """Raise ValueError for positions before the start of a Brownian motion at 0."""
    if np.any(x < 0):
        raise ValueError(
            f"Position {np.min(x):g} is negative; this Brownian motion starts at 0. Shift positions."
        )


def _distance(x: Array, y: Array) -> Array:
    return np.abs(x[:, None] - y[None, :])


def _require_positive(kernel: Kernel) -> None:
    for field in fields(kernel):
        value = getattr(kernel, field.name)
        if not (isfinite(value) and value > 0):
            raise ValueError(f"{type(kernel).__name__}: {field.name} is {value}, and not a positive number.")
