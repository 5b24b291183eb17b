"""A small world with a network, in namespaces to throw away: what bots reach in it, by what network they are given.

`network_world.py KIND...` prints as JSON what each kind of network reaches: by the bot's own account, and by what the
servers have heard. There is a neighbour with a server, and there is this computer: its addresses, its loopback, its
sockets without a file.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress

OWN, SECOND, NEIGHBOUR = "10.77.0.1", "10.78.0.1", "10.77.0.2"
OWN6, NEIGHBOUR6 = "fd77::1", "fd77::2"
NAME = "neighbour.example"
SCREEN = "\0/tmp/.X11-unix/X88"
BOT = """\
import json, socket, sys, threading
def reach(name, family, kind, address, device=""):
    try:
        with socket.socket(family, kind) as link:
            link.settimeout(1)
            if device:
                link.setsockopt(socket.SOL_SOCKET, 25, device.encode())
            link.connect(address)
            link.send(name.encode())
            found = link.recv(100).decode()
    except OSError as error:
        found = ""
    print(json.dumps([name, found]), file=sys.stderr, flush=True)
def by_name(name, host):
    try:
        print(json.dumps([name, socket.getaddrinfo(host, 7001)[0][4][0]]), file=sys.stderr, flush=True)
    except OSError:
        print(json.dumps([name, ""]), file=sys.stderr, flush=True)
def main():
    four, six, stream, datagram = socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM, socket.SOCK_DGRAM
    device = next((name for _, name in socket.if_nameindex() if name != "lo"), "lo") if NETWORK else "lo"
    scope = socket.if_nametoindex(device)
    tried = [
        ("neighbour", four, stream, ("10.77.0.2", 7001)), ("neighbour by IPv6", six, stream, ("fd77::2", 7001)),
        ("own address", four, stream, ("10.77.0.1", 7001)), ("own second address", four, stream, ("10.78.0.1", 7001)),
        ("own datagram", four, datagram, ("10.78.0.1", 7001)), ("own by IPv6", six, stream, ("fd77::1", 7001)),
        ("own on its link", six, stream, (LINK, 7001, 0, scope)),
        ("own by its device", four, stream, ("10.78.0.1", 7001), device),
        ("loopback", four, stream, ("127.0.0.1", 7002)), ("loopback by IPv6", six, stream, ("::1", 7002)),
        ("loopback's datagram", four, datagram, ("127.0.0.1", 7002)),
        ("loopback by its device", four, datagram, ("127.0.0.1", 7002), device),
        ("loopback in IPv6", six, stream, ("::ffff:127.0.0.1", 7002)), ("any", four, stream, ("0.0.0.0", 7002)),
        ("gateway", four, stream, ("10.77.0.2", 7002)), ("gateway of its own", four, stream, ("10.0.2.2", 7002)),
        ("screen", socket.AF_UNIX, stream, "\\0/tmp/.X11-unix/X88"),
    ]
    threads = [threading.Thread(target=reach, args=each) for each in tried]
    threads.append(threading.Thread(target=by_name, args=("name", "neighbour.example")))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        main()
        print('{"type":"ready"}', flush=True)
"""
HEARD: list[str] = []


def run(*words: str) -> None:
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def server(family: int, kind: int, address: object) -> socket.socket:
    made = socket.socket(family, kind)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    if family != socket.AF_UNIX:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind(address)
    if kind == socket.SOCK_STREAM:
        made.listen()
    return made


def serve(made: socket.socket, who: str) -> None:
    while True:
        if made.type == socket.SOCK_STREAM:
            link, _ = made.accept()
            with link, suppress(OSError):
                link.settimeout(1)
                HEARD.append(f"{who}: {link.recv(100).decode()}")
                link.sendall(who.encode())
        else:
            said, whence = made.recvfrom(1000)
            HEARD.append(f"{who}: {said.decode()}")
            made.sendto(who.encode(), whence)


def answer_names(made: socket.socket) -> None:
    """Answer every question for an address of IPv4 with the neighbour's, and no other."""
    while True:
        asked, whence = made.recvfrom(1000)
        end = asked.index(b"\0", 12) + 5
        four = asked[end - 4 : end - 2] == b"\0\1"
        record = b"\xc0\x0c\0\1\0\1\0\0\0\x09\0\4" + socket.inet_aton(NEIGHBOUR) if four else b""
        made.sendto(
            asked[:2] + b"\x81\x80\0\1\0" + (b"\1" if four else b"\0") + bytes(4) + asked[12:end] + record, whence
        )


