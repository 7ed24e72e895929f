"""The sandbox that builds and runs happen in, and the processes inside it.

sandbox = find_sandbox()            # Bubblewrap, or Unavailable with a reason; Bare() runs without one
world = SandboxView((Mount(tree, "/sonde/tree", writable=True),), folder="/sonde/tree")
ended = Processes().run(("make", "-j2"), sandbox=sandbox, world=world)
"""

from sonde.effects.sandbox.bare import Bare, require_one_word
from sonde.effects.sandbox.bubblewrap import Bubblewrap
from sonde.effects.sandbox.ended import Ended, name_ending
from sonde.effects.sandbox.finding import Unavailable, find_sandbox
from sonde.effects.sandbox.processes import Abandoned, Processes
from sonde.effects.sandbox.worlds import Mount, Sandbox, SandboxView, in_shell

__all__ = [
    "Abandoned",
    "Bare",
    "Bubblewrap",
    "Ended",
    "Mount",
    "Processes",
    "Sandbox",
    "SandboxView",
    "Unavailable",
    "find_sandbox",
    "in_shell",
    "name_ending",
    "require_one_word",
]
