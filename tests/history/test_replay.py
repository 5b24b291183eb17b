"""Playing a recorded session again: the same plays, and every change in the file is found."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from fakes import FAILED, LATE, FakeTable, Sits, aim, eventful, played, results, written

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.cli.main import main
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import (
    ForkedFrom,
    GameEnded,
    GameStarted,
    Play,
    Record,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
)
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.series import Series


@pytest.fixture
def session(tmp_path: Path) -> dict[str, Any]:
    return json.loads(written(eventful(), tmp_path / "good.json").read_text())


def as_replayed(record: Record) -> Record:
    """A live record without what a file does not hold: a command's exact spelling, who replaced whom and why."""
    if isinstance(record, Play):
        command = None if isinstance(record.command, Nothing) else record.command.token
        return replace(record, decision=replace(record.decision, command=command))
    return replace(record, problem="") if isinstance(record, SeatSwapped) else record


def assert_replays(records: list[Record], path: Path) -> None:
    tape = read(written(records, path))
    assert list(verify(tape)) == []
    assert list(replay(tape)) == [as_replayed(record) for record in records]


def test_a_replay_yields_the_very_records_of_the_match(tmp_path):
    assert_replays(eventful(), tmp_path / "s.json")


WHOLE_SEAT = SeatInfo("Ann", "b:v", "m", {"level": "rookie"}, adapted=("temperature left out",), isolation="sandbox")
OPTIONAL: dict[type[Record], dict[str, Any]] = {
    SessionStarted: {"series": Series(3)},
    GameStarted: {
        "seats": (WHOLE_SEAT, WHOLE_SEAT),
        "drawn": False,
        "series": Series(5),
        "forked_from": ForkedFrom("2026-01-01T12:00:00.000Z", 1, 2, 3),
    },
    SeatSwapped: {"prompt": "Hide."},
    GameEnded: {"hints": (1, 2)},
    SessionEnded: {"secret": "5e" * 32},
}
"""Fields of records that `eventful` leaves at their defaults; a new one needs a value here."""


def test_every_optional_field_of_a_record_is_written_and_read(tmp_path):
    records = [replace(record, **OPTIONAL.get(type(record), {})) for record in eventful()]
    told = {
        (type(record), field.name)
        for record in records
        for field in fields(record)
        if field.default is not MISSING and getattr(record, field.name) != field.default
    }
    optional = ((each, field) for each in get_args(Record) for field in fields(each) if field.default is not MISSING)
    assert told == {(each, field.name) for each, field in optional}
    blank = SeatInfo("", "")
    assert [f.name for f in fields(blank) if getattr(blank, f.name) == getattr(WHOLE_SEAT, f.name)] == ["human"]
    assert list(replay(read(written(records, tmp_path / "s.json")))) == [as_replayed(record) for record in records]


