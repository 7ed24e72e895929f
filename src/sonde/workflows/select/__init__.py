"""`sonde select`: which benchmarks a revision can have changed."""
