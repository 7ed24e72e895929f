"""Times measured beside a reference, so that drift of the machine cancels."""
