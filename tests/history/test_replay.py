"""Playing a recorded session again: the same plays, and every change in the file is found."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from approved import approve
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
    RoundStarted,
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


WHOLE_SEAT = SeatInfo(
    "Ann", "b:v", "m", {"level": "rookie"}, adapted=("temperature left out",), isolation="sandbox", view="both"
)  # and without `account` and `notes`, which no file holds
OPTIONAL: dict[type[Record], dict[str, Any]] = {
    SessionStarted: {"series": Series(3)},
    GameStarted: {
        "seats": (WHOLE_SEAT, WHOLE_SEAT),
        "drawn": False,
        "series": Series(5),
        "forked_from": ForkedFrom("2026-01-01T12:00:00.000Z", 1, 2, 3),
        "notes": ("It hides.", "So does it."),
    },
    RoundStarted: {"apart": True},
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
    assert [f.name for f in fields(blank) if getattr(blank, f.name) == getattr(WHOLE_SEAT, f.name)] == [
        "human",
        "account",
        "notes",
    ]
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
        SeatInfo("Random", "scripted:random"),
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


APPROVED = Path(__file__).parent / "approved"


def change(value: Any, path: str, new: Any) -> None:
    """Put a value at a path of keys, or take away what is there."""
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    for key in keys:
        value = value[key]
    if new == "GONE":
        del value[last]
    else:
        assert (value[last] if isinstance(value, list) else value.get(last)) != new, "the change changes nothing"
        value[last] = new


def test_what_was_changed_in_a_session_with_abandoned_rounds_is_found(abandoned, tmp_path):
    def found(case: tuple[str, Any]) -> str:
        values, (path, value) = deepcopy(abandoned), case
        change(values["games"][0], path, value)
        if value == "forfeit":
            values["games"][0]["rounds"][1]["turns"][int(path.split("/")[3])]["cmd"] = "ERR"
        (tmp_path / "changed.json").write_text(json.dumps(values))
        found = verify(read(tmp_path / "changed.json"))
        return "\n".join(str(each) for each in found if "_state" not in each.field)

    approve(APPROVED / "abandoned_changes.txt", found)


def test_a_changed_field_is_found_and_named_with_its_play(session, tmp_path, capsys):
    def found(case: tuple[str, Any]) -> str:
        values = deepcopy(session)
        change(values, *case)
        (tmp_path / "changed.json").write_text(json.dumps(values))
        assert main(["verify", str(tmp_path / "changed.json")]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) <= 11
        return lines[0]

    approve(APPROVED / "changes.txt", found)


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
