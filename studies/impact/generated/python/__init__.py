"""Programs in Python: the tree, its text, how programs and edits are drawn, and how instructions are counted.

nodes       the tree
parsing     text as a tree
rendering   the tree as text
drawing     a program with options, from a seed
edits       a change between base and head
starting    how a program is started, and with which words and variables
tracing     a script: lines of every configuration, without valgrind
forking     a script: instructions of every configuration, under one valgrind
counting    what the scripts find
simpler     what shrinking may put in a node's place
tidying     what shrinking drops since nobody names it
language    all of it, as the frame wants it
"""
