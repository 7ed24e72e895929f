"""What the search believes: what was measured, where boundaries lie, and which terms explain them."""
