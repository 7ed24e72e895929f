"""The tables of the store, as migrations. docs/schema.md explains them in prose.

A migration, once released, is never edited: a new version appends another.
"""

from __future__ import annotations

APPLICATION_ID = 0x536F6E64  # "Sond": tells a store from any other SQLite file

_VERSION_1 = """
CREATE TABLE contexts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    benchmark TEXT NOT NULL,
    metric TEXT NOT NULL,
    environment TEXT NOT NULL,
    description TEXT NOT NULL
);
CREATE TABLE inputs (
    revision TEXT NOT NULL,
    patterns TEXT NOT NULL,
    tree TEXT NOT NULL,
    PRIMARY KEY (patterns, revision)
) WITHOUT ROWID;
CREATE TABLE builds (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    revision TEXT NOT NULL,
    fingerprint TEXT,
    size_bytes INTEGER,
    failure TEXT,
    output TEXT,
    timed_out_after REAL,
    seconds REAL NOT NULL,
    built_at REAL NOT NULL,
    CHECK ((fingerprint IS NULL) <> (failure IS NULL))
);
CREATE TABLE configurations (
    id INTEGER PRIMARY KEY,
    chosen TEXT NOT NULL UNIQUE
);
CREATE TABLE measurements (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
);
CREATE TABLE points (
    id INTEGER PRIMARY KEY,
    context INTEGER NOT NULL REFERENCES contexts,
    revision TEXT NOT NULL,
    configuration INTEGER NOT NULL REFERENCES configurations,
    build TEXT NOT NULL,
    measurement INTEGER REFERENCES measurements,
    UNIQUE (context, revision, configuration)
);
CREATE INDEX points_of_measurement ON points (measurement);
CREATE TABLE samples (
    measurement INTEGER NOT NULL REFERENCES measurements,
    number INTEGER NOT NULL,
    taken_at REAL NOT NULL,
    instructions INTEGER,
    cpu REAL,
    wall REAL,
    memory INTEGER,
    printed REAL,
    involuntary_switches INTEGER NOT NULL,
    pressure REAL NOT NULL,
    PRIMARY KEY (measurement, number)
) WITHOUT ROWID;
CREATE TABLE failures (
    measurement INTEGER NOT NULL REFERENCES measurements,
    number INTEGER NOT NULL,
    stage TEXT NOT NULL,
    reason TEXT NOT NULL,
    output TEXT NOT NULL,
    timed_out_after REAL NOT NULL,
    failed_at REAL NOT NULL,
    PRIMARY KEY (measurement, number)
) WITHOUT ROWID;
"""

_VERSION_2 = """
ALTER TABLE builds ADD COLUMN code TEXT;
CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    format INTEGER NOT NULL,
    content BLOB NOT NULL
);
CREATE TABLE profiles (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    format INTEGER NOT NULL,
    benchmark TEXT NOT NULL,
    revision TEXT NOT NULL,
    configuration INTEGER NOT NULL REFERENCES configurations,
    profiled_at REAL NOT NULL,
    content BLOB NOT NULL
);
CREATE TABLE tuples (
    id INTEGER PRIMARY KEY,
    context INTEGER NOT NULL REFERENCES contexts,
    child TEXT NOT NULL,
    parent TEXT NOT NULL,
    configuration INTEGER NOT NULL REFERENCES configurations,
    indicators TEXT NOT NULL,
    effect REAL NOT NULL,
    is_hit INTEGER NOT NULL,
    is_proven INTEGER NOT NULL,
    is_refused INTEGER NOT NULL,
    seconds REAL NOT NULL,
    hops INTEGER NOT NULL,
    UNIQUE (context, child, parent, configuration)
);
"""

_VERSION_3 = """
ALTER TABLE samples ADD COLUMN output TEXT;
"""

_VERSION_4 = """
CREATE TABLE code_lines (
    id INTEGER PRIMARY KEY,
    build TEXT NOT NULL UNIQUE,
    format INTEGER NOT NULL,
    has_debug_build INTEGER NOT NULL,
    content BLOB NOT NULL
);
"""

_VERSION_5 = """
CREATE TABLE audits (
    id INTEGER PRIMARY KEY,
    base TEXT NOT NULL,
    head TEXT NOT NULL,
    benchmark TEXT NOT NULL,
    configuration INTEGER NOT NULL REFERENCES configurations,
    step TEXT NOT NULL,
    metric TEXT NOT NULL,
    threshold REAL NOT NULL,
    verdict TEXT NOT NULL,
    outcome TEXT NOT NULL,
    log_ratio REAL,
    low REAL,
    high REAL,
    pairs INTEGER,
    probability REAL,
    UNIQUE (base, head, benchmark, configuration, step, metric, threshold)
);
"""

_VERSION_6 = """
ALTER TABLE samples ADD COLUMN system REAL;
ALTER TABLE samples ADD COLUMN voluntary_switches INTEGER;
ALTER TABLE samples ADD COLUMN minor_faults INTEGER;
ALTER TABLE samples ADD COLUMN major_faults INTEGER;
"""

MIGRATIONS = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6)

VERSION = len(MIGRATIONS)
