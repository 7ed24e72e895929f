"""Runs one command, such as a build: the program behind `Processes.run`."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sonde.effects.sandbox.inside import keeper, limits, steps
else:
    import keeper
    import limits
    import steps


def main(channel: int) -> None:
    """Run what the order says, and tell what came of it."""
    order = keeper.listen(channel)
    keeper.become_reaper()
    os.umask(0o022)
    limits.keep(order["limits"])
    watch = steps.Watch(channel, order["limits"])
    output = steps.Output(order["keep_bytes"])
    code, in_time, seconds = steps.CANNOT_RUN, True, 0.0
    try:
        os.chdir(order["folder"])
    except OSError as error:
        output.add(memoryview(f"sonde: cannot work in {order['folder']!r}: {error.strerror}\n".encode()))
    else:
        child = steps.Child(order["argv"], order["variables"], order["stdin"], output)
        in_time = watch.ended_in_time(child, order["timeout_seconds"])
        if in_time:
            code, _, seconds = child.wait()
        else:
            child.take_output()
            seconds = time.monotonic() - child.began
    left = keeper.end_descendants(frozenset())
    report = {
        "code": code,
        "timed_out": not in_time and not watch.exceeded,
        "exceeded": watch.exceeded,
        "seconds": seconds,
        "left_behind": left,
    }
    keeper.answer(channel, report | output.report())
