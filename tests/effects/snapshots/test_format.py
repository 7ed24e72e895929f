"""Snapshots are kept, so those of another reader must not be taken for ours."""

from __future__ import annotations

import hashlib
from pathlib import Path

import sonde
from sonde.core.records import SNAPSHOT_FORMAT

# Whoever changes what a snapshot holds raises SNAPSHOT_FORMAT, and writes both here.
KNOWN = (5, "b29b5473648d214e")


def test_a_change_of_the_reader_is_a_new_format_or_none_at_all():
    texts = [file.name.encode() + file.read_bytes() for file in sorted(readers())]
    digest = hashlib.sha256(b"".join(texts)).hexdigest()[:16]

    assert (SNAPSHOT_FORMAT, digest) == KNOWN, (
        "The reader of snapshots has changed. If a snapshot may hold something else now, raise "
        "SNAPSHOT_FORMAT in core/records.py, so that stored ones are read again. Then write both here."
    )


def readers():
    """The modules that decide what a snapshot holds."""
    root = Path(sonde.__file__).parent
    rooms = ("formats/elf", "formats/machine_code", "formats/compiled_functions", "effects/snapshots")
    return (file for room in rooms for file in (root / room).rglob("*.py"))
