"""The functions and data objects of a compiled file, in a form that survives relinking."""
