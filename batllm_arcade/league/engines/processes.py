"""Games of a league in processes."""

from __future__ import annotations

import base64
import os
import pickle
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from batllm_arcade.history.schema import HistoryError, Node
from batllm_arcade.league.engines.pair_play import EngineReport, PairPlayer, PairStopped, PlayedPair, unready
from batllm_arcade.league.kept_files import LARGEST_SESSION
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup
from batllm_arcade.league.store import is_pair, pair_of
from batllm_arcade.processes.child import (
    Child,
    Ended,
    Launch,
    Line,
    Link,
    Output,
    json_line,
    message_of,
    messages,
    python_command,
)

GAMES = ("0", "1")


def read_pair(message: Mapping[str, Any], pair: ScheduledPair, setup: LeagueSetup) -> PlayedPair:
    """Return the pair in a message: its `line`, `sessions` by game, `failures` by player.

    Raise HistoryError if that is not this pair of the league.
    """
    node = Node(message, "what a worker sent")
    line = pair_of(node["line"].value, setup.config.rules)
    if not is_pair(line, pair, [player.name for player in setup.plan.players]):
        raise HistoryError(f"what a worker sent is not pair {pair.number}")
    return PlayedPair(line, _sessions(node["sessions"]), _failures(node["failures"], line["players"]))


def _sessions(node: Node) -> dict[int, str]:
    texts = {key: text.text() for key, text in node.members()}
    if not texts.keys() <= set(GAMES) or any(len(text) > LARGEST_SESSION for text in texts.values()):
        raise node.refuse("are not those of two games")
    return {int(game): text for game, text in texts.items()}


def _failures(node: Node, players: list[str]) -> dict[str, list[str]]:
    reasons = {name: [why.text() for why in whys.items("reason")] for name, whys in node.members()}
    if not reasons.keys() <= set(players) or any(len(whys) > len(GAMES) for whys in reasons.values()):
        raise node.refuse("are not those of two games")
    return reasons


ENDING_S = 5.0
"""Seconds that all processes together have to end by themselves."""
DEATHS = 3
"""Processes that may die one after the other on the same pair."""
_LAST_BYTES = 1000
WORKER = python_command("from batllm_arcade.league.engines.processes import serve; serve()")


