"""Instructions in LLVM's text, one kind a module."""
