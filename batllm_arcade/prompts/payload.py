"""Payload v3.2: what a model is sent for one play, stateless, as one compact JSON user message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from math import hypot
from string import Template
from typing import Any, Literal

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.commands import Move
from batllm_arcade.core.events import Event
from batllm_arcade.core.flight import bank_shots, part_towards
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, BotState, Rules, plain
from batllm_arcade.core.rules import read_command, runs_into, step

SCHEMA = "batllm.v3.2"
Shown = Literal["figures", "picture", "both"]
"""How a model is shown the arena: by figures, by a picture in their place, by both."""

_APPEND_ORDER = (
    "schema", "ctx", "ids", "round_prompt", "notes", "const", "initial_state",
    "history_omitted", "history", "current_state", "sensors", "round_info",
)  # fmt: skip


def payload_messages(view: View, this_turn: str = "", shown: Shown = "figures") -> list[dict[str, str]]:
    """Return the messages to send: the system header (augmented only), and the body as one user message.

    `this_turn` ("" for nothing) is the body's last key in either order. What a picture shows is left out where one
    stands for it.
    """
    parts, style = _body_without_history(view), view.style
    if shown != "figures":
        parts["ctx"]["view"] = shown
    if shown == "picture":
        parts = {key: value for key, value in parts.items() if key not in _SEEN}
        style = replace(style, aug=False)  # of the turns: without the states after them
    if this_turn:
        parts["this_turn"] = this_turn
    turns = ",".join([_turn_text(turn, view.seat, style, view.rules.battery > 0) for turn in _shown(view)])
    values = (f"[{turns}]" if key == "history" else _json(value) for key, value in parts.items())
    text = ",".join(f'"{key}":{value}' for key, value in zip(parts, values, strict=True))
    user = {"role": "user", "content": f"{{{text}}}"}
    return [{"role": "system", "content": view.system_header}, user] if view.style.aug else [user]


_SEEN = ("initial_state", "current_state", "sensors")
"""What a picture stands for, beside the states in the history."""
_AFTER_HISTORY = re.compile(r'\],"(?:current_state|round_info)":')
"""Where a payload that grows at its end changes with every turn."""


def events(arena: Arena, plays: Iterable[PastPlay], rules: Rules) -> list[Event]:
    """Return what happened in these plays, the first of which began with this arena."""
    happened: list[Event] = []
    for play in plays:
        arena, new = step(arena, play.bot, read_command(play.cmd, rules), rules)
        happened += new
    return happened


def stays_until(text: str) -> int:
    """Return how many characters of a message the next request repeats, 0 of one that does not grow at its end.

    Of a payload all up to the end of its history, of a conversation's array all but its last bracket.
    """
    if text.startswith("["):
        return len(text) - 1
    found = _AFTER_HISTORY.search(text)
    return found.start() if found and '"history_omitted":' not in text else 0


def last_messages(view: View, answer: int) -> list[dict[str, str]]:
    """Return the messages of the last turn of a round that begins so, if every answer has so many characters."""
    plays = tuple(PastPlay(bot, "x" * answer, "C123") for bot in view.acting_order)
    turns = tuple(PastTurn(turn, plays, view.arena) for turn in range(1, view.rules.turns_per_round))
    return payload_messages(replace(view, turn=len(turns) + 1, history=turns))


def body(view: View) -> dict[str, Any]:
    """Return the body for this seat, its keys in the order that the style asks for."""
    parts = _body_without_history(view)
    parts["history"] = [_turn(turn, view.seat, view.style, view.rules.battery > 0) for turn in _shown(view)]
    return parts


def _shown(view: View) -> tuple[PastTurn, ...]:
    window = view.style.history_window
    return view.history[-window:] if window else view.history


def _body_without_history(view: View) -> dict[str, Any]:
    style, me = view.style, view.seat
    extra = style.order == "append"
    arena_const = extra if style.arena_const is None else style.arena_const
    sensors = extra if style.sensors is None else style.sensors
    parts: dict[str, Any] = {
        "schema": SCHEMA,
        "ctx": {"mode": style.mode, "aug": style.aug},
        "ids": {"self": ("left", "right")[me], "opp": ("right", "left")[me]},
        "round_info": {
            "current_round": view.round,
            "current_turn": view.turn,
            "total_rounds": view.rules.total_rounds,
            "turns_per_round": view.rules.turns_per_round,
            "acting_order": "self_first" if view.acting_order[0] == me else "opp_first",
        },
        "round_prompt": {"self": view.prompts[me]},
    }
    if style.mode == "shared":
        parts["round_prompt"]["opp"] = view.prompts[1 - me]
    if view.notes:
        parts["notes"] = view.notes
    if style.aug:
        parts["const"] = _const(view.rules, me, arena_const)
        for name, arena in (("initial_state", view.initial), ("current_state", view.arena)):
            parts[name] = _state(arena, me, style.decimals, view.rules.battery > 0)
    parts["history"] = []
    if omitted := len(view.history) - len(_shown(view)):
        parts["history_omitted"] = omitted
    if style.aug and sensors:
        parts["sensors"] = sensor_readings(view.arena, me, view.rules, style.decimals)
    if style.order == "append":
        return {key: parts[key] for key in _APPEND_ORDER if key in parts}
    return parts


_json = json.JSONEncoder(separators=(",", ":")).encode


def headers(template: str, rules: Rules, *, aug: bool) -> tuple[str, str]:
    """Return the system headers of both seats, left first; empty without augmentation."""
    return (header(template, rules, 0), header(template, rules, 1)) if aug else ("", "")


@lru_cache(maxsize=64)  # of two seats: the same text, round after round
def header(template: str, rules: Rules, seat: int) -> str:
    """Return the system header for a seat: a `string.Template` filled with the rules.

    Raises KeyError for a name that is not a rule, ValueError for a malformed placeholder.
    """
    moves = "M | M{distance}" if rules.free_move else f"M | M-{rules.back_step}" if rules.back_step else "M"
    figures: dict[str, Any] = {
        "commands": f"C{{angle}} | A{{angle}} | {moves} | S1 | S0 | S | B",
        "more_rules": "".join(f"\n- {line}" for line in _more_rules(rules)),
        **_exact(rules, "arena_width", "arena_height", "bot_radius", "step_length", "shield_degrees"),
        **_of_seat(rules, seat),
    }
    rounds = {"total_rounds": rules.total_rounds, "turns_per_round": rules.turns_per_round}
    return Template(template).substitute(figures, **rounds).strip()


def _exact(rules: Rules, *names: str) -> dict[str, float]:
    return {name: _number(getattr(rules, name), 9) for name in names}


def _of_seat(rules: Rules, seat: int) -> dict[str, float]:
    return {name: _number(getattr(rules, name)[seat], 9) for name in ("bullet_damage", "initial_health")}


def _more_rules(rules: Rules) -> Iterator[str]:
    if rules.battery:
        yield (
            f"Charge: B takes {rules.shot_charge} of at most {rules.battery}; a step M gives {rules.step_charge}, any "
            f"other play {rules.rest_charge}; nothing while the shield is up, which takes {rules.shield_charge} a play "
            f"and {rules.block_charge} a blocked bullet and drops at 0."
        )
    if rules.has_armour:
        side, back, degrees = (_number(f, 9) for f in (rules.side_damage, rules.back_damage, rules.shield_degrees))
        yield (
            f"Armour: your hits do {side} times the damage to the side, {back} times within {degrees} degrees of "
            f"straight behind; its front is within {degrees} degrees of its rot."
        )
    if rules.ricochet:
        yield f"A bullet bounces off a wall once{_bounced(rules)}."
    if rules.back_step:
        yield f"M-{rules.back_step}: one step back{'; gives rest charge' if rules.battery else ''}."
    if rules.turn_limit:
        yield f"A play turns you at most {_number(rules.turn_limit, 9)} degrees."
    if rules.bumps:
        does = [f"shoves it {_number(rules.bump_push, 9)}"] if rules.bump_push else []
        does += [f"turns it {_number(rules.bump_turn, 9)} clockwise"] if rules.bump_turn else []
        loads = f"loads only {rules.rest_charge}"
        *first, last = [*does, loads] if rules.battery else does
        yield f"A step M into the other {', '.join(first)}{' and ' if first else ''}{last}."


def _bounced(rules: Rules) -> str:
    """What a bullet does after it has bounced, "" where it does what any bullet does."""
    if not 0 < rules.bounce_cap < max(1, rules.side_damage, rules.back_damage):
        return ""
    if rules.bounce_cap == 1:
        return " and then takes the front's damage wherever it strikes"
    return f" and then does at most {_number(rules.bounce_cap, 9)} times the damage"


def _number(value: float, decimals: int) -> float:
    return plain(round(value, decimals))


def bot_figures(bot: BotState, decimals: int, charged: bool = False) -> dict[str, float]:
    """Return a bot as payloads show it; whole numbers without a point, `shield` 0 or 1, `charge` where `charged`."""
    rot = _number(bot.rot, decimals)
    figures = {
        "x": _number(bot.x, decimals),
        "y": _number(bot.y, decimals),
        "rot": 0 if rot >= 360 else rot,
        "health": _number(bot.health, decimals),
        "shield": int(bot.shield),
    }
    return {**figures, "charge": bot.charge} if charged else figures


def _state(arena: Arena, me: int, decimals: int, charged: bool) -> dict[str, Any]:
    mine, theirs = (bot_figures(arena.bot(bot), decimals, charged) for bot in (me, 1 - me))
    return {"self": mine, "opp": theirs}


def _const(rules: Rules, me: int, arena_const: bool) -> dict[str, Any]:
    mine, theirs = _of_seat(rules, me), _of_seat(rules, 1 - me)
    const: dict[str, Any] = {
        **_exact(rules, "step_length"),
        "bullet_damage": mine["bullet_damage"],
        **_exact(rules, "shield_degrees"),
        "initial_health": mine["initial_health"],
        **(_exact(rules, "arena_width", "arena_height", "bot_radius") if arena_const else {}),
    }
    if rules.battery:
        takes = {name: getattr(rules, f"{name}_charge") for name in ("shot", "block", "shield", "step", "rest")}
        const["battery"] = {"capacity": rules.battery, **takes}
    if rules.has_armour:
        const["armour"] = {"side": _number(rules.side_damage, 9), "back": _number(rules.back_damage, 9)}
    if rules.ricochet:
        const |= {"ricochet": rules.ricochet, **_exact(rules, "bounce_cap")}
    if rules.back_step:
        const["back_step"] = rules.back_step
    if rules.turn_limit:
        const |= _exact(rules, "turn_limit")
    if rules.bumps:
        const["bump"] = {"push": _number(rules.bump_push, 9), "turn": _number(rules.bump_turn, 9)}
    if len({*rules.bullet_damage}) > 1 or len({*rules.initial_health}) > 1:
        const["opp"] = theirs
    return const


def _turn(turn: PastTurn, me: int, style: PayloadStyle, charged: bool) -> dict[str, Any]:
    plays = []
    for play in sorted(turn.plays, key=lambda play: play.bot != me):
        if play.bot != me and style.mode == "independent":
            continue
        entry: dict[str, Any] = {"bot": "self" if play.bot == me else "opp", "llm_raw": play.raw, "cmd": play.cmd}
        if len(play.raw) > style.raw_limit:
            entry["llm_raw"] = play.raw[: style.raw_limit]
            entry["llm_raw_cut"] = True
        plays.append(entry)
    shown: dict[str, Any] = {"turn": turn.turn, "plays": plays}
    if style.aug:
        shown["post_state"] = _state(turn.after, me, style.decimals, charged)
    return shown


@lru_cache(maxsize=4096)  # of two seats over 2,000 turns: finished turns do not change
def _turn_text(turn: PastTurn, me: int, style: PayloadStyle, charged: bool) -> str:
    return _json(_turn(turn, me, style, charged))


def _degrees(turn: float) -> float:
    """A rounded turn, in (-180, 180] again."""
    return 180 if turn <= -180 else turn


Bank = dict[str, float | str]


def sensor_readings(arena: Arena, me: int, rules: Rules, decimals: int) -> dict[str, float | str | Bank | None]:
    """Return the `bearing` to the opponent (degrees, positive clockwise) and the `distance` between the centres.

    With armour also the opponent's `part` that is towards the bot and the bot's own (`my_part`), with a
    battery whether there is enough in it for a shot (`ready`, 0 or 1). Where bullets bounce, `bank` is the best shot
    off a wall that strikes: its `turn` and the `part` it strikes; None without one. Where a step shoves the other bot,
    `bump` is 1 if a step now would run into it, else 0.
    """
    mine, theirs = arena.bot(me), arena.bot(1 - me)
    dx, dy = theirs.x - mine.x, theirs.y - mine.y
    turn = _number(turn_between(mine.rot, bearing(dx, dy)) if dx or dy else 0.0, decimals)
    readings: dict[str, float | str | Bank | None] = {
        "bearing": _degrees(turn),
        "distance": _number(hypot(dx, dy), decimals),
    }
    if rules.has_armour:
        readings["part"] = part_towards(theirs, mine, rules)
        readings["my_part"] = part_towards(mine, theirs, rules)
    if rules.battery:
        readings["ready"] = int(mine.charge >= rules.shot_charge)
    if rules.ricochet:
        best = next(iter(bank_shots(arena, me, rules)), None)
        readings["bank"] = best and {"turn": _degrees(_number(best.turn, decimals)), "part": best.part}
    if rules.bumps:
        readings["bump"] = int(runs_into(arena, me, Move(None, "M"), rules))
    return readings
