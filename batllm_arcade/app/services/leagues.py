"""Leagues in the window: those of a folder, their games, a league to be set up, the one that is played."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.sessions import open_timeline
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.reading import open_within, read_within
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.summary import counted
from batllm_arcade.league.kept_files import LEAGUE, PAIRS, SESSIONS, TABLE
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.output.words import kept_numbers
from batllm_arcade.league.plan import NAME_LIMIT, LeaguePlan, LeaguePlayer, Schedule, checked, league_name, named
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.statistics.tally import PairLine
from batllm_arcade.league.store import LARGEST_LINE, pair_of_line
from batllm_arcade.processes.child import (
    Child,
    Ended,
    Launch,
    Limits,
    Line,
    Link,
    json_line,
    message_of,
    python_command,
)
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.edit.highlights import drama

LOOK_S = 1.0
"""Seconds between two looks."""
QUIET_S = 20.0
"""Seconds without a new pair after which a league that is not complete is taken for paused."""
LARGEST = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LeagueEntry:
    """A league's folder: who plays, its table as it stands (None before the first pair), or why it cannot be read.

    `begun` and `changed` are times of its files, in seconds since 1970.
    """

    path: Path
    begun: float
    changed: float
    names: tuple[str, ...] = ()
    config: str = ""
    total: int = 0
    table: LeagueTable | None = field(default=None, compare=False)
    running: bool = False
    problem: str = ""
    name: str = ""
    pairs_each: int = 0
    """The pairs that are planned for each two players."""

    @property
    def title(self) -> str:
        """Return what it is called, else who plays, in a few words."""
        if self.name:
            return self.name
        if len(self.names) == 2:
            return " - ".join(self.names)
        return f"{len(self.names)} players" if self.names else self.path.name

    @property
    def pairs(self) -> int:
        """Return how many pairs its table has."""
        return self.table.pairs if self.table is not None else 0

    @property
    def state(self) -> str:
        """Return whether it is complete, running or paused."""
        if self.problem:
            return "cannot be read"
        if self.table is not None and self.table.complete:
            return "complete"
        return "running" if self.running else "paused"


class LeagueList:
    """`entries` is None until the folder has been looked through; `update` is to be called once per frame."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.entries: list[LeagueEntry] | None = None
        self._clock = clock
        self._looked = float("-inf")
        self.task: BackgroundTask[list[LeagueEntry]] | None = None

    def update(self, now: float) -> None:
        """Take over what the last look has found, and look again when it is time."""
        if self.task is not None and self.task.done:
            if self.task.result is not None:
                self.entries = self.task.result
            self.task = None
        if self.task is None and now - self._looked >= LOOK_S:
            self._looked = now
            known = {entry.path: entry for entry in self.entries or ()}
            self.task = BackgroundTask(
                "league search", lambda report: find_leagues(self.folder, known, self._clock(), report)
            )

    def close(self) -> None:
        """Look no more."""
        if self.task is not None:
            self.task.cancel()


def find_leagues(
    folder: Path, known: Mapping[Path, LeagueEntry], now: float, report: Report = lambda text: None
) -> list[LeagueEntry]:
    """Return the leagues in a folder, newest first; `known` are those of the last look, `now` is `time.time()`."""
    found = []
    try:
        with os.scandir(folder) as listing:
            paths = [Path(each.path) for each in listing if each.is_dir()]
    except OSError:
        return []  # nobody has played a league yet
    for path in paths:
        report(path.name)
        entry = _entry(path, known.get(path), now)
        if entry is not None:
            found.append(entry)
    return sorted(found, key=lambda entry: (entry.begun, entry.path.name), reverse=True)


def _entry(path: Path, known: LeagueEntry | None, now: float) -> LeagueEntry | None:
    begun = _changed(path / LEAGUE)
    if begun is None:
        return None
    changed = max(begun, _changed(path / TABLE) or 0.0)
    running = now - max(changed, _changed(path / PAIRS) or 0.0) < QUIET_S
    if known is not None and (known.changed, known.running) == (changed, running):
        return known
    try:
        setup, run, _ = opened(path)
        plan = setup.plan
        names = tuple(player.name for player in plan.players)
        return LeagueEntry(
            path, begun, changed, names, Path(plan.config).stem, plan.total, _table(path, names), running,
            name=run.name, pairs_each=plan.pairs,
        )  # fmt: skip
    except UsageError as error:
        return LeagueEntry(path, begun, changed, problem=str(error), running=running)


