"""Ways to choose configurations from a space; one way a file, with its reference.

Every sampler gives valid configurations that were not sampled before, and the same ones for the same seed and
the same set of sampled configurations. A request for more than there are gives what there is.
"""
