"""At which steps anything may have changed, from the peaks of all configurations: section 3.3.1."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers
from sonde.methods.pinpointing.likelihoods.peaks import local_maxima

REACH = 6.0  # deviations, beyond which a kernel is zero: it is 1e-8 of its height there


def candidate_steps(of_configurations: Sequence[Integers], steps: int, bandwidth: float) -> list[int]:
    """The local maxima of the density of all peaks, in order."""
    together = [peak for peaks in of_configurations for peak in peaks.tolist()]
    if not together:
        return []
    dense = density(np.array(together), steps, bandwidth)
    return [step for step in local_maxima(dense).tolist() if dense[step] > 0]


def bandwidth(gaps: Sequence[float]) -> float:
    """Deviation of the kernel in steps, from the gaps between samples; at least 1.

    The paper gives none. A change may lie anywhere in the gap in which a configuration shows it, so the peaks
    of one change deviate as a uniform position in a gap does: by its width / √12. Configurations are sampled
    independently (3.1) so that these deviations average out. With 3 % of the steps it is 9.6 steps.
    """
    return max(1.0, float(np.mean(gaps)) / 12**0.5) if gaps else 1.0


def density(peaks: Integers, steps: int, bandwidth: float) -> Floats:
    """Kernel density estimate at each step, with a Gaussian kernel of deviation `bandwidth`.

    The usual rules for a bandwidth follow the spread of the peaks: that is the spread of the changes over the
    history, and nothing where all peaks are one.
    """
    reach = min(ceil(REACH * bandwidth), steps)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / bandwidth) ** 2)
    counts = np.bincount(peaks, minlength=steps).astype(np.float64)
    smooth = np.convolve(counts, kernel)[reach : reach + steps]
    dense: Floats = smooth / (len(peaks) * bandwidth * np.sqrt(2 * np.pi))
    return dense
