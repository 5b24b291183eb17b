"""A world to throw away, with a victim in it, for strangers: run in namespaces of its own, by `unshare`, as root.

`strange_world.py ROOT USER MODE KIND...` gives the victim a home with secrets, a process that notices signals, sockets
that notice connections; plays a match against each stranger as that user; and prints what came of it, as JSON. All that
is written goes to memory of this world: everything else is read-only in it.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import json
import os
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

HOME, BOTS = Path("/home/victim"), Path("/home/victim/bots")
CANARY = "canary-7f3a"
SECRETS = {
    "secret": f"{CANARY}-file", ".ssh/id_ed25519": f"{CANARY}-ssh", ".netrc": f"{CANARY}-netrc", ".bashrc": "# nothing",
    ".config/batllm-arcade/settings.yaml": f"key: {CANARY}-settings", "beside/note.txt": f"{CANARY}-beside",
    ".local/share/batllm-arcade/sessions/old.json": f"{CANARY}-session",
    ".local/share/batllm-arcade/streams.key": f"{CANARY}-streams".ljust(32),
}  # fmt: skip
VICTIM = """
import signal, sys, time
def note(number, _frame): print(number, flush=True)
for number in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(number, note)
print("up", flush=True)
while True: time.sleep(60)
"""


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def furnish(readable: list[str], user: int) -> None:
    """Make the machine read-only, and what a stranger could want; `readable` stays where it is, for every user."""
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "mode=755", "none", "/mnt")
    kept = []
    for number, path in enumerate(readable):
        os.mkdir(f"/mnt/{number}")
        mount("--bind", path, f"/mnt/{number}")
        kept.append((f"/mnt/{number}", path))
    covered = {"/tmp": "1777", "/home": "755", "/var/tmp": "1777", "/dev/shm": "1777", "/run": "755"}
    if any(path.startswith("/root/") for path in readable):
        covered["/root"] = "755"
    for path, mode in covered.items():
        mount("-t", "tmpfs", "-o", f"mode={mode},size=300m", "none", path)
    for source, path in kept:
        os.makedirs(path, exist_ok=True)
        mount("--bind", source, path)
        mount("-o", "remount,ro,bind", path)
    for line in Path("/proc/self/mounts").read_text().splitlines():
        place, kind = line.split()[1:3]
        if kind not in ("tmpfs", "proc", "devpts", "devtmpfs") or place.startswith("/sys"):
            with suppress(subprocess.CalledProcessError):
                subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True, stderr=subprocess.DEVNULL)
    for name, text in SECRETS.items():
        (HOME / name).parent.mkdir(parents=True, exist_ok=True)
        (HOME / name).write_text(text)
    Path("/tmp/agent.txt").write_text(f"{CANARY}-tmp")
    for name, text in (("shadow", f"root:{CANARY}-shadow:1::::::\n"), ("passwd", Path("/etc/passwd").read_text())):
        Path(f"/mnt/{name}").write_text(text)
        os.chmod(f"/mnt/{name}", 0o644)
        mount("--bind", f"/mnt/{name}", f"/etc/{name}")
    source = Path(__file__).with_name("stranger.py").read_text()
    (BOTS / "plugins").mkdir(parents=True)
    (BOTS / "stranger.py").write_text(source)
    (BOTS / "plugins" / "_stranger.py").write_text(source)
    shutil.copy(Path(__file__).with_name("strange_plugins.py"), BOTS / "plugins" / "strangers.py")
    (HOME / "sessions").mkdir()
    for path in (HOME, *HOME.rglob("*"), Path("/tmp/agent.txt")):
        os.chown(path, user, user)


def loopback() -> None:
    """Give this network an address of its own beside the loopback's."""
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))
        address = struct.pack("16sH2s4s8x", b"lo:1", socket.AF_INET, b"\0\0", socket.inet_aton("10.9.9.9"))
        fcntl.ioctl(any_socket, 0x8916, address)


class Listeners:
    """Everything that can be connected to; each gives a canary to whoever comes, and notes it."""

    def __init__(self, user: int) -> None:
        self.heard: list[str] = []
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 7777)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 7777)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(HOME / "agent.sock")),
            (socket.AF_UNIX, socket.SOCK_STREAM, "/tmp/agent.sock"),
            (socket.AF_UNIX, socket.SOCK_STREAM, "\0agent"),
            (socket.AF_INET, socket.SOCK_DGRAM, ("0.0.0.0", 7778)),
        ):
            try:
                link = socket.socket(family, kind)
                if family == socket.AF_INET6:
                    link.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                link.bind(address)
            except OSError:  # a system without IPv6
                continue
            if family == socket.AF_UNIX and not str(address).startswith("\0"):
                os.chown(str(address), user, user)
            if kind == socket.SOCK_STREAM:
                link.listen(99)
            threading.Thread(target=self._serve, args=(link, kind, repr(address)), daemon=True).start()

    def _serve(self, link: socket.socket, kind: int, name: str) -> None:
        while True:
            if kind == socket.SOCK_DGRAM:
                _, sender = link.recvfrom(1000)
                self.heard.append(name)
                link.sendto(f"{CANARY}-net".encode(), sender)
                continue
            one, _ = link.accept()
            self.heard.append(name)
            with suppress(OSError), one:
                one.sendall(f"{CANARY}-net".encode())


