"""How a program reads its command line: which words set which variables."""
