"""Python source, read as units of code."""
