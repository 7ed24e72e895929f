"""The search for the revision of a range that made a case slower."""
