"""Sessions as the original game saves them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import deepcopy
from typing import Any

SETTINGS = {
    "bot_diameter": 0.1,
    "bot_step_length": 0.03,
    "bullet_damage": 5,
    "bullet_diameter": 0.02,
    "bullet_step_length": 0.01,
    "shield_size": 70,
    "shield_initial_state": True,
    "initial_health": 30,
    "turns_per_round": 4,
    "total_rounds": 2,
}


def bot(number: int, x: float, y: float, rot: float, *, shield: bool = True, health: int = 30) -> dict[str, Any]:
    return {
        "id": number, "health": health, "x": x, "y": y, "rot": rot, "shield": shield,
        "current_prompt": f"prompt of {number}", "last_llm_response": None,
    }  # fmt: skip


START = {"1": bot(1, 0.2, 0.5, 20.0), "2": bot(2, 0.8, 0.5, 170.0)}


class TheirGame:
    """Plays as the original does: nothing is rounded, bullets go in steps, and nobody is out before the round is."""

    def __init__(self, states: dict[str, Any], settings: dict[str, Any]) -> None:
        self.states, self.settings = deepcopy(states), settings

    def play(self, number: int, cmd: str) -> None:
        me, foe = self.states[str(number)], self.states[str(3 - number)]
        head, figure = cmd[:1], float(cmd[1:]) if cmd[:1] in "CAM" and cmd[1:] else None
        if head == "M":
            length, radius = figure or self.settings["bot_step_length"], self.settings["bot_diameter"] / 2
            for axis, along in (("x", math.cos), ("y", math.sin)):
                me[axis] = min(max(me[axis] + length * along(math.radians(me["rot"])), radius), 1 - radius)
        elif head in ("C", "A"):
            me["rot"] = (me["rot"] + (figure if head == "C" else -figure)) % 360
        elif head == "S":
            me["shield"] = not me["shield"] if cmd == "S" else cmd == "S1"
        elif cmd == "B" and not me["shield"]:
            self._fire(me, foe)

    def _fire(self, me: dict[str, Any], foe: dict[str, Any]) -> None:
        x, y, step = me["x"], me["y"], self.settings["bullet_step_length"] / 100
        while 0 <= x <= 1 and 0 <= y <= 1:
            if math.dist((x, y), (foe["x"], foe["y"])) <= self.settings["bot_diameter"] / 2:
                struck = math.degrees(math.atan2(y - foe["y"], x - foe["x"])) - foe["rot"]
                if not foe["shield"] or abs((struck + 180) % 360 - 180) > self.settings["shield_size"] + 18:
                    foe["health"] = max(0, foe["health"] - self.settings["bullet_damage"])
                return
            x, y = x + step * math.cos(math.radians(me["rot"])), y + step * math.sin(math.radians(me["rot"]))


def saved(rounds: Iterable[list[list[tuple[int, str]]]], **settings: Any) -> dict[str, Any]:
    """A session as the original saves it: rounds of turns of (bot, command)."""
    figures = {**SETTINGS, **settings}
    game, told = TheirGame(START, figures), []
    for number, turns in enumerate(rounds, 1):
        entry = {"round": number, "initial_state": deepcopy(game.states), "gameplay_settings_snapshot": dict(figures)}
        entry["prompts"] = [{"bot_id": 2, "prompt": "hide"}, {"bot_id": 1, "prompt": "win"}]
        entry["turns"] = [_turn(game, count, plays) for count, plays in enumerate(turns, 1)]
        told.append(entry)
    return {
        "schema_version": 2,
        "session_type": "batllm_saved_session",
        "app_version": "0.3.6",
        "saved_at": "2026-04-04T10:06:00",
        "llm_metadata": {"configured_model": "llama3.2"},
        "games": [{"game_id": 1, "start_time": "2026-04-04T10:00:00", "winner": None, "rounds": told}],
    }


def _turn(game: TheirGame, number: int, plays: list[tuple[int, str]]) -> dict[str, Any]:
    before, made = deepcopy(game.states), []
    for bot_id, response in plays:
        cmd = response if response[:1] in "MCABS" else "ERR"
        game.play(bot_id, cmd)
        made.append({"bot_id": bot_id, "llm_response": response, "cmd": cmd})
    return {
        "turn": number, "start_time": f"2026-04-04T10:00:0{number}", "end_time": "", "plays": made,
        "pre_state": before, "post_state": deepcopy(game.states),
    }  # fmt: skip


def trace(rounds: Iterable[list[list[tuple[int, str]]]]) -> dict[str, Any]:
    """The same session as the original traces it, schema 3: play by play, its prompts and answers hashed."""
    session, game = saved(rounds), TheirGame(START, SETTINGS)
    (told,) = session["games"]
    for entry in told["rounds"]:
        entry["prompts"] = [{"bot_id": each["bot_id"], "prompt": _hashed()} for each in entry["prompts"]]
        entry["plays"] = []
        for play in (play for turn in entry.pop("turns") for play in turn["plays"]):
            before = deepcopy(game.states)
            game.play(play["bot_id"], play["cmd"])
            entry["plays"].append(
                {
                    "bot_id": play["bot_id"], "normalized_command": play["cmd"], "response": _hashed(),
                    "pre_state": before, "post_state": deepcopy(game.states), "request_started_at": told["start_time"],
                    "context_policy": {"prompt_augmentation": True},
                }
            )  # fmt: skip
    return {
        "schema_version": 3,
        "session_type": "batllm_research_session",
        "application_provenance": {"name": "BatLLM", "version": "0.3.6"},
        "model_provenance": {"requested_model": "llama3.2"},
        "created_at": session["saved_at"],
        "games": [{"game_id": 1, "started_at": told["start_time"], "rounds": told["rounds"]}],
    }


def _hashed() -> dict[str, Any]:
    return {"encoding": "utf-8", "length": 9, "sha256": "ab" * 32}


def listed(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    """A session as its first versions wrote it: a list of games of states alone, one change after the other."""
    states = [{"1": _early(1, 0.2, 0.5, 0.5), "2": _early(2, 0.8, 0.5, 3.0)}]
    for change in changes:
        states.append({name: {**bot, **change.get(name, {})} for name, bot in states[-1].items()})
    told = [{"turn": 1, "start_time": "2025-07-26T05:52:06.7", "pre_state": states[0], "post_state": states[0]}]
    for number, first in enumerate(range(1, len(states), 2), 2):
        pair = dict(zip(("pre_state", "post_state"), states[first : first + 2], strict=False))
        told.append({"turn": number, "start_time": f"2025-07-26T05:52:{number:02}.1", **pair})
    first = {"game_id": 1, "start_time": "2025-07-26T05:51:49.5", "initial_state": states[0], "winner": None}
    rounds = [{"round": 1, "start_time": "2025-07-26T05:52:06.7", "initial_state": states[0], "turns": told}]
    return [{**first, "rounds": rounds}, {**first, "game_id": 2, "rounds": []}]


def _early(number: int, x: float, y: float, rot: float) -> dict[str, Any]:
    words = {"prompt": f"prompt of {number}", "llm_response": None}
    return {"id": number, "health": 42, "x": x, "y": y, "rot": rot, "shield": True, **words}


TURNS = [
    [(2, "S0"), (1, "M")],
    [(2, "C10.0"), (1, "A20.0")],
    [(2, "M0.05"), (1, "S")],
    [(2, "I would hide"), (1, "B")],
]
AGREED = [TURNS, [[(1, "B"), (2, "A370.5")], [(1, "C-30.25"), (2, "M")], [(1, "M"), (2, "S1")], [(1, "M"), (2, "B")]]]
