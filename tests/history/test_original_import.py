"""Saved sessions of the original game: taken over, played again by our rules, and honest about what differs."""

from __future__ import annotations

import json
import math
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hostile import assert_read_or_refused, mutated, mutations
from hypothesis import given, strategies
from original import AGREED, listed, saved, trace

from batllm_arcade.cli.main import main
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    ShieldLowered,
)
from batllm_arcade.core.model import BotState, Rules
from batllm_arcade.history import original_import
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, Play, RoundStarted


def kept(session: dict[str, Any], folder: Path) -> Path:
    path = folder / "theirs.json"
    path.write_text(json.dumps(session))
    return path


def plays(found: original_import.Converted) -> list[Play]:
    return [record for record in found.records if isinstance(record, Play)]


def test_a_round_without_its_initial_state_began_as_its_first_turn_did(tmp_path):
    session = saved(AGREED)
    for entry in session["games"][0]["rounds"]:
        del entry["initial_state"]
        entry["prompts"] = [{"bot_id": 1, "prompt": "fight"}, {"bot_id": 2, "prompt": "hide"}]
    whole, bare = (original_import.convert(values) for values in (saved(AGREED), session))
    assert [play.after for play in plays(bare)] == [play.after for play in plays(whole)]
    assert [record.prompts for record in bare.records if isinstance(record, RoundStarted)] == [("fight", "hide")] * 2
    assert list(verify(session_of(bare.session))) == []


def test_a_session_that_both_games_agree_about_is_taken_over_and_verifies(tmp_path, capsys):
    theirs, ours = kept(saved(AGREED), tmp_path), tmp_path / "ours.json"
    assert main(["import", str(theirs), "-o", str(ours)]) == 0
    assert capsys.readouterr().out == "'theirs.json': 1 game, 16 plays taken over\n"
    assert main(["verify", str(ours)]) == 0
    tape = read(ours)
    assert tape.program == "BatLLM 0.3.6"
    game = tape.games[0]
    assert [seat.name for seat in game.seats] == ["Bot 1", "Bot 2"]
    assert game.seats[0].model == "llama3.2"
    assert [one.acting_order for one in game.rounds] == [(1, 0), (0, 1)]
    assert game.rounds[0].prompts == ("win", "hide")
    assert [play.cmd for play in game.rounds[0].plays] == ["S0", "M", "C10", "A20", "M0.05", "S", "ERR", "B"]
    assert game.rounds[0].plays[6].decision.raw == "I would hide"
    assert game.rounds[0].plays[6].status == "invalid"
    assert [play.cmd for play in game.rounds[1].plays][:3] == ["B", "A10.5", "A30.25"]
    assert min(state.health for state in (game.rounds[1].arena.left, game.rounds[1].arena.right)) == 25


def test_its_settings_become_our_classic_rules():
    rules = plays(original_import.convert(saved(AGREED))) and original_import.convert(saved(AGREED)).records[1].rules
    assert rules == Rules(
        arena_width=1, arena_height=1, bot_radius=0.05, step_length=0.03, bullet_damage=(5, 5), shield_degrees=88,
        initial_health=(30, 30), initial_shield=True, bots_collide=False, free_move=True, total_rounds=2,
        turns_per_round=4,
    )  # fmt: skip


def test_replay_verify_and_transcript_take_the_file_as_it_is(tmp_path, capsys):
    theirs = kept(saved(AGREED), tmp_path)
    assert main(["verify", str(theirs)]) == 0
    assert "1 game, 16 plays, all as recorded" in capsys.readouterr().out
    assert main(["transcript", str(theirs)]) == 0
    assert "win" in capsys.readouterr().out


def test_what_differs_is_counted_said_and_found_by_verify(tmp_path, capsys):
    session = saved(AGREED)
    turns = session["games"][0]["rounds"][1]["turns"]
    for turn in turns[2:]:
        turn["post_state"]["1"]["x"] += 0.1
    turns[3]["pre_state"]["1"]["x"] += 0.1
    theirs, ours = kept(session, tmp_path), tmp_path / "ours.json"
    assert main(["import", str(theirs), "-o", str(ours)]) == 0
    out = capsys.readouterr().out
    assert "plays that end in other states under these rules: 3 of 16, the first is game 1, round 2, play 6" in out
    for file in (theirs, ours):
        assert main(["verify", str(file)]) == 1
        assert capsys.readouterr().out.startswith("game 1, round 2, play 6: opponent_state.x is ")


