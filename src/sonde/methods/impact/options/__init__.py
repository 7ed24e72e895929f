"""Where the variables of options are read, and which code they decide about."""
