"""Types, fields and source places in LLVM's text."""