def test_a_knock_out_ends_the_game_though_the_original_played_the_round_to_its_end(tmp_path, capsys):
    shooting = [[(1, "A20.0"), (2, "S0")], [(1, "S0"), (2, "M")], *[[(1, "B"), (2, "C5.0")] for _ in range(2)]]
    theirs, ours = kept(saved([shooting, [[(1, "M"), (2, "M")]]], bullet_damage=30), tmp_path), tmp_path / "ours.json"
    assert main(["import", str(theirs), "-o", str(ours)]) == 0
    assert "after a knock-out, which ends the game here: 5" in capsys.readouterr().out
    assert main(["verify", str(ours)]) == 0
    game = read(ours).games[0]
    assert (game.result.winner, game.result.reason, len(game.rounds)) == (0, "knockout", 1)


def test_a_game_that_was_left_is_abandoned_and_a_missing_play_does_nothing(tmp_path, capsys):
    left = [[[(2, "S0"), (1, "M")], [(1, "M")], [(2, "M"), (1, "M")], [(2, "M")]]]
    theirs, ours = kept(saved(left), tmp_path), tmp_path / "ours.json"
    assert main(["import", str(theirs), "-o", str(ours)]) == 0
    assert "in whose place the bot does nothing: 1" in capsys.readouterr().out
    assert main(["verify", str(ours)]) == 0
    tape = read(ours).games[0].rounds[0]
    assert [(play.bot, play.cmd) for play in tape.plays][2:4] == [(1, "ERR"), (0, "M")]
    assert len(tape.plays) == 7
    assert read(ours).games[0].result.reason == "aborted"


def test_a_game_that_has_not_begun_is_left_out_and_several_are_numbered():
    session = saved(AGREED)
    session["games"] = [session["games"][0], {"game_id": 2, "rounds": []}, session["games"][0]]
    found = original_import.convert(session)
    assert [record.game for record in found.records if isinstance(record, GameEnded)] == [1, 2]
    assert not list(verify(session_of(found.session)))


def test_a_trace_is_taken_over_as_the_session_it_traces(tmp_path, capsys):
    theirs, ours = kept(trace(AGREED), tmp_path), tmp_path / "ours.json"
    assert main(["import", str(theirs), "-o", str(ours)]) == 0
    assert main(["verify", str(ours)]) == 0
    capsys.readouterr()
    traced, usual = (original_import.convert(values) for values in (trace(AGREED), saved(AGREED)))
    plays = [[record for record in each.records if isinstance(record, Play)] for each in (traced, usual)]
    assert [(play.bot, play.command, play.before, play.after) for play in plays[0]] == [
        (play.bot, play.command, play.before, play.after) for play in plays[1]
    ]
    assert traced.records[1].seats == usual.records[1].seats
    rounds = [record for record in traced.records if isinstance(record, RoundStarted)]
    assert [record.augmented for record in rounds] == [True, True]


ALONE = listed(
    {"1": {"llm_response": "S0", "shield": False}, "2": {"llm_response": "I would hide"}},
    {"1": {"llm_response": "B"}, "2": {"health": 31, "llm_response": "M50", "x": 0.78, "y": 1.2}},
    {"2": {"llm_response": "C90", "rot": 6.0}},
    {"1": {"x": 0.3}, "2": {"health": 0}},
    {"1": {"x": 0.4}},
)