STOP, ABANDON = FakeTable.STOP, FakeTable.ABANDON
ENDINGS: dict[str, Any] = {
    "stopped": (["M", STOP], ["S", STOP], {}),
    "stopped at once": ([STOP], [STOP], {}),
    "stopped after a swap": ([LATE] * 3 + ["M"] * 4, ["S"] * 4, {0: [STOP]}),
    "forfeit": ([LATE] * 3, ["S"] * 3, {0: [FAILED] * 3}),
    "forfeit at once": ([FAILED] * 3, ["S"] * 3, {}),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("turns", [3, 6])
@pytest.mark.parametrize("name", ENDINGS)
def test_every_way_a_game_can_end_is_replayed(tmp_path, name, turns, seed):
    left, right, fallbacks = ENDINGS[name]
    table = FakeTable(left, [*right, *["S"] * 20], fallbacks)
    if name == "stopped after a swap":
        table.brains[0].answers = [LATE] * 3
    records = list(runner.play(MatchPlan(Rules(total_rounds=2, turns_per_round=turns), seed), table))
    assert_replays(records, tmp_path / "s.json")
    assert results(records)[0][1] == ("forfeit" if "forfeit" in name else "aborted")


def test_a_long_match_of_moves_turns_and_shots_is_replayed_to_the_last_digit(tmp_path):
    def brain(view: Any) -> Decision:
        token = view.rng.choice(["M", "M", f"C{view.rng.uniform(0, 360):.7f}", "S", "B", "A33.3"])
        return Decision(token, token)

    rules = Rules(
        arena_width=1, arena_height=1, bot_radius=0.05, step_length=0.03,
        bullet_damage=(0.1, 0.7), initial_health=(9, 9),
        total_rounds=3, turns_per_round=100,
    )  # fmt: skip
    assert_replays(played([brain] * 300, [brain] * 300, rules=rules, seed=3), tmp_path / "s.json")


THREE = Rules(total_rounds=3, turns_per_round=2, initial_health=(60, 100), bullet_damage=(20, 10), initial_shield=False)
COURSES: dict[str, Any] = {
    "a round left in the middle": (["M", ABANDON, *["M"] * 4], ["S"] * 5, [], (None, "draw")),
    "a round left before its first play": ([ABANDON, ABANDON, *["M"] * 2], ["S"] * 4, [], (None, "draw")),
    "every round left": ([ABANDON] * 3, ["S"] * 3, [], (None, "draw")),
    "the last round left, on points": (["C5", aim, "B", "M", ABANDON], ["C5"] * 6, [], (0, "points")),
    "left in a last round": (["C5", aim, "B", "M", STOP], ["C5"] * 6, [], (None, "aborted")),
    "left between rounds": (["M", "M"], ["S", "S"], [STOP], (None, "aborted")),
    "new prompts": (["M"] * 6, ["S"] * 6, [("charge", "hide"), ("charge", "run")], (None, "draw")),
    "swaps": (
        ["M", Sits("a:b"), "M", Sits("keyboard", "wheel"), Sits("a:b", "wheel"), "M", "M", Sits("c"), "M", "M"],
        ["S", "S", "S", Sits("d:e"), "S", "S", "S"], [], (None, "draw"),
    ),
    "a swap before a round is left": (["M", Sits("a:b"), ABANDON, *["M"] * 4], ["S"] * 6, [], (None, "draw")),
    "a swap before a match is left": (["M", Sits("a:b"), STOP], ["S"] * 6, [], (None, "aborted")),
}  # fmt: skip


@pytest.mark.parametrize("journal", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", COURSES)
def test_every_course_a_match_can_take_is_replayed(tmp_path, name, seed, journal):
    left, right, intervals, result = COURSES[name]
    table = FakeTable(left, [*right, *["S"] * 9], intervals=intervals)
    records = list(runner.play(MatchPlan(THREE, seed, prompts=("win", "hide")), table))
    assert results(records) == [result]
    if journal:
        records.pop()  # the session never ended
        written(records, tmp_path / "s.json")
        tape = read(tmp_path / "s.json.journal")
        assert list(verify(tape)) == []
        assert list(replay(tape)) == [as_replayed(record) for record in records]
    else:
        assert_replays(records, tmp_path / "s.json")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", COURSES)
def test_a_program_killed_at_any_record_leaves_a_journal_that_verifies(tmp_path, name, seed):
    left, right, intervals, _ = COURSES[name]
    table = FakeTable(left, [*right, *["S"] * 9], intervals=intervals)
    records = list(runner.play(MatchPlan(THREE, seed), table))
    writer = SessionWriter(tmp_path / "s.json")
    for record in records[:-1]:
        writer.notify(record)
        assert list(verify(read(tmp_path / "s.json.journal"))) == []


def test_who_was_swapped_in_is_replayed_with_name_model_and_options(tmp_path):
    seats = [
        SeatInfo("Bob", "ollama", "llama3.2", {"base_url": "http://127.0.0.1:11434"}),
        SeatInfo("random", "scripted:random"),
        SeatInfo("Human", "keyboard"),
    ]
    records = played(["M"], ["S"], rules=Rules(total_rounds=1, turns_per_round=1))
    number = next(play.number for play in records if isinstance(play, Play) and play.bot == 0)
    at = next(place for place, play in enumerate(records) if isinstance(play, Play) and play.bot == 0)
    records[at:at] = [SeatSwapped(1, 1, number, 0, seat, "swap") for seat in seats]
    assert_replays(records, tmp_path / "s.json")
    swaps = json.loads((tmp_path / "s.json").read_text())["games"][0]["rounds"][0]["swaps"]
    plain = {"turn_number": number, "order": 0, "why": "swap"}
    assert swaps == [
        plain | {"brain": "ollama", "name": "Bob", "model": "llama3.2", "options": dict(seats[0].options)},
        plain | {"brain": "scripted:random"},
        plain | {"brain": "keyboard", "name": "Human"},
    ]


@pytest.fixture
def abandoned(tmp_path: Path) -> dict[str, Any]:
    """Three rounds: the first was left after a turn, the last one, too, which ends the game on points."""
    left = ["C5", ABANDON, aim, "B", Sits("a:b"), "M", ABANDON]
    table = FakeTable(left, ["C5"] * 9)
    records = list(runner.play(MatchPlan(THREE, 1), table))
    assert results(records) == [(0, "points")]
    return json.loads(written(records, tmp_path / "good.json").read_text())


def change(value: Any, path: str, new: Any) -> None:
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    for key in keys:
        value = value[key]
    assert value[last] != new, "the change changes nothing"
    value[last] = new


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("rounds/0/ended", "complete", r"round 1: ended is 'complete' in the file and 'abandoned' when"),
        ("rounds/1/ended", "abandoned", r"round 2: ended is 'abandoned' in the file and 'complete' when"),
        ("rounds/2/ended", "knockout", r"round 3: ended is 'knockout' in the file and 'abandoned' when"),
        ("result", {"winner": None, "reason": "draw"}, r"result\.reason is 'draw' in the file and 'points' when"),
        ("result", {"winner": 1, "reason": "points"}, r"result\.winner is 1 in the file and 0 when"),
        ("result", {"winner": 0, "reason": "aborted"}, r"result\.reason is 'aborted' in the file and 'points' when"),
        ("result", {"winner": 0, "reason": "forfeit"}, r"result\.reason is 'forfeit' in the file and 'points' when"),
        ("rounds/2/swaps/0/turn_number", 9, r"round 3: swaps\.turn_number is 9 in the file and"),
        ("rounds/1/turns/3/status", "forfeit", r"round 3: the game being over is False in the file and True when"),
        ("rounds/1/turns/0/status", "forfeit", r"round 2, play 2: the game being over is False in the file and True"),
        ("rules/total_rounds", 4, r"result\.reason is 'points' in the file and 'aborted' when"),
        ("rules/total_rounds", 2, r"total_rounds is 3 in the file and 2 when"),
    ],
)
def test_what_was_changed_in_a_session_with_abandoned_rounds_is_found(abandoned, tmp_path, path, value, expected):
    change(abandoned["games"][0], path, value)
    if value == "forfeit":
        play = abandoned["games"][0]["rounds"][1]["turns"][int(path.split("/")[3])]
        play |= {"cmd": "ERR"}
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(abandoned))
    found = "\n".join(map(str, verify(read(file))))
    assert re.search(expected, found), found


