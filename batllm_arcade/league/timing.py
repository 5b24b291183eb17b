"""How long players need that run outside this program, or think: a game of each is played and timed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.league.plan import LeaguePlayer
from batllm_arcade.league.setup import LeagueSetup, asks_a_server, spec_of
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.seats.brain_thread import Kinds
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
    found = {}
    for player in setup.plan.players:
        kind = kinds[Spec.parse(player.brain).name]
        if asks_a_server(player, kinds) or not (kind.isolation or kind.prompted):
            continue
        if player.brain not in by_brain:
            by_brain[player.brain] = _timed(setup, kinds, player)
        found[player.name] = by_brain[player.brain]
    return found


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
