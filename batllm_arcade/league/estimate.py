"""What a league will take."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from batllm_arcade.brains.kinds import Price, money
from batllm_arcade.brains.protocol import Brain, SeatInfo, Spec, View
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.league.output.words import MOST_PAGES, duration, seconds
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer
from batllm_arcade.league.setup import LeagueSetup, asks_a_server, limits_of, prices_of, spec_of
from batllm_arcade.league.store import LeagueStore
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted, Play
from batllm_arcade.match.runner import Answer
from batllm_arcade.models.base import dialogue_of
from batllm_arcade.prompts.formats import instructed
from batllm_arcade.seats.brain_thread import Kinds, find_kind
from batllm_arcade.seats.table import Table

LONGEST_PLAY_S = 10.0
"""Seconds that a play may take here, whatever the configuration allows: three late ones end the game."""
LONG_GAME_S = 5.0
"""Seconds of a game from which on none is played after it, which would not be much quicker."""


@dataclass(frozen=True, slots=True)
class TimedGame:
    """The seconds of a player until it was ready, and of its game; `problem` is what went wrong, behind its name.

    What a first game takes longer than a second one, such as an embedded model that reads its orders, is once for each
    worker, and belongs to what passes until the player is ready.
    """

    start_s: float = 0.0
    game_s: float = 0.0
    problem: str = ""


def timed_games(setup: LeagueSetup, kinds: Kinds) -> dict[str, TimedGame]:
    """Return the time of a game of each player by name: bots in processes of their own, the embedded model.

    Scripts and models behind servers have none. Players with the same brain share one game.
    """
    by_brain: dict[str, TimedGame] = {}
    by_name = {}
    for player in setup.plan.players:
        kind = kinds[Spec.parse(player.brain).name]
        if asks_a_server(player, kinds) or not (kind.isolation or kind.prompted):
            continue
        if player.brain not in by_brain:
            by_brain[player.brain] = _timed(setup, kinds, player)
        by_name[player.name] = by_brain[player.brain]
    return by_name


def _timed(setup: LeagueSetup, kinds: Kinds, player: LeaguePlayer) -> TimedGame:
    config, began, problem = setup.config, time.perf_counter(), ""
    plan = runner.MatchPlan(
        config.rules, setup.plan.seed, 2, (player.orders, ""), config.style, config.header_template,
        gamepad=config.gamepad,
    )  # fmt: skip
    seats, deadline_s = (
        (spec_of(player), Spec("scripted", "turtle", bundled=True)),
        min(config.deadline_s, LONGEST_PLAY_S),
    )
    try:
        table = Table(kinds, seats, fallback=(None, None), deadline_s=deadline_s)
    except ArcadeError as error:
        return TimedGame(problem=f"could not be timed: {one_line(error, 200)}")
    try:
        table.prepare(lambda text: None)
        ends = [time.perf_counter()]
        for record in runner.play(plan, table):
            if isinstance(record, Play) and record.status == "forfeit":
                problem = f"lost the game that was timed: {record.reason[:200]}"
            if isinstance(record, GameEnded):
                ends.append(time.perf_counter())
                if problem or ends[-1] - ends[0] > LONG_GAME_S:
                    break
        games = [end - before for before, end in pairwise(ends)] or [0.0]
        return TimedGame(ends[0] - began + max(0.0, games[0] - games[-1]), games[-1], problem)
    except ArcadeError as error:
        return TimedGame(problem=f"could not be timed: {one_line(error, 200)}")
    finally:
        table.close()


ASKED_S = 1.0
"""Seconds that a request to a server is taken to last."""
CHARACTERS = 4.0
"""Characters of a token, roughly, in English and JSON."""
WRITTEN = 20
"""Tokens of a short answer."""
_SAMPLES = 4
Prices = Mapping[str, Price]
_SESSION_BYTES, _PAGE_BYTES = 20_000, 150_000


@dataclass(frozen=True, slots=True)
class _Sample:
    """Scripted games under the league's configuration: seconds a game, plays of a seat, messages' length by player."""

    game_s: float
    plays: float
    characters: dict[str, float]


def estimate(
    setup: LeagueSetup, kinds: Kinds, workers: int, folder: Path | None, given: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return what the league would play, as lines; `folder` is that of a league to go on with, `given` are prices."""
    plan = setup.plan
    played = 0
    if folder is not None:
        store = LeagueStore(folder, plan, setup.config.rules)
        played = store.played
        store.close()
    left = plan.total - played
    names = ", ".join(player.name for player in plan.players)
    lines = [
        f"{len(plan.players)} players: {names}",
        f"{len(plan.pairings)} pairings of {plan.pairs} pairs, {plan.total:,} pairs, {2 * plan.total:,} games"
        + (f"; {played:,} pairs are played, {left:,} are left" if played else ""),
        f"configuration {Path(plan.config).stem}: {setup.config.rules.total_rounds} rounds of "
        f"{setup.config.rules.turns_per_round} turns; seeds {plan.seed} to {plan.seed + plan.pairs - 1}",
    ]
    if plan.sprt is not None:
        lines.append(f"it ends as soon as the test of {plan.sprt.elo0:g} against {plan.sprt.elo1:g} Elo has decided")
    sample, timed = _sampled(setup, kinds), timed_games(setup, kinds)
    for name, game in timed.items():
        if game.game_s:
            lines.append(f"{name}: ready after {seconds(game.start_s)}, a game took {seconds(game.game_s)}")
        if game.problem:
            lines.append(f"{name} {game.problem}")
    own_s = _own_s(plan, sample, timed, workers, left)
    lines += _costs(setup, kinds, sample, workers, left, own_s, prices_of(plan, given))
    if plan.sessions != "none":
        pages = min(MOST_PAGES, 2 * left) * _PAGE_BYTES
        sizes = (2 * left * _SESSION_BYTES / 1e6, pages / 1e6)
        lines.append("about {:,.0f} MB of sessions and {:,.0f} MB of pages, at most".format(*sizes))
    return lines


