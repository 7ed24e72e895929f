"""Generated programs: does Sonde answer rightly about changes of programs that nobody wrote by hand?

A language draws a subject from a seed: a program, its options, and an edit of it. Truth is counted in every
configuration of both revisions; the product is asked about the same two revisions; what it misses is shrunk.

trees       subjects as trees of frozen values: walk, replace, merge two of them, project one side
subjects    what a language has to supply
truth       instructions of every configuration, and what follows from them
projects    a subject as a user has it: a repository with two revisions and a project file
asking      the product's answers
records     one line of JSON for each program, so that a run can be interrupted
judging     answers beside the truth: which of them are misses
tally       the table
shrinking   the smallest program that shows a miss
knobs       what users can choose
c           programs in C
python      programs in Python
"""
