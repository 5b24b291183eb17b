"""What pages cost and what they hold: from a page's message to the record, spectators, hostile messages.

    python benchmarks/serve.py [--games 8] [--spectators 50] [--seconds 20] [--hostile 1000]

Pages are sockets on loopback, those of spectators in a process of their own. The last row counts what hostile messages
got: they are sent while a match is played, which must end as if there had been none, and verify.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from common import BenchmarkParser, progress
from served import Page, serving
from websockets.exceptions import WebSocketException

from batllm_arcade import SEATS, Play, play
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.serve.served_match import ServedMatch
from batllm_arcade.serve.server import Server

PLAYS = ("move", "turn", "fire", "shield", "wait")
REST_S = 0.16
WATCH = """
import asyncio, sys
from websockets.asyncio.client import connect
async def watch(port):
    async with connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}", compression=None) as socket:
        await socket.send('{"join":"watch","code":"","page":"","name":"","match":0,"have":0}')
        async for _ in socket: pass
async def main(): await asyncio.gather(*(watch(sys.argv[1]) for _ in range(int(sys.argv[2]))), return_exceptions=True)
asyncio.run(main())
"""


class Recorded:
    """Notes when each play is recorded."""

    def __init__(self) -> None:
        self.at: list[tuple[int, float]] = []

    def notify(self, record: Any) -> None:
        """Receive the next record."""
        if isinstance(record, Play):
            self.at.append((record.bot, time.perf_counter()))


def pages(server: Server, doors: tuple[str, ...] = SEATS) -> list[Page]:
    """Return pages that sit at these seats."""
    found = []
    for door in doors:
        server.lobby.expect(SEATS.index(door))
        found.append(Page(server))
        found[-1].join("seat", door, door)
    return found


def delays(server: Server, games: int, turns: int) -> list[float]:
    """Return the seconds from each play that a page has sent to its record."""
    came: list[tuple[int, float]] = []
    take, recorded = server.lobby.play, Recorded()

    def timed(bot: int, values: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        answer = take(bot, values)
        if "done" in answer:
            came.append((bot, began))
        return answer

    server.lobby.play = timed  # type: ignore[method-assign]
    for page in pages(server):
        page.play(*PLAYS, rest=REST_S)
    for _record in play(
        "browser", "browser", games=games, turns=turns, config="arena", history=None, observers=[recorded]
    ):
        pass
    server.lobby.play = take  # type: ignore[method-assign]
    return [after - before for (_, before), (_, after) in zip(came, recorded.at, strict=True)]


def load(server: Server, spectators: int, seconds: float) -> float:
    """Return the share of a core that this program takes while a match is played at its pace and watched."""
    watching = subprocess.Popen([sys.executable, "-c", WATCH, str(server.port), str(spectators)])
    try:
        while len(server._connections) < spectators:
            time.sleep(0.1)
        match, began = ServedMatch(server.lobby, ()), time.monotonic()
        cpu = time.process_time()
        for record in play("scripted:dancer", "scripted:turtle", games=1000, config="arena", history=None):
            match.notify(record)
            if time.monotonic() - began > seconds:
                break
        return (time.process_time() - cpu) / (time.monotonic() - began)
    finally:
        watching.kill()
        watching.wait()


def hostile(server: Server, count: int, turns: int, folder: Path) -> tuple[int, int]:
    """Send so many messages that no page of ours sends; return how many ended in a refusal, and the match's plays."""
    rng = random.Random(1)
    records: list[Any] = []
    playing = play(
        "browser", "browser", turns=turns, rounds=1, config="arena", history=folder / "match.json", force=True
    )
    sitting = pages(server)
    thread = threading.Thread(target=lambda: records.extend(playing))
    thread.start()
    refused = 0
    for number in range(count):
        page = Page(server)
        with suppress(OSError, WebSocketException):
            if number % 3:
                page.join("watch")
            page.send(_message(rng, server, number))
            refused += page.closed()
        page.close()
    for page in sitting:
        page.play(*PLAYS, rest=REST_S)
    thread.join()
    assert not list(verify(read(folder / "match.json")))
    return refused, sum(isinstance(record, Play) for record in records)


def _message(rng: random.Random, server: Server, number: int) -> str | bytes:
    code = server.lobby.codes.by_door[rng.choice(SEATS)]
    kinds: list[str | bytes] = [
        "x" * rng.randrange(4097, 100_000), "[" * rng.randrange(1, 4000), rng.randbytes(rng.randrange(1, 4000)),
        json.dumps({"join": "seat", "code": code, "page": "thief", "name": "", "match": 0, "have": 0, "more": 1}),
        json.dumps({"play": "fire", "by": 0, "ask": number}), json.dumps({"ready": number}), json.dumps({"orders": 1}),
        '{"aim": NaN, "hold": "", "ask": 1}', json.dumps({"play": ["M"], "by": 10**30, "ask": -1}), "null", "",
        json.dumps({"join": "watch", "code": 7, "page": {}, "name": None, "match": 0, "have": 1e9}),
    ]  # fmt: skip
    return rng.choice(kinds)


def main() -> None:
    """Measure and print a table."""
    parser = BenchmarkParser(__doc__, games=1, turns=2, spectators=3, seconds=1.0, hostile=24)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--turns", type=int, default=18)
    parser.add_argument("--spectators", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--hostile", type=int, default=1000)
    options = parser.parse()
    warnings.simplefilter("ignore")
    print("| what | | |\n| --- | ---: | ---: |")
    with serving() as server:
        progress("two pages play")
        found = sorted(1000 * each for each in delays(server, options.games, options.turns))
        late = found[min(len(found) - 1, int(0.99 * len(found)))]
        row(f"message to record, median and p99 of {len(found)} (ms)", statistics.median(found), late)
    with serving() as server:
        progress("spectators")
        alone, watched = (100 * load(server, number, options.seconds) for number in (0, options.spectators))
        row(f"% of a core, alone and with {options.spectators} spectators", alone, watched)
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        progress("hostile messages")
        refused, plays = hostile(server, options.hostile, options.turns, Path(folder))
        row(f"of {options.hostile} hostile messages refused; plays of the match", refused, plays)


def row(what: str, first: float, second: float) -> None:
    """Print a row of the table."""
    print(f"| {what} | {first:.1f} | {second:.1f} |", flush=True)


if __name__ == "__main__":
    main()
