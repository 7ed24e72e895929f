"""The default search: steps that several configurations share tell where something changed, and in which term.

A few configurations are measured over the history. Where their levels differ, the boundary between the levels
is narrowed to one revision; then further configurations are measured on both sides of it, chosen so that the
answer tells the most about which literals must hold for the step to show. `sheet` keeps what was measured,
`steps` reads step heights off it, `evidence` weighs them for a term, `terms` finds the likeliest terms,
`location` the likeliest revision, `screening` and `questions` choose what to measure, `search` puts it together.
"""
