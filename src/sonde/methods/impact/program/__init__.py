"""The analysed program: its routines and globals, its calls, and the order in which code runs."""
