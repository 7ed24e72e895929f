"""Questions whose answers are kept: did a change of the analysis change an answer, and how long does it take?

The analysis is pure: a question holds all that it needs. So programs are compiled and profiled once, and all
answers are compared with the kept ones in a few minutes.

entries    a question with what is true about it, in a file of its own
gathering  entries from scenarios and generated programs
outcomes   what an answer says, and what it loses
comparing  answers now beside those that were kept
"""
