"""Builds: revisions become files, once, and are remembered whether or not they succeed."""
