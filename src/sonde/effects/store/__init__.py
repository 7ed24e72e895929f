"""The store: every record is durable before anything else happens with it."""

from sonde.effects.store.repairing import Repaired, Rescued, is_sound, repair_store
from sonde.effects.store.sqlite_store import SqliteStore, open_store

__all__ = ["Repaired", "Rescued", "SqliteStore", "is_sound", "open_store", "repair_store"]
