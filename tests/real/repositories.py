"""Repositories for tests, made with `git fast-import`."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sonde.core.revisions import RevisionId

Content = bytes | str | None  # None: the file is deleted

_BEGINNING = 1_600_000_000

# Settings of whoever runs the tests must not matter.
ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


def git(folder: Path, *words: str, given: bytes = b"", codes: Sequence[int] = (0,)) -> str:
    """What git prints, run in `folder`; it must end with one of `codes`."""
    ended = subprocess.run(
        ["git", *words], cwd=folder, input=given, env=ENVIRONMENT, check=False, capture_output=True
    )
    assert ended.returncode in codes, ended.stderr
    return ended.stdout.decode(errors="surrogateescape").strip()


@dataclass
class RepositoryMaker:
    """Collects revisions and tags, and makes a repository of them; revisions are named by their numbers."""

    stream: list[bytes] = field(default_factory=list)
    count: int = 0

    def revision(
        self,
        files: Mapping[str, Content] = {},  # never changed
        parents: Sequence[int] | None = None,  # None: the one before
        subject: str | bytes = "a change",
        author: str | bytes = "Ada",
        branch: str = "main",
        modes: Mapping[str, str] = {},
    ) -> int:
        if parents is None:
            parents = [self.count] if self.count else []
        self.count += 1
        who = _encoded(author) + b" <ada@example.org> %d +0000" % (_BEGINNING + self.count)
        self.stream += [
            *([f"reset refs/heads/{branch}".encode()] if not parents else []),
            f"commit refs/heads/{branch}\nmark :{self.count}".encode(),
            b"author " + who,
            b"committer " + who,
            _block(_encoded(subject)),
            *(f"{'merge' if n else 'from'} :{parent}".encode() for n, parent in enumerate(parents)),
        ]
        for path, content in files.items():
            if content is None:
                self.stream.append(b"D " + _quoted(path))
            elif modes.get(path) == "160000":
                self.stream.append(f"M 160000 {content!s} ".encode() + _quoted(path))
            else:
                mode = modes.get(path, "100644").encode()
                self.stream += [b"M " + mode + b" inline " + _quoted(path), _block(_encoded(content))]
        return self.count

    def tag(self, name: str, revision: int, annotated: bool = False) -> None:
        if annotated:
            who = b"Ada <ada@example.org> %d +0000" % _BEGINNING
            self.stream += [f"tag {name}\nfrom :{revision}".encode(), b"tagger " + who, _block(b"a tag")]
        else:
            self.stream.append(f"reset refs/tags/{name}\nfrom :{revision}".encode())

    def make(self, folder: Path, *init_words: str) -> Mapping[int, RevisionId]:
        """Make the repository; the id of each revision."""
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "--quiet", "--initial-branch=main", *init_words)
        marks = folder.parent / f"{folder.name}.marks"
        given = b"\n".join([*self.stream, b"done", b""])
        git(folder, "fast-import", "--quiet", "--done", f"--export-marks={marks}", given=given)
        rows = [line.split() for line in marks.read_text().splitlines()]
        return {int(mark[1:]): RevisionId(id) for mark, id in rows if int(mark[1:]) <= self.count}


def linear(count: int) -> RepositoryMaker:
    """Revisions one after another, each with another text in `file`."""
    maker = RepositoryMaker()
    for number in range(1, count + 1):
        maker.revision({"file": f"{number}\n"}, subject=f"revision {number}")
    return maker


def unpack(folder: Path) -> None:
    """Turn the packed objects of a repository into single files, so that one of them can be damaged."""
    packs = folder / ".git" / "objects" / "pack"
    for pack in list(packs.glob("*.pack")):
        content = pack.read_bytes()
        for path in packs.glob(f"{pack.stem}.*"):
            path.unlink()
        git(folder, "unpack-objects", "-q", given=content)


def _encoded(text: bytes | str) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _block(content: bytes) -> bytes:
    return b"data %d\n%s" % (len(content), content)


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"' + escaped.encode(errors="surrogateescape") + b'"'
