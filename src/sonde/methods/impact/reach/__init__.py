"""Searches in the flow graph: what a change reaches, and what reaches hot code."""
