"""Executors that make points happen for real."""
