"""Edits of real programs: lines that benchmarks execute are changed at random, and every case is counted."""
