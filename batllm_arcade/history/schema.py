"""The session file's keys: match records to journal entries.

A session is games, a game is rounds, a round is turns; one entry of `turns` is a play. Bots are
indices (0 left, 1 right), whatever holds both bots is a list, left first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import CHARGES, Arena, BotState, Rules, plain
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import (
    ForkedFrom,
    ForkPoint,
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatAdapted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
)
from batllm_arcade.match.series import Series

SCHEMA = "batllm_arcade.session.v1"

Entry = dict[str, Any]


def entry(record: Record, *, battery: bool = False) -> Entry:
    """Return the journal entry of a record: its values under the name of the level it belongs to.

    States hold their charge if the game has a `battery`, which only its first record tells.
    """
    match record:
        case SessionStarted():
            return {"session": session_head(record.program, record.timestamp, record.seed, record.series)}
        case GameStarted():
            return {"game": _game(record)}
        case RoundStarted():
            return {"round": _round(record, battery)}
        case SeatSwapped():
            return {"swap": _swap(record)}
        case SeatAdapted():
            return {"adapted": {"order": record.bot, "adapted": list(record.adapted)}}
        case Play():
            return {"play": _play(record, battery)}
        case RoundEnded():
            return {"round_end": record.ended}
        case GameEnded():
            hints = {"hints": list(record.hints)} if any(record.hints) else {}
            return {"game_end": {"total_rounds": record.rounds, **hints, "result": _result(record.result)}}
        case SessionEnded():
            return {"session_end": record.timestamp, **_filled(secret=record.secret)}


def session_head(program: str, start: str, seed: int, series: Series | None = None) -> Entry:
    """Return the session's own keys as it starts; `start` is ISO 8601."""
    head: Entry = {"schema": SCHEMA, "program": program, "session_start": start, "session_end": None, "seed": seed}
    return {**head, **_series(series)}


def _series(series: Series | None) -> Entry:
    return {} if series is None else {"series": {"best_of": series.best_of}}


def _forked_from(origin: ForkedFrom | None) -> Entry:
    if origin is None:
        return {}
    return {
        "forked_from": {
            "session_start": origin.session_start,
            "game_number": origin.game,
            "round_number": origin.round,
            "turn": origin.turn,
            **({} if origin.ended else {"ended": False}),
            **_filled(program=origin.program, earlier=list(map(_fork_point, origin.earlier))),
        }
    }


def _fork_point(point: ForkPoint) -> Entry:
    place = {"session_start": point.session_start, "round_number": point.round, "turn": point.turn}
    return {**place, **({} if point.ended else {"ended": False}), **_filled(program=point.program)}


def _game(record: GameStarted) -> Entry:
    return {
        "game_number": record.game,
        "total_rounds": 0,
        "turns_per_round": 2 * record.rules.turns_per_round,
        "seed": record.seed,
        **({} if record.drawn else {"drawn": False}),
        **_series(record.series),
        **_forked_from(record.forked_from),
        "rules": rules(record.rules),
        "seats": [seat(each) for each in record.seats],
        "initial_state": states(record.arena, battery=bool(record.rules.battery)),
    }


def seat(info: SeatInfo) -> Entry:
    """Return who sits at a seat as the files hold it."""
    return _filled(
        name=info.name, brain=info.brain, model=info.model, options=dict(info.options), adapted=list(info.adapted),
        isolation=info.isolation,
    )  # fmt: skip


def rules(given: Rules) -> Entry:
    """Return the rules' figures by name; a pair of equal figures as one number."""
    figures = {field.name: getattr(given, field.name) for field in fields(Rules)}
    for name in _unused(given):
        del figures[name]
    for name in ("bullet_damage", "initial_health"):
        left, right = figures[name]
        figures[name] = left if left == right else [left, right]
    return {name: value if isinstance(value, (bool, list)) else plain(value) for name, value in figures.items()}


def _unused(rules: Rules) -> Iterator[str]:
    """Yield the figures of optional rules that are off: a file without them is read with their defaults."""
    if not rules.battery:
        yield from ("battery", *CHARGES)
    yield from (name for name in ("side_damage", "back_damage") if getattr(rules, name) == 1)
    if not rules.ricochet:
        yield from ("ricochet", "bounce_cap")
    optional = ("back_step", "turn_limit", "bump_push", "bump_turn", "start_spread", "second_charge")
    yield from (name for name in optional if not getattr(rules, name))


def _round(record: RoundStarted, battery: bool) -> Entry:
    left, right = record.system_headers
    return {
        "round_number": record.round,
        "prompts": list(record.prompts),
        "augmented": record.augmented,
        "independent_llms": record.independent,
        "acting_order": list(record.acting_order),
        "initial_state": states(record.arena, battery=battery),
        **_filled(system_header=left if left == right else [left, right]),
    }


def _swap(record: SeatSwapped) -> Entry:
    new = record.seat
    name = new.name if new.name != default_name(new.brain) else ""
    return {
        "turn_number": record.number,
        "order": record.bot,
        "brain": new.brain,
        "why": record.why,
        **_filled(
            name=name, model=new.model, options=dict(new.options), adapted=list(new.adapted), isolation=new.isolation
        ),
        **({} if record.prompt is None else {"prompt": record.prompt}),
    }


def default_name(brain: str) -> str:
    """Return the name of a brain without a name of its own: its variant, else its kind."""
    return brain.partition(":")[2] or brain


def _play(record: Play, battery: bool) -> Entry:
    decision = record.decision
    return {
        "turn_number": record.number,
        "order": record.bot,
        "llm_response": decision.raw,
        "pre_state": state(record.before.bot(record.bot), battery=battery),
        "post_state": state(record.after.bot(record.bot), battery=battery),
        "opponent_state": state(record.after.bot(1 - record.bot), battery=battery),
        "turn": record.turn,
        "cmd": record.command.token,
        "status": record.status,
        **_filled(reason=record.reason),
        "timestamp": record.timestamp,
        "latency_s": round(record.latency_s, 3),
        **_filled(
            tokens=dict(decision.tokens or {}),
            thought=decision.thought,
            say=decision.say,
            queued_from=decision.queued_from,
            raw_cut=decision.raw_cut,
        ),
    }


def state(bot: BotState, *, battery: bool = False) -> dict[str, float]:
    """Return a bot's state as the files hold it: whole numbers without a point, `shield` 0 or 1.

    It holds its charge if the game has a `battery`.
    """
    figures = {
        "x": plain(bot.x),
        "y": plain(bot.y),
        "rot": plain(bot.rot),
        "shield": int(bot.shield),
        "health": plain(bot.health),
    }
    return {**figures, "charge": bot.charge} if battery else figures


def states(arena: Arena, *, battery: bool = False) -> list[dict[str, float]]:
    """Return both bots' states, left first."""
    return [state(arena.left, battery=battery), state(arena.right, battery=battery)]


def _result(result: Result) -> Entry:
    return {"winner": result.winner, "reason": result.reason}


def _filled(**values: Any) -> Entry:
    return {key: value for key, value in values.items() if value not in (None, "", {}, [])}
