"""`sonde replay`: planners and learners on recorded data."""
