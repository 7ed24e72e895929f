"""In which configurations code is executed: constants are propagated in all of them at once."""