class ProcessPool:
    """So many processes; what plugins print in them goes to the file `log`."""

    def __init__(self, setup: LeagueSetup, workers: int, log: Path) -> None:
        self._setup, self._log = setup, log
        self._news: SimpleQueue[tuple[_PairWorker, EngineReport | Ended]] = SimpleQueue()
        self._workers = [self._started(str(number + 1)) for number in range(workers)]
        self._deaths: dict[int, int] = {}

    @property
    def workers(self) -> int:
        """Return how many processes there are."""
        return len(self._workers)

    @property
    def pids(self) -> list[int]:
        """Return the ids of the processes."""
        return [each.child.pid for each in self._workers]

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Give these pairs to the process with the least to do."""
        worker = min(self._workers, key=lambda each: (each.late, sum(map(len, each.chunks.values()))))
        worker.give(chunk, pairs)
        worker.child.send(json_line({"chunk": chunk, "pairs": [asdict(pair) for pair in pairs]}))

    def late(self, chunk: int) -> str:
        """Give its process nothing more until it answers; return which one it is."""
        for worker in self._workers:
            if chunk in worker.chunks:
                worker.late = True
                return f"process {worker.child.pid}"
        return "a process"

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        reports: list[EngineReport] = []
        with suppress(Empty):
            news = self._news.get(timeout=timeout_s)
            while True:
                reports += self._taken(*news)
                news = self._news.get_nowait()
        return reports

    def _taken(self, worker: _PairWorker, news: EngineReport | Ended) -> list[EngineReport]:
        if isinstance(news, Ended):
            return self._replaced(worker, news)
        worker.late = False
        if news.ended:
            worker.chunks.pop(news.chunk, None)
        else:
            worker.chunks[news.chunk].pop(0)
        return [news]

    def _replaced(self, dead: _PairWorker, ended: Ended) -> list[EngineReport]:
        """Start another process for one that died; what it had to play is to be played again."""
        playing = next((pairs[0].number for pairs in dead.chunks.values() if pairs), 0)
        self._deaths[playing] = self._deaths.get(playing, 0) + 1
        problem = ""
        if self._deaths[playing] >= DEATHS:
            problem = f"{DEATHS} processes died while they played pair {playing}, the last with code {ended.code}"
            words = _last_line(self._log)
            problem += f"; their log ends with: {words}" if words else ""
        self._workers[self._workers.index(dead)] = self._started(dead.name)
        return [EngineReport(chunk, ended=True, problem=problem) for chunk in dead.chunks]

    def _started(self, name: str) -> _PairWorker:
        return _PairWorker(name, self._setup, self._log, self._news)

    def close(self) -> None:
        """Give up what is being played, and end the processes: in good order, then at once."""
        for worker in self._workers:
            worker.child.close_input()
        ends = time.monotonic() + ENDING_S
        for worker in self._workers:
            worker.child.quit(patience_s=max(0.0, ends - time.monotonic()))
        if self._log.exists() and not self._log.stat().st_size:
            self._log.unlink()


def _last_line(log: Path) -> str:
    """Return the last line of a log, "" if there is none."""
    with suppress(OSError), open(log, "rb") as file:
        file.seek(-min(_LAST_BYTES, file.seek(0, os.SEEK_END)), os.SEEK_END)
        lines = file.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
    return ""


class _PairWorker:
    """One process and what it has been given to play, by chunk; all it says becomes `news`."""

    def __init__(self, name: str, setup: LeagueSetup, log: Path, news: SimpleQueue[Any]) -> None:
        self.name, self._setup, self._news, self.late = name, setup, news, False
        self.chunks: dict[int, list[ScheduledPair]] = {}
        self._due: dict[int, list[ScheduledPair]] = {}  # the same, as far as it has answered
        with open(log, "ab") as errors:
            self.child = Child(Launch(WORKER, errors=errors.fileno()), self, f"league {name}")
        # Our own process reads it: what is pickled comes from nowhere else.
        self.child.send(json_line({"setup": base64.b64encode(pickle.dumps(setup)).decode("ascii")}))

    def connected(self, link: Link) -> None:
        """It is there, and waits for its setup."""

    def give(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Note what it is about to be sent."""
        self.chunks[chunk], self._due[chunk] = list(pairs), list(pairs)

    def received(self, line: Line) -> None:
        """Take a pair that was played or the end of a chunk; raise ValueError if it is neither."""
        try:
            report = self._report(Node(message_of(line), "what it said"))
        except HistoryError as error:
            raise ValueError(str(error)) from None
        self._news.put((self, report))

    def _report(self, message: Node) -> EngineReport:
        chunk = message["chunk"].one_of(tuple(self._due))
        if "problem" in message.value:
            del self._due[chunk]
            return EngineReport(chunk, ended=True, problem=message["problem"].text())
        if not self._due[chunk]:
            raise message.refuse("is of a pair that nobody gave it")
        played = read_pair(message.value, self._due[chunk][0], self._setup)
        del self._due[chunk][0]
        played.line["worker"] = self.name
        return EngineReport(chunk, played)

    def gone(self, ended: Ended) -> None:
        """It has died: all that it said before is in the news."""
        self._news.put((self, ended))


def serve() -> None:
    """Play the chunks that the coordinator sends until it sends no more, or is gone."""
    output, given = Output(), messages()
    setup: LeagueSetup = pickle.loads(base64.b64decode(next(given)["setup"]))
    work: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
    playing = _Playing()
    threading.Thread(target=_receive, args=(given, work, playing), daemon=True, name="league inbox").start()
    while (message := work.get()) is not None:
        chunk, problem = message["chunk"], ""
        try:
            for pair in message["pairs"]:
                played = playing.player(setup).play(ScheduledPair(**pair))
                values = {"line": played.line, "sessions": played.sessions, "failures": played.failures}
                output.write(json_line({"chunk": chunk, **values}))
        except (PairStopped, ConnectionError):
            break
        except Exception as error:  # noqa: BLE001 - whatever it is, the coordinator has to tell it
            problem = unready(error)
        with suppress(ConnectionError):
            output.write(json_line({"chunk": chunk, "problem": problem}))
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


def _receive(given: Iterator[dict[str, Any]], work: SimpleQueue[Any], playing: _Playing) -> None:
    for message in given:
        work.put(message)
    playing.stop()
    work.put(None)
    time.sleep(ENDING_S)
    os._exit(1)  # something that plays does not let go
