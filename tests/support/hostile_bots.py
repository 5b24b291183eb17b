"""Bots that do what a bot must not, over the line protocol: `hostile_bots.py KIND`; standard library only."""

from __future__ import annotations

import json
import os
import signal
import sys
import time


def say(**values: object) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


def flooding() -> None:
    while True:
        os.write(1, b"{}\n" * 10_000)


def half_a_line() -> None:
    os.write(1, b'{"type":"play","id":')
    time.sleep(60)


def long_line() -> None:
    os.write(1, b'{"type":"play","id":1,"command":"')
    for _ in range(160):
        os.write(1, b"M" * 65536)
    time.sleep(60)


def forking() -> None:
    for _ in range(40):
        if os.fork() == 0:
            os.setsid()
            if os.fork():
                os._exit(0)
            time.sleep(60)
    time.sleep(60)


def allocating() -> None:
    kept = []
    while True:
        kept.append(bytearray(8_000_000))


def spinning() -> None:
    while True:
        pass


def segfault() -> None:
    import ctypes

    ctypes.string_at(0)


def closing() -> None:
    for number in range(3):
        os.close(number)
    time.sleep(60)


def wrong_type() -> None:
    say(type="play", id=LAST, command=7)


def stubborn() -> None:
    answer()


def printing() -> None:
    os.write(1, b"debugging\n[1, 2]\n\x1b[2Jcolour\n{no json\n")
    answer()


def answer() -> None:
    say(type="partial", id=LAST, text="thinking")
    say(type="play", id=LAST, command="C10", thought="round and round")


def at_its_guard(number: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)  # not to die with its parent
    guard = os.getppid()
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
    os.kill(guard, number)
    time.sleep(60)


KINDS = {
    "mute": lambda: time.sleep(60), "flooding": flooding, "half_a_line": half_a_line, "long_line": long_line,
    "forking": forking, "stubborn": stubborn, "allocating": allocating, "spinning": spinning,
    "exiting": lambda: os._exit(3), "segfault": segfault, "closing": closing, "printing": printing,
    "wrong_type": wrong_type, "good": answer, "killing_guard": lambda: at_its_guard(signal.SIGKILL),
    "stopping_guard": lambda: at_its_guard(signal.SIGSTOP),
}  # fmt: skip
LAST = 0


def main(kind: str) -> None:
    global LAST
    if kind == "silent":
        time.sleep(60)
    if kind == "stubborn":
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", name=kind, version="1")
        elif message["type"] == "decide":
            LAST = message["id"]
            KINDS[kind]()
        elif message["type"] == "quit" and kind == "stubborn":
            time.sleep(60)
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main(sys.argv[1])
