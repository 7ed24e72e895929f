"""What can this machine measure, and how well right now?"""

from __future__ import annotations

from dataclasses import dataclass

from sonde.effects.machine import (
    Capability,
    Machine,
    Noise,
    describe_machine,
    measure_noise,
    probe_capabilities,
)


@dataclass(frozen=True)
class Health:
    """The machine, what it can measure, and how quiet it is."""

    machine: Machine
    capabilities: tuple[Capability, ...]
    noise: Noise


def examine(seconds: float) -> Health:
    """The health of this machine; its noise is watched for so many seconds."""
    return Health(describe_machine(), probe_capabilities(), measure_noise(seconds))
