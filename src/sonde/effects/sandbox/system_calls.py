"""The system calls that no build and no benchmark needs, as a filter for the kernel.

They change the machine, or reach parts of the kernel in which most holes were found: mounts, modules, keys,
programs for the kernel, counters. Whoever calls them gets `EPERM`, as an ordinary user would.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Mapping

# <asm/unistd_64.h> and <asm/unistd_32.h>; a program of 32 bits counts otherwise.
_DENIED: Mapping[str, tuple[int, int]] = {
    "acct": (163, 51),
    "add_key": (248, 286),
    "bpf": (321, 357),
    "clock_settime": (227, 264),
    "delete_module": (176, 129),
    "finit_module": (313, 350),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 128),
    "ioperm": (173, 101),
    "iopl": (172, 110),
    "kcmp": (312, 349),
    "kexec_file_load": (320, 0),
    "kexec_load": (246, 283),
    "keyctl": (250, 288),
    "mount": (165, 21),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_by_handle_at": (304, 342),
    "open_tree": (428, 428),
    "perf_event_open": (298, 336),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 217),
    "process_vm_readv": (310, 347),
    "process_vm_writev": (311, 348),
    "quotactl": (179, 131),
    "reboot": (169, 88),
    "request_key": (249, 287),
    "setns": (308, 346),
    "swapoff": (168, 115),
    "swapon": (167, 87),
    "syslog": (103, 103),
    "umount2": (166, 52),
    "userfaultfd": (323, 374),
}
COUNTERS = "perf_event_open"  # which counting instructions by the processor needs

_X86_64, _I386 = 0xC000003E, 0x40000003  # <linux/audit.h>
_FIRST_OF_X32 = 0x40000000  # a third way to count, with 64-bit registers and short pointers
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # <linux/bpf_common.h>
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in `struct seccomp_data`
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000  # <linux/seccomp.h>


def filter_of(allowed: Iterable[str] = (), machine: str = "") -> bytes:
    """The program that denies all but the allowed ones; empty on a processor whose numbers are not known."""
    if (machine or platform.machine()) != "x86_64":
        return b""
    denied = [numbers for name, numbers in _DENIED.items() if name not in set(allowed)]
    wide = _refuse([wide for wide, _ in denied], is_wide=True)
    narrow = _refuse([narrow for _, narrow in denied if narrow], is_wide=False)
    begin = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 0, len(wide) + 1, _X86_64),
        (_LOAD, 0, 0, _NUMBER),
        *wide,
        (_EQUAL, 1, 0, _I386),
        (_RETURN, 0, 0, _ERROR | errno.EPERM),
        (_LOAD, 0, 0, _NUMBER),
        *narrow,
    ]
    return b"".join(struct.pack("=HBBI", *each) for each in begin)


def _refuse(numbers: list[int], is_wide: bool) -> list[tuple[int, int, int, int]]:
    """An error for each of the numbers, and leave to do anything else."""
    count = len(numbers) + is_wide
    steps = [(_AT_LEAST, count, 0, _FIRST_OF_X32)] if is_wide else []
    steps += [(_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)]
    return [*steps, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ERROR | errno.EPERM)]
