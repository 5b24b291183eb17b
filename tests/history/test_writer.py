"""The session file's names and shapes, the journal, and what happens when the disk does not take it."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
import tracemalloc
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeTable, eventful, played, written
from paths import DOCS
from resources import small_files

from batllm_arcade.brains.protocol import Decision, PayloadStyle, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import lock
from batllm_arcade.history import reader, schema
from batllm_arcade.history import writer as writer_module
from batllm_arcade.history.manager import HistoryManager, compact, session_parts
from batllm_arcade.history.paths import check_session_path, clear_session_path, journal_of
from batllm_arcade.history.reader import session_of
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted, SeatAdapted
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin.manager import Observers

# The seed document's names, then those of the specification.
SESSION = {"session_start", "session_end", "games"} | {"schema", "program", "seed"}
GAME = {"game_number", "total_rounds", "turns_per_round", "rounds"} | {
    "seed", "rules", "seats", "initial_state", "result",
}  # fmt: skip
ROUND = {"round_number", "prompts", "augmented", "independent_llms", "turns"} | {
    "mode", "acting_order", "initial_state", "system_header", "ended",
}  # fmt: skip
TURN = {"turn_number", "order", "llm_response", "pre_state", "post_state"} | {
    "turn", "cmd", "status", "timestamp", "latency_s", "opponent_state",
}  # fmt: skip
STATE = {"x", "y", "rot", "shield", "health"}
RULES = {
    "arena_width", "arena_height", "bot_radius", "step_length", "bullet_damage", "shield_degrees", "initial_health",
    "initial_shield", "bots_collide", "free_move", "total_rounds", "turns_per_round",
}  # fmt: skip
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
OPTIONAL = {"reason", "tokens", "thought", "say", "queued_from", "raw_cut"}


@pytest.fixture
def session(tmp_path: Path) -> dict[str, Any]:
    return json.loads(written(eventful(), tmp_path / "s.json").read_text())


def turns(session: dict[str, Any]) -> list[dict[str, Any]]:
    return [turn for game in session["games"] for entry in game["rounds"] for turn in entry["turns"]]


def begun(path: Path, records: list[Any]) -> SessionWriter:
    """A writer that was told of these records."""
    writer = SessionWriter(path)
    for record in records:
        writer.notify(record)
    return writer


def test_session_game_and_round_hold_exactly_the_promised_names(session):
    assert set(session) == SESSION
    assert [set(game) for game in session["games"]] == [GAME, GAME | {"notes"}]
    assert [set(game["rules"]) for game in session["games"]] == [RULES] * 2
    keys = [set(entry) for game in session["games"] for entry in game["rounds"]]
    assert keys == [ROUND | {"notes"}, ROUND | {"swaps", "notes"}, ROUND]


def test_a_play_holds_the_promised_names_and_optional_ones_only_with_a_value(session):
    for turn in turns(session):
        assert set(turn) - OPTIONAL == TURN
        assert all(turn[key] not in (None, "", {}, []) for key in OPTIONAL & set(turn))
        assert set(turn["pre_state"]) == set(turn["post_state"]) == set(turn["opponent_state"]) == STATE
    assert {key for turn in turns(session) for key in turn} >= OPTIONAL


def test_what_a_play_holds_is_documented_and_kept_in_a_large_file_and_is_all_that_a_brain_answers():
    row = re.search(r"^\| play \|(.*)\|$", (DOCS / "formats.md").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row[1])) == TURN | OPTIONAL
    assert reader.KEPT[3] - {"plays", "start_time"} == TURN | OPTIONAL  # those two are the original game's
    elsewhere = {"raw": "llm_response", "command": "cmd", "invalid": "reason"}
    assert {elsewhere.get(field.name, field.name) for field in fields(Decision)} <= TURN | OPTIONAL


def test_the_session_is_described(session):
    assert (session["schema"], session["seed"]) == (schema.SCHEMA, 4)
    thought = sum(turn["latency_s"] for turn in turns(session))
    assert session["session_start"] == "2026-01-01T12:00:00.000000Z"
    assert session["session_end"] == f"2026-01-01T12:01:{thought - 60:09.6f}Z"
    assert session["program"].startswith("batllm-arcade")
    first, second = session["games"]
    assert (first["turns_per_round"], first["total_rounds"], len(first["rounds"])) == (8, 2, 2)
    assert (second["turns_per_round"], second["total_rounds"], len(second["rounds"])) == (8, 1, 1)
    assert (second["rules"]["turns_per_round"], second["rules"]["total_rounds"]) == (4, 2)
    rounds = [entry for game in session["games"] for entry in game["rounds"]]
    assert [(len(entry["turns"]), entry["ended"]) for entry in rounds] == [
        (8, "complete"), (8, "complete"), (6, "knockout"),
    ]  # fmt: skip
    results = [(game["result"]["winner"], game["result"]["reason"]) for game in session["games"]]
    assert results == [(None, "draw"), (0, "knockout")]


def test_bot_0_is_left_and_whatever_holds_both_bots_is_a_list_left_first(session):
    records = eventful()
    started = next(record for record in records if isinstance(record, GameStarted))
    game = session["games"][0]
    assert game["initial_state"] == [schema.state(started.arena.left), schema.state(started.arena.right)]
    assert [seat["brain"] for seat in game["seats"]] == ["fake:left", "fake:right"]
    assert [seat["name"] for seat in game["seats"]] == ["left", "right"]
    assert game["rounds"][0]["prompts"] == ["win", "hide"]
    assert game["rules"]["bullet_damage"] == [20, 10]
    assert game["rules"]["initial_health"] == 20
    assert game["rounds"][0]["system_header"] == ["hit for 20", "hit for 10"]


def test_a_play_is_recorded_from_the_acting_bots_side(session):
    made = [record for record in eventful() if isinstance(record, Play)]
    for play, turn in zip(made, turns(session), strict=True):
        assert (turn["turn_number"], turn["turn"], turn["order"]) == (play.number, play.turn, play.bot)
        assert turn["pre_state"] == schema.state(play.before.bot(play.bot))
        assert turn["post_state"] == schema.state(play.after.bot(play.bot))
        assert turn["opponent_state"] == schema.state(play.after.bot(1 - play.bot))
        assert (turn["cmd"], turn["status"], turn.get("reason", "")) == (play.command.token, play.status, play.reason)
        for state in (turn["pre_state"], turn["post_state"], turn["opponent_state"]):
            assert {type(state["shield"]), type(state["health"])} == {int}, "whole numbers have no point"
    for entry in (entry for game in session["games"] for entry in game["rounds"]):
        assert entry["acting_order"] == [turn["order"] for turn in entry["turns"][:2]]


def test_what_came_with_an_answer_is_recorded_beside_it(session):
    mine = [turn for turn in turns(session) if turn["order"] == 0]
    assert (mine[0]["llm_response"], mine[0]["cmd"]) == ('"C30"', "C30")
    queued = {key: mine[1][key] for key in ("llm_response", "queued_from", "thought", "say", "tokens")}
    assert queued == {
        "llm_response": "", "queued_from": 2, "thought": "think", "say": "hello",
        "tokens": {"prompt": 9, "completion": 2},
    }  # fmt: skip
    assert (mine[3]["raw_cut"], mine[3]["status"], mine[3]["cmd"]) == (99, "invalid", "ERR")
    assert [turn["latency_s"] for turn in mine[4:7]] == [30.0, 0.5, 30.0]
    nothing = mine[2]  # on purpose
    assert (nothing["llm_response"], nothing["cmd"], nothing["status"]) == ("", "ERR", "ok")
    assert "reason" not in nothing
    failed = [turn for turn in turns(session) if turn["status"] in ("timeout", "error")]
    assert [(turn["llm_response"], turn["cmd"], bool(turn["reason"])) for turn in failed] == [("", "ERR", True)] * 3


def test_a_swap_names_the_new_brains_first_play(session):
    entry = session["games"][0]["rounds"][1]
    assert entry["swaps"] == [{"turn_number": 7, "order": 0, "brain": "fake:fallback", "why": "fallback"}]
    assert entry["turns"][6]["turn_number"] == 7
    assert session["games"][1]["seats"][0]["brain"] == "fake:fallback"


def test_a_seat_is_recorded_with_its_model_and_options_only_where_it_has_them():
    arena = next(record for record in eventful() if isinstance(record, GameStarted))
    seats = (SeatInfo("Bob", "x", "m.gguf", {"deadline_s": "3"}), SeatInfo("y", "y"))
    assert schema.entry(replace(arena, seats=seats))["game"]["seats"] == [
        {"name": "Bob", "brain": "x", "model": "m.gguf", "options": {"deadline_s": "3"}},
        {"name": "y", "brain": "y"},
    ]


@pytest.mark.parametrize("mode", ["shared", "independent"])
@pytest.mark.parametrize("aug", [True, False])
def test_augmented_and_independent_llms_tell_the_payloads_mode(mode, aug):
    rules = Rules(total_rounds=1, turns_per_round=1)
    records = played(["M"], ["M"], rules=rules, style=PayloadStyle(mode=mode, aug=aug), header_template="h")
    entry = next(schema.entry(record)["round"] for record in records if isinstance(record, RoundStarted))
    assert (entry["augmented"], entry["independent_llms"], entry.get("mode")) == (
        aug, True, "shared" if mode == "shared" else None,
    )  # fmt: skip
    assert entry.get("system_header") == ("h" if aug else None)


@pytest.mark.parametrize(("other", "apart"), [
    ({}, False), ({"name": "Eve", "options": {"temperature": "0"}}, False), ({"model": "m2"}, True),
    ({"brain": "b"}, True),
    ({"options": {"base_url": "http://127.0.0.1:2"}}, True), ({"account": "OTHER_KEY"}, True),
])  # fmt: skip
@pytest.mark.parametrize("mode", ["shared", "independent"])
def test_the_seats_are_one_llm_only_where_one_model_is_asked_with_what_both_know(mode, other, apart):
    one = SeatInfo("Ann", "openai", "m1")
    table = FakeTable(["M"], ["M"])
    table.seat = [one, replace(one, **other)].__getitem__
    plan = MatchPlan(Rules(total_rounds=1, turns_per_round=1), 1, style=PayloadStyle(mode=mode))
    entry = next(schema.entry(each)["round"] for each in runner.play(plan, table) if isinstance(each, RoundStarted))
    assert entry["independent_llms"] == (apart or mode == "independent")


def test_the_journal_holds_every_record_as_soon_as_it_was_told(tmp_path):
    path = tmp_path / "s.json"
    writer = SessionWriter(path)
    assert list(tmp_path.iterdir()) == [], "a session that never begins must leave nothing behind"
    records = eventful()
    for count, record in enumerate(records[:-1], 1):
        writer.notify(record)
        lines = [json.loads(line) for line in journal_of(path).read_text().splitlines()]
        assert lines == [schema.entry(told) for told in records[:count]]


def test_the_session_file_is_written_once_when_the_session_ends_and_the_journal_goes(tmp_path):
    path = tmp_path / "s.json"
    writer = SessionWriter(path)
    *records, last = eventful()
    for record in records:
        writer.notify(record)
        assert [entry.name for entry in tmp_path.iterdir()] == ["s.json.journal"]
    writer.notify(last)
    session = json.loads(path.read_text())
    assert (len(session["games"]), session["session_end"]) == (2, last.timestamp)
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.json"]


def test_a_writer_that_is_dropped_before_the_end_closes_its_journal(tmp_path, recwarn):
    writer = begun(tmp_path / "s.json", eventful()[:12])
    del writer
    gc.collect()
    assert [str(each.message) for each in recwarn if issubclass(each.category, ResourceWarning)] == []
    assert len(journal_of(tmp_path / "s.json").read_text().splitlines()) == 12


def test_file_and_journal_add_up_to_the_same_session(tmp_path):
    path, records = tmp_path / "s.json", eventful()
    writer = begun(path, records[:-1])
    copy = tmp_path / "copy.json.journal"
    copy.write_bytes(journal_of(path).read_bytes())
    writer.notify(records[-1])
    assert {**reader.load(copy), "session_end": ""} == {**reader.load(path), "session_end": ""}


def test_the_file_grows_linearly_with_the_plays(tmp_path):
    def size(turns: int, games: int) -> int:
        rules = Rules(total_rounds=1, turns_per_round=turns)
        records = played(["C10"] * turns * games, ["S"] * turns * games, rules=rules, games=games)
        return written(records, tmp_path / f"{turns}-{games}.json").stat().st_size

    first, second, third = size(100, 1), size(200, 1), size(300, 1)
    assert (third - second) == pytest.approx(second - first, rel=0.03)
    two, three = size(100, 2), size(100, 3)
    assert three - two == pytest.approx(two - first, rel=0.03)


def test_texts_of_any_kind_survive(tmp_path):
    odd = 'line\nbreak \u2028 \x85 € 😀 \ud800 \x00 "quoted" ]}'
    rules = Rules(total_rounds=1, turns_per_round=1)
    path = written(
        played([Decision(odd, None, thought=odd)], ["M"], rules=rules, prompts=(odd, "")), tmp_path / "s.json"
    )
    tape = reader.read(path).games[0].rounds[0]
    assert next(play.decision for play in tape.plays if play.bot == 0) == Decision(odd, None, thought=odd)
    assert tape.prompts == (odd, "")


def test_a_session_file_that_cannot_be_written_leaves_its_journal_and_nothing_else(tmp_path, monkeypatch):
    path, (*records, last) = tmp_path / "s.json", eventful()
    writer = begun(path, records)
    before = journal_of(path).read_bytes()
    monkeypatch.setattr("os.fsync", _full)
    with pytest.raises(ArcadeError, match=r"No space left .* keeps 2 whole games, which"):
        writer.notify(last)
    assert [entry.name for entry in tmp_path.iterdir()] == ["s.json.journal"]
    assert journal_of(path).read_bytes().startswith(before)
    assert len(reader.load(path)["games"]) == 2


@pytest.mark.parametrize("place", ["the folder is gone", "the disk is full"])
def test_a_recorder_that_fails_is_named_and_lost_and_the_others_go_on(tmp_path, monkeypatch, place):
    path = tmp_path / "gone" / "s.json" if place == "the folder is gone" else tmp_path / "s.json"
    told: list[Any] = []

    class Other:
        def notify(self, record: Any) -> None:
            told.append(record)

    observers = Observers()
    observers.add("history_recorder", SessionWriter(path))
    observers.add("other", Other())
    if place == "the disk is full":
        monkeypatch.setattr("os.fsync", _full)
    records = eventful()
    for record in records:
        observers.notify(record)
    assert told == records
    assert observers.loss
    (problem,) = observers.problems
    if place == "the folder is gone":
        told = f"the session {str(path)!r} cannot be recorded (No such file or directory); name another file"
    else:
        told = "the session cannot be recorded any more (No space left on device); "
        told += f"the journal {str(journal_of(path))!r} keeps 1 whole game, which verify and replay read; make room"
    assert problem.startswith(told)
    assert "\n" not in problem


@POSIX
@pytest.mark.parametrize("largest", [40, 3_000, 5_000, 6_500])
def test_a_file_that_may_not_grow_keeps_every_record_before_and_is_no_traceback(tmp_path, largest, monkeypatch):
    """At no size of the file is more told to be kept than there is, nor is the journal closed with a second error."""
    unraisable: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    path, records, refused = tmp_path / "s.json", eventful(), ""
    writer, taken = SessionWriter(path), 0
    with small_files(largest):
        for record in records:
            try:
                writer.notify(record)
            except ArcadeError as error:
                refused = str(error)
                break
            taken += isinstance(record, Play)
        del writer
        gc.collect()
    assert "(File too large)" in refused
    assert unraisable == []
    assert journal_of(path).stat().st_size <= largest
    if taken:
        kept = reader.read(path)
        assert sum(len(tape.plays) for game in kept.games for tape in game.rounds) == taken
        assert re.search(r"keeps 0 whole games and \d+ plays? of the next, which verify and replay read;", refused)
    else:
        assert "nothing of it is kept" in refused


@POSIX
def test_a_session_file_that_finds_no_room_in_the_end_leaves_the_whole_journal(tmp_path, monkeypatch):
    monkeypatch.setattr(writer_module, "write_session", _full)
    with pytest.raises(ArcadeError, match=r"keeps 2 whole games, which verify and replay read"):
        written(eventful(), tmp_path / "s.json")
    assert os.listdir(tmp_path) == ["s.json.journal"]


def test_a_folder_that_vanishes_is_noticed_at_the_end_of_the_game(tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()
    writer, records = SessionWriter(folder / "s.json"), eventful()
    last = next(number for number, record in enumerate(records) if isinstance(record, GameEnded))
    for record in records[:last]:
        writer.notify(record)
    journal_of(folder / "s.json").unlink()
    folder.rmdir()
    with pytest.raises(ArcadeError, match=r"\(its folder is gone\); nothing of it is kept"):
        writer.notify(records[last])


def _full(*_: Any, **__: Any) -> None:
    raise OSError(28, "No space left on device")


def test_a_file_that_appears_while_a_session_is_written_is_not_replaced(tmp_path):
    path, (*records, last) = tmp_path / "s.json", eventful()
    writer = begun(path, records)
    path.write_text("precious")
    with pytest.raises(ArcadeError, match=r"\(File exists\); the journal '.*' keeps 2 whole games"):
        writer.notify(last)
    assert path.read_text() == "precious"
    assert reader.read(journal_of(path)).end is not None
    with pytest.raises(ArcadeError, match=r"cannot be recorded \(File exists\); name another file"):
        SessionWriter(path).notify(records[0])


@POSIX
def test_neither_a_device_nor_a_pipe_is_replaced_by_a_session_and_a_link_is_followed(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "b.json.journal")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "null", "b.json"):
        with pytest.raises(UsageError, match="it is no regular file"):
            clear_session_path(tmp_path / name, force=True)
    assert sorted(os.listdir(tmp_path)) == ["b.json.journal", "null", "pipe"]
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "s.json").write_text("old")
    (tmp_path / "a.json").symlink_to(tmp_path / "far" / "s.json")
    clear_session_path(tmp_path / "a.json", force=True)
    written(eventful(), tmp_path / "a.json")
    assert (tmp_path / "a.json").is_symlink()
    assert reader.read(tmp_path / "far" / "s.json").end is not None


@pytest.mark.parametrize("there", ["s.json", "s.json.journal"])
def test_an_existing_file_or_journal_is_refused_and_taken_away_only_by_force(tmp_path, there):
    (tmp_path / there).write_text("precious")
    for function in (check_session_path, clear_session_path):
        with pytest.raises(UsageError, match=f"{there}' exists already; name another file or add --force") as refused:
            function(tmp_path / "s.json", force=False)
        assert ("verify and replay read it" in str(refused.value)) == (there == "s.json.journal")
    check_session_path(tmp_path / "s.json", force=True)
    assert (tmp_path / there).read_text() == "precious", "a mere check must not take anything away"
    clear_session_path(tmp_path / "s.json", force=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no open file")
def test_of_two_writers_of_one_session_the_second_takes_nothing_from_the_first_even_by_force(tmp_path):
    first, records = SessionWriter(tmp_path / "s.json"), eventful()
    first.notify(records[0])
    with pytest.raises(UsageError, match=r"another program is writing .*s\.json. now; name another file"):
        clear_session_path(tmp_path / "s.json", force=True)
    with pytest.raises(ArcadeError):
        SessionWriter(tmp_path / "s.json").notify(records[0])
    for record in records[1:]:
        first.notify(record)
    assert len(reader.read(tmp_path / "s.json").games) == 2
    clear_session_path(tmp_path / "s.json", force=True)  # it has ended


def test_a_journal_that_another_program_takes_in_the_very_moment_it_is_made_is_left_to_that_program(
    tmp_path, monkeypatch
):
    def taken(handle: int) -> None:
        journal_of(tmp_path / "s.json").unlink()
        journal_of(tmp_path / "s.json").write_text("the other's")

    monkeypatch.setattr(writer_module.atomic, "lock", taken)
    with pytest.raises(ArcadeError, match="another program writes this session"):
        SessionWriter(tmp_path / "s.json").notify(eventful()[0])
    assert journal_of(tmp_path / "s.json").read_text() == "the other's"


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "is a folder; name a file"),
        (".", "is a folder; name a file"),
        ("missing/s.json", "does not exist; create it or name another file"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
@pytest.mark.parametrize("force", [True, False])
def test_a_place_where_no_session_can_be_written_is_one_sentence(tmp_path, monkeypatch, name, complaint, force):
    with pytest.raises(UsageError, match=complaint):
        check_session_path(tmp_path / name, force=force)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UsageError, match="cannot be written to; name a file somewhere else"):
        check_session_path(tmp_path / "s.json", force=force)


def test_an_aborted_match_leaves_a_complete_file(tmp_path):
    table = FakeTable(["M", FakeTable.STOP], ["S", FakeTable.STOP])
    path = written(runner.play(MatchPlan(Rules(), 1, 3), table), tmp_path / "s.json")
    session = json.loads(path.read_text())
    assert session["session_end"]
    (game,) = session["games"]
    assert (game["result"], game["total_rounds"]) == ({"winner": None, "reason": "aborted"}, 1)
    assert game["rounds"][0]["ended"] == "abandoned"


def test_a_journal_that_somebody_removed_does_not_keep_the_session_from_being_written(tmp_path):
    records = eventful()
    writer = begun(tmp_path / "s.json", records[:-1])
    journal_of(tmp_path / "s.json").unlink()
    writer.notify(records[-1])
    assert len(reader.read(tmp_path / "s.json").games) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no open file")
def test_the_journal_is_locked_until_it_is_gone(tmp_path, monkeypatch):
    records, locked, unlink = eventful(), [], Path.unlink
    writer = begun(tmp_path / "s.json", records[:-1])

    def removed(path: Path, **how: Any) -> None:
        if path == journal_of(tmp_path / "s.json"):
            with open(path) as file, pytest.raises(BlockingIOError):
                lock(file.fileno())
            locked.append(path)
        unlink(path, **how)

    monkeypatch.setattr(Path, "unlink", removed)
    writer.notify(records[-1])
    assert locked == [journal_of(tmp_path / "s.json")]


def manager_text(entries: list[dict[str, Any]]) -> str:
    history = HistoryManager()
    for entry in entries:
        history.append(entry)
    return "".join(session_parts(history.session, map(compact, history.session["games"])))


@pytest.mark.parametrize("whole", [True, False])
def test_the_session_file_is_byte_for_byte_what_the_entries_of_its_journal_come_to(tmp_path, whole):
    records = eventful()
    last = replace(records[-1], secret="5e" * 32)
    records = [*records[:-1], last] if whole else [*records[: 2 * len(records) // 3], last]
    changed = SeatAdapted(1, 0, ('"turns":[],"rounds":[]', "\ud800\n"))
    records = [*records[:2], changed, *records[2:]]
    path = written(records, tmp_path / "s.json")
    entries = [schema.entry(record) for record in records]
    assert path.read_text() == manager_text(json.loads(json.dumps(entries)))
    assert list(session_of(json.loads(path.read_text())).games)


def test_nothing_of_a_finished_game_is_kept_in_memory(tmp_path):
    begin, *records, end = eventful()
    writer = SessionWriter(tmp_path / "s.json")
    writer.notify(begin)

    def play_games(count: int) -> int:
        for record in records * count:
            writer.notify(record)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = play_games(5)
        size = journal_of(tmp_path / "s.json").stat().st_size
        assert play_games(100) - before < size
        tracemalloc.reset_peak()
        writer.notify(end)
        assert tracemalloc.get_traced_memory()[1] - before < 6 * size, "it is written game by game"
    finally:
        tracemalloc.stop()
    assert len(json.loads((tmp_path / "s.json").read_text())["games"]) == 105 * 2


def test_a_long_journal_whose_file_could_not_be_written_has_the_end_and_the_secret(tmp_path, monkeypatch):
    *records, end = eventful()
    monkeypatch.setattr(reader, "IN_PIECES", 100)
    monkeypatch.setattr(writer_module, "write_session", _full)
    with pytest.raises(ArcadeError):
        written([*records, replace(end, secret="5e" * 32)], tmp_path / "s.json")
    session = reader.read(tmp_path / "s.json")
    assert (session.end, session.secret, session.bad_line) == (end.timestamp, "5e" * 32, 0)


def test_a_journal_that_another_program_has_changed_is_told_in_a_sentence(tmp_path):
    *records, end = eventful()
    writer = begun(tmp_path / "s.json", records)
    with open(journal_of(tmp_path / "s.json"), "r+b") as file:
        file.write(b"nothing")
    with pytest.raises(ArcadeError, match="another program has changed the journal"):
        writer.notify(end)
    assert not (tmp_path / "s.json").exists()