@pytest.mark.parametrize(
    ("take", "expected"),
    [
        (lambda game: game["rounds"].pop(), r"result\.reason is 'points' in the file and 'aborted' when"),
        (lambda game: game["rounds"][1]["turns"].pop(), r"round 2: ended is 'complete' in the file and 'abandoned'"),
        (lambda game: game["rounds"][1].update(swaps=[{"turn_number": 5, "order": 0, "brain": "x", "why": "swap"}]),
         r"round 2: swaps\.turn_number is 5 in the file and 4"),
    ],
)  # fmt: skip
def test_what_was_cut_from_a_session_with_abandoned_rounds_is_found(abandoned, tmp_path, take, expected):
    take(abandoned["games"][0])
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(abandoned))
    found = "\n".join(map(str, verify(read(file))))
    assert re.search(expected, found), found


# ------------------------------------------------------------------------------ every field is compared

ROUND = "games/0/rounds/0"
PLAY = f"{ROUND}/turns/4"
CHANGES: dict[str, tuple[Any, str]] = {
    **{
        f"{PLAY}/{state}/{key}": (value, rf"round 1, play 5: {state}\.{key} is {value}")
        for state in ("pre_state", "post_state", "opponent_state")
        for key, value in {"x": 1.5, "y": 1.5, "rot": 7.25, "health": 3}.items()
    },
    f"{PLAY}/pre_state/shield": (1, r"round 1, play 5: pre_state\.shield is 1 in the file and 0 when"),
    f"{PLAY}/post_state/shield": (1, r"round 1, play 5: post_state\.shield is 1 in the file and 0 when"),
    f"{PLAY}/opponent_state/shield": (0, r"round 1, play 5: opponent_state\.shield is 0 in the file and 1 when"),
    f"{PLAY}/cmd": ("A45", r"round 1, play 5: post_state\.rot"),
    f"{ROUND}/turns/6/cmd": ("boom", r"round 1, play 7: cmd is 'boom' in the file and 'ERR' when"),
    f"{ROUND}/turns/1/cmd": ("c30", r"round 1, play 2: cmd is 'c30' in the file and 'C30' when"),
    f"{ROUND}/turns/0/status": ("timeout", r"round 1, play 1: cmd is 'S0' in the file and 'ERR' when"),
    f"{PLAY}/order": (0, r"round 1, play 5: order is 0 in the file and 1 when"),
    f"{PLAY}/turn": (4, r"round 1, play 5: turn is 4 in the file and 3 when"),
    f"{PLAY}/turn_number": (6, r"round 1, play 5: turn_number is 6 in the file and 5 when"),
    f"{ROUND}/acting_order": ([0, 1], r"round 1, play 1: order is 1 in the file and 0 when"),
    f"{ROUND}/ended": ("knockout", r"round 1: ended is 'knockout' in the file and 'complete' when"),
    f"{ROUND}/round_number": (2, r"round 2: round_number is 2 in the file and 1 when"),
    "games/0/rounds/1/swaps/0/order": (1, r"round 2: swaps\.order is 1 in the file and 0 when"),
    "games/0/rounds/1/swaps/0/turn_number": (99, r"round 2: swaps\.turn_number is 99"),
    "games/0/initial_state/0/x": (500, r"round 1, left: initial_state\.x"),
    "games/0/initial_state/1/shield": (0, r"round 1, right: initial_state\.shield is 1 in the file and 0 when"),
    "games/0/rounds/1/initial_state/1/rot": (3, r"round 2, right: initial_state\.rot is 3 in the file"),
    "games/0/rounds/1/initial_state/0/health": (
        3,
        r"round 2, left: initial_state\.health is 3 in the file and 20 when",
    ),
    "games/0/rules/step_length": (51, r"round 1, play 3: post_state\.x"),
    "games/0/rules/turns_per_round": (5, r"round 1: ended is 'complete' in the file and 'abandoned' when"),
    "games/0/total_rounds": (3, r"game 1: total_rounds is 3 in the file and 2 when"),
    "games/0/turns_per_round": (2, r"game 1: turns_per_round is 2 in the file and 8 when"),
    "games/0/game_number": (2, r"game 2: game_number is 2 in the file and 1 when"),
    "games/0/result": ({"winner": 0, "reason": "points"}, r"game 1: result\.reason is 'points' in the file and 'draw'"),
    "games/1/result/winner": (1, r"game 2: result\.winner is 1 in the file and 0 when"),
    "games/1/result/reason": ("aborted", r"game 2: result\.reason is 'aborted' in the file and 'knockout' when"),
    "games/1/rules/bullet_damage": (
        10,
        r"game 2, round 1, play 6: opponent_state\.health is 0 in the file and 10 when",
    ),
}


