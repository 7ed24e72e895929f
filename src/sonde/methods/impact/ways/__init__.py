"""The ways from a change to hot code, and the code that lies on them."""
