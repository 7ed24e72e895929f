"""The store: every record is durable before anything else happens with it."""

from sonde.effects.store.repairing import is_sound, repair_store
from sonde.effects.store.sqlite_store import SqliteStore, open_store

__all__ = ["SqliteStore", "is_sound", "open_store", "repair_store"]
