"""The text of LLVM's intermediate representation, read as units of code."""
