"""`sonde doctor`: what this machine can measure, how quiet it is, and what is wrong with the project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json, ProjectPath, StatePath


def doctor(
    seconds: Annotated[
        float, typer.Option(min=0.5, help="How long to measure the noise of the machine.")
    ] = 3.0,
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild a damaged store from the rows that can still be read.")
    ] = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Report what this machine can measure, how noisy it is right now, and what to install.

    In a project, also report mistakes in the project file, and options that can have only one value.
    """
    if repair:
        _repair(project, state, json)
        return
    from dataclasses import asdict

    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.report.project_health import project_health_json, project_health_text
    from sonde.report.tables import table
    from sonde.workflows.doctor import examine

    with stderr_console().status(f"measuring the noise of the machine for {seconds:g} s"):
        health = examine(seconds, project)
    if json:
        capabilities = [{**asdict(each), "state": each.state.value} for each in health.capabilities]
        noise = {**asdict(health.noise), "is_calm": health.noise.is_calm, "verdict": health.noise.verdict}
        whole = {"machine": asdict(health.machine), "capabilities": capabilities, "noise": noise}
        if health.project is not None:
            found = health.project
            whole["project"] = project_health_json(str(found.file), found.mistakes, found.leeway)
        print_json(whole)
        return
    rows = [[each.name, each.state.value, each.sentence] for each in health.capabilities]
    remedies = {each.remedy: None for each in health.capabilities if each.remedy}
    say(health.machine.one_line() + "\n")
    say(table(["what", "state", ""], rows) + "\n")
    say(f"This machine is {health.noise.verdict}. {health.noise.advice}")
    if remedies:
        say("\nTo measure more: " + "; ".join(remedies))
    if health.project is not None:
        found = health.project
        say("\n" + project_health_text(str(found.file), found.mistakes, found.leeway))


def _repair(project: Path, state: Path | None, json: bool) -> None:
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.report.repairs import repaired_json, repaired_text
    from sonde.workflows.projects import open_project
    from sonde.workflows.repair import repair

    with stderr_console().status("reading the store"):
        repaired = repair(open_project(project, state))
    if json:
        print_json(repaired_json(repaired))
    else:
        say(repaired_text(repaired))
