"""Speed and memory of Sonde, beside peers measured in the same run.

Each module here but `__main__`, `frame` and `peers` is a benchmark: it has a docstring, whose first line is
its title and whose rest explains the table, and `rows() -> Iterable[Row]`.
"""
