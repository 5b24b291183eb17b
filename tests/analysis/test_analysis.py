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
from batllm_arcade.analysis.chance import fit_for
from batllm_arcade.analysis.game import analyse_game, best_of
from batllm_arcade.analysis.position import Position
from batllm_arcade.analysis.text import tipped
from batllm_arcade.analysis.tipping import TurningPoint, turning_point
from batllm_arcade.analysis.turning_points import turning_points
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.settings import config

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


@pytest.mark.parametrize(("health", "said"), [((0, 50), 0.0), ((50, 0), 1.0)])
def test_who_is_knocked_out_has_lost(health, said):
    left, right = (bot(x, 0, health=points) for x, points in zip((200, 800), health, strict=True))
    assert chance(left, right) == said


@pytest.mark.parametrize(("health", "said"), [((40, 50), 0.0), ((50, 40), 1.0), ((50, 50), 0.5)])
def test_behind_the_last_play_the_points_count(health, said):
    left, right = (bot(x, 0, health=points) for x, points in zip((200, 800), health, strict=True))
    assert chance(left, right, still=0) == said


def test_both_sides_are_seen_in_the_same_way():
    left, right = bot(200, 30, health=64), bot(700, 180, charge=2)
    for mover in (0, 1):
        assert chance(left, right, mover) == pytest.approx(1 - chance(right, left, 1 - mover))


def test_health_charge_and_aim_are_worth_something():
    even = chance(bot(200, 90), bot(800, 90))
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


def test_a_play_that_is_as_good_as_any_has_no_mark():
    far = (bot(100, 0, charge=0), bot(900, 180, charge=0))
    (walked,) = analyse_game(game("A M", bots=far))
    assert walked.loss < 0.1
    assert walked.mark == ""
    assert sum(walked.chance) == pytest.approx(1)


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
    assert lines[0] == "game 1: sharpshooter (left) against dancer (right)"
    assert len(lines) == 38 + 4
    assert "these rules have no figures of their own; the chances are weighed as in 'classic'" in lines[1]
    assert lines[-1].strip().startswith(("it tipped in round", "no single play"))


def test_a_step_out_of_the_line_is_found_however_it_looks_at_first():
    left = BotState(282.705, 529.725, 53.208, 4, False, 3)
    right = BotState(364.86, 442.257, 133.202, 4, False, 4)
    best, worth, waited = best_of(Arena(left, right), 0, 2, 2, COUCH)
    assert best == "M"
    assert worth > waited + 0.3


@pytest.mark.parametrize(
    ("tip", "said"),
    [
        (None, "no single play decided it"),
        (
            (0, 1),
            "it tipped in round 1, turn 1: left played nothing and was hit, 100:64 became 76:64; best was B (65%)",
        ),
        ((2, 3), "it tipped in round 1, turn 3: left played nothing and was hit, 100:64 became 76:64"),
        (
            (0, None),
            "it tipped in round 1, turn 1: left played nothing, and its chance went from 50% to 30%; best was B (65%)",
        ),
        ((3, 3), "it tipped in round 1, turn 4: left acted twice in a row and hit, 100:64 became 76:64"),
    ],
)
def test_the_sentence_on_where_it_tipped_names_the_play_and_the_score(tip, said):
    def play(turn, loss):
        best = {"cmd": "B", "chance": [0.3 + loss, 0.7 - loss]}
        done = {"round": 1, "turn": turn, "order": 0, "cmd": "ERR", "chance": [0.3, 0.7]}
        return {**done, "best": best, "loss": loss, "mark": None}

    plays = [play(1, 0.35), play(2, 0.2), play(3, 0.04), play(4, 0.0)]
    found = tip and {"play": tip[0], "hit": tip[1], "health": [[100, 64], [76.0, 64]]}
    assert tipped({"tipped": found, "plays": plays}) == said


def test_the_json_says_where_it_tipped_but_not_of_a_game_lost_by_forfeit(night, capsys):
    tip = analysed(capsys, night)["games"][0]["tipped"]
    assert tip["hit"] == tip["play"] + 1
    session = read(night)
    made, found = zip(*kept.judged_plays(session, 1), strict=True)
    assert kept._tipped(made, found, session.games[0]) == tip
    assert kept._tipped(made, found, replace(session.games[0], result=Result(0, "forfeit"))) is None


