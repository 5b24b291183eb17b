"""What a provider costs per decision: ours minus a bare `requests` call with the same body to the same server.

    python benchmarks/adapters.py [--rounds 300]

The server on loopback answers at once with a canned answer. Bare calls and decisions take turns on
kept connections, so that both see the same machine. Prints a Markdown row for each provider and reply
form: medians of the rounds, and the 95th percentile of the difference.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import socket
import threading
import time
from multiprocessing.connection import Connection
from random import Random
from statistics import median, quantiles
from typing import Any

import requests
from common import BenchmarkParser, progress

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import PastPlay, PastTurn, Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.plugin import manager

ARENA = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 0, 100, True))
BUTTONS = json.dumps(
    {"button_presses": ["a"], "reasoning": "Lined up", "observations": "Ahead", "context_detected": "battle"}
)
TEXTS = {"token": "C17", "json": BUTTONS}


def canned(name: str, text: str) -> bytes:
    """A whole answer of this provider."""
    if name == "ollama":
        lines: list[dict[str, Any]] = [{"message": {"content": text}, "done": False}]
        lines.append({"message": {"content": ""}, "done": True, "done_reason": "stop"})
        return b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    events: list[dict[str, Any]]
    if name == "gemini":
        parts = {"role": "model", "parts": [{"text": text}]}
        events, end = [{"candidates": [{"content": parts}]}, {"candidates": [{"finishReason": "STOP"}]}], b""
    else:
        events = [{"choices": [{"delta": {"content": text}, "finish_reason": None}]}]
        events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        end = b"data: [DONE]\n\n"
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + end


def parrot(body: bytes, pipe: Connection) -> None:
    """A server on loopback that gives one answer to everything; tells its port and the first request it hears."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        pipe.send(listening.getsockname()[1])
        while True:
            sock, _ = listening.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_repeat, args=(sock, head.encode() + body, pipe), daemon=True).start()


def _repeat(sock: socket.socket, answer: bytes, pipe: Connection) -> None:
    data, told = b"", False
    while part := sock.recv(1 << 16):
        data += part
        head, end, body = data.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        if end and len(body) >= int(length or 0):
            sock.sendall(answer)
            if not told:
                pipe.send(data)
            data, told = b"", True


def view() -> View:
    """The eleventh turn of a round."""
    plays = (PastPlay(0, "C17", "C17"), PastPlay(1, "M", "M"))
    past = tuple(PastTurn(turn, plays, ARENA) for turn in range(1, 11))
    return View(
        seat=0, rules=Rules(), game=1, round=1, turn=11, number=21, acting_order=(0, 1), prompts=("Attack!", "Hide."),
        arena=ARENA, initial=ARENA, history=past, system_header="You control SELF.", rng=Random(1), live=Live(30),
    )  # fmt: skip


def measured(name: str, reply: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of every bare call and of every decision."""
    pipe, theirs = multiprocessing.Pipe()  # a process of its own: threads of one would wait for each other
    child = multiprocessing.Process(target=parrot, args=(canned(name, TEXTS[reply]), theirs), daemon=True)
    child.start()
    address = f"http://127.0.0.1:{pipe.recv()}"
    kind = manager.load().kinds[name]
    brain = kind.make(Spec(name, "", {"base_url": address, "model": "a-model", "reply": reply}))
    brain.decide(view())
    head, _, body = pipe.recv().partition(b"\r\n\r\n")
    url = address + head.split(b" ")[1].decode()
    bare, ours = [], []
    with requests.Session() as session:
        session.trust_env = False
        for _ in range(rounds + 20):
            begin = time.perf_counter()
            session.post(url, data=body, headers={"Content-Type": "application/json"}, timeout=30)
            bare.append(time.perf_counter() - begin)
            seen = view()
            begin = time.perf_counter()
            decision = brain.decide(seen)
            ours.append(time.perf_counter() - begin)
            assert decision.command in ("C17", "B")
    child.terminate()
    return bare[20:], ours[20:]


def main() -> None:
    parser = BenchmarkParser(__doc__, rounds=3)
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse()
    for name in ("GEMINI_API_KEY", "MISTRAL_API_KEY", "OPENAI_API_KEY"):
        os.environ[name] = "not-a-key"
    print("| brain | reply | bare call | decision | overhead | 95th percentile |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name in ("ollama", "gemini", "mistral", "openai"):
        for reply in ("token", "json"):
            progress(f"{name}, {reply}")
            bare, ours = measured(name, reply, options.rounds)
            more = sorted(mine - theirs for mine, theirs in zip(ours, bare, strict=True))
            figures = (median(bare), median(ours), median(more), quantiles(more, n=20)[-1])
            print(f"| `{name}` | `{reply}` | " + " | ".join(f"{1000 * figure:.2f} ms" for figure in figures) + " |")


if __name__ == "__main__":
    main()
