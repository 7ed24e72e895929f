"""`sonde history`: how performance evolved."""
