"""The store: every record is durable before anything else happens with it."""

from sonde.effects.store.sqlite_store import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]
