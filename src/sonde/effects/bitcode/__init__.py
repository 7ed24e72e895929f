"""The bitcode of a subject: captured from its build, and read."""
