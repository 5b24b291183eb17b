"""Whether a bot or brain keeps to the rules."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count, product
from pathlib import Path
from statistics import median
from typing import Any, Literal

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.events import FireRefused, ShieldRefused
from batllm_arcade.core.model import SEATS, BotState
from batllm_arcade.errors import PLACED, ArcadeError, one_line, place_of_code
from batllm_arcade.history.paths import program
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play, Record, SeatSwapped
from batllm_arcade.match.runner import StreamSecret, session_secret
from batllm_arcade.seats.brain_thread import BrainThread, KeptBots, Kinds, find_kind
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config

CONFIGS = ("couch", "default")
OPPONENTS = ("sharpshooter", "turtle", "dancer", "random")
FALLBACK, _TURTLE = (Spec("scripted", name, bundled=True) for name in ("random", "turtle"))
DEADLINE_S = 5.0
"""Seconds for a play, unless the bot's options say otherwise."""
LIMIT_S = 60.0
"""Seconds after which a pass ends."""
SLOW_S = 1.0
"""Seconds that a bot's play may take, in the middle; no more of a slower one's games are played."""
ENOUGH = 20
"""Plays that say how fast a bot is."""
Kind = Literal["ok", "nothing", "refused", "invalid", "error"]
KINDS: tuple[Kind, ...] = ("ok", "nothing", "refused", "invalid", "error")
Notify = Callable[[Record], None]


@dataclass(frozen=True, slots=True)
class CheckedPlay:
    """A play of the bot: in which game, what came of it, and what it did; `latency_s` differs between two passes."""

    game: str
    round: int
    turn: int
    kind: Kind
    token: str
    state: BotState
    reason: str
    latency_s: float = field(compare=False)


@dataclass(slots=True)
class BotCheck:
    """What came of checking a bot: its plays, findings, one sentence each, and what it `needs` to be checked at all."""

    name: str
    plays: list[CheckedPlay] = field(default_factory=list)
    games: int = 0
    findings: list[str] = field(default_factory=list)
    needs: str = ""

    def values(self) -> dict[str, Any]:
        """Return its figures for JSON: shares of the plays, and seconds; null without a play."""
        plays, times = self.plays, [play.latency_s for play in self.plays]
        shares: dict[str, float | None] = {kind: self.share(kind) for kind in KINDS}
        figures = {"median_s": round(median(times), 6), "slowest_s": round(max(times), 6)} if times else {}
        return {
            "name": self.name, "games": self.games, "plays": len(plays), **shares, "median_s": None, "slowest_s": None,
            **figures, "findings": self.findings, "needs": self.needs,
        }  # fmt: skip

    def share(self, kind: Kind) -> float | None:
        """Return which share of the plays is of this kind, None without a play."""
        return round(sum(play.kind == kind for play in self.plays) / len(self.plays), 4) if self.plays else None


@dataclass(frozen=True, slots=True)
class _CheckGame:
    name: str
    config: Config
    opponent: Spec
    bot: int
    seed: int


def check_bot(kinds: Kinds, spec: Spec, notify: Notify = lambda _record: None) -> BotCheck:
    """Return what comes of the bot's games; `notify` gets the records of one pass.

    A model plays one short game, once: its answers cost time or money. Raise UsageError if there is no such brain.
    """
    kind = find_kind(kinds, spec)
    check = BotCheck(spec.short)
    if kind.human:
        check.needs = "it is a person's seat, and a check is played without anybody"
        return check
    model = kind.models is not None
    short = _CheckGame(
        "couch against turtle", configuration.with_lengths(configuration.load("couch"), 1, 3), _TURTLE, 0, 1
    )
    games = [short] if model else list(_games())
    # The second pass plays the games the other way round: what a bot keeps from game to game shows in its plays.
    apart = kind.isolation not in ("", "none") and spec.text("isolation") != "none"  # else both share what it keeps
    with ThreadPoolExecutor(2 if apart else 1, thread_name_prefix="checking") as threads:
        orders, hears = [games, games[::-1]], [notify, lambda _record: None]
        passes = list(threads.map(partial(_played, kinds, spec), orders[: 1 if model else 2], hears))
    check.plays, check.games = [play for each in passes for play in each.plays], sum(each.games for each in passes)
    problems = [each.problem for each in passes if each.problem]
    if problems and (model or kind.missing is not None):
        check.needs = problems[0]
    else:
        check.findings += problems[:1]
    check.findings += _faults(check.plays, kind)
    if not model:
        check.findings += _habits(check.plays)
    if len(passes) == 2 and not problems:
        check.findings += _differences(passes[0].plays, passes[1].plays)
    where = kind.place or (f" ({Path(spec.variant).name})" if kind.files else place_of_code(kind.make))
    check.findings = [explained(each if PLACED.search(each) else each + where) for each in check.findings]
    return check


