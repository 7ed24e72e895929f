"""The published methods, one package a paper. They do not import each other."""
