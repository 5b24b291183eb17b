"""Records as a table: one flat row a play, for csv and pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS, BotState, plain
from batllm_arcade.match.records import GameStarted, Play, Record, SeatSwapped, SessionStarted

Value = str | int | float | None


def plays(records: Iterable[Record]) -> Iterator[dict[str, Value]]:
    """Yield a flat dict for each play of these records; all have the same keys in the same order.

    `fallback` is 1 where another brain played for the one of the seat, which had failed, else 0; `name` and `brain` are
    those of who played. `command` is "" where nothing was done. `x` to `charge` are of the bot that played, `opp_x` to
    `opp_charge` of the other one, after the play; `damage` is the health that the play took from the other one.
    """
    seed, seats = 0, [_RowPlayer(), _RowPlayer()]
    for record in records:
        if isinstance(record, SessionStarted):
            seats = [_RowPlayer(), _RowPlayer()]
        elif isinstance(record, GameStarted):
            seed = record.seed
            seats = [_seated(before, info) for before, info in zip(seats, record.seats, strict=True)]
        elif isinstance(record, SeatSwapped):
            seats[record.bot] = _RowPlayer(record.seat.name, record.seat.brain, fallback=record.why == "fallback")
        elif isinstance(record, Play):
            seats[record.bot] = replace(seats[record.bot], failing=record.status in ("timeout", "error"))
            yield _row(record, seed, seats[record.bot])


@dataclass(frozen=True, slots=True)
class _RowPlayer:
    name: str = ""
    brain: str = ""
    fallback: bool = False
    failing: bool = False
    """Whether its last play was a failure."""


def _seated(before: _RowPlayer, info: SeatInfo) -> _RowPlayer:
    """Return who begins a game; a brain that lost its seat with the last play of the game before has a fallback."""
    same = before.brain == info.brain
    return _RowPlayer(info.name, info.brain, before.fallback if same else before.failing)


def _row(play: Play, seed: int, player: _RowPlayer) -> dict[str, Value]:
    other, decision = 1 - play.bot, play.decision
    tokens = decision.tokens or {}
    return {
        "game": play.game,
        "seed": seed,
        "round": play.round,
        "turn": play.turn,
        "number": play.number,
        "seat": SEATS[play.bot],
        "name": player.name,
        "brain": player.brain,
        "fallback": int(player.fallback),
        "command": "" if isinstance(play.command, Nothing) else play.command.token,
        "status": play.status,
        "reason": play.reason,
        "raw": decision.raw,
        "thought": decision.thought,
        "say": decision.say,
        **_state("", play.after.bot(play.bot)),
        **_state("opp_", play.after.bot(other)),
        "damage": plain(round(play.before.bot(other).health - play.after.bot(other).health, 9)),
        "prompt_tokens": tokens.get("prompt"),
        "completion_tokens": tokens.get("completion"),
        "latency_s": round(play.latency_s, 6),
        "timestamp": play.timestamp,
    }


def _state(prefix: str, bot: BotState) -> dict[str, Value]:
    return {
        f"{prefix}x": plain(bot.x),
        f"{prefix}y": plain(bot.y),
        f"{prefix}rot": plain(bot.rot),
        f"{prefix}health": plain(bot.health),
        f"{prefix}shield": int(bot.shield),
        f"{prefix}charge": bot.charge,
    }
