"""The verdict of `sonde check`: as text, JSON and Markdown."""
