"""Statements and expressions of Python as instructions."""
