"""The default search: steps that configurations share tell where something changed, and in which term.

A few configurations are measured over the history (`screening`). Where their levels differ (`suspicion`), the
boundary between them is narrowed to one revision (`narrowing`, `location`). Then further configurations are
measured on both sides of it (`sides`), chosen so that the answer tells the most about which literals must
hold for the step to show (`questions`, `candidates`), or so that it may refute what is believed (`trials`).

`sheet` keeps what was measured and `table` sums it up, `steps` reads step heights off it, `evidence` weighs
them for a term, `terms` finds the likeliest terms; `knowledge` is what all of these share, and `search` the
way through.
"""