@pytest.mark.parametrize("imported", [False, True])
def test_a_list_of_states_is_shown_as_it_is_and_not_verified(imported, tmp_path, capsys):
    file = kept(ALONE, tmp_path)
    if imported:
        assert main(["import", str(file), "-o", str(tmp_path / "ours.json")]) == 0
        assert "'verify' cannot check it" in capsys.readouterr().out
        file = tmp_path / "ours.json"
    assert main(["share", str(file), "-o", str(tmp_path / "page.html")]) == 0
    for shown in (file, tmp_path / "page.html"):
        assert main(["verify", str(shown)]) == 3
        assert f"{shown.name!r}: 1 game, 7 plays, not verified, as it tells" in capsys.readouterr().out
        found = [record for record in replay(read(shown)) if isinstance(record, Play)]
        assert [(play.bot, play.command.token) for play in found] == [
            (0, "S0"), (1, "ERR"), (0, "B"), (1, "M50"), (0, "ERR"), (1, "C90"), (0, "B"),
        ]  # fmt: skip
        assert found[3].after.right == BotState(0.78, 1.2, 171.887338539, 31, True)
        assert found[5].after.right.rot == 343.774677078
        assert [type(event) for play in found for event in play.events] == [
            ShieldLowered, CommandIgnored, BulletFlew, BotHit, BotMoved, CommandIgnored, BotTurned,
            BotMoved, BulletFlew, BotHit, BotKnockedOut,
        ]  # fmt: skip
        (end,) = [record for record in replay(read(shown)) if isinstance(record, GameEnded)]
        assert (end.result.winner, end.arena.left.x) == (0, 0.3)


def test_a_forgery_cannot_call_itself_a_list_of_states_beside_another_brain(tmp_path, capsys):
    session = original_import.convert(ALONE).session
    session["games"][0]["seats"][0]["brain"] = "scripted:dancer"
    assert main(["verify", str(kept(session, tmp_path))]) == 1


