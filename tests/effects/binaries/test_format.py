"""Snapshots are kept, so those of another reader must not be taken for ours."""

from __future__ import annotations

import hashlib
from pathlib import Path

import sonde.effects.binaries
from sonde.core.records import SNAPSHOT_FORMAT

# Whoever changes what a snapshot holds raises SNAPSHOT_FORMAT, and writes both here.
KNOWN = (5, "9b7d7330bd75a88b")


def test_a_change_of_the_reader_is_a_new_format_or_none_at_all():
    folder = Path(sonde.effects.binaries.__file__).parent
    texts = [file.name.encode() + file.read_bytes() for file in sorted(folder.glob("*.py"))]
    digest = hashlib.sha256(b"".join(texts)).hexdigest()[:16]

    assert (SNAPSHOT_FORMAT, digest) == KNOWN, (
        "The reader of snapshots has changed. If a snapshot may hold something else now, raise "
        "SNAPSHOT_FORMAT in core/records.py, so that stored ones are read again. Then write both here."
    )
