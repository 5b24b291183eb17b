"""Leagues that are played beside the window."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.league.plan import NAME_LIMIT, LeaguePlan, LeaguePlayer, Schedule, checked, league_name, named
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.processes.child import Child, Link
from batllm_arcade.processes.launch import Ended, Launch, Limits, python_command
from batllm_arcade.processes.lines import Line, json_line, message_of

FIRST = (Spec("scripted", "sharpshooter"), Spec("scripted", "turtle"), Spec("scripted", "dancer"))
"""Who plays in a league that nobody has changed."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as chosen on a card, with its orders, "" without any."""

    spec: Spec
    orders: str = ""


@dataclass(slots=True)
class LeagueDraft:
    """What is chosen; `config` is a shipped configuration's name, `pairs` are those of each two players."""

    entrants: list[Entrant] = field(default_factory=lambda: [Entrant(spec) for spec in FIRST])
    config: str = "couch"
    pairs: int = 10
    schedule: Schedule = "roundrobin"
    name: str = ""
    plugins_dir: Path | None = None
    max_requests: int = 0
    """Requests to model servers after which it pauses, 0 for any number."""

    @property
    def pairings(self) -> int:
        """Return how many pairings there are."""
        players = len(self.entrants)
        return max(0, players - 1) if self.schedule == "gauntlet" else players * (players - 1) // 2

    @property
    def games(self) -> int:
        """Return how many games are played altogether."""
        return 2 * self.pairs * self.pairings

    def requests(self, asks: Sequence[bool], plays: int) -> int:
        """Return how many requests there are at most of the players that `asks` marks, with so many plays a game."""
        players = len(self.entrants)
        meets = [players - 1 if self.schedule == "roundrobin" or not place else 1 for place in range(players)]
        return sum(2 * self.pairs * plays * met for met, asking in zip(meets, asks, strict=True) if asking)

    def names(self, called: Callable[[Entrant], str]) -> list[str]:
        """Return what the players are called: by their own names, else as `called` says, and a number."""
        wished = [_name(each.spec.text("name") or called(each)) for each in self.entrants]
        return named([(name, name) for name in wished])

    def plan(self, kinds: Mapping[str, BrainKind], called: Callable[[Entrant], str]) -> LeaguePlan:
        """Return the league's plan; raise UsageError if nobody could play it."""
        players = tuple(
            LeaguePlayer(name, str(_nameless(_anywhere(each.spec, kinds))), each.orders.strip())
            for name, each in zip(self.names(called), self.entrants, strict=True)
        )
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


def _nameless(spec: Spec) -> Spec:
    return replace(spec, options={key: value for key, value in spec.options.items() if key != "name"})


def _anywhere(spec: Spec, kinds: Mapping[str, BrainKind]) -> Spec:
    kind = kinds.get(spec.name)
    if kind is None or not kind.files or not spec.variant:
        return spec
    return replace(spec, variant=os.path.abspath(os.path.expanduser(spec.variant)))


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
