"""Programs that run inside the sandbox, by `python -I -S` and with nothing but the standard library.

A run waits for them to start, so they import only what starts fast: `json` alone would take longer than
all that is here. They talk with Sonde through one socket: orders come in the format of `marshal`, answers go
in JSON, since Sonde trusts nothing that comes out of the sandbox. When that socket closes, Sonde is gone, and
they end all that they have begun.
"""
