"""`sonde measure`: every point of a range."""
