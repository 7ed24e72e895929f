"""Which source line each piece of machine code belongs to, as the debug information of a file says.

rows = read_line_rows(elf)
"""

from sonde.formats.elf.lines.rows import NO_FILE, CodeStretch, LineRows, read_line_rows

__all__ = ["NO_FILE", "CodeStretch", "LineRows", "read_line_rows"]