def shared_memory(user: int) -> None:
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    place = libc.shmat(libc.shmget(4711, 4096, 0o1666), None, 0)
    ctypes.memmove(place, f"{CANARY}-shm".encode(), len(CANARY) + 4)


def below(top: str, left_out: Collection[str]) -> Iterator[Path]:
    """A folder and all that is below it, but for what is left out."""
    yield Path(top)
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in left_out]
        yield from (Path(folder, name) for name in (*folders, *files))


def snapshot(readable: Collection[str]) -> dict[str, str]:
    """What every file is that a stranger could change: kind, mode, owner, contents; `readable` nobody can, here."""
    found = {}
    tops = (str(HOME), "/tmp", "/var/tmp", "/dev/shm", "/home", "/run")
    for path in sorted({path for top in tops for path in below(top, readable)}):
        if str(path).startswith(("/tmp/own-", str(HOME / "sessions"))) or "__pycache__" in path.parts:
            continue
        about = path.lstat()
        text = path.read_bytes() if stat.S_ISREG(about.st_mode) else b""
        link = os.readlink(path) if path.is_symlink() else ""
        found[str(path)] = f"{about.st_mode:o} {about.st_uid} {link} {hashlib.md5(text).hexdigest()}"
    return found


def processes() -> dict[str, str]:
    """The command lines of all processes in this world, but for those that have ended."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if " Z " not in (path / "stat").read_text().rpartition(")")[2][:4]:
                found[path.name] = (path / "cmdline").read_text().replace("\0", " ")[:200]
    return found


def leaks(log: str) -> list[str]:
    """The lines that the program has printed and the sessions it has kept in which there is a secret."""
    sessions = [path.name for path in (HOME / "sessions").iterdir() if CANARY in path.read_text("utf-8", "replace")]
    return [line[:200] for line in log.splitlines() if CANARY in line] + sorted(sessions)


def become(user: int) -> None:
    """Be that user from now on, in the victim's own environment."""
    os.environ.clear()
    os.environ.update(
        HOME=str(HOME), PATH="/usr/local/bin:/usr/bin:/bin", LANG="C.UTF-8", TMPDIR="/tmp",
        GEMINI_API_KEY=f"{CANARY}-key", HARMLESS=f"{CANARY}-environment",
    )  # fmt: skip
    os.chdir(HOME)
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        ctypes.CDLL(None).prctl(4, 1, 0, 0, 0)  # as any program that the user starts: others of the user may look at it


def keep_a_key() -> None:
    """Put a canary into a session keyring of this process's own, which its children inherit."""
    numbers = {"x86_64": (250, 248), "aarch64": (219, 217)}.get(os.uname().machine)
    if numbers:
        libc, secret = ctypes.CDLL(None), f"{CANARY}-ring".encode()
        libc.syscall(numbers[0], 1, None, 0, 0, 0)
        libc.syscall(numbers[1], b"user", b"batllm-canary", secret, len(secret), -3)


def start_as(user: int) -> None:
    become(user)
    keep_a_key()


def main() -> None:
    root, user, mode, *kinds = sys.argv[1:]
    readable = json.loads(root)
    furnish(readable, int(user))
    loopback()
    shared_memory(int(user))
    listeners = Listeners(int(user))
    victim = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", VICTIM, f"{CANARY}-arguments"], stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: become(int(user)),
    )  # fmt: skip
    assert victim.stdout is not None
    assert victim.stdout.readline() == "up\n"
    before, running = snapshot(readable), processes()
    limits, priority = Path(f"/proc/{victim.pid}/limits").read_text(), os.getpriority(os.PRIO_PROCESS, 0)
    player = [sys.executable, str(Path(__file__).with_name("strange_matches.py")), mode, *kinds]
    out = subprocess.run(player, capture_output=True, check=False, preexec_fn=lambda: start_as(int(user)))
    time.sleep(1.0)
    os.set_blocking(victim.stdout.fileno(), False)
    said = ""
    with suppress(BlockingIOError):
        said = os.read(victim.stdout.fileno(), 65536).decode()
    state = (
        Path(f"/proc/{victim.pid}/stat").read_text().rpartition(")")[2].split()[0] if victim.poll() is None else "gone"
    )
    after, left = snapshot(readable), {pid: line for pid, line in processes().items() if pid not in running}
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    print(
        json.dumps({
            "code": out.returncode, "matches": json.loads(out.stdout or b"{}"),
            "leaks": leaks(out.stderr.decode("utf-8", "replace")), "log": out.stderr.decode("utf-8", "replace")[-3000:],
            "changed": changed, "left": left,
            "heard": listeners.heard, "signals": said.split(), "victim": state,
            "limited": limits != Path(f"/proc/{victim.pid}/limits").read_text() if state != "gone" else True,
            "slowed": state == "gone" or os.getpriority(os.PRIO_PROCESS, victim.pid) != priority,
            "seconds": round(sum(os.times()[:4]), 1),
        })
    )  # fmt: skip
    sys.stdout.flush()
    with suppress(OSError):
        os.kill(victim.pid, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main()
