"""What is known of a set of points."""