@pytest.mark.parametrize("path", CHANGES)
def test_a_changed_field_is_found_and_named_with_its_play(session, tmp_path, capsys, path):
    value, expected = CHANGES[path]
    node: Any = session
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    for key in keys:
        node = node[key]
    assert node[last] != value, "the change changes nothing"
    node[last] = value
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(session))
    assert main(["verify", str(file)]) == 1
    found = capsys.readouterr().out.splitlines()
    assert re.search(expected, found[0]), found[0]
    assert len(found) <= 11


@pytest.mark.parametrize(
    ("take", "expected"),
    [
        (lambda session: session["games"][0]["rounds"][1]["turns"].pop(), "ended is 'complete'"),
        (lambda session: session["games"][0]["rounds"][0]["turns"].pop(3), "turn_number is 5"),
        (lambda session: session["games"][0]["rounds"].pop(), "total_rounds is 2"),
        (lambda session: session["games"][0]["rounds"].pop(0), "round_number is 2"),
        (lambda session: session["games"].pop(0), "game_number is 2"),
        (lambda session: session["games"][1]["rounds"][0].pop("ended"), "ended is None"),
    ],
)
def test_what_is_missing_is_found(session, tmp_path, capsys, take, expected):
    take(session)
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(session))
    assert main(["verify", str(file)]) == 1
    assert expected in capsys.readouterr().out


