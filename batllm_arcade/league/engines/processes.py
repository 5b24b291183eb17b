"""Processes of this machine that play pairs: a small pool on `multiprocessing` (spawn).

`ProcessPoolExecutor` breaks as a whole when one of its processes is killed, and leaves them behind when this one is.
Here a killed process costs the pair it was playing, and a process whose coordinator is gone ends by itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from batllm_arcade.league.engines.engine import EngineReport
from batllm_arcade.league.engines.pair_play import PairPlayer, PairStopped, PlayedPair, unready
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

ENDING_S = 5.0
"""Seconds that all processes together have to end by themselves."""
DEATHS = 3
"""Processes that may die one after the other on the same pair."""


class ProcessPool:
    """So many processes; what plugins print in them goes to the file `log`."""

    def __init__(self, setup: LeagueSetup, workers: int, log: Path) -> None:
        self._setup, self._log = setup, log
        self._context = multiprocessing.get_context("spawn")
        self._processes = [_Process(self._context, setup, str(number + 1), log) for number in range(workers)]
        self._deaths: dict[int, int] = {}

    @property
    def workers(self) -> int:
        """Return how many processes there are."""
        return len(self._processes)

    @property
    def pids(self) -> list[int | None]:
        """Return the ids of the processes."""
        return [each.process.pid for each in self._processes]

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Give these pairs to the process with the least to do."""
        process = min(self._processes, key=lambda each: sum(map(len, each.chunks.values())))
        process.submit(chunk, pairs)

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        ready = wait([each.pipe for each in self._processes], timeout_s)
        found: list[EngineReport] = []
        for number, process in enumerate(self._processes):
            if process.pipe not in ready:
                continue
            try:
                found += process.receive()
            except (EOFError, OSError):
                found += self._replaced(number)
        return found

    def _replaced(self, number: int) -> list[EngineReport]:
        """Start another process for one that died; what it had to play is to be played again."""
        dead = self._processes[number]
        dead.end(0.5)
        playing = next((pairs[0].number for pairs in dead.chunks.values() if pairs), 0)
        self._deaths[playing] = self._deaths.get(playing, 0) + 1
        problem = ""
        if self._deaths[playing] >= DEATHS:
            code = dead.process.exitcode
            problem = f"{DEATHS} processes died while they played pair {playing}, the last with code {code}"
            problem += f"; see {self._log.name}"
        self._processes[number] = _Process(self._context, self._setup, dead.name, self._log)
        return [EngineReport(chunk, ended=True, problem=problem) for chunk in dead.chunks]

    def close(self) -> None:
        """Give up what is being played, and end the processes: in good order, then at once."""
        for process in self._processes:
            process.close()
        ends = time.monotonic() + ENDING_S
        for process in self._processes:
            process.end(max(0.0, ends - time.monotonic()))
        if self._log.exists() and not self._log.stat().st_size:
            self._log.unlink()


class _Process:
    """One process and what it has been given to play, by chunk."""

    def __init__(self, context: Any, setup: LeagueSetup, name: str, log: Path) -> None:
        self.name = name
        self.chunks: dict[int, list[ScheduledPair]] = {}
        self.pipe, other = context.Pipe()
        self.process: SpawnProcess = context.Process(
            target=serve, args=(other, setup, str(log)), name=f"league {name}", daemon=False
        )
        self.process.start()
        other.close()

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        self.chunks[chunk] = list(pairs)
        with suppress(OSError):  # it has died: whoever asks for reports learns it
            self.pipe.send((chunk, list(pairs)))

    def receive(self) -> list[EngineReport]:
        """Return what it has sent; raise EOFError or OSError if it has died and everything it sent was returned."""
        found: list[EngineReport] = []
        try:
            while self.pipe.poll():
                chunk, played, problem = self.pipe.recv()
                if played is not None:
                    played.line["worker"] = self.name
                    self.chunks[chunk].pop(0)
                    found.append(EngineReport(chunk, played))
                else:
                    self.chunks.pop(chunk, None)
                    found.append(EngineReport(chunk, ended=True, problem=problem))
        except (EOFError, OSError):
            if not found:
                raise
        return found

    def close(self) -> None:
        with suppress(OSError):
            self.pipe.send(None)

    def end(self, patience_s: float) -> None:
        self.process.join(patience_s)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


def serve(pipe: Connection, setup: LeagueSetup, log: str) -> None:
    """Play the chunks that come through the pipe until it says no more, or the coordinator is gone."""
    for number in (signal.SIGINT, getattr(signal, "SIGHUP", None)):
        if number is not None:
            signal.signal(number, signal.SIG_IGN)  # ctrl-C is for the coordinator, which ends this in good order
    _print_to(log)
    work: SimpleQueue[tuple[int, list[ScheduledPair]] | None] = SimpleQueue()
    playing = _Playing()
    threading.Thread(target=_receive, args=(pipe, work, playing), daemon=True, name="league inbox").start()
    while (given := work.get()) is not None:
        chunk, pairs = given
        problem = ""
        try:
            for pair in pairs:
                played = playing.player(setup).play(pair)
                pipe.send((chunk, played, ""))
        except PairStopped:
            break
        except (BrokenPipeError, ConnectionError):
            break
        except Exception as error:  # noqa: BLE001 - whatever it is, the coordinator has to tell it
            problem = unready(error)
        _send(pipe, (chunk, None, problem))
    playing.close()


class _Playing:
    """The player of this process, made when there is something to play; it may be stopped at any moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._player: PairPlayer | None = None
        self._stopped = False

    def player(self, setup: LeagueSetup) -> PairPlayer:
        if self._player is None:
            player = PairPlayer(setup)
            with self._lock:
                self._player = player
                if self._stopped:
                    player.stop()
        return self._player

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._player is not None:
                self._player.stop()

    def close(self) -> None:
        if self._player is not None:
            self._player.close()


def _send(pipe: Connection, report: tuple[int, PlayedPair | None, str]) -> None:
    with suppress(BrokenPipeError, ConnectionError):
        pipe.send(report)


def _receive(pipe: Connection, work: SimpleQueue[Any], playing: _Playing) -> None:
    given: Any = None
    try:
        while (given := pipe.recv()) is not None:
            work.put(given)
    except (EOFError, OSError):
        given = EOFError  # the coordinator was killed
    playing.stop()
    work.put(None)
    if given is EOFError:
        time.sleep(ENDING_S)
        os._exit(1)  # something that plays does not let go


def _print_to(log: str) -> None:
    """Send what anything here prints to a file: the terminal is the coordinator's."""
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    for number in (1, 2):
        os.dup2(handle, number)
    os.close(handle)
