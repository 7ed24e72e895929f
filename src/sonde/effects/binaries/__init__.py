"""What can be read off built programs."""
