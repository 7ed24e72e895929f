#!/usr/bin/python3 -S
"""Work of an interpreter: words are made, counted and formatted. One step is one word."""

import sys

STEPS = 0
NOTE = ""  # makes another file of the same code

counts: dict[str, int] = {}
state, length = 1, 0
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS):
    state = (state * 1664525 + 1013904223) % 4294967296
    word = f"w{state >> 20}"
    counts[word] = counts.get(word, 0) + 1
    length += len(word)
sys.exit(sum(counts.values()) > length)
