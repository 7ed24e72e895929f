"""ELF files as they lie in memory: sections, symbols, and the lines of their debug information."""
