"""Bytes or text in, values out: what other programs have written, and nothing that touches the world."""
