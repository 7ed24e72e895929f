"""What git keeps in a work tree, apart from what the user has put there."""