def test_turning_points_are_found_where_the_analysis_finds_them_without_comparing_every_play(night, monkeypatch):
    session, looked = read(night), []
    analysed_play = module._analysed
    monkeypatch.setattr(module, "_analysed", lambda *given: looked.append(1) or analysed_play(*given))
    records = list(replay(session))
    assert list(turning_points(records)) == []  # who was behind all the time is knocked out, by one plain hit of many
    monkeypatch.setattr("batllm_arcade.analysis.turning_points._was_coming", lambda *_: False)
    looked.clear()
    (point,) = turning_points(records)
    assert len(looked) < 10
    plays, found = zip(*kept.judged_plays(session, 1), strict=True)
    assert point == turning_point(plays, found, session.games[0].rules)
    ended = next(at for at, record in enumerate(records) if isinstance(record, GameEnded))
    assert list(turning_points(records[:ended])) == []
    forfeit = replace(records[ended], result=Result(0, "forfeit"))
    assert list(turning_points([*records[:ended], forfeit])) == []


TWICE = "B M", "A B", "B M", "A B"


def points_of(records, chance, monkeypatch, at=slice(2, 4)):
    """The turning points that are told where the analysis finds the second time that right walks and is hit."""
    play, hit = [record for record in records if isinstance(record, Play)][at]
    point = TurningPoint(play, hit, chance)
    monkeypatch.setattr("batllm_arcade.analysis.turning_points.turning_point", lambda *_: point)
    monkeypatch.setattr("batllm_arcade.analysis.turning_points._fought", lambda *_: True)
    return point, list(turning_points(records))


@pytest.mark.parametrize("fires", [True, False])
def test_where_the_loser_never_fires_no_play_of_its_is_the_turning_point(fires, monkeypatch):
    play = "B B" if fires else "B M"
    records = game(play, "A B", "B M", "A B", "B M", "A B", rules=replace(COUCH, battery=0))
    plays = [record for record in records if isinstance(record, Play)]
    point = TurningPoint(plays[2], plays[3], (0.5, 0.3))
    monkeypatch.setattr("batllm_arcade.analysis.turning_points.turning_point", lambda *_: point)
    assert list(turning_points(records)) == ([point] if fires else [])


@pytest.mark.parametrize(("damage", "hurt", "told"), [(5, False, False), (5, True, True), (12, False, True)])
def test_who_is_worn_down_by_small_hits_and_never_hits_back_is_told_no_turning_point(damage, hurt, told, monkeypatch):
    rules = replace(COUCH, bullet_damage=(damage, damage))
    bots = (bot(200, 0, health=99 if hurt else 100), bot(800, 180, health=80))
    point, found = points_of(game(*TWICE, bots=bots, rules=rules), (0.5, 0.3), monkeypatch)
    assert found == ([point] if told else [])


@pytest.mark.parametrize(
    ("chance", "healths", "told"),
    [((0.01, 0.0), (60, 52), False), ((0.3, 0.1), (60, 52), True), ((0.01, 0.0), (12, 20), True)],
)
def test_a_plain_hit_on_who_had_lost_before_turns_nothing_unless_it_knocks_out(chance, healths, told, monkeypatch):
    bots = tuple(bot(x, rot, health=health) for x, rot, health in zip((200, 800), (0, 180), healths, strict=True))
    point, found = points_of(game(*TWICE, bots=bots), chance, monkeypatch)
    assert found == ([point] if told else [])


@pytest.mark.parametrize(("later", "told"), [(4, True), (5, False)])
def test_an_early_hit_turned_nothing_where_most_was_lost_after_it(later, told, monkeypatch):
    """Right has 100 health and takes 12 a hit."""
    records = game(*TWICE, *["B M", "A M"] * 10, *["B M", "A B"] * later, rules=replace(COUCH, battery=0))
    point, found = points_of(records, (0.5, 0.3), monkeypatch)
    assert found == ([point] if told else [])
    late = game(*["B M", "A M"] * 10, *TWICE, *["B M", "A B"] * later, rules=replace(COUCH, battery=0))
    assert points_of(late, (0.5, 0.3), monkeypatch, at=slice(22, 24))[1]


