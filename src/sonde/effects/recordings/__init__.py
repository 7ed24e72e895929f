"""Folders of measured points, as others and `sonde export --recording` write them."""
