"""What callgrind writes: the cost of each function and of each call."""
