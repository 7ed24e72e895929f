"""The terminal: streams, progress, interrupts and exit codes."""
