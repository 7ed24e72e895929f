"""Running git: the one place that starts it, in an environment of ours."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sonde.core.errors import MissingTool

GIT_IS_MISSING = "git is not installed, or not on PATH: install the Debian package git."

CANNOT_RUN = 126  # as shells say it

# Set where Sonde is called from a hook or an alias of git; they would lead to another repository than ours.
_LEADS_ELSEWHERE = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)

_ALWAYS = {
    "LC_ALL": "C",  # we read the complaints
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    # A partial clone would fetch each missing object by itself: hours, and a network that nobody asked for.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}


class GitFailed(Exception):
    """Git ended with an error; whoever called it knows what that means to the user."""

    def __init__(self, words: Sequence[str], code: int, complaint: str) -> None:
        super().__init__(f"git {' '.join(words)} ended with {code}: {complaint}")
        self.complaint = complaint


@dataclass(frozen=True)
class GitOutput:
    """What git said."""

    code: int
    output: bytes
    complaint: str  # what it printed on stderr, stripped


@dataclass(frozen=True)
class Git:
    """Git, bound to one git directory.

    Git asks who owns a repository only where it has to search for it. It is named here, so `open_repository`
    asks.
    """

    git_dir: Path
    settings: tuple[str, ...] = ()  # words before the command, such as `--work-tree=...`
    variables: Mapping[str, str] = field(default_factory=dict)
    kept_open: tuple[int, ...] = ()  # file descriptors that git inherits

    def words(self, *words: str) -> list[str]:
        """The command line."""
        return ["git", f"--git-dir={self.git_dir}", *self.settings, *words]

    @property
    def environment(self) -> dict[str, str]:
        """The variables that git sees."""
        return {**environment(), **self.variables}

    def ask(self, *words: str, given: bytes = b"") -> GitOutput:
        """What git answers, be it an error or not."""
        return run(
            self.words(*words),
            folder=self.git_dir,
            given=given,
            variables=self.environment,
            kept_open=self.kept_open,
        )

    def read(self, *words: str, given: bytes = b"") -> bytes:
        """What git prints; raises `GitFailed` where it ends with an error."""
        answer = self.ask(*words, given=given)
        if answer.code != 0:
            raise GitFailed(words, answer.code, answer.complaint)
        return answer.output


def environment() -> dict[str, str]:
    """The variables of this process, without those that lead git elsewhere, and with messages in English."""
    return {name: value for name, value in os.environ.items() if name not in _LEADS_ELSEWHERE} | _ALWAYS


def run(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    given: bytes = b"",
    kept_open: tuple[int, ...] = (),
) -> GitOutput:
    """What `words` answer when run in `folder`."""
    try:
        ended = subprocess.run(
            words,
            cwd=folder,
            env=variables,
            input=given,
            capture_output=True,
            check=False,
            pass_fds=kept_open,
            umask=0o022,  # the modes of checked out files do not depend on who runs us
        )
    except FileNotFoundError:
        if not folder.is_dir():
            raise
        raise MissingTool(GIT_IS_MISSING) from None
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        return GitOutput(CANNOT_RUN, b"", "the words for git are too long")
    return GitOutput(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace").strip())