def _changed(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _table(folder: Path, names: tuple[str, ...]) -> LeagueTable | None:
    """Return the table, None if there is none yet; raise UsageError if it is damaged or another league's."""
    try:
        table = LeagueTable.read(parsed_json(read_within(folder, TABLE, LARGEST)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{TABLE!r} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, HistoryError) as error:
        why = f" ({error})" if isinstance(error, HistoryError) else ""
        raise UsageError(f"{folder.name!r} holds a damaged league: {TABLE!r} is none{why}") from None
    if {row.name for row in table.players} - set(names):
        raise UsageError(f"{folder.name!r} holds a damaged league: {TABLE!r} is another league's")
    return table


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that was kept: `game` 1 or 2 of a pair, `winner` "" if nobody won, `health` is the most that was left."""

    pair: int
    game: int
    path: Path
    winner: str
    reason: str
    turns: int
    health: float

    @property
    def title(self) -> str:
        """Return which game it is."""
        return f"Pair {self.pair}, game {self.game}"

    @property
    def about(self) -> str:
        """Return what became of it."""
        how = {"knockout": "by knock-out", "points": "on points", "forfeit": "by forfeit"}.get(self.reason, self.reason)
        what = f"{self.winner} wins {how}" if self.winner else "a draw"
        return f"{what}, {counted(self.turns, 'turn')}"


def kept_games(folder: Path, pairing: Sequence[str]) -> Iterator[KeptGame]:
    """Yield the kept games of a pairing in their order; none of a league that cannot be read."""
    sessions = folder / SESSIONS
    there = set(kept_numbers(sessions, 10**9))
    try:
        with open(open_within(folder, PAIRS), "rb") as file:
            for line in iter(lambda: file.readline(LARGEST_LINE), b""):
                try:
                    yield from _games(pair_of_line(line), pairing, there, sessions)
                except HistoryError:
                    continue  # torn, or not ours
    except OSError:
        return


def _games(pair: PairLine, pairing: Sequence[str], there: set[tuple[int, int]], sessions: Path) -> Iterator[KeptGame]:
    if set(pair["players"]) != set(pairing):
        return
    number = pair["pair"]
    for place, game in enumerate(pair["games"], 1):
        if (number, place) in there:
            health = max(game["health"].values())
            path = sessions / f"{number}-{place}.json"
            yield KeptGame(number, place, path, game["winner"] or "", game["reason"], game["turns"], health)


MOST = 16
"""Games that are looked at, those that were closest at their end."""


def find_dramatic(folder: Path, pairing: Sequence[str], display: DisplayOptions, report: Report) -> Path:
    """Return the file of the most dramatic of a pairing's kept games.

    Raise UsageError if none was kept or none can be read.
    """
    report("looking for the games that were kept")
    games = sorted(kept_games(folder, pairing), key=lambda game: (game.health, -game.turns, str(game.path)))[:MOST]
    measures: dict[Path, float] = {}
    problem = ""
    for number, game in enumerate(games, 1):
        report(f"watching game {number} of {len(games)}")
        try:
            timeline = open_timeline(game.path, display, lambda text: None)
        except ArcadeError as error:
            problem = f"; {error}"
        else:
            measures[game.path] = drama(timeline, swings(segment.record for segment in timeline.segments))
    if not measures:
        raise UsageError(f"no game of {' against '.join(pairing)} was kept{problem}")
    return max(measures, key=measures.__getitem__)


FIRST = (Spec("scripted", "sharpshooter"), Spec("scripted", "turtle"), Spec("scripted", "dancer"))
"""Who plays in a league that nobody has changed."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as chosen on a card, with its orders, "" without any."""

    spec: Spec
    orders: str = ""


def renamed(entrant: Entrant, name: str) -> Entrant:
    """Return a player with a name of its own, "" for none."""
    others = {key: value for key, value in entrant.spec.options.items() if key != "name"}
    return replace(entrant, spec=replace(entrant.spec, options={**others, **({"name": name} if name else {})}))


@dataclass(slots=True)
class Draft:
    """Who takes part in what is set up; `config` is a shipped configuration's name."""

    entrants: list[Entrant] = field(default_factory=list)
    config: str = "arena"

    def players(self, names: Sequence[str], kinds: Mapping[str, BrainKind]) -> Iterator[tuple[str, str, str]]:
        """Yield what each is called, its brain as text, found from any folder, and its orders."""
        for name, each in zip(names, self.entrants, strict=True):
            spec, kind = renamed(each, "").spec, kinds.get(each.spec.name)
            if kind is not None and kind.files and spec.variant:
                spec = replace(spec, variant=os.path.abspath(os.path.expanduser(spec.variant)))
            yield name, str(spec), each.orders.strip()


@dataclass(slots=True)
class LeagueDraft(Draft):
    """What is chosen of a league; `pairs` are those of each two players."""

    entrants: list[Entrant] = field(default_factory=lambda: [Entrant(spec) for spec in FIRST])
    config: str = "couch"
    pairs: int = 10
    schedule: Schedule = "roundrobin"
    name: str = ""
    plugins_dir: Path | None = None
    max_requests: int = 0
    """Requests to model servers after which it pauses, 0 for any number."""

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Return who meets whom, by their places."""
        players = len(self.entrants)
        return [*combinations(range(players), 2)][: players - 1 if self.schedule == "gauntlet" else None]

    @property
    def games(self) -> int:
        """Return how many games are played altogether."""
        return 2 * self.pairs * len(self.pairings)

    def requests(self, asks: Sequence[bool], plays: int) -> int:
        """Return how many requests there are at most of the players that `asks` marks, with so many plays a game."""
        return 2 * self.pairs * plays * sum(asks[place] for pairing in self.pairings for place in pairing)

    def names(self, called: Callable[[Entrant], str]) -> list[str]:
        """Return what the players are called: by their own names, else as `called` says, and a number."""
        wished = [_name(each.spec.text("name") or called(each)) for each in self.entrants]
        return named([(name, name) for name in wished])

    def plan(self, kinds: Mapping[str, BrainKind], called: Callable[[Entrant], str]) -> LeaguePlan:
        """Return the league's plan; raise UsageError if nobody could play it."""
        players = tuple(LeaguePlayer(*each) for each in self.players(self.names(called), kinds))
        folder = str(self.plugins_dir.absolute()) if self.plugins_dir is not None else ""
        plan = LeaguePlan(players, self.config, pairs=self.pairs, schedule=self.schedule, plugins_dir=folder)
        return checked(replace(plan, sessions="all"))  # whoever looks on may watch any game

    def run(self) -> RunOptions:
        """Return how it is played; raise UsageError if its name cannot be one."""
        name = league_name(self.name) if self.name.strip() else ""
        return RunOptions(name=name, max_requests=self.max_requests)


def _name(text: str) -> str:
    clean = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return clean[: NAME_LIMIT - len(" 99")].strip() or "player"


WORKER = python_command("from batllm_arcade.app.services.league_worker import main; sys.exit(main())")
"""The command of the process."""
_NICENESS = 5
"""How far it stands back behind the window, as `nice` counts."""
STOP_S, CLOSE_S = 20.0, 4.0
"""Seconds in which a league that is stopped has to end by itself, and one whose window closes: its pairs are kept."""


class LeagueJobs:
    """The league that is played now and what became of the last one; every call returns at once, but for `close`."""

    def __init__(self) -> None:
        self.draft: LeagueDraft | None = None
        """The league that was set up last in this window."""
        self.folder: Path | None = None
        """The league that is played now, None while none is."""
        self.last: Path | None = None
        """The league that was played last, or is."""
        self.pairs, self.total = 0, 0
        self.left_s: float | None = None
        """Seconds until it is over, about; None as long as nobody knows."""
        self.words = ""
        """What became of the last league, or what one should know about the one that is played."""
        self.stopping = False
        self.strange = ""
        """The server that the last league would have asked, and that nobody has allowed; "" without one."""
        self._child: Child | None = None
        self._request: dict[str, Any] = {}

    def begin(self, folder: Path, plan: LeaguePlan, run: RunOptions) -> None:
        """Play a new league in this folder; do nothing while one is played."""
        self._start(folder, {"folder": str(folder), "plan": plan.values(), "run": asdict(run)})

    def go_on(self, folder: Path, pairs: int | None = None, allowed: tuple[str, ...] = ()) -> None:
        """Go on with a league, to so many pairs for each two players (None: as many as are planned).

        `allowed` are servers that may be asked though only its folder names them.
        """
        self._start(folder, {"folder": str(folder), "pairs": pairs, "allowed": allowed})

    def allow(self, address: str) -> None:
        """Go on with the last league, which asks this server."""
        if self.last is not None:
            self.go_on(self.last, self._request.get("pairs"), (*self._request.get("allowed", ()), address))

    def _start(self, folder: Path, request: dict[str, Any]) -> None:
        if self.folder is not None:
            return
        self.folder = self.last = folder
        self.pairs, self.total, self.left_s, self.words, self.stopping = 0, 0, None, "", False
        self._request, self.strange = request, ""
        try:
            self._child = Child(Launch(WORKER, limits=Limits(nice=_NICENESS)), self, "league")
        except OSError as error:
            self.folder, self.words = None, f"no process can be started for the league: {error.strerror}"

    def stop(self) -> None:
        """Let the league pause; it can go on later."""
        if self.folder is not None and self._child is not None and not self.stopping:
            self.stopping, child = True, self._child
            BackgroundTask("stopping a league", lambda report: child.quit(patience_s=STOP_S))

    def close(self) -> None:
        """The window closes: the league pauses, and no process is left behind."""
        if self.folder is not None and self._child is not None:
            self._child.quit(patience_s=CLOSE_S)

    def connected(self, link: Link) -> None:
        """Say which league it is."""
        link.send(json_line(self._request))

    def received(self, line: Line) -> None:
        """Take a report of the process; raise ValueError if it is none."""
        report = message_of(line)
        self.words = report.get("words", self.words)
        self.strange = report.get("address", self.strange)
        if report.get("pairs") is not None:
            self.pairs = report["pairs"]
        self.total = report.get("total", self.total)
        self.left_s = report.get("left_s", self.left_s)

    def gone(self, ended: Ended) -> None:
        """Take what became of the league."""
        if ended.code == 0:
            self.words = ""
        elif self.stopping:
            self.words = "The league was stopped; it can go on at any time."
        elif self.strange:
            self.words = f"it would ask {self.strange}, which only its folder names"
        elif not self.words:
            self.words = f"the league ended unexpectedly ({ended.problem or ended.code}); it can go on"
        self.folder, self.left_s = None, None
