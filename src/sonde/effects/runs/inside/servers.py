"""The server that a benchmark talks to."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from typing import Any

    from sonde.effects.sandbox.inside import steps
else:
    import _signal as signal

    import steps

LOOPBACK = "127.0.0.1"
BETWEEN_TRIES_SECONDS = 0.01
FAREWELL_SECONDS = 5.0


def begin(order: dict[str, Any], watch: steps.Watch) -> dict[str, Any] | None:
    """How the server failed, or None if it answers now."""
    argv, port, timeout_seconds = order["server"]
    output = steps.Output(order["keep_bytes"])
    if _answers(port):
        return _failure(output, "port in use")
    server = steps.Child(argv, order["variables"], "", output)
    watch.others.append(server)
    give_up = server.began + timeout_seconds
    while not _answers(port):
        if watch.ended_in_time(server, time.monotonic() - server.began + BETWEEN_TRIES_SECONDS):
            watch.others.remove(server)
            code, _, _ = server.wait()
            return _failure(output, "ended", code)
        if watch.exceeded or time.monotonic() > give_up:
            server.take_output()
            return _failure(output, "never answered", exceeded=watch.exceeded)
    return None


def end(watch: steps.Watch) -> None:
    """Ask the server to end, and wait for it a little; who stays is ended with all the rest."""
    for server in tuple(watch.others):
        try:
            os.killpg(server.process, signal.SIGTERM)
        except ProcessLookupError:
            continue
        watch.ended_in_time(server, time.monotonic() - server.began + FAREWELL_SECONDS)
        watch.others.remove(server)


def _failure(output: steps.Output, how: str, code: int = 0, exceeded: str = "") -> dict[str, Any]:
    ending = {"step": "server", "how": how, "code": code, "timed_out": False, "exceeded": exceeded}
    return ending | {"seconds": 0.0} | output.report()


def _answers(port: int) -> bool:
    import socket  # takes long to import, and few benchmarks have a server

    try:
        socket.create_connection((LOOPBACK, port), timeout=1.0).close()
    except OSError:
        return False
    return True
