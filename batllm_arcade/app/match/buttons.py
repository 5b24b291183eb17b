"""The buttons of a live match at one moment: what a person's bot can do, and what can be done with the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from batllm_arcade.app.input.controls import Controls, Pointer
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.input.pointing import banks
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import refusal
from batllm_arcade.seats.seating import OpenRequest
from batllm_arcade.view.telegraph.advice import Choice, command_of, loads_by_waiting

Look = Literal["ready", "off", "refused", "lit"]
"""`off`: not now; `refused`: now, but the rules would not let it happen; `lit`: what a click in the arena would do."""

ACTIONS: tuple[tuple[str, str], ...] = (
    ("left", "TURN"), ("right", "TURN"), ("move", "STEP"), ("retreat", "BACK"), ("fire", "FIRE"), ("shield", "SHIELD"),
    ("wait", "WAIT"),
)  # fmt: skip
"""What a bot can do, and how its button is called; a step back only where the rules have it."""
_CHECKED: tuple[Choice, ...] = ("fire", "shield", "move", "retreat")
_LEFT, _RIGHT = ("skip", "slower", "faster", "help"), ("swap", "wheel", "record", "clip")
_KEYLESS: dict[Pointer, dict[str, str]] = {
    "mouse": {"move": "wheel", "retreat": "wheel \u2193", "fire": "click it", "shield": "r click"}, "touch": {},
}  # fmt: skip
"""What somebody who points may do instead of pressing a button."""
_WORDS = {"record": "film", "clip": "clip", "step": "next", "swap": "players", "wheel": "take over"}


@dataclass(frozen=True, slots=True)
class MatchButton:
    """A button's action, words and key; `group` 0 is a bot's action, 1 and 2 what can be done with the match."""

    name: str
    words: str
    key: str
    group: int = 1
    look: Look = "ready"
    bot: int | None = None
    hovered: bool = False
    pressed: bool = False


@dataclass
class Touched:
    """The names of the buttons under the pointer and held down, "" for none."""

    hovered: str = ""
    pressed: str = ""


def match_buttons(
    state: MatchState, controls: Controls, players: Players, person: OpenRequest | None, touched: Touched
) -> tuple[MatchButton, ...]:
    """Return all buttons of this moment; those of a bot only where a person has a seat."""
    found = list(_tools(state, controls, touched))
    if any(state.humans):
        found += _actions(state, controls, players, person, touched)
    return tuple(found)


def _tools(state: MatchState, controls: Controls, touched: Touched) -> Sequence[MatchButton]:
    paused = state.clock.paused
    found = []
    for group, names in ((1, _LEFT), (2, _RIGHT)):
        for name in names:
            name = "step" if paused and name == "skip" else name
            words = "hand back" if name == "wheel" and state.taken_over else _WORDS.get(name, name)
            key = "" if controls.pointer else controls.label(name) or controls.key_label(name)
            nothing = name == "wheel" and all(state.humans) and not state.taken_over
            changed = state.clock.speed != 1.0 and name == ("faster" if state.clock.speed > 1.0 else "slower")
            words = f"{words} {state.clock.speed:g}x" if changed else words
            look: Look = "off" if nothing else "lit" if changed else "ready"
            found.append(_touched(MatchButton(name, words, key, group, look), touched))
    return found


def _actions(
    state: MatchState, controls: Controls, players: Players, person: OpenRequest | None, touched: Touched
) -> Sequence[MatchButton]:
    seat = person.bot if person is not None else state.humans.index(True)
    meant = _meant(players, person)
    found, pointer = [], controls.pointer_of(seat, state.humans)
    for name, words in ACTIONS:
        if name != "retreat" or state.rules.back_step:
            look: Look = "off" if person is None else "lit" if name == meant else "ready"
            if person is not None and name in _CHECKED:
                arena, rules = person.view.arena, person.view.rules
                look = "refused" if refused(arena, person.bot, name, rules) else look
            key = (
                _KEYLESS[pointer].get(name, "")
                if pointer
                else controls.label(name, seat) or controls.key_label(name, seat)
            )
            if name == "fire" and pointer == "mouse" and person is not None and banks(person.view):
                key = "its mark"  # on the wall: a click on the other bot would turn to it
            if name == "wait" and person is not None and waits(person.view.arena, seat, person.view.rules):
                key = f"{key} to load".strip()
            found.append(_touched(MatchButton(name, words, key, 0, look, seat), touched))
    return found


def _meant(players: Players, person: OpenRequest | None) -> str:
    aim = players.aim
    if person is None or aim is None or players.pointing.direction(person.view) is None:
        return ""
    return "fire" if players.pointing.fires(person.view) else "left" if aim.turned < 0 else "right"


def _touched(button: MatchButton, touched: Touched) -> MatchButton:
    if button.name not in (touched.hovered, touched.pressed):
        return button
    return MatchButton(
        button.name, button.words, button.key, button.group, button.look, button.bot,
        button.name == touched.hovered, button.name == touched.pressed,
    )  # fmt: skip


waits = lru_cache(maxsize=8)(loads_by_waiting)


@lru_cache(maxsize=8)
def refused(arena: Arena, bot: int, choice: Choice, rules: Rules) -> bool:
    """Return whether the rules would refuse this bot's play now, or have none such."""
    command = command_of(choice, rules)
    return command is None or refusal(arena, bot, command, rules) is not None
