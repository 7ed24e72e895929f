"""The shape of a project file. The descriptions are the help texts of its JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator

from sonde.effects.project_file.quantities import (
    DURATION_PATTERN,
    SIZE_PATTERN,
    budget_of,
    bytes_of,
    is_finite,
    seconds_of,
)


def _as_list(written: object) -> object:
    return [{"run": written}] if isinstance(written, str) else written


def _plain(written: object) -> object:
    if not isinstance(written, bool | int | float | str):
        raise ValueError("is not a value. Write true, false, a number or a string in quotes.")
    return written


def _as_texts(written: object) -> object:
    return ([written] if written else []) if isinstance(written, str) else written


def _number(written: object) -> int | float:
    if isinstance(written, bool) or not isinstance(written, int | float) or not is_finite(written):
        raise ValueError("is not a number. Write digits, without quotes.")
    return written


class StrictTable(BaseModel):
    """A table of the project file: it has these keys and no others, and nothing is converted in silence."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class CommandPart(StrictTable):
    """A command for a part of the history."""

    run: str = Field("", description="The command line.")
    since: str = Field(
        "", description="The first revision that it applies to; empty: the first of the history."
    )
    until: str = Field("", description="The first revision that it no longer applies to; empty: none.")


Commands = Annotated[
    list[CommandPart], BeforeValidator(_as_list, json_schema_input_type=str | list[CommandPart])
]
Texts = Annotated[list[str], BeforeValidator(_as_texts, json_schema_input_type=str | list[str])]
_DurationText = Annotated[str, Field(pattern=DURATION_PATTERN)]
Duration = Annotated[float, BeforeValidator(seconds_of, json_schema_input_type=float | _DurationText)]
_SizeText = Annotated[str, Field(pattern=SIZE_PATTERN)]
Size = Annotated[int, BeforeValidator(bytes_of, json_schema_input_type=int | _SizeText)]
_BudgetText = Annotated[str, Field(pattern=r"^([0-9]+(\.[0-9]+)? ?(%|s|m|h|d|))?$")]
Budget = Annotated[str, BeforeValidator(budget_of, json_schema_input_type=int | _BudgetText)]
Number = Annotated[Any, PlainValidator(_number, json_schema_input_type=float)]
Scalar = Annotated[Any, PlainValidator(_plain, json_schema_input_type=bool | float | str)]


class BuildPart(StrictTable):
    """How a revision becomes a build."""

    command: Commands = Field(
        [],
        description="Run by a shell in the root of the work tree. {options}: the words of all build-time "
        "options; {NAME}: the value of one. A list of {run, since, until} gives each part of "
        "the history its own command; the first that applies is used. Empty: no build is "
        "needed, outputs are source files.",
    )
    outputs: list[str] = Field(
        [],
        description="Path patterns of the build outputs that benchmarks need, below the root of the work "
        "tree.",
    )
    inputs: list[str] = Field(
        ["**"],
        description="Path patterns of the files that the build reads; '!pattern' excludes files again, "
        "the last match wins. Revisions that differ only elsewhere are not built again.",
    )
    timeout: Duration = Field(600.0, description="Time after which the build counts as failed.")
    network: bool = Field(False, description="Whether the build may use the network.")
    sees_git: bool = Field(
        False, description="Whether the build reads the history, for instance by git describe."
    )
    variables: dict[str, str] = Field({}, description="Environment variables of the build.")


class OptionPart(StrictTable):
    """An option: on/off, or one of several with 'values', or a number with 'levels'."""

    values: list[str] = Field([], description="The strings that it can be; makes it one of several.")
    levels: list[Number] = Field([], description="The numbers that it can be; makes it a number.")
    default: Scalar = Field(None, description="Its default value; off, or the first value, if not given.")
    words: str = Field(
        "",
        description="Added to {options} when it is on or has a value; {value} is that value.",
    )
    off_words: str = Field("", description="Added to {options} when it is off.")
    environment: str = Field(
        "", description="An environment variable that holds the value; 1 or 0 for on/off."
    )
    variable: Texts = Field(
        [],
        description="The variable that holds it, for `sonde impact`: a variable such as verbose, a field "
        "such as opts.level or structure.field, or a list of them; file.c:verbose or "
        "main:verbose distinguishes several.",
    )
    file: str = Field(
        "", description="The source file of the variable, if several files have one of that name."
    )
    build: bool = Field(
        False, description="Whether it takes effect when the subject is built, not when it runs."
    )
    since: str = Field("", description="The first revision that has the option; empty: all have it.")
    until: str = Field("", description="The first revision that no longer has it; empty: all have it.")