def begin(target: object, *values: object) -> None:
    threading.Thread(target=target, args=values, daemon=True).start()  # type: ignore[arg-type]


def neighbour() -> None:
    """Be the computer beside this one: wait for the line to it, then serve."""
    while "eth0" not in [name for _, name in socket.if_nameindex()]:
        time.sleep(0.01)
    run("ip", "link", "set", "eth0", "up")
    run("ip", "address", "add", f"{NEIGHBOUR}/24", "dev", "eth0")
    run("ip", "address", "add", f"{NEIGHBOUR6}/64", "dev", "eth0", "nodad")
    run("ip", "route", "add", "10.78.0.0/24", "via", OWN)
    begin(serve, server(socket.AF_INET6, socket.SOCK_STREAM, ("::", 7001)), "neighbour by IPv6")
    made = server(socket.AF_INET, socket.SOCK_STREAM, ("0.0.0.0", 7001))
    print("ready", flush=True)
    serve(made, "neighbour")


def this_computer() -> None:
    """Make the line to the neighbour, this computer's servers, and who tells names."""
    run("ip", "link", "set", "lo", "up")
    made = subprocess.Popen(
        ["unshare", "--net", sys.executable, __file__, "neighbour"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert made.stdout is not None
    while os.readlink(f"/proc/{made.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
        time.sleep(0.01)
    run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", str(made.pid))
    run("ip", "link", "set", "eth0", "up")
    for address in (OWN, SECOND):
        run("ip", "address", "add", f"{address}/24", "dev", "eth0")
    run("ip", "address", "add", f"{OWN6}/64", "dev", "eth0", "nodad")
    run("ip", "route", "add", "default", "via", NEIGHBOUR)
    run("ip", "-6", "route", "add", "default", "via", NEIGHBOUR6)
    assert made.stdout.readline() == b"ready\n"
    for family, every, own in ((socket.AF_INET, "0.0.0.0", "127.0.0.1"), (socket.AF_INET6, "::", "::1")):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            begin(serve, server(family, kind, (every, 7001)), "this computer")
            begin(serve, server(family, kind, (own, 7002)), "loopback")
    begin(serve, server(socket.AF_UNIX, socket.SOCK_STREAM, SCREEN), "screen")
    begin(answer_names, server(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.53", 53)))
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("nameserver 127.0.0.53\n")
        file.flush()
        run("mount", "--bind", file.name, os.path.realpath("/etc/resolv.conf"))


def link_address() -> str:
    with open("/proc/net/if_inet6", encoding="ascii") as file:
        found = next(line for line in file if line.split()[5] == "eth0" and line.startswith("fe80"))
    return socket.inet_ntop(socket.AF_INET6, bytes.fromhex(found[:32]))


def reached(kind: str, folder: str) -> dict[str, object]:
    """Return what a bot with this network has reached."""
    from batllm_arcade.brains.protocol import Spec
    from batllm_arcade.isolation.process_brain import ProcessBrain

    path = os.path.join(folder, "bot.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(BOT.replace("NETWORK", str(kind != "no")).replace("LINK", repr(link_address())))
    HEARD.clear()
    spec = Spec("proc", "", {"isolation": "sandbox", "network": kind, "processes": "1"})
    brain = ProcessBrain(spec, [sys.executable, "-I", "-S", path], {})
    try:
        brain.prepare(lambda _: None)
        said = dict(json.loads(line) for line in brain.log.lines())
        return {"reached": {name: found for name, found in said.items() if found}, "heard": sorted(set(HEARD))}
    finally:
        brain.close()


def main(kinds: list[str]) -> None:
    if kinds == ["neighbour"]:
        neighbour()
    this_computer()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({kind: reached(kind, folder) for kind in kinds}))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