def test_plays_after_a_knock_out_are_found(session, tmp_path, capsys):
    turns = session["games"][1]["rounds"][0]["turns"]
    extra = deepcopy(turns[0])
    extra |= {"turn_number": 7, "turn": 4, "cmd": "ERR", "llm_response": ""}
    extra["pre_state"] = extra["post_state"] = turns[5]["opponent_state"]
    extra["opponent_state"] = turns[5]["post_state"]
    turns.append(extra)
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(session))
    assert main(["verify", str(file)]) == 1
    assert "round 1, play 7: the game being over is False in the file and True when" in capsys.readouterr().out


def test_a_file_that_was_not_changed_is_as_recorded(session, tmp_path, capsys):
    file = tmp_path / "same.json"
    file.write_text(json.dumps(session, indent=3))
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out == "'same.json': 2 games, 22 plays, all as recorded\n"


def test_a_session_that_never_ended_says_so(session, tmp_path, capsys):
    session["session_end"] = None
    file = tmp_path / "s.json"
    file.write_text(json.dumps(session))
    assert main(["verify", str(file)]) == 0
    assert capsys.readouterr().out.endswith("all as recorded (the session never ended)\n")


def test_many_differences_are_counted_after_the_first_ten(session, tmp_path, capsys):
    session["games"][0]["initial_state"][0]["x"] = 400
    file = tmp_path / "s.json"
    file.write_text(json.dumps(session))
    assert main(["verify", str(file)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 11
    assert lines[-1].startswith("... and ")


def test_a_replay_of_a_changed_file_shows_what_the_rules_make_of_it(session, tmp_path):
    session["games"][1]["rounds"][0]["turns"][5]["opponent_state"]["health"] = 20
    file = tmp_path / "s.json"
    file.write_text(json.dumps(session))
    ended = [record for record in replay(read(file)) if isinstance(record, GameEnded)]
    assert ended[1].arena.right.health == 0


def test_a_seat_that_changes_after_a_rounds_last_play_is_the_new_brains_in_the_next_one(tmp_path):
    plan = MatchPlan(Rules(total_rounds=2, turns_per_round=4), 1)
    table = FakeTable([LATE] * 3, ["M"] * 8, {0: [FakeTable.ABANDON, *["M"] * 4]})
    session = read(written(runner.play(plan, table), tmp_path / "s.json"))
    first = session.games[0].rounds[0]
    assert [swap.number > len(first.plays) for swap in first.swaps] == [True]
    assert list(verify(session)) == []


@pytest.mark.parametrize("bot", [0, 1])
def test_a_game_that_either_bot_forfeited_is_the_other_ones_when_it_is_played_again(bot, tmp_path):
    scripts = [["M"] * 6, ["M"] * 6]
    scripts[bot] = [LATE] * 3
    table = FakeTable(*scripts, fallbacks={bot: [FAILED] * 3})
    records = list(runner.play(MatchPlan(Rules(total_rounds=1, turns_per_round=9), 1), table))
    assert results(records) == [(1 - bot, "forfeit")]
    session = read(written(records, tmp_path / "s.json"))
    assert list(verify(session)) == []
    assert results(replay(session)) == [(1 - bot, "forfeit")]