class ServerPart(StrictTable):
    """A process that a benchmark talks to."""

    command: str = Field("", description="Started before the runs of the benchmark, and ended after them.")
    port: Annotated[int, Field(ge=1, le=65535)] = Field(
        0, description="On the loopback address; runs begin when it answers."
    )
    timeout: Duration = Field(30.0, description="How long it may take to answer.")


class BenchmarkPart(StrictTable):
    """A command that makes the subject work."""

    command: Commands = Field(
        [],
        description="{build}: the folder of the build's outputs; {options}: the words of all load-time "
        "options; {NAME}: the value of one option; literal braces are doubled. Runs in a scratch folder that "
        "holds the inputs. May be a list of {run, since, until}, as for the build.",
    )
    shell: bool = Field(False, description="Whether a shell runs the command, for pipes and redirections.")
    setup: str = Field("", description="Run by a shell in the scratch folder, before the warm-up runs.")
    teardown: str = Field("", description="Run by a shell in the scratch folder, after the last run.")
    warmups: Annotated[int, Field(ge=0)] = Field(
        0, description="Runs that are not measured, before the others."
    )
    server: ServerPart | None = Field(None, description="A process that the command talks to.")
    inputs: list[str] = Field(
        [], description="Path patterns of the files that it reads, below the folder of the project file."
    )
    stdin: str = Field("", description="A file in the scratch folder that is the command's standard input.")
    metric: Literal["instructions", "cpu", "wall", "memory", "printed"] = Field(
        "instructions",
        description="instructions; cpu (user + system) and wall in seconds; memory (peak) in bytes; printed: "
        "a number that the benchmark prints.",
    )
    pattern: str = Field(
        "", description="For the metric 'printed': a regular expression whose first group is the number."
    )
    runs: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Samples per point; 2 for instructions and 5 for other metrics, if not given."
    )
    timeout: Duration = Field(300.0, description="Time after which a run counts as failed.")
    exit_codes: list[Annotated[int, Field(ge=0, le=255)]] = Field([0], description="What counts as success.")
    side_by_side: bool = Field(
        True,
        description="Whether `sonde check` may run base and head at the same time on one processor, for "
        "the metric cpu: much less noise. Not for benchmarks that need a processor of their "
        "own.",
    )


class EnvironmentPart(StrictTable):
    """What builds and benchmarks see of the machine."""

    variables: dict[str, str] = Field({}, description="Environment variables of builds and benchmarks.")
    aslr: bool = Field(
        False, description="Whether addresses are also random in runs whose instructions are counted."
    )
    readable: list[str] = Field(
        [], description="Absolute paths that may be read, in addition to the system's."
    )
    writable: list[str] = Field([], description="Absolute paths that may be written.")
    label: str = Field("", description="A label that distinguishes similar machines.")


class LimitsPart(StrictTable):
    """How much a build or a run may take, with all processes that it begins."""

    processes: Annotated[int, Field(ge=1)] = Field(4096, description="Maximum number at a time.")
    memory: Size = Field(
        0,
        description="Of all processes and in-memory folders; 0: three quarters of what the machine has.",
    )
    file: Size = Field(16 * 10**9, description="The size of a single file.")
    open_files: Annotated[int, Field(ge=64)] = Field(65_536, description="Of a single process.")
    outputs: Size = Field(2 * 10**9, description="The size of all outputs of a build.")


class FilePart(StrictTable):
    """A project of Sonde: what is studied, how it is built, varied and run."""

    repository: str = Field(".", description="The git repository of the subject, below or beside this file.")
    branch: str = Field(
        "", description="The branch whose history is studied; empty: the one that is checked out."
    )
    order: Literal["first-parent", "topological"] = Field(
        "first-parent", description="Which revisions make up the history: those of the branch itself, or all."
    )
    budget: Budget = Field(
        "",
        description='Limit of measuring: runs ("200"), a share ("3%") or time ("2h"); empty: no limit.',
    )
    cache_limit: Size = Field(
        2 * 10**9, description="Disk space that builds may use before old ones are removed."
    )
    constraints: list[str] = Field(
        [], description="Constraints that every configuration satisfies, such as 'a implies not b'."
    )
    build: BuildPart = Field(BuildPart(), description="How a revision becomes a build.")
    options: dict[str, OptionPart] = Field({}, description="What a user of the subject can choose, by name.")
    benchmarks: dict[str, BenchmarkPart] = Field({}, description="What is measured, by name.")
    environment: EnvironmentPart = Field(
        EnvironmentPart(), description="What commands can access of the machine."
    )
    limits: LimitsPart = Field(LimitsPart(), description="Limits of a build or a run.")
