"""This very machine, its tools and its noise."""

import pytest

from sonde.effects.machine import (
    State,
    describe_machine,
    describe_toolchain,
    measure_noise,
    probe_capabilities,
)


def test_this_machine_can_be_described_twice_alike():
    machine = describe_machine("here")

    assert machine == describe_machine("here")
    assert machine.digest == describe_machine("here").digest != describe_machine("there").digest
    assert machine.memory_gib > 0
    assert machine.one_line().startswith("here: ")


@pytest.mark.needs("cc", "make")
def test_the_compiler_of_this_machine_is_in_its_toolchain():
    versions = dict(describe_toolchain().versions)

    assert versions["make"].startswith("GNU Make")
    assert versions["cc"]


def test_every_capability_that_is_missing_has_a_reason():
    capabilities = probe_capabilities()

    assert capabilities[0].state is State.WORKS
    assert len({capability.name for capability in capabilities}) == len(capabilities)
    assert all(capability.sentence.endswith((".", ":")) for capability in capabilities)


def test_the_noise_of_this_machine_is_a_number():
    noise = measure_noise(0.0)

    assert noise.runs == 5
    assert noise.cpu_variation >= 0
    assert noise.wall_per_cpu > 0.5
