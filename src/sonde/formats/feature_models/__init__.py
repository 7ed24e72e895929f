"""Feature models as SPLConqueror, DIMACS and UVL write them."""
