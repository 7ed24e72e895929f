"""A performance-influence model: what each term contributes to performance, at any revision.

Section 2.1 of the paper, equations 1 and 2, and section 2.2: performance is the sum of the influences of the
terms that hold, and influences change at the change points of their terms. `fitting` is what to use;
`literals` and `interactions` tell which terms are considered, `scope` where a term with exceptions counts,
and `model` is what comes of it. `of_line` does it for all that a planner was told.
"""
