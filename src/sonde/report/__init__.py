"""Findings become text and JSON: strings, no files."""
