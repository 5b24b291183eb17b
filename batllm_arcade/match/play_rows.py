"""Records as a table: one flat row a play, for csv and pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS, BotState, plain
from batllm_arcade.match.records import GameStarted, Play, Record, SeatSwapped

Value = str | int | float | None


def plays(records: Iterable[Record]) -> Iterator[dict[str, Value]]:
    """Yield a flat dict for each play of these records; all have the same keys in the same order.

    `command` is "" where nothing was done. `x` to `charge` are of the bot that played, `opp_x` to `opp_charge` of the
    other one, after the play; `damage` is the health that the play took from the other one.
    """
    seed, seats = 0, [("", ""), ("", "")]
    for record in records:
        if isinstance(record, GameStarted):
            seed, seats = record.seed, [(seat.name, seat.brain) for seat in record.seats]
        elif isinstance(record, SeatSwapped):
            seats[record.bot] = (record.seat.name, record.seat.brain)
        elif isinstance(record, Play):
            yield _row(record, seed, *seats[record.bot])


def _row(play: Play, seed: int, name: str, brain: str) -> dict[str, Value]:
    other, decision = 1 - play.bot, play.decision
    tokens = decision.tokens or {}
    return {
        "game": play.game,
        "seed": seed,
        "round": play.round,
        "turn": play.turn,
        "number": play.number,
        "seat": SEATS[play.bot],
        "name": name,
        "brain": brain,
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
