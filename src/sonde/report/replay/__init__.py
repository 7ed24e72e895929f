"""What planners and learners made of recorded data."""
