"""The bitcode of builds: taken once, shared by builds that have units in common."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sonde.core.digests import digest
from sonde.core.records import BuildKey
from sonde.core.results import Failed
from sonde.effects.bitcode.capturing import Capture
from sonde.effects.bitcode.clang import Clang, find_clang
from sonde.effects.bitcode.compiling import UNITS_FORMAT, CompilerSettings
from sonde.effects.bitcode.values import Bitcode
from sonde.effects.bitcode.wrappers import WRAPPERS_FORMAT
from sonde.effects.builds.orders import BuildOrder
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.git.main_line import MainLine
from sonde.effects.subject_files import discard
from sonde.workflows.project_tools import ProjectTools, open_bitcode_cache


def bitcodes_of(
    tools: ProjectTools,
    executor: LocalExecutor,
    blueprints: Sequence[Blueprint],
    compile_commands: str = "",
) -> Iterator[tuple[Blueprint, Bitcode | Failed]]:
    """Each blueprint with the bitcode of its build, in the same order; raises MissingTool without clang.

    What is not known is built once more, with wrappers of its compilers, and only units that differ from all
    known ones are compiled. `compile_commands` names a file that lists the units instead: by its path in the
    work tree after the build, or an absolute one for a file that lies elsewhere. A failure is not kept: the
    next one who asks tries again. A revision that is not on the main line uses the units of the main line,
    but what it makes is for its own builds only.
    """
    clang = find_clang()
    cache = open_bitcode_cache(tools.project)
    orders: dict[BuildKey, BuildOrder] = {each.build.key: each.build for each in blueprints}
    main_line = MainLine(tools.project.repository.git, tools.project.file.subject.branch)
    apart = {key: "" if main_line.holds(order.revision) else key for key, order in orders.items()}
    found: dict[BuildKey, Bitcode | Failed] = {}
    for key in orders:
        names = dict.fromkeys(("", apart[key]))
        manifests = (cache.find(_manifest_key(key, clang, compile_commands, name)) for name in names)
        known = next((each for each in manifests if each is not None), None)
        if known is not None:
            found[key] = known
    missing = [order for key, order in orders.items() if key not in found]
    settings = CompilerSettings(clang, tools.sandbox, tools.processes, cache, lanes=os.cpu_count() or 1)

    def visit_for(order: BuildOrder) -> Capture:
        own = replace(settings, apart=apart[order.key])
        return Capture(own, cache.new_folder(order.key), order.timeout_seconds, compile_commands)

    with closing(executor.builder.visit(missing, visit_for)) as visits:
        for order, bitcode in visits:
            found[order.key] = bitcode
            if isinstance(bitcode, Bitcode):
                cache.keep(_manifest_key(order.key, clang, compile_commands, apart[order.key]), bitcode)
            discard(cache.new_place(order.key))
    if missing:
        several = [each for each in found.values() if isinstance(each, Bitcode)]
        cache.prune(keep={unit.path for each in several for unit in each.units})
    yield from ((each, found[each.build.key]) for each in blueprints)


def _manifest_key(build: BuildKey, clang: Clang, compile_commands: str, apart: str) -> str:
    file = Path(compile_commands)
    listed = file.read_text() if file.is_absolute() and file.is_file() else compile_commands
    return digest(build, WRAPPERS_FORMAT, UNITS_FORMAT, clang, listed, *([apart] if apart else []))
