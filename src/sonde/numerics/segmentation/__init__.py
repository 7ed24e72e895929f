"""Where the level of a series changes; one algorithm a file, with its reference.

A change is the position of the first value of the new segment, so that `values[:change]` is before it and
`values[change:]` after it. Positions count from 0 and come in order; 0 and the length are never among them.
`detection` is what to use by default; `least_squares` is the algorithm below it. The others are there to
compare with: `cusum` as in section II of the paper on performance histories, `binary_segmentation` and
`bottom_up` as in its RQ3.
"""
