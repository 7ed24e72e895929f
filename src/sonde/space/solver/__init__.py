"""Answers about a space from a SAT solver."""
