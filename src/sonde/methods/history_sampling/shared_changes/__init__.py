"""The default policy: series of one subject change at the same revisions, and learn from each other."""
