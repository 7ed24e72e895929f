"""Numerical methods: arrays in, values out; no files, clocks, processes or global randomness."""
