"""Draws a program: options and where they are kept, code that reads them, and work that they steer."""
