"""Chances to win after every play of a recorded game, the best plays, and marks."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
from fakes import eventful, played, session_values, written
from original import AGREED, saved
from paths import DATA
from plays import ANN, BOB, COUCH, bot, game

from batllm_arcade.analysis import game as module
from batllm_arcade.analysis import session as kept
from batllm_arcade.analysis.game import Position, analyse_game, best_of, fit_for
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.settings import config
from batllm_arcade.story.games import games_of
from batllm_arcade.story.moments import TurningPoint, turning, turnings

FIT = fit_for(COUCH)
FAR = 100
"""Plays that a game can still have."""


def chance(left, right, mover=0, rules=COUCH, still=FAR):
    """The chance of left with these bots."""
    found = fit_for(rules).chance(Position(Arena(left, right), mover, still), rules)
    return found if mover == 0 else 1 - found


@pytest.mark.parametrize("name", ["couch", "arena", "default", "classic"])
def test_every_shipped_configuration_has_a_fit_whatever_its_length(name):
    rules = config.load(name).rules
    for each in (rules, replace(rules, total_rounds=7, turns_per_round=9)):
        assert (fit_for(each).name, fit_for(each).exact) == (name, True)


@pytest.mark.parametrize(
    ("near", "change"),
    [
        ("couch", {"bullet_damage": (13, 13)}),
        ("couch", {"battery": 12, "initial_health": (80, 100)}),
        ("default", {"bullet_damage": (6, 6)}),
        ("arena", {"back_step": 40}),
    ],
)
def test_other_rules_take_the_nearest_fit_and_it_is_said_to_be_no_exact_one(near, change):
    fit = fit_for(replace(config.load(near).rules, **change))
    assert (fit.name, fit.exact) == (near, False)


@pytest.mark.parametrize(
    ("health", "still", "said"),
    [((0, 50), FAR, 0.0), ((50, 0), FAR, 1.0), ((40, 50), 0, 0.0), ((50, 40), 0, 1.0), ((50, 50), 0, 0.5)],
)
def test_who_is_knocked_out_has_lost_and_behind_the_last_play_the_points_count(health, still, said):
    left, right = (bot(x, 0, health=points) for x, points in zip((200, 800), health, strict=True))
    assert chance(left, right, still=still) == said


def test_both_sides_are_seen_in_the_same_way():
    left, right = bot(200, 30, health=64), bot(700, 180, charge=2)
    for mover in (0, 1):
        assert chance(left, right, mover) == pytest.approx(1 - chance(right, left, 1 - mover))
    even = chance(bot(200, 90), bot(800, 90))  # health, charge and aim are worth something
    assert chance(bot(200, 90), bot(800, 90, health=40)) > even + 0.1
    assert chance(bot(200, 90, charge=0), bot(800, 90)) < even
    assert chance(bot(200, 90), bot(800, 180)) < even


LAST = (bot(200, 0, health=12), bot(800, 180, health=12))
"""Two bots that face each other loaded, each one hit from its end."""


def test_a_shot_that_wins_and_is_not_fired_is_a_blunder_and_the_one_that_is_fired_the_only_good_play():
    missed, fired = list(analyse_game(game("A A2", "B B", bots=LAST)))
    assert (missed.best, missed.best_chance, missed.mark) == ("B", (1.0, 0.0), "??")
    assert missed.loss == pytest.approx(1 - missed.chance[ANN])
    assert (fired.best, fired.chance, fired.loss, fired.mark) == ("B", (0.0, 1.0), 0.0, "!")
    assert fired.play.bot == BOB


@pytest.mark.parametrize(
    ("left", "right", "least", "mark"),
    [
        (BotState(636, 927, 180, 100, False, 4), BotState(231, 927, 0, 100, False, 4), 0.1, ""),
        (BotState(402, 728, 46, 100, False, 7), BotState(597, 927, 234, 100, True, 4), 0.1, "?!"),  # at a shield
        (BotState(657, 422, 309, 64, False, 3), BotState(784, 267, 142, 52, False, 3), 0.3, "??"),
    ],
)
def test_a_shot_that_hits_is_a_mistake_only_where_it_loses_much(left, right, least, mark):
    (shot,) = analyse_game(game("A B", bots=(left, right)))
    assert (shot.best, shot.mark) == ("M", mark)
    assert least <= shot.loss < least + 0.1
    (walked,) = analyse_game(game("A M", bots=(bot(100, 0, charge=0), bot(900, 180, charge=0))))
    assert walked.loss < 0.1
    assert (walked.mark, sum(walked.chance)) == ("", pytest.approx(1)), "it is as good as any"


@pytest.fixture
def night(tmp_path):
    return shutil.copy(DATA / "couch_match.json", tmp_path / "night.json")


def analysed(capsys, *arguments):
    assert main(["analyse", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_json_has_every_play_with_its_chances(night, capsys):
    (found,) = analysed(capsys, night)["games"]
    (recorded,) = json.loads(night.read_text())["games"]
    turns = [(entry["round_number"], play) for entry in recorded["rounds"] for play in entry["turns"]]
    assert [(play["round"], play["turn"], play["order"]) for play in found["plays"]] == [
        (number, play["turn"], play["order"]) for number, play in turns
    ]
    assert (found["game_number"], found["plays"][-1]["chance"]) == (1, [1.0, 0.0])
    for play in found["plays"]:
        order, best = play["order"], play["best"]
        assert sum(play["chance"]) == pytest.approx(1)
        assert play["loss"] == pytest.approx(best["chance"][order] - play["chance"][order], abs=2e-4)
        assert play["loss"] >= 0
        unmarked = (0, 0.2 if play["cmd"] == "B" else 0.1)
        expected = {"??": (0.3, 1), "?": (0.2, 0.3), "?!": (0.1, 0.2)}.get(play["mark"], unmarked)
        assert expected[0] - 1e-4 <= play["loss"] <= expected[1] + 1e-4
    assert {play["mark"] for play in found["plays"]} <= {None, "?!", "?", "??", "!"}


def test_an_analysis_is_kept_by_what_was_played_and_made_again_where_it_is_damaged(night, capsys, monkeypatch):
    first = analysed(capsys, night)
    again = night.rename(night.with_name("renamed.json"))
    with monkeypatch.context() as patched:
        patched.setattr(kept, "analyse_game", lambda _: pytest.fail("it is analysed once more"))
        assert analysed(capsys, again) == first
    (path,) = (kept.data_folder() / "analysis").glob("*.json")
    for damaged in ("[]", json.dumps({"plays": first["games"][0]["plays"]})):
        path.write_text(damaged)
        assert analysed(capsys, again) == first


def test_the_table_has_a_row_a_play_and_says_where_it_tipped(night, capsys):
    assert main(["analyse", str(night)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "game 1: Sharpshooter (left) against Dancer (right)"
    assert len(lines) == 38 + 4
    assert "these rules have no figures of their own; the chances are weighed as in 'classic'" in lines[1]
    assert "round 2, turn 1" in lines[-1]


def test_a_step_out_of_the_line_is_found_however_it_looks_at_first():
    left = BotState(282.705, 529.725, 53.208, 4, False, 3)
    right = BotState(364.86, 442.257, 133.202, 4, False, 4)
    best, worth, waited = best_of(Arena(left, right), 0, 2, 2, COUCH)
    assert best == "M"
    assert worth > waited + 0.3


def test_the_json_says_where_it_tipped_but_not_of_a_game_lost_by_forfeit(night, capsys):
    tip = analysed(capsys, night)["games"][0]["tipped"]
    assert tip["hit"] == tip["play"] + 1
    session = read(night)
    made, found = zip(*kept.judged_plays(session, 1), strict=True)
    assert kept._tipped(made, found, session.games[0]) == tip
    assert kept._tipped(made, found, replace(session.games[0], result=Result(0, "forfeit"))) is None


def test_turning_points_are_those_of_the_analysis_without_comparing_every_play(night, monkeypatch):
    session, looked = read(night), []
    analysed_play = module._analysed
    monkeypatch.setattr(module, "_analysed", lambda *given: looked.append(1) or analysed_play(*given))
    (game,) = games_of(replay(session))
    point = turning(game)
    assert len(looked) < 10
    _, found = zip(*kept.judged_plays(session, 1), strict=True)
    assert point == turning(game, found)
    forfeit = replace(game, result=Result(0, "forfeit"))
    assert turning(forfeit) is None
    assert list(turnings(game.records[:-2])) == []  # it may go on


TWICE = "B M", "A B", "B M", "A B"


@pytest.mark.parametrize(
    ("plays", "hit", "shown"),
    [
        (TWICE, 3, True),
        (TWICE, 1, False),  # the first hit of the game
        ((*TWICE, "B C90", "A B"), 3, False),  # a later one took more
        (TWICE[:3], None, False),
    ],
)
def test_a_turning_point_is_shown_where_who_watches_sees_it(plays, hit, shown):
    (made,) = games_of(game(*plays, rules=replace(COUCH, battery=0)))
    point = TurningPoint(made.plays[(hit or 2) - 1], None if hit is None else made.plays[hit], made.plays)
    assert point.shows is shown
    assert point.index == (hit or 2) - 1


def test_one_game_of_several_and_none_that_is_not_there(tmp_path, capsys):
    file = written(eventful(), tmp_path / "two.json")
    both = analysed(capsys, file)["games"]
    assert [each["game_number"] for each in both] == [1, 2]
    assert analysed(capsys, file, "--game", 2)["games"] == both[1:]
    assert not both[0]["exact"]
    assert main(["analyse", str(file), "--game", "3"]) == 2
    assert "there is no game 3; the session holds 2" in capsys.readouterr().err


def test_a_session_of_the_original_game_and_one_that_broke_off_can_be_analysed(tmp_path, capsys):
    original = tmp_path / "original.json"
    original.write_text(json.dumps(saved(AGREED)))
    (found,) = analysed(capsys, original)["games"]
    assert len(found["plays"]) == 16
    values = session_values(played(["M"] * 2, ["M"] * 2, rules=Rules(total_rounds=2, turns_per_round=1), seed=2))
    del values["games"][0]["rounds"][1], values["games"][0]["result"]
    (tmp_path / "broken.json").write_text(json.dumps(values | {"session_end": None}))
    (found,) = analysed(capsys, tmp_path / "broken.json")["games"]
    assert len(found["plays"]) == 2  # who would have acted next nobody knows


@pytest.mark.parametrize("plays", [400, 39])
def test_a_long_session_says_how_far_it_is(night, plays, capsys, monkeypatch):
    def slow(_session, _game, report):
        for done in range(1, plays + 1):
            report(done, plays)
        return {"games": []}

    monkeypatch.setattr("batllm_arcade.analysis.session.analyse", slow)
    assert main(["analyse", str(night), "--json"]) == 0
    expected = [f"analysed {done} of 400 plays" for done in range(40, 401, 40)] if plays == 400 else []
    assert capsys.readouterr().err.splitlines() == expected
