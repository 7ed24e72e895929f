"""Runs benchmarks in the sandbox, and measures them where they run.

runs = Runs(sandbox, state, Processes(), surroundings)
order = RunOrder(argv=(f"{BUILD}/bin/xz", "-k", "corpus.tar"), metric=Metric.CPU)
report = runs.run(order, build, inputs.path)
"""

from sonde.effects.runs.choosing import choose_meter
from sonde.effects.runs.inputs import StagedInputs, stage_inputs
from sonde.effects.runs.orders import BUILD, SCRATCH, Meter, RunOrder
from sonde.effects.runs.reports import RunReport
from sonde.effects.runs.runs import SandboxRuns
from sonde.effects.runs.set_ups import SetUp, draw_set_up
from sonde.effects.sandbox import in_shell

__all__ = [
    "BUILD",
    "SCRATCH",
    "Meter",
    "RunOrder",
    "RunReport",
    "SandboxRuns",
    "SetUp",
    "StagedInputs",
    "choose_meter",
    "draw_set_up",
    "in_shell",
    "stage_inputs",
]