@pytest.mark.parametrize(("first", "rot", "told"), [("B B", 180, True), ("A B", 180, False), ("A B", 90, True)])
def test_a_plain_hit_of_who_acts_twice_in_a_row_and_was_ahead_turned_nothing(first, rot, told, monkeypatch):
    """Ann is hit before, or has hit; then she hits Bob in the front, or the side."""
    records = game(first, "B C0", "A M0", "A B", "B B", bots=(bot(200, 0, health=100), bot(800, rot, health=88)),
                   rules=replace(COUCH, battery=0))  # fmt: skip
    plays = [record for record in records if isinstance(record, Play)]
    point = TurningPoint(plays[3], plays[3], (0.5, 0.8))
    monkeypatch.setattr("batllm_arcade.analysis.turning_points.turning_point", lambda *_: point)
    monkeypatch.setattr("batllm_arcade.analysis.turning_points._fought", lambda *_: True)
    assert list(turning_points(records)) == ([point] if told else [])


def test_the_first_hit_of_a_game_turned_nothing(monkeypatch):
    assert points_of(game(*TWICE), (0.5, 0.2), monkeypatch, at=slice(0, 2))[1] == []


@pytest.mark.parametrize(("turns", "health", "found"), [(("B A90", "A B", "B C90", "A M"), 48, 1), (TWICE[:2], 36, 0)])
def test_where_a_bot_that_is_behind_is_knocked_out_the_hit_before_that_took_most_turned_the_game(
    turns, health, found, monkeypatch
):
    """Right is hit in its front or its side, then in its front until it falls."""
    records = game("B M", "A B", *turns, "B M", "A B", bots=(bot(200, 0, health=60), bot(800, 180, health=health)))
    last = [record for record in records if isinstance(record, Play)][-1]
    assert last.knocks_out
    assert len(points_of(records, (0.1, 0.0), monkeypatch, at=slice(-2, None))[1]) == found
    for point in turning_points(records):
        assert (point.play.command.token, point.hit.after.right.health) == ("A90", 12)


def test_what_took_most_before_the_loser_drew_level_did_not_turn_the_game(monkeypatch):
    """Right loses 12, then 24 in its side, makes up for it, and falls by hits in its front."""
    bots = bot(200, 0, health=72), bot(800, 180, health=72)
    turns = ["A B", "B A90", "A B", "B C90", *["A S0", "B B"] * 3, *["A B", "B S0"] * 2, "A B"]
    records = game(*turns, bots=bots, rules=replace(COUCH, battery=0))
    plays = [record for record in records if isinstance(record, Play)]
    assert plays[-1].knocks_out
    assert (plays[9].after.left.health, plays[9].after.right.health) == (36, 36)
    assert points_of(records, (0.1, 0.0), monkeypatch, at=slice(-2, None))[1] == []


def test_a_hit_that_only_undoes_what_the_loser_had_made_up_turned_nothing(monkeypatch):
    """Right loses 24, makes up 12, and is hit again in its front: no farther behind than before, or in its side."""
    for turned, told in (("B M", 0), ("B A90", 1)):
        bots = bot(200, 0), bot(800, 180)
        records = game(
            "A B", "B M", "A B", "B B", "A M", turned, "A B", "B M", bots=bots, rules=replace(COUCH, battery=0)
        )
        play = [record for record in records if isinstance(record, Play)]
        assert (play[3].after.left.health, play[3].after.right.health) == (88, 76)
        assert len(points_of(records, (0.5, 0.3), monkeypatch, at=slice(5, 7))[1]) == told


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


def test_a_long_session_says_how_far_it_is(capsys, monkeypatch):
    from batllm_arcade.cli.what_if import analyse

    for done in range(1, 401):
        analyse._report(done, 400)
    assert capsys.readouterr().err.splitlines()[:2] == ["analysed 40 of 400 plays", "analysed 80 of 400 plays"]
    analyse._report(39, 39)
    assert capsys.readouterr().err == ""
