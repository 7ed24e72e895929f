"""The demo subject: a real git repository whose performance changes are planted, and therefore known.

`write_demo` writes it. The story is a row of `PlannedRevision` values (`plan.py`), each a few edits of the
program in `program/`; what a revision does to performance stands beside its edits and ends up in truth.json.
"""
