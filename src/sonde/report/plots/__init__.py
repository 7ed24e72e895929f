"""Plots made of characters."""
