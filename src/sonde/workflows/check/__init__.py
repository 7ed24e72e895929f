"""`sonde check`: whether a revision is slower."""
