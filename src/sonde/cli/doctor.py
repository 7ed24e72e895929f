"""`sonde doctor`: what this machine can measure, and how quiet it is."""

from __future__ import annotations

from typing import Annotated

import typer

from sonde.cli.arguments import Json


def doctor(
    seconds: Annotated[
        float, typer.Option(min=0.5, help="How long to watch how quiet the machine is.")
    ] = 3.0,
    json: Json = False,
) -> None:
    """Tell what this machine can measure, how noisy it is right now, and what to install."""
    from dataclasses import asdict

    from sonde.cli.printing import print_json, stderr_console
    from sonde.report.tables import table
    from sonde.workflows.doctor import examine

    with stderr_console().status(f"watching the machine for {seconds:g} s"):
        health = examine(seconds)
    if json:
        capabilities = [{**asdict(each), "state": each.state.value} for each in health.capabilities]
        noise = {**asdict(health.noise), "is_calm": health.noise.is_calm, "verdict": health.noise.verdict}
        print_json({"machine": asdict(health.machine), "capabilities": capabilities, "noise": noise})
        return
    rows = [[each.name, each.state.value, each.sentence] for each in health.capabilities]
    remedies = {each.remedy: None for each in health.capabilities if each.remedy}
    print(health.machine.one_line(), "\n")
    print(table(["what", "state", ""], rows), "\n")
    print(f"This machine is {health.noise.verdict}.", health.noise.advice)
    if remedies:
        print("\nTo get more: " + "; ".join(remedies))
