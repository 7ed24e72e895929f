"""What commands answer, each with its evidence."""
