"""Where programs end: by failure, by success, or because a word of the command line asks for a message."""
