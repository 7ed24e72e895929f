"""The machine: what it is, which tools it has, what can be measured on it, and how quiet it is."""

from sonde.effects.machine.description import Machine, describe_machine
from sonde.effects.machine.noise import Noise, measure_noise
from sonde.effects.machine.probe import Capability, State, probe_capabilities
from sonde.effects.machine.toolchain import (
    Toolchain,
    describe_programs,
    describe_toolchain,
    programs_named_in,
)

__all__ = [
    "Capability",
    "Machine",
    "Noise",
    "State",
    "Toolchain",
    "describe_machine",
    "describe_programs",
    "describe_toolchain",
    "measure_noise",
    "probe_capabilities",
    "programs_named_in",
]
