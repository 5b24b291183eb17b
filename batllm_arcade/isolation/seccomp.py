"""The system calls that a sandbox refuses, as a filter that the kernel runs (seccomp): what no bot needs.

They are where faults of kernels were found, and what reaches beyond a process. The filter is a program of classic BPF
for the machine that this is; for one whose numbers are not known here there is none.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Iterable

REFUSED = {
    # What programs do without where it is not there: they take the older call.
    "clone3": (435, 435), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "memfd_secret": (447, 447),
    # Other processes, and the kernel's own objects.
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "move_pages": (279, 239), "migrate_pages": (256, 238),
    "userfaultfd": (323, 282), "bpf": (321, 280), "perf_event_open": (298, 241), "lookup_dcookie": (212, 18),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263), "vmsplice": (278, 75), "syslog": (103, 116),
    # Namespaces, mounts, files by other ways than their names.
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "statmount": (457, 457), "listmount": (458, 458), "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # The machine itself.
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "sethostname": (170, 161), "setdomainname": (171, 162), "nfsservctl": (180, 42),
    # Of old programs only.
    "iopl": (172, 0), "ioperm": (173, 0), "modify_ldt": (154, 0), "uselib": (134, 0), "ustat": (136, 0),
    "sysfs": (139, 0), "_sysctl": (156, 0),
}  # fmt: skip
"""Calls by name with their numbers on x86_64 and on aarch64, 0 where there is none."""
ABSENT = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_secret")
"""Those of them that are said not to be there; the others are not permitted."""
_PARTLY = {
    "clone": (56, 220),
    "personality": (135, 92),
    "ioctl": (16, 29),
    "socket": (41, 198),
    "socketpair": (53, 199),
}
"""Calls of which some arguments are refused."""
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which number is a machine's, and how the kernel calls it."""
_X32 = 0x40000000
"""What the numbers of x86_64's other interface have in common."""
_NAMESPACES = 0x7E020000
_TERMINAL = (0x5412, 0x541C, 0x5423)
"""Requests of ioctl that type into a terminal or change what drives it: TIOCSTI, TIOCLINUX, TIOCSETD."""
_UNIX, _INET, _INET6, _NETLINK = 1, 2, 10, 16
_STREAM, _DATAGRAM = 1, 2
_USUAL = (0, 6, 17)
"""Protocols of the internet that a bot may use: what is usual, TCP, UDP."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
Program = list[tuple[int, int, int, int]]


def seccomp_filter(*, network: bool) -> bytes:
    """Return the filter for this machine as bubblewrap takes it, b"" where its numbers are not known.

    With `network` a bot can also ask which addresses the sandbox has.
    """
    wide = sys.maxsize > 2**32 and sys.byteorder == "little"
    machine = os.uname().machine if wide else ""
    return b"".join(struct.pack("=HBBI", *each) for each in program(machine, network=network))


def program(machine: str, *, network: bool) -> Program:
    """Return the filter as instructions, [] for an unknown machine."""
    if machine not in _MACHINES:
        return []
    at, architecture = _MACHINES[machine]
    partly = {
        "clone": [_argument(0), (_ANY_BIT, 0, 1, _NAMESPACES), _refuse(errno.EPERM), _allow()],
        "personality": [_argument(0), *_only((0, 0xFFFFFFFF), errno.EPERM)],
        "ioctl": [_argument(1), *_none_of(_TERMINAL), _allow()],
        "socket": _socket(network),
        "socketpair": [_argument(0), *_only((_UNIX,), errno.EAFNOSUPPORT)],
    }
    found: Program = [(_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    found += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), _refuse(errno.ENOSYS)]
    for name, numbers in REFUSED.items():
        if numbers[at]:
            found += _if(numbers[at], [_refuse(errno.ENOSYS if name in ABSENT else errno.EPERM)])
    for name, body in partly.items():
        found += _if(_PARTLY[name][at], body)
    return [*found, _allow()]


def _socket(network: bool) -> Program:
    usual = [_argument(2), *_only(_USUAL, errno.EPROTONOSUPPORT)]
    internet = [_argument(1), (_AND, 0, 0, 15), *_if(_STREAM, usual), *_if(_DATAGRAM, usual), _refuse(errno.EPERM)]
    addresses = [_argument(2), *_only((0,), errno.EPROTONOSUPPORT)]
    return [
        _argument(0), *_if(_UNIX, [_allow()]), *_if(_INET, internet), *_if(_INET6, internet),
        *(_if(_NETLINK, addresses) if network else ()), _refuse(errno.EAFNOSUPPORT),
    ]  # fmt: skip


def _if(value: int, body: Program) -> Program:
    """Return what runs `body`, which has to return, if the value loaded is this one."""
    return [(_EQUAL, 0, len(body), value), *body]


def _only(values: Iterable[int], number: int) -> Program:
    return [*(each for value in values for each in _if(value, [_allow()])), _refuse(number)]


def _none_of(values: Iterable[int]) -> Program:
    return [each for value in values for each in _if(value, [_refuse(errno.EPERM)])]


def _argument(at: int) -> tuple[int, int, int, int]:
    """Return what loads the lower half of an argument: no more of those that are looked at counts."""
    return _LOAD, 0, 0, _ARGUMENTS + 8 * at


def _allow() -> tuple[int, int, int, int]:
    return _RETURN, 0, 0, _ALLOW


def _refuse(number: int) -> tuple[int, int, int, int]:
    return _RETURN, 0, 0, _REFUSE | number