def _own_s(plan: LeaguePlan, sample: _Sample, timed: Mapping[str, TimedGame], workers: int, left: int) -> float:
    """Return how long the games take here, in seconds: what was timed comes on top of what a scripted game takes."""
    games_s, start_s = 2 * left * sample.game_s, 0.0
    for player, games in zip(plan.players, _games(plan, left), strict=True):
        if (game := timed.get(player.name)) is not None:
            games_s += games * max(0.0, game.game_s - sample.game_s)
            start_s += game.start_s  # once in every worker
    return games_s / max(1, workers) + start_s * bool(left)


def _costs(
    setup: LeagueSetup, kinds: Kinds, sample: _Sample, workers: int, left: int, own_s: float, prices: Prices
) -> list[str]:
    lines, tokens, requests, paid, priced = [], 0.0, 0.0, 0.0, list[bool]()
    for player, games in zip(setup.plan.players, _games(setup.plan, left), strict=True):
        if asks_a_server(player, kinds):
            rounds = setup.config.rules.total_rounds - (setup.plan.notes == "off")  # that are noted
            asked = games * (sample.plays + rounds * (spec_of(player).number("notes", 0) > 0))
            read = sample.characters[player.name] / CHARACTERS
            requests, tokens = requests + asked, tokens + asked * (read + WRITTEN)
            lines.append(f"{player.name}: about {asked:,.0f} requests of {read + WRITTEN:,.0f} tokens")
            priced.append(player.name in prices)
            if priced[-1]:
                paid += prices[player.name].of({"prompt": round(asked * read), "completion": round(asked * WRITTEN)})
    took = duration(max(own_s, _servers_s(setup, kinds, sample, workers, left)))
    if not priced:
        return [f"about {took} on {workers} workers", "no requests to servers, no tokens to pay for"]
    unknown = "" if all(priced) else ", those without a price not counted"
    return [
        *lines,
        f"altogether about {requests:,.0f} requests and {tokens / 1e6:,.1f} million tokens",
        f"about {took} if a server needs {ASKED_S:g} s for a request, on {workers} workers",
        f"about {money(paid)} to pay{unknown}" if any(priced) else "no price is known, so no cost",
    ]


