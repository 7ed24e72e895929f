"""Programs in C: the tree, its text, how programs and edits are drawn, and how instructions are counted.

nodes       the tree
making      short ways to write it
rendering   the tree as text
drawing     a program with options, from a seed
edits       a change between base and head
compiling   programs as users build them, and with the sanitizers that find undefined behaviour
counting    instructions of every configuration
simpler     what shrinking may put in a node's place
language    all of it, as the frame wants it
"""