def _games() -> Iterator[_CheckGame]:
    seeds = count(1)
    for name, opponent in product(CONFIGS, OPPONENTS):
        seed = next(seeds)
        yield _CheckGame(
            f"{name} against {opponent}",
            configuration.load(name),
            Spec("scripted", opponent, bundled=True),
            seed % 2,
            seed,
        )


@dataclass(slots=True)
class _CheckPass:
    """One pass through the games, which ends where the bot cannot get ready, or has lost its seat."""

    plays: list[CheckedPlay] = field(default_factory=list)
    games: int = 0
    problem: str = ""


def _played(kinds: Kinds, spec: Spec, games: Sequence[_CheckGame], notify: Notify) -> _CheckPass:
    done, bots, ends = _CheckPass(), KeptBots(), time.monotonic() + LIMIT_S
    try:
        for game in games:
            if not _play(kinds, spec, game, bots, done, notify, ends):
                break
    except ArcadeError as error:
        done.problem = one_line(error, 1000).removeprefix("left: ").removeprefix("right: ")
    finally:
        bots.close()
    return done


def _play(
    kinds: Kinds, spec: Spec, game: _CheckGame, bots: KeptBots, done: _CheckPass, notify: Notify, ends: float
) -> bool:
    """Play one game; return whether the bot has played it to its end. Raise an ArcadeError if it cannot get ready."""
    bot, config = game.bot, game.config
    specs, seat = (spec, game.opponent) if bot == 0 else (game.opponent, spec), SEATS[bot]
    kept_bot = bots.take(spec.short, seat)
    table = Table(
        kinds, specs, fallback=FALLBACK, deadline_s=DEADLINE_S, kept=(kept_bot, None) if bot == 0 else (None, kept_bot)
    )
    plan = runner.MatchPlan(
        config.rules, game.seed, 1, config.prompts, config.style, config.header_template, program(), config.gamepad,
        StreamSecret(partial(session_secret, game.seed)),
    )  # fmt: skip
    try:
        table.prepare(lambda _line: None)
        for record in runner.play(plan, table):
            notify(record)
            if isinstance(record, SeatSwapped) and record.bot == bot:
                return False  # what its fallback plays says nothing of it
            if isinstance(record, Play) and record.bot == bot:
                done.plays.append(_checked(game.name, record))
                if time.monotonic() > ends or _slow(done.plays):
                    return False
        done.games += 1
        for name, each in zip(SEATS, table.release(), strict=True):
            bots.put(spec.short if name == seat else "opponent", name, each)  # which closes what is no process
        return True
    finally:
        table.close()


def _checked(game: str, play: Play) -> CheckedPlay:
    kind: Kind = "error" if play.status not in ("ok", "invalid") else "ok" if play.status == "ok" else "invalid"
    reason = play.reason
    refused = [event for event in play.events if isinstance(event, (FireRefused, ShieldRefused))]
    if kind == "ok" and refused:
        kind, reason = "refused", getattr(refused[0], "reason", "weak")
    elif kind == "ok" and isinstance(play.command, Nothing):
        kind = "nothing"
    state = play.after.bot(play.bot)
    return CheckedPlay(game, play.round, play.turn, kind, play.command.token, state, reason, play.latency_s)


