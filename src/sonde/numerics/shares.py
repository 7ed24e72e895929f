"""What counts say about a share."""

from __future__ import annotations


def most_share(part: int, whole: int, confidence: float) -> float:
    """Upper bound of the share that `part` of `whole` is an estimate of; 1 where nothing was counted.

    One-sided: where the share is larger than the bound, so few or fewer are counted with a probability of at
    most 1 - `confidence`. C. J. Clopper, E. S. Pearson: The Use of Confidence or Fiducial Limits Illustrated
    in the Case of the Binomial. 1934. Where each count has a probability of its own, the bound holds for the
    mean of these (unless nearly all are counted). W. Hoeffding: On the Distribution of the Number of
    Successes in Independent Trials. 1956.
    """
    if part >= whole:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(part + 1, whole - part, confidence))
