"""Parts of the observations that are left out in turn, each with all observations of its configurations."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sonde.methods.pinpointing.influences.observations import Observed

FOLDS = 4


def folds_of(observed: Observed) -> NDArray[np.int64]:
    """The fold of each observation, from 0 on; no fold is empty, and all are about equally large.

    Which one a configuration is in depends on its checksum: lists of configurations often go round and round.
    """
    present = observed.distinct.tolist()
    configurations = observed.holding.configurations
    keys = {at: configurations[at].key for at in present}
    order = sorted(present, key=lambda at: (crc32(keys[at].encode()), keys[at]))
    fold_of = np.zeros(len(configurations), dtype=np.int64)
    fold_of[order] = np.arange(len(order)) % FOLDS
    return np.asarray(fold_of[observed.where])
