"""What the names of a Python program mean."""
