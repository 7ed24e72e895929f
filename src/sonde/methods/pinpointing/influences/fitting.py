"""Fits a performance-influence model to what was measured.

There are two ways to do it (see `ways`), and the one is used that predicts left out configurations better:
measured on made systems, a few columns are right where few options matter or much was measured, and all
literals where most options matter and little was.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sonde.core.findings.pinpoints import TermChange
from sonde.methods.pinpointing.influences.columns import Fit
from sonde.methods.pinpointing.influences.folding import folds_of
from sonde.methods.pinpointing.influences.literals import influencing_literals
from sonde.methods.pinpointing.influences.model import InfluenceModel
from sonde.methods.pinpointing.influences.observations import MeanObservation, Observed
from sonde.methods.pinpointing.influences.scope import TermScope
from sonde.methods.pinpointing.influences.ways import FitBasis, Way, fit_all_literals, fit_few
from sonde.space.space import Space

LEAST_PART = 0.5  # of the smallest value: no prediction is smaller


def fit_influences(
    space: Space,
    observations: Iterable[MeanObservation],
    changes: Iterable[TermChange] = (),
    noise: float | None = None,
) -> InfluenceModel:
    """The model that explains the observations best for the number of its terms.

    The positions of `changes` are steps, as those of the observations are; `noise` is the relative deviation
    of a run, if it is known. Raises ValueError if there is no observation.
    """
    observed = Observed.of(tuple(observations))
    if not len(observed):
        raise ValueError("There are no measurements to fit. Measure a point first.")
    columns = tuple(dict.fromkeys((TermScope(each.term, each.unless), each.position) for each in changes))
    known = FitBasis(influencing_literals(space), columns, noise or 0.0)
    least = LEAST_PART * float(observed.values.min())
    folds = folds_of(observed)
    if not folds.any():  # it is a single configuration
        return InfluenceModel(fit_few(observed, known).over_time(), least, None)
    few, every = (_left_out_error(way, observed, known, folds, least) for way in (fit_few, fit_all_literals))
    way = fit_few if few <= every else fit_all_literals
    return InfluenceModel(way(observed, known).over_time(), least, min(few, every))


def _left_out_error(
    way: Way,
    observed: Observed,
    known: FitBasis,
    folds: np.ndarray[tuple[int], np.dtype[np.int64]],
    least: float,
) -> float:
    """Mean relative error in configurations that the fit did not see."""
    errors = np.zeros(len(observed))
    for fold in range(int(folds.max()) + 1):
        is_left_out = folds == fold
        fit: Fit = way(observed.part(~is_left_out), known)
        left_out = observed.part(is_left_out)
        errors[is_left_out] = np.abs(np.maximum(fit.predict(left_out), least) / left_out.values - 1)
    return float(errors.mean())