def _servers_s(setup: LeagueSetup, kinds: Kinds, sample: _Sample, workers: int, left: int) -> float:
    """Return how long the busiest server is asked, in seconds."""
    limits, server_s = limits_of(setup, kinds), dict[str, float]()
    for index, games in enumerate(_games(setup.plan, left)):
        if asks_a_server(setup.plan.players[index], kinds):
            shared = limits.shared[index]
            at_once = min(limits.most.get(shared, workers), workers)
            server_s[shared] = server_s.get(shared, 0.0) + games * sample.plays * ASKED_S / at_once
    return max(server_s.values(), default=0.0)


SPARE = 0.8
"""The share of the time that is planned for pairs: an estimate may be wrong."""


def fitting_pairs(setup: LeagueSetup, kinds: Kinds, workers: int, seconds: float) -> int:
    """Return how many pairs of each two players can be played in this time, at least one, at most the plan's."""
    sample, timed, one = _sampled(setup, kinds), timed_games(setup, kinds), len(setup.plan.pairings)
    first, second = (
        max(_own_s(setup.plan, sample, timed, workers, left), _servers_s(setup, kinds, sample, workers, left))
        for left in (one, 2 * one)
    )
    fit = 1 + (SPARE * seconds - first) / max(second - first, 1e-6)
    return max(1, min(setup.plan.pairs, int(fit)))


def _games(plan: LeaguePlan, left: int) -> list[float]:
    shares = [sum(index in pair for pair in plan.pairings) for index in range(len(plan.players))]
    return [2 * left * share / len(plan.pairings) for share in shares]


def _sampled(setup: LeagueSetup, kinds: Kinds) -> _Sample:
    config, plan = setup.config, setup.plan
    table = _SampleTable(setup, kinds)
    orders = max((player.orders for player in plan.players), key=len)
    match = runner.MatchPlan(
        config.rules, plan.seed, _SAMPLES, (orders, orders), config.style, config.header_template,
        gamepad=config.gamepad,
    )  # fmt: skip
    began, looked = time.perf_counter(), 0.0
    for record in runner.games(match, table):
        if isinstance(record, (GameStarted, GameEnded)):
            looked = table.looked_s
    game_s = (time.perf_counter() - began - looked) / _SAMPLES
    plays = max(1, table.plays)
    return _Sample(game_s, plays / 2 / _SAMPLES, {name: total / plays for name, total in table.characters.items()})


class _SampleTable(runner.TableProtocol):
    """Two scripted characters, asked without threads; what each model would be sent is measured on the way."""

    def __init__(self, setup: LeagueSetup, kinds: Kinds) -> None:
        characters = (Spec("scripted", each, bundled=True) for each in ("turtle", "dancer"))
        self._brains: list[Brain] = [find_kind(kinds, spec).make(spec) for spec in characters]
        self.plays, self.looked_s = 0, 0.0
        self.characters: dict[str, float] = {}
        self._dialogues = {}
        for player in setup.plan.players:
            if asks_a_server(player, kinds):
                spec = spec_of(player)
                default = str(getattr(kinds[spec.name].make, "reply", "token"))
                self._dialogues[player.name] = dialogue_of(spec, default)
                self.characters[player.name] = 0.0

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        return SeatInfo("left", "scripted"), SeatInfo("right", "scripted")

    def ask(self, bot: int, view: View) -> Answer:
        decision = self._brains[bot].decide(view)
        began = time.perf_counter()
        for name, (dialogue, form) in self._dialogues.items():
            messages = instructed(dialogue.messages(view, form.this_turn(view)), form.instructions(view))
            self.characters[name] += sum(len(message["content"]) for message in messages)
            dialogue.answered(view, decision)
        self.plays += 1
        self.looked_s += time.perf_counter() - began
        return Answer(decision, "ok", "", 0.0, self.now())

    def now(self) -> str:
        return ""  # nothing is recorded
