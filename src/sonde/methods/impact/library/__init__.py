"""What functions outside of the program do, as far as values flow through them."""