def _faults(plays: Sequence[CheckedPlay], kind: BrainKind) -> list[str]:
    by_reason: dict[str, list[CheckedPlay]] = {}
    for play in plays:
        if play.kind == "error" or (play.kind == "invalid" and kind.models is None):
            by_reason.setdefault(re.sub(r"[\d.]+", "", play.reason), []).append(play)  # as of angles that differ
    faults = []
    for failed in by_reason.values():
        times, first = "once" if len(failed) == 1 else f"{len(failed)} times", failed[0]
        faults.append(f"{first.reason} ({times}, first: {first.game}, round {first.round}, turn {first.turn})")
    return faults


def explained(finding: str) -> str:
    """Return a finding with what an author has to know of files, if one was not found."""
    more = "; isolated, a bot works in an empty folder and may read its own file, and what is called _NAME beside it"
    return finding + more if "FileNotFoundError: " in finding else finding


REFUSED = {
    "shield": "shots behind the own shield, which S0 lowers",
    "charge": "shots with too little charge, which a play of nothing or a step loads",
    "weak": "shields with too little charge, which a play of nothing or a step loads",
}
"""What is refused, by its reason, and what to do instead."""


def _slow(plays: Sequence[CheckedPlay]) -> float:
    """Return how many seconds a play takes in the middle, 0 if that is no more than it may."""
    answered = [play.latency_s for play in plays if play.kind != "error"]
    taken = median(answered) if len(answered) >= ENOUGH else 0.0
    return taken if taken > SLOW_S else 0.0


def _habits(plays: Sequence[CheckedPlay]) -> Iterator[str]:
    """Yield a sentence for what breaks no rule and is hardly meant."""
    if plays and all(play.kind == "nothing" for play in plays):
        yield f"it did nothing in all of its {len(plays)} plays; does it return its command?"
    refused = [play.reason for play in plays if play.kind == "refused"]
    if 2 * len(refused) > len(plays):
        most = max(REFUSED, key=refused.count)
        yield f"the rules refused {len(refused) / len(plays):.0%} of its plays, mostly {REFUSED[most]}"
    if taken := _slow(plays):
        yield f"slow: a play takes {taken:.1f} s in the middle; a league has thousands of them"


def _differences(one: Sequence[CheckedPlay], other: Sequence[CheckedPlay]) -> list[str]:
    """Return one sentence if two passes through games with the same seeds are not the same plays."""
    seconds = {(play.game, play.round, play.turn): play for play in other}
    for first in one:
        second = seconds.get((first.game, first.round, first.turn), first)
        if first != second:
            where = f"{first.game}, round {first.round}, turn {first.turn}"
            return [
                f"other plays for the same seed: {where}: {first.token}, and {second.token} when the games came the "
                "other way round; keep nothing from game to game, and draw from clock.rng, or from a generator with "
                "the seed that a game begins with"
            ]
    return []


@dataclass(frozen=True, slots=True)
class CheckedBrain:
    """A brain that was checked: its `name`, a `summary` of how it would play, and its `problem`, "" if it is ready."""

    name: str
    summary: str
    problem: str


def check_brain(kinds: Kinds, spec: Spec, deadline_s: float, report: Callable[[str], None]) -> CheckedBrain:
    """Return what comes of making and preparing the brain; `report` gets its lines of progress.

    Raise UsageError if there is no such brain.
    """
    find_kind(kinds, spec)
    options = ",".join(f"{key}={value}" for key, value in public_options(spec.options).items())
    wanted = ", ".join(part for part in (spec.variant, options) if part)
    try:
        brain = BrainThread(kinds, spec, deadline_s)
    except ArcadeError as error:
        return CheckedBrain(spec.name, wanted, one_line(error, 1000))
    try:
        brain.prepare(report)
        model = brain.info.model
        summary = f"{wanted} plays {model}" if model and f"model={model}" not in wanted else wanted
        adapted = f" (requests there: {', '.join(brain.info.adapted)})" if brain.info.adapted else ""
        isolated = f" (runs {brain.isolated})" if brain.isolated else ""
        return CheckedBrain(spec.name, f"{summary}{adapted}{isolated}".strip(), "")
    except ArcadeError as error:
        return CheckedBrain(spec.name, wanted, one_line(error, 1000))
    finally:
        brain.close()
