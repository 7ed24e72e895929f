"""Which configurations exist: options, constraints, and how a configuration becomes words."""
