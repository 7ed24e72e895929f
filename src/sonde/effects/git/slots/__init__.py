"""Work trees of our own that are switched from revision to revision."""
