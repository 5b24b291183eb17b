"""Leagues for tests: small plans, lines of pairs, what must not differ between two runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from batllm_arcade.league.engines.pair_play import EngineReport, PairPlayer, PlayedPair
from batllm_arcade.league.league_file import create, open_league
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.plan_file import RunOptions, players_of
from batllm_arcade.league.setup import LeagueSetup, load_config, set_up
from batllm_arcade.league.statistics.tally import no_faults, outcome_of
from batllm_arcade.league.store import PAIRS

FOUR = ("scripted:sharpshooter", "scripted:dancer", "scripted:turtle", "scripted:random")
SHORT = ("--rounds", "1", "--turns", "6")


def small(*brains: str, **more: Any) -> LeaguePlan:
    """A plan of short games."""
    return replace(LeaguePlan(players_of(brains or FOUR), rounds=1, turns=6, pairs=3, sessions="none"), **more)


def begun(folder: Path, plan: LeaguePlan) -> LeagueSetup:
    """A league's folder with nothing played yet."""
    create(folder, set_up(plan, load_config(plan)), RunOptions())
    return open_league(folder)[0]


def line(number: int, plan: LeaguePlan, winners: tuple[str | None, str | None] = (None, None), tokens: int = 0) -> Any:
    """A pair's line as a league writes it, with these winners of its games."""
    pair = PairSchedule(plan).pair(number)
    names = [plan.players[index].name for index in (pair.first, pair.second)]
    latency = {"plays": 4, "median": 0.01, "max": 0.02, "total": 0.04}
    games = [
        {
            "left": left, "winner": winner, "reason": "draw" if winner is None else "knockout", "turns": 4,
            "health": {name: 0 if winner not in (name, None) else 50 for name in names}, "first": names[0],
            "faults": {name: no_faults() for name in names},
            "tokens": dict.fromkeys(names, tokens), "written": dict.fromkeys(names, tokens // 10),
            "requests": dict.fromkeys(names, 0), "by_fallback": dict.fromkeys(names, 0),
            "latency_s": dict.fromkeys(names, latency),
        }
        for left, winner in zip(names, winners, strict=True)
    ]  # fmt: skip
    return {
        "pair": number, "players": names, "seed": pair.seed, "games": games,
        "outcome": outcome_of(winners, names[0]), "finished": "2026-01-01T12:00:00.000Z", "worker": "1",
    }  # fmt: skip


def winners_of(pair: Any, plan: LeaguePlan) -> tuple[str | None, str | None]:
    """Who wins the games of a pair, made up of who plays and the seed alone, whatever league it stands in."""
    names = sorted(plan.players[index].name for index in (pair.first, pair.second))
    drawn = Random(f"{names} {pair.seed}")
    by_left = {left: drawn.choice((*names, None)) for left in names}
    return by_left[plan.players[pair.first].name], by_left[plan.players[pair.second].name]


class InstantEngine:
    """Plays made-up pairs at once, in place of processes; `played` are their numbers."""

    workers = 1

    def __init__(self, setup: LeagueSetup, workers: int = 1, log: Path | None = None) -> None:
        self.plan, self.news, self.played = setup.plan, list[EngineReport](), list[int]()
        InstantEngine.last = self

    last: InstantEngine

    def submit(self, chunk: int, pairs: Sequence[Any]) -> None:
        for pair in pairs:
            self.played.append(pair.number)
            made_up = line(pair.number, self.plan, winners_of(pair, self.plan))
            self.news.append(EngineReport(chunk, PlayedPair(made_up, {})))
        self.news.append(EngineReport(chunk, ended=True))

    def reports(self, timeout_s: float) -> list[EngineReport]:
        found, self.news = self.news, []
        return found

    def late(self, chunk: int) -> str:
        return ""

    def close(self) -> None:
        pass


def timeless(value: dict[str, Any]) -> dict[str, Any]:
    """A line without what may differ between two runs."""
    kept = {key: each for key, each in value.items() if key not in ("finished", "worker")}
    games = [{key: each for key, each in game.items() if key != "latency_s"} for game in value["games"]]
    return {**kept, "games": games}


def written(folder: Path) -> list[dict[str, Any]]:
    """The lines in a league's folder, without times."""
    return [timeless(json.loads(text)) for text in (folder / PAIRS).read_text().splitlines()]


def uninterrupted(plan: LeaguePlan) -> list[dict[str, Any]]:
    """What a league's lines must be, without times: its pairs played one after the other in this process."""
    player = PairPlayer(set_up(plan, load_config(plan)))
    try:
        return [timeless(player.play(pair).line) for pair in PairSchedule(plan).from_number(1)]
    finally:
        player.close()


ANSWER_AND_DIE = """
import json, os, signal, sys
sys.stdin.readline()
print(json.dumps({"chunk": json.loads(sys.stdin.readline())["chunk"], "problem": ""}), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""In place of a league's process: it says that the first chunk is over, and is killed."""
