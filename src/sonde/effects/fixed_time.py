"""The one time that all files have: what looks at file times sees the same in every build and run."""

FIXED_TIME_SECONDS = 1_000_000_000  # 9 September 2001