def test_settings_that_change_between_rounds_are_said():
    session = saved(AGREED)
    session["games"][0]["rounds"][1]["gameplay_settings_snapshot"]["bullet_damage"] = 7
    sentences = list(original_import.convert(session).report.sentences())
    assert "game 1, round 2 was played with other settings" in sentences[-1]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda session: session.update(schema_version=4), "has the schema_version 4"),
        (lambda session: session.pop("session_type"), "the session_type None"),
        (lambda session: session.update(games=[]), "holds no turn"),
        (lambda session: session["games"][0]["rounds"][0]["initial_state"].pop("2"), "does not hold two bots"),
        (lambda session: session["games"][0]["rounds"][0]["initial_state"]["1"].pop("x"), "has no 'x'"),
        (lambda session: session["games"][0]["rounds"][0]["turns"][0]["plays"][0].update(bot_id=3), "is of bot '3'"),
        (
            lambda session: session["games"][0]["rounds"][0]["gameplay_settings_snapshot"].update(bot_diameter=7),
            "bot_radius must be",
        ),
        (
            lambda session: session["games"][0]["rounds"][0]["turns"][1]["post_state"]["1"].update(y=math.nan),
            "'y' of '1' of 'post_state' of turn 2 of round 1 of game 1 of the session must be a number",
        ),
    ],
)
def test_a_session_that_cannot_be_taken_over_is_refused_with_one_sentence(change, complaint, tmp_path, capsys):
    session = saved(AGREED)
    change(session)
    theirs = kept(session, tmp_path)
    assert main(["import", str(theirs), "-o", str(tmp_path / "ours.json")]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == [theirs]


def test_files_without_a_turn_and_our_own_are_told_apart(tmp_path, capsys):
    assert main(["import", str(kept([{"game_id": 1, "rounds": []}], tmp_path))]) == 2
    assert "holds no turn" in capsys.readouterr().err
    ours = tmp_path / "ours.json"
    assert main(["import", str(kept(saved(AGREED), tmp_path)), "-o", str(ours)]) == 0
    assert main(["import", str(ours), "-o", str(tmp_path / "again.json")]) == 2
    assert "is a session of this program already" in capsys.readouterr().err


def test_an_existing_file_is_kept_without_force(tmp_path, capsys):
    theirs, ours = kept(saved(AGREED), tmp_path), tmp_path / "ours.json"
    ours.write_text("mine")
    assert main(["import", str(theirs), "-o", str(ours)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert ours.read_text() == "mine"
    assert main(["import", str(theirs), "-o", str(ours), "--force"]) == 0
    assert main(["verify", str(ours)]) == 0


@pytest.mark.parametrize("whole", [saved(AGREED), ALONE], ids=["saved", "list"])
@given(data=strategies.data())
def test_a_mutated_session_is_taken_over_or_refused(whole, data):
    session = mutated(whole, data.draw(mutations(whole)))
    assert_read_or_refused(lambda: session_of(original_import.import_session(session, "theirs.json").session))


def test_what_is_taken_over_never_takes_its_own_files_place(tmp_path, capsys):
    file = tmp_path / "saved.json"
    file.write_text(json.dumps(saved([[[(1, "M"), (2, "M")]]])))
    before = file.read_bytes()
    assert main(["import", str(file), "-o", str(file), "--force"]) == 2
    assert "name another one to write" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_nothing_is_written_of_a_session_whose_bots_start_far_outside(tmp_path, capsys):
    session = saved(AGREED)
    for entry in session["games"][0]["rounds"]:
        entry["initial_state"]["1"]["x"] = 9e9
    out = tmp_path / "ours.json"
    assert main(["import", str(kept(session, tmp_path)), "-o", str(out)]) == 2
    assert "far outside the arena" in capsys.readouterr().err
    assert not list(tmp_path.glob("ours.json*"))


def test_a_command_that_the_original_read_in_its_own_way_is_no_difference():
    session = saved(AGREED)
    session["games"][0]["rounds"][0]["turns"][0]["plays"][0]["llm_response"] = "B"  # and its `cmd` is S0
    assert list(verify(session_of(original_import.convert(session).session))) == []


def test_a_round_that_begins_otherwise_than_the_last_one_ended_is_said(tmp_path, capsys):
    session = saved(AGREED)
    session["games"][0]["rounds"][1]["initial_state"]["2"]["health"] = 40
    assert main(["import", str(kept(session, tmp_path)), "-o", str(tmp_path / "ours.json")]) == 0
    assert "game 1, round 2 begins in other states than the last round left\n" in capsys.readouterr().out
    assert main(["verify", str(tmp_path / "ours.json")]) == 1


def test_a_value_with_many_others_in_it_is_quoted_in_a_short_sentence(tmp_path, capsys):
    session = saved(AGREED)
    session["games"][0]["rounds"][0]["turns"][1]["post_state"]["2"]["health"] = deepcopy(session)
    assert main(["verify", str(kept(session, tmp_path))]) == 2
    said = capsys.readouterr().err
    assert "'health' of '2' of 'post_state' of turn 2" in said
    assert len(said) < 400


def rules_with(**settings: Any) -> Rules:
    return original_import.convert(saved(AGREED, **settings)).records[1].rules


def test_settings_that_the_file_leaves_out_are_the_original_games():
    session = saved(AGREED)
    for entry in session["games"][0]["rounds"]:
        entry["gameplay_settings_snapshot"] = {}
    assert original_import.convert(session).records[1].rules == Rules(
        arena_width=1, arena_height=1, bot_radius=0.05, step_length=0.03, bullet_damage=(5, 5), shield_degrees=88,
        initial_health=(30, 30), initial_shield=True, bots_collide=False, free_move=True, total_rounds=2,
        turns_per_round=8,
    )  # fmt: skip


def test_a_game_is_as_long_as_what_was_played_of_it():
    assert (rules_with(turns_per_round=1).turns_per_round, rules_with(total_rounds=1).total_rounds) == (4, 2)
    assert (rules_with(turns_per_round=9).turns_per_round, rules_with(total_rounds=5).total_rounds) == (9, 5)


@pytest.mark.parametrize(
    ("rounds", "settings", "reason"),
    [
        (AGREED, {}, "points"),
        ([AGREED[0], AGREED[1][:3]], {}, "aborted"),
        (AGREED[:1], {"total_rounds": 2}, "aborted"),
    ],
)
def test_a_game_that_was_not_played_to_its_end_is_nobodys(rounds, settings, reason):
    found = original_import.convert(saved(rounds, **settings)).records
    assert [record.result.reason for record in found if isinstance(record, GameEnded)] == [reason]
    assert found[1].seed == 0  # nothing of it was drawn


@pytest.mark.parametrize(("up", "shield"), [(True, True), (1, True), (0, False), (False, False)])
def test_a_shield_may_be_written_as_a_number(up, shield):
    session = saved(AGREED)
    for states in (entry["initial_state"] for entry in session["games"][0]["rounds"][:1]):
        states["1"]["shield"] = up
    assert original_import.convert(session).records[1].arena.left.shield is shield
