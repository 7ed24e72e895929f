"""The subject's repository: its history, its build inputs, and work trees to build in.

Nothing here writes to the user's repository. Replacement objects (`git replace`) are not followed, so that an
id always means the same content.
"""

from sonde.effects.git.inputs import NO_INPUTS
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.git.slots.worktree import Checkout, Worktree, open_worktree

__all__ = ["NO_INPUTS", "Checkout", "Repository", "Worktree", "open_repository", "open_worktree"]
