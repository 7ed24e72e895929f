"""What the machine is, as far as measurements depend on it."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.digests import digest

_ROOT = Path("/")
_CPU = "sys/devices/system/cpu"

# A substring of what the firmware calls the machine -> what people call it.
_VIRTUAL_PRODUCTS = {
    "amazon ec2": "Amazon EC2",
    "google compute engine": "Google Compute Engine",
    "virtual machine": "Hyper-V",
    "kvm": "KVM",
    "qemu": "QEMU",
    "standard pc": "QEMU",
    "virtualbox": "VirtualBox",
    "vmware": "VMware",
    "xen": "Xen",
    "bochs": "Bochs",
}


@dataclass(frozen=True)
class Machine:
    """What measurements depend on, as far as one can see it. Machines of one kind are equal."""

    processor: str
    architecture: str
    cores: int
    memory_gib: int  # rounded: the firmware of equal machines takes slightly different shares
    kernel: str
    distribution: str
    libc: str
    virtualisation: str = ""  # empty: none was seen
    container: str = ""
    governor: str = ""  # empty: not visible, as in most virtual machines
    turbo: str = ""  # on, off, or empty: not visible
    label: str = ""  # the user's word, to tell machines apart that look alike

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the environment: equal for machines that are described alike."""
        return digest("machine", asdict(self))

    def one_line(self) -> str:
        """The machine in words."""
        parts = [
            f"{self.label}:" if self.label else "",
            f"{self.processor} ({self.architecture}),",
            f"{self.cores} {'core' if self.cores == 1 else 'cores'}, {self.memory_gib} GiB,",
            f"{self.distribution}, Linux {self.kernel}, {self.libc}",
        ]
        words = " ".join(part for part in parts if part)
        places = [place for place in (self.virtualisation, self.container) if place]
        words += f", in {' and '.join(places)}" if places else ""
        words += f", governor {self.governor}" if self.governor else ""
        return words + (f", turbo {self.turbo}" if self.turbo else "")


def describe_machine(label: str = "", root: Path = _ROOT) -> Machine:
    """This machine; `root` is where its /proc, /sys and /etc lie."""
    return Machine(
        processor=processor_in(_text(root / "proc/cpuinfo")) or platform.processor() or "unknown processor",
        architecture=platform.machine(),
        cores=os.cpu_count() or 1,
        memory_gib=round(memory_bytes_in(_text(root / "proc/meminfo")) / 1024**3),
        kernel=platform.release(),
        distribution=distribution_in(_text(root / "etc/os-release")),
        libc=" ".join(platform.libc_ver()).strip() or "unknown libc",
        virtualisation=_virtualisation(root),
        container=_container(root),
        governor=_text(root / _CPU / "cpu0/cpufreq/scaling_governor").strip(),
        turbo=_turbo(root),
        label=label,
    )


def processor_in(cpuinfo: str) -> str:
    """The processor's model in the words of /proc/cpuinfo, or of its numbers where it has no words."""
    fields = dict(re.findall(r"^([^\t:]+?)\s*: (.*)$", cpuinfo, re.MULTILINE))
    model = fields.get("model name") or fields.get("cpu model") or fields.get("Model")
    if model:
        return " ".join(str(model).replace("(R)", "").replace("(TM)", "").split())
    numbers = [fields[name] for name in ("CPU implementer", "CPU part", "CPU variant") if name in fields]
    return f"processor {'/'.join(numbers)}" if numbers else ""


def memory_bytes_in(meminfo: str) -> int:
    """The size of the memory that /proc/meminfo tells; 0 if it does not."""
    found = re.search(r"^MemTotal:\s+(\d+) kB", meminfo, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def distribution_in(os_release: str) -> str:
    """The distribution's name with its release."""
    fields = dict(re.findall(r'^(\w+)="?(.*?)"?$', os_release, re.MULTILINE))
    named = f"{fields.get('NAME', '')} {fields.get('VERSION_ID', '')}".strip()
    return fields.get("PRETTY_NAME") or named or "unknown distribution"


def _virtualisation(root: Path) -> str:
    firmware = " ".join(_text(root / "sys/class/dmi/id" / name) for name in ("sys_vendor", "product_name"))
    for words, name in _VIRTUAL_PRODUCTS.items():
        if words in firmware.lower():
            return name
    if (root / "proc/device-tree/hypervisor").exists() or _text(root / "sys/hypervisor/type"):
        return "a virtual machine"
    flags = re.search(r"^flags\s*: (.*)$", _text(root / "proc/cpuinfo"), re.MULTILINE)
    return "a virtual machine" if flags and "hypervisor" in flags[1].split() else ""


def _container(root: Path) -> str:
    if (root / ".dockerenv").exists():
        return "Docker"
    if (root / "run/.containerenv").exists():
        return "Podman"
    return _text(root / "run/systemd/container").strip()


def _turbo(root: Path) -> str:
    boost = _text(root / _CPU / "cpufreq/boost").strip()
    if boost in {"0", "1"}:
        return "on" if boost == "1" else "off"
    forbidden = _text(root / _CPU / "intel_pstate/no_turbo").strip()
    if forbidden in {"0", "1"}:
        return "off" if forbidden == "1" else "on"
    return ""


def _text(path: Path) -> str:
    """What the file holds; empty where it cannot be read."""
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
