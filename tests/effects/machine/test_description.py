"""What /proc, /sys and /etc tell of a machine."""

from dataclasses import replace

import pytest

from sonde.effects.machine.description import (
    Machine,
    describe_machine,
    distribution_in,
    memory_bytes_in,
    processor_in,
)

MACHINE = Machine("AMD EPYC 7763", "x86_64", 4, 16, "6.1.0", "Debian GNU/Linux 12", "glibc 2.36")


@pytest.mark.parametrize(
    ("cpuinfo", "processor"),
    [
        (
            "processor\t: 0\nmodel name\t: Intel(R) Xeon(R)  Processor @ 2.0GHz\n",
            "Intel Xeon Processor @ 2.0GHz",
        ),
        ("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", "processor 0x41/0xd0c"),
        ("", ""),
    ],
)
def test_the_processor_is_named_in_words_or_numbers(cpuinfo, processor):
    assert processor_in(cpuinfo) == processor


def test_the_memory_is_read_in_bytes():
    assert memory_bytes_in("MemTotal:       16384 kB\nMemFree: 1 kB\n") == 16384 * 1024
    assert memory_bytes_in("") == 0


def test_the_distribution_has_its_release():
    assert (
        distribution_in('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n') == "Debian GNU/Linux 12 (bookworm)"
    )
    assert distribution_in("NAME=Alpine\nVERSION_ID=3.20\n") == "Alpine 3.20"
    assert distribution_in("") == "unknown distribution"


def test_a_machine_that_tells_nothing_is_described_all_the_same(tmp_path):
    machine = describe_machine(root=tmp_path)

    assert machine.virtualisation == machine.container == machine.governor == machine.turbo == ""
    assert machine.distribution in machine.one_line()


def test_virtual_machines_containers_governor_and_turbo_are_seen(tmp_path):
    for path, text in {
        "sys/class/dmi/id/sys_vendor": "QEMU\n",
        ".dockerenv": "",
        "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
        "sys/devices/system/cpu/intel_pstate/no_turbo": "1\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    machine = describe_machine(root=tmp_path)

    assert machine.one_line().endswith("in QEMU and Docker, governor powersave, turbo off")


def test_the_flag_of_the_processor_tells_a_virtual_machine(tmp_path):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/cpuinfo").write_text("flags\t\t: fpu hypervisor lahf_lm\n")

    assert describe_machine(root=tmp_path).virtualisation == "a virtual machine"


def test_the_label_tells_machines_apart_that_look_alike():
    assert replace(MACHINE).digest == MACHINE.digest
    assert replace(MACHINE, label="rack 3").digest != MACHINE.digest
    assert replace(MACHINE, kernel="6.2.0").digest != MACHINE.digest


def test_one_line_names_the_label_first():
    line = replace(MACHINE, label="rack 3").one_line()

    assert line == (
        "rack 3: AMD EPYC 7763 (x86_64), 4 cores, 16 GiB, Debian GNU/Linux 12, Linux 6.1.0, glibc 2.36"
    )
