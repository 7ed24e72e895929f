"""How values and decisions move through a program: the flow graph and the rules that build it."""
