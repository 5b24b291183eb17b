"""What isolation costs and what it holds: a decision, the window beside spinning bots, games with random faults.

`isolation.py` measures decisions and starts; `--window SECONDS` the window's own work (needs a display); `--games N`
plays N games between bots that crash, hang, fall silent and talk nonsense at random, checks every session and watches
what is open.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median, quantiles

from common import BenchmarkParser, progress

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError, PastPlay, PastTurn, Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.streams import resumed
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.isolation.sandbox import sandboxes
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import INSIDE, ISOLATED
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config

TURRET = """\
from batllm_arcade import bot
@bot("turret")
def decide(me, foe, clock):
    return "S0" if me.shield else "B" if me.aims_at(foe) else me.turn_to(foe)
@bot("drawing")
def draw(me, foe, clock):
    return clock.rng.choice(["M", "B", me.turn_to(foe), "S"])
@bot("spinning")
def spin(me, foe, clock):
    while True:
        pass
"""
FAULTY = """\
import os, random, sys, time
from batllm_arcade import bot
chance = random.Random(os.getpid())
@bot("faulty")
def decide(me, foe, clock):
    dice = chance.random()
    if dice < 0.004: os._exit(chance.randint(0, 9))
    if dice < 0.006: os.kill(os.getpid(), 11)
    if dice < 0.010: time.sleep(1)
    if dice < 0.015: os.write(3, b"half a line")
    if dice < 0.020: os.write(3, b'{"type":"play","id":1,"command":[]}\\n')
    if dice < 0.035: raise ValueError("no idea")
    if dice < 0.045: return 17
    return clock.rng.choice(["M", "B", me.turn_to(foe), "S"])
"""
RAW = """\
import json, os, random, sys, time
chance = random.Random(os.getpid())
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if chance.random() < 0.02: sys.exit(3)
        print('{"type":"ready","name":"raw"}', flush=True)
    elif message["type"] == "decide":
        dice, number = chance.random(), message["id"]
        if dice < 0.004: os._exit(chance.randint(0, 9))
        if dice < 0.006: os.close(1); time.sleep(9)
        if dice < 0.010: time.sleep(1)
        if dice < 0.012: print("x" * 3000000, flush=True)
        if dice < 0.015: print('{"type":"play","command":7}', flush=True)
        if dice < 0.020: os.write(1, b"\\xff\\xfe\\n")
        if dice < 0.030: print("a line of a log", flush=True)
        if dice < 0.032 and os.fork() == 0: os.setsid(); time.sleep(99)
        command = chance.choice(["M", "B", "C33.3", "S", None, "nonsense"])
        print(json.dumps({"type": "play", "id": number, "command": command}), flush=True)
    elif message["type"] == "quit":
        break
"""
OBSERVER = """\
import random
from batllm_arcade import hookimpl
class Faulty:
    def notify(self, record):
        if random.random() < 0.001: raise RuntimeError("the observer had enough")
@hookimpl
def batllm_observer(session):
    return Faulty()
