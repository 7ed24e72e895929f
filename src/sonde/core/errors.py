"""Mistakes of the user. Each says what happened, where, and what to do.

    UserError
    ├── ProjectFileError          sonde.toml cannot be read or does not fit together
    ├── UsageError                arguments of a command that do not fit
    │   ├── UnknownBenchmark
    │   ├── UnknownOption
    │   ├── InvalidConfiguration
    │   └── UnknownRevision       a range or a name that git does not know
    ├── RepositoryError           not a repository, shallow, objects missing
    ├── StoreError
    │   ├── NewerStore            written by a newer Sonde
    │   ├── CorruptStore
    │   └── StoreNotWritable      disk full, read-only
    ├── AnotherSonde              the project is in use by another process
    ├── MissingTool               a program that the task needs is not installed
    └── NothingMeasured           building or measuring failed everywhere

A fact of the world (a build broke, a run timed out) is not an error but a `Failed` value.
"""

from __future__ import annotations

from typing import ClassVar


class UserError(Exception):
    """Something that the user can mend; the command line prints it without a traceback."""

    exit_code: ClassVar[int] = 2


class ProjectFileError(UserError):
    """The project file cannot be read, or it does not fit together."""


class UsageError(UserError):
    """The arguments of a command do not fit the project."""


class UnknownBenchmark(UsageError):
    """A benchmark that the project file does not have."""


class UnknownOption(UsageError):
    """An option that the space does not have."""


class InvalidConfiguration(UsageError):
    """A configuration that a constraint forbids, or that cannot be read."""


class UnknownRevision(UsageError):
    """A revision or a range that git does not know."""


class RepositoryError(UserError):
    """The repository is missing, shallow, or damaged."""


class StoreError(UserError):
    """The store cannot be used."""

    exit_code = 3


class NewerStore(StoreError):
    """The store was written by a newer version of Sonde."""


class CorruptStore(StoreError):
    """The store is damaged, or is not one."""


class StoreNotWritable(StoreError):
    """A record could not be made durable: the disk is full or the folder is read-only."""


class AnotherSonde(UserError):
    """Another process of Sonde works on this project."""

    exit_code = 3


class MissingTool(UserError):
    """A program that the task needs is not installed or does not work here."""

    exit_code = 3


class NothingMeasured(UserError):
    """No answer was possible, because building or measuring failed everywhere."""

    exit_code = 3
