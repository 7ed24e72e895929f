"""Draws a program: options and where they are kept, code that reads them, and work that they steer.

Every loop ends after a number of turns that is known when it is drawn, every index is masked, memory has
a value before it is read, and arithmetic is unsigned; so each program is valid and terminates.
"""