"""
BOT = BotState(300, 400, 33, 100, True)
ARENA = Arena(BOT, BotState(700, 500, 200, 100, False))
BATCH = 100
"""Games of one session."""


PLAYS = (PastPlay(0, "C17", "C17"), PastPlay(1, "M", "M"))
PAST = tuple(PastTurn(turn, PLAYS, ARENA) for turn in range(1, 20))


def view(number: int, stream: Random) -> View:
    """Return what a brain sees as game after game of rounds of 20 turns goes on, in its decision `number` from 0."""
    game, turn = 1 + number // 60, 1 + number % 20
    return View(
        0, Rules(), game, 1 + number // 20 % 3, turn, 2 * turn - 1, (0, 1), ("Attack!", "Hide."), ARENA, ARENA,
        PAST[: turn - 1], rng=resumed(stream.getstate()), stream="1/left", live=Live(30),
    )  # fmt: skip


def decisions(folder: Path, times: int) -> None:
    """Print what a decision costs inside the program, isolated, and over the line protocol."""
    (folder / "turret.py").write_text(TURRET)
    (folder / "_raw.py").write_text(RAW.replace("chance.random()", "1.0"))
    isolated, proc = manager.load(folder, ISOLATED).kinds, manager.load().kinds["proc"]
    brains = {"inside the program": manager.load(folder, INSIDE).kinds["turret"].make(Spec("turret"))}
    for mode in modes():
        options = {"isolation": mode}
        brains |= {
            f"{mode}": isolated["turret"].make(Spec("turret", "", options)),
            f"{mode}, drawing from its stream": isolated["drawing"].make(Spec("drawing", "", options)),
            f"{mode}, `proc`, plain Python": proc.make(Spec("proc", str(folder / "_raw.py"), options)),
        }
    taken: dict[str, list[float]] = {name: [] for name in brains}
    for brain in brains.values():
        if hasattr(brain, "prepare"):
            brain.prepare(lambda _: None)
    streams = {name: Random("1/left") for name in brains}
    for number in range(times + 50):  # alternating: a busy moment hits all alike
        for name, brain in brains.items():
            seen = view(number, streams[name])
            began = time.perf_counter()
            brain.decide(seen)
            if number >= 50:
                taken[name].append(1000 * (time.perf_counter() - began))
            streams[name] = seen.rng
    for brain in brains.values():
        if hasattr(brain, "close"):
            brain.close()
    inside = median(taken["inside the program"])
    print("| a decision | median | over the one inside | 95th percentile |")
    print("| --- | ---: | ---: | ---: |")
    for name, spent in taken.items():
        figures = (median(spent), median(spent) - inside, quantiles(spent, n=20)[-1])
        print(f"| {name} | " + " | ".join(f"{figure:.2f} ms" for figure in figures) + " |")


def modes() -> list[str]:
    """Return the modes of isolation that there are here."""
    return ["process"] if sandboxes().problem else ["process", "sandbox"]


def starts(folder: Path, times: int) -> None:
    """Print how long bots take from nothing until they are ready, and to end."""
    (folder / "turret.py").write_text(TURRET)
    (folder / "_raw.py").write_text(RAW.replace("chance.random()", "1.0"))
    isolated, proc = manager.load(folder, ISOLATED).kinds, manager.load().kinds["proc"]
    taken: dict[str, tuple[list[float], list[float], list[float]]] = {}
    for number in range(times + 1):  # alternating, and the first of each does not count
        for mode in modes():
            for name, kind, variant in (("@bot", isolated["turret"], ""), ("proc", proc, str(folder / "_raw.py"))):
                brain = kind.make(Spec(kind.name, variant, {"isolation": mode}))
                assert isinstance(brain, ProcessBrain)
                began, spent = time.perf_counter(), processor_s()
                brain.prepare(lambda _: None)
                ready = time.perf_counter()
                brain.close()
                if number:
                    found = taken.setdefault(f"{name}, {mode}", ([], [], []))
                    for values, seconds in zip(
                        found, (ready - began, time.perf_counter() - ready, processor_s() - spent), strict=True
                    ):
                        values.append(1000 * seconds)
    print("| a bot | ready after, median | fastest | ended after, median | processor time of its life, median |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (begun, ended, used) in taken.items():
        figures = (median(begun), min(begun), median(ended), median(used))
        print(f"| {name} | " + " | ".join(f"{figure:.0f} ms" for figure in figures) + " |")


def processor_s() -> float:
    """Return the processor time of all children that have ended, and of theirs."""
    times = os.times()
    return times.children_user + times.children_system


def window(folder: Path, seconds: float, warm: float) -> None:
    """Print the window's own work while two isolated bots spin."""
    import pygame
    from window import FEWEST, NotingClock, Stopwatch

    from batllm_arcade.app.application import App
    from batllm_arcade.app.match.screen import MatchScreen

    (folder / "turret.py").write_text(TURRET)
    plugins = manager.load(folder, ISOLATED)
    spinning = Spec("spinning", "", {"deadline_s": str(seconds * 9)})
    plan = SessionPlan(config.load("couch"), (spinning, spinning), seed=7)
    clock, watch = NotingClock(), Stopwatch()
    app = App(plan, plugins, clock=clock)
    begun: list[float] = []

    def each_frame(app: App) -> None:
        match, now = app.screen, time.monotonic()
        if not begun and isinstance(match, MatchScreen) and match.state.table.thinking is not None:
            begun.append(now)
            watch.watch(app, match)
        if begun and now < begun[0] + warm:
            watch.parts, watch.began_at = {}, clock.began
        elif begun:
            watch.frame(clock.began)
        if begun and now > begun[0] + warm + seconds and len(watch.frames) > FEWEST:
            app.go.quit()

    app.run(lambda app: app.go.start(plan), each_frame)
    print(f"display driver {pygame.display.get_driver() if pygame.display.get_init() else 'closed'}")
    frames = watch.frames[1:]
    rows = {
        "work and waiting for the display": [work for work, _ in frames],
        "its own work (events, match, picture)": [work - parts.get("display", 0.0) for work, parts in frames],
        "processor time of its thread": watch.processor[1:],
    }
    print("| the window beside spinning bots | frames | median ms | 99% ms | slowest ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, values in rows.items():
        ordered = sorted(values)
        late = ordered[int(0.99 * len(ordered))]
        print(f"| {name} | {len(ordered)} | {median(ordered):.2f} | {late:.2f} | {ordered[-1]:.2f} |")


def opened() -> tuple[int, int, float]:
    """Return the numbers of descriptors and processes below this one, and the memory in MB."""
    children = sum(len(path.read_text().split()) for path in Path("/proc/self/task").glob("*/children"))
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return len(os.listdir("/proc/self/fd")), children, pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def games(folder: Path, count: int) -> int:
    """Play games with random faults; return 1 if a play was lost or a session does not verify."""
    for name, text in (("faulty", FAULTY), ("_raw", RAW), ("observer", OBSERVER)):
        (folder / f"{name}.py").write_text(text)
    plugins = manager.load(folder, ISOLATED)
    raw = Spec("proc", "", {"cmd": f"{sys.executable} -I -S {folder / '_raw.py'}", "deadline_s": "0.5"})
    faulty = Spec("faulty", "", {"deadline_s": "0.5"})
    rules = config.with_lengths(config.load("couch"), 1, 5)
    played, faults, bad, began = 0, Counter[str](), 0, time.monotonic()
    print("| games | plays | descriptors | processes | MB |\n| ---: | ---: | ---: | ---: | ---: |")
    plays = 0
    while played < count:
        progress(f"{played} of {count} games")
        number = min(BATCH, count - played)
        seats = (raw, faulty) if played // BATCH % 2 else (faulty, raw)
        path = folder / f"session-{played}.json"
        plan = SessionPlan(rules, seats, seed=played, games=number, history=path)
        session = LiveSession(plan, plugins)
        table = session.table(plan)
        for _ in range(9):  # one in fifty does not even say that it is ready
            try:
                table.prepare(lambda _: None)
                break
            except BrainError as error:
                faults[str(error).partition(": ")[2].partition(":")[0]] += 1
        seen = ended = 0
        for record in session.match(plan, table):
            if isinstance(record, Play):
                seen += 1
                if record.status != "ok":
                    faults[record.reason.partition(":")[0] if record.status == "error" else record.status] += 1
            ended += isinstance(record, GameEnded)
        session.close()
        table.close()
        tape = read(path)
        kept = sum(len(each.plays) for game in tape.games for each in game.rounds)
        differences = list(verify(tape))
        bad += bool(differences) + (kept != seen) + (ended != number)
        for difference in differences[:3]:
            print(difference)
        path.unlink()
        played, plays = played + number, plays + seen
        if played % 500 == 0 or played in (count, BATCH):
            descriptors, processes, memory = opened()
            print(f"| {played} | {plays} | {descriptors} | {processes} | {memory:.0f} |", flush=True)
    counts = ", ".join(f"{name} {number}" for name, number in faults.most_common(12))
    print(
        f"\n{time.monotonic() - began:.0f} s; plays that failed: {counts}; sessions that lost a play or differ: {bad}"
    )
    return 1 if bad else 0


def main() -> int:
    """Measure what the command line asks for."""
    parser = BenchmarkParser(__doc__, times=5, starts=1, warm=0.5)
    parser.add_argument("--times", type=int, default=1000, help="decisions of each kind")
    parser.add_argument("--starts", type=int, default=20, help="starts of each kind")
    parser.add_argument("--warm", type=float, default=4.0, help="seconds in the window before the measurement")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--window", type=float, default=0.0, metavar="SECONDS")
    options = parser.parse()
    with tempfile.TemporaryDirectory(prefix="batllm-isolation-") as folder:
        if options.games:
            return games(Path(folder), options.games)
        if options.window:
            window(Path(folder), options.window, options.warm)
        else:
            decisions(Path(folder), options.times)
            starts(Path(folder), options.starts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
