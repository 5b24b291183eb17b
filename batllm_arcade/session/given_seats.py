"""Who plays where a program of somebody's own says so: a brain's spec, a function with `@bot`, or a brain."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import Any

from batllm_arcade.brains.functions import MARK, BotBrain, bot_kind
from batllm_arcade.brains.protocol import Brain, BrainKind, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError, quoted

Given = str | Spec | Brain | Callable[..., Any]
"""A brain as on the command line, a function, generator or class with `@bot`, or an object with `decide(view)`."""


def seated(given: tuple[Given, Given], kinds: dict[str, BrainKind], fallback: Spec) -> tuple[Spec, Spec]:
    """Return who plays, left first; bots and brains that were given themselves become further `kinds`.

    Raise UsageError if something is no player, or is called as a brain that plays against it.
    """
    chosen = [_chosen(each, seat) for each, seat in zip(given, SEATS, strict=True)]
    by_name = [each for each in chosen if isinstance(each, Spec)]
    own: dict[str, dict[str, BrainKind]] = {}
    for seat, each in zip(SEATS, chosen, strict=True):
        if isinstance(each, BrainKind):
            own.setdefault(each.name, {})[seat] = each
    for name, seats in own.items():
        if name in {spec.name for spec in (*by_name, fallback)}:
            raise UsageError(f"{next(iter(seats))}: a brain {name!r} plays as well; give the bot another name")
        # Two versions of one bot may play each other: the seat says which one is meant.
        kinds[name] = replace(next(iter(seats.values())), make=partial(_of_seat, seats), isolation="none")
    left, right = (each if isinstance(each, Spec) else Spec(each.name) for each in chosen)
    return left, right


def _chosen(given: object, seat: str) -> Spec | BrainKind:
    if isinstance(given, str):
        return Spec.parse(given)
    if isinstance(given, Spec):
        return given
    own: Any = given
    if isinstance(name := getattr(given, "__dict__", {}).get(MARK), str):
        return bot_kind(name, own)
    if isinstance(title := vars(type(given)).get(MARK), str):  # an object of a class with @bot: the same in every game
        return BrainKind(title, "a bot", lambda _spec: BotBrain(title, own.decide))
    if isinstance(given, type | ModuleType) or not callable(getattr(given, "decide", None)):
        raise UsageError(f"{seat}: {_no_player(given)}")
    name = re.sub(r"[\s:,=]+", "-", type(given).__name__)
    return BrainKind(name, "a brain", lambda _spec: own)


def _no_player(given: object) -> str:
    name = getattr(given, "__name__", "")
    if isinstance(given, ModuleType):
        return _module(given)
    if isinstance(given, type) and callable(getattr(given, "decide", None)):
        return f'{name} is a class; give an object of it, {name}(...), or put @bot("{name.lower()}") above it'
    if name == "<lambda>":
        return 'a lambda is no bot yet; give bot("NAME")(lambda me, foe, clock: ...), or a function with @bot("NAME")'
    if callable(given) and name:
        return f'{name} is no bot yet; put @bot("{name}") above it'
    return f"{quoted(given)} is no player; give one such as 'scripted:turtle', a bot or an object with decide(view)"


def _module(module: ModuleType) -> str:
    """Return what of a module to give: a bot in it, else what would be one with `@bot` above it."""
    name = module.__name__
    bots = [each for each, value in vars(module).items() if MARK in getattr(value, "__dict__", {})]
    if bots:
        return f"{name} is a module; give its bot, {' or '.join(f'{name}.{each}' for each in bots)}"
    if callable(getattr(module, "decide", None)):
        called = name.rpartition(".")[2]
        return f'{name} is a module; put @bot("{called}") above its function decide, and give that, {name}.decide'
    return f'{name} is a module; give a function of it with @bot("NAME") above it'


def _of_seat(seats: Mapping[str, BrainKind], spec: Spec) -> Brain:
    """Return the brain that plays this seat; it runs in this program, whatever the option `isolation` says."""
    return seats[spec.seat].make(replace(spec, options={}))
