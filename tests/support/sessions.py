"""Sessions of every kind, small ones: how a match may go, how it may be kept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from charged import charged_match
from fakes import FAILED, LATE, FakeTable, Sits, aim, eventful, played, written
from original import AGREED, saved
from paths import DATA

from batllm_arcade import HistoryManager
from batllm_arcade.brains.protocol import Decision
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan

_SHORT = {"total_rounds": 2, "turns_per_round": 3}
_HANDICAP = {"initial_health": [60, 100], "bullet_damage": [20, 7], "initial_shield": False}
_BATTERY = {"battery": 9, "side_damage": 2, "back_damage": 3}
_BUMP = _BATTERY | {"turn_limit": 90, "bump_push": 60, "bump_turn": 150, "start_spread": 1, "step_length": 500}
_BOUNCE = _BATTERY | {"initial_shield": False, "ricochet": 1, "back_step": 30}
_COURSES: dict[str, tuple[list[Any], list[Any], dict[int, list[Any]], dict[str, Any]]] = {
    "handicap": (["C5", aim, "B"] * 2, ["C5", aim, "B"] * 2, {}, _HANDICAP),
    "battery": (["M", aim, "B"] * 2, ["S1", "M", None] * 2, {}, _BATTERY | _HANDICAP),
    "bounce": (["M-60", aim, "B"] * 2, ["C200", "B", "M-60"] * 2, {}, _BOUNCE),
    "bump": (["M"] * 6, ["C100", "B", "M"] * 2, {}, _BUMP),
    "large battery": (["S1", "M", "B"] * 2, ["M"] * 6, {}, {"battery": 200, "shot_charge": 20, "initial_charge": 150}),
    "fallback": ([LATE, FAILED, LATE], ["M", None, "what?"] * 2, {0: ["M", "B"] * 2}, {}),
    "forfeit": ([LATE] * 3, ["M"] * 6, {0: [FAILED] * 3}, {}),
    "swap and take-over": (["M", Sits("a:b"), "M", Sits("keyboard", "wheel"), "S", Sits("a:b", "wheel"), *["M"] * 3],
                           ["S"] * 6, {}, {}),
    "left": (["M", "M", FakeTable.STOP], ["S"] * 6, {}, {}),
    "a round left": (["M", FakeTable.ABANDON, *["M"] * 6], ["S"] * 6, {}, {}),
    "nothing, on purpose": ([None] * 6, [None] * 6, {}, _BATTERY),
    "free moves": (["M-30.5", "M120", "C33.25"] * 2, ["M7", "S", "B"] * 2, {}, {"free_move": True}),
    "a wide arena": (["M", aim, "B"] * 2, ["S0", "M", "B"] * 2, {}, {"arena_width": 1600, "arena_height": 700}),
}  # fmt: skip


def scripted_match(path: Path, seed: int = 7, games: int = 1) -> Path:
    """Write a session that scripts of this version of the program have played; return its path."""
    how = ["--config", "couch", "--seed", str(seed), "--games", str(games), "--quiet", "--force"]
    seats = ["--left", "scripted:sharpshooter", "--right", "scripted:dancer"]
    assert main(["run", *how, *seats, "--history", str(path)]) == 0
    return path


def every_kind(folder: Path) -> dict[str, Path]:
    """Return files of all kinds by name, written into the folder or among the tests' data."""
    found = {"couch": DATA / "couch_match.json"}
    found |= {f"before the battery, {path.stem}": path for path in (DATA / "before_battery").glob("*.json")
              if path.stem != "payloads"}  # fmt: skip
    for name, (left, right, fallbacks, figures) in _COURSES.items():
        plan = MatchPlan(rules_from(_SHORT | figures), 5, prompts=("win", "hide"), header_template="$bullet_damage")
        table = FakeTable(left, [*right, *["S"] * 6], fallbacks)
        found[name] = written(runner.play(plan, table), folder / f"{name}.json")
    found["armour"] = written(charged_match(), folder / "armour.json")
    found["two games, a queue, a cut"] = written(eventful(), folder / "eventful.json")
    found["a series"] = folder / "series.json"
    series = json.loads(found["two games, a queue, a cut"].read_text()) | {"series": {"best_of": 3}}
    found["a series"].write_text(json.dumps(series))
    found["a journal"] = _killed(folder / "killed.json")
    found["the original's"] = folder / "original.json"
    found["the original's"].write_text(json.dumps(saved(AGREED)))
    found["an import"] = folder / "import.json"
    assert main(["import", str(found["the original's"]), "-o", str(found["an import"])]) == 0
    found["told turn by turn"] = _told(folder / "told.json")
    return found


def _killed(path: Path) -> Path:
    """Return the journal of a session whose program was killed in its second round."""
    writer = SessionWriter(path)
    for record in eventful()[:14]:
        writer.notify(record)
    kept = path.with_name("kept.json.journal")
    shutil.copy(journal_of(path), kept)
    return kept


def _told(path: Path) -> Path:
    manager, rules = HistoryManager(), Rules(initial_health=(5, 5), total_rounds=1, turns_per_round=2)
    manager.start_session()
    start = [
        {"x": 200, "y": 500, "rot": 0, "shield": 0, "health": 5},
        {"x": 800, "y": 500, "rot": 0, "shield": 0, "health": 5},
    ]
    manager.start_game(rules, ["Ann", "Bob"], start)
    manager.start_round(["", ""], False, False)
    moved = {**start[0], "x": 250}
    manager.add_turn(0, "M", start[0], moved)
    manager.add_turn(1, "C90", start[1], {**start[1], "rot": 90})
    manager.add_turn(0, "B", moved, moved)
    manager.end_game({"winner": 0, "reason": "knockout"})
    manager.end_session()
    manager.save(path)
    return path


HOSTILE = (
    "<script>window.struck = 1</script>",
    "</script><img src=x onerror='window.struck = 2'>",
    "</SCRIPT ",
    "javascript:window.struck=3",
    "<!-- <script> \u2028\u2029 ]]> {{session}} & &lt; \u202edesrever\u202c \x00\x1b[31m",
    "\ud800 lone",
    "\U0001f916 robot",
)
"""What a model or a person may write to strike whoever reads it."""


def hostile_match(path: Path) -> Path:
    """Return a session whose names, orders, thoughts, speech and replies are hostile, one of them 100 kB long."""
    long = "<b>very long</b> " * 6200
    left = [Decision(f"{text} C5", "C5", f"thought {text}", f"say {text}") for text in HOSTILE]
    left += [Decision(long, "B", long, long)]
    right = [Decision(f"{{{text}", None, text, invalid=text) for text in HOSTILE] + [Decision("M", "M", "x" * 100_000)]
    rules = Rules(total_rounds=1, turns_per_round=len(left))
    records = played(left, right, rules=rules, seed=3, prompts=(HOSTILE[1], long))
    written(records, path)
    session = json.loads(path.read_text())
    for seat, name in zip(session["games"][0]["seats"], (HOSTILE[1], "\u202e" + long), strict=True):
        seat["name"] = seat["brain"] = name
    path.write_text(json.dumps(session))
    return path
