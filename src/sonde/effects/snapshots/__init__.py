"""The snapshot of a build, read from its files."""
