"""Cups: the tree that follows from what has happened, and the folder that outlives the program."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from cups import plan, play
from resources import small_files

from batllm_arcade.cup import tree as cup_tree
from batllm_arcade.cup.folder import EVENTS, Cup, KeptCup, cups
from batllm_arcade.cup.tree import CupEntrant, CupGame, CupPlan, champion, is_over, next_match, tree
from batllm_arcade.errors import UsageError

BOTS = ("turtle", "dancer", "random", "sharpshooter")


def played(match, winner, health=None):
    names = match.names
    return CupGame(
        match.round, match.place, names[0], winner, "points", 9, health or dict.fromkeys(names, 50.0), "x.json"
    )


def play_out(cup_plan, gone=()):
    games = []
    while (match := next_match(tree(cup_plan, games, gone))) is not None:
        games.append(played(match, match.names[0]))
    return games, tree(cup_plan, games, gone)


@pytest.mark.parametrize("count", range(2, 18))
def test_every_cup_has_one_champion_after_one_match_less_than_names(count):
    names = [f"n{number}" for number in range(count)]
    games, end = play_out(plan(names))
    assert len(games) == count - 1
    assert champion(end) in names
    out = [match.loser for matches in end for match in matches if match.ending == "games"]
    assert sorted([*out, champion(end)]) == sorted(names)
    assert len(end) == plan(names).rounds


def test_nobody_goes_through_twice_without_a_match():
    for count in range(2, 33):
        first, *later = tree(plan([f"n{number}" for number in range(count)]), [], [])
        assert all(match.ending != "bye" or any(match.names) for match in first)
        assert not any(match.ending for matches in later for match in matches)


def test_the_seed_draws_who_meets_whom():
    names = [f"n{number}" for number in range(8)]
    assert cup_tree.draw(plan(names, seed=1)) == cup_tree.draw(plan(names, seed=1))
    assert cup_tree.draw(plan(names, seed=1)) != cup_tree.draw(plan(names, seed=2))


def test_a_best_of_three_needs_two_wins():
    cup_plan = plan(["a", "b"], best_of=3)
    match = next_match(tree(cup_plan, [], []))
    one, other = match.names
    games = [played(match, one), played(match, other)]
    assert next_match(tree(cup_plan, games, [])).wins == (1, 1)
    games.append(played(match, other))
    assert champion(tree(cup_plan, games, [])) == other


def test_drawn_games_are_played_again_and_at_last_health_decides():
    cup_plan = plan(["a", "b"])
    match = next_match(tree(cup_plan, [], []))
    one, other = match.names
    games = [played(match, None, {one: 10.0, other: 11.0})] * 2
    assert champion(tree(cup_plan, games, [])) is None
    assert champion(tree(cup_plan, [*games, games[0]], [])) == other


def test_who_leaves_forfeits_the_next_match_and_keeps_what_was_won():
    cup_plan = plan(["a", "b", "c", "d"])
    first = next_match(tree(cup_plan, [], []))
    games = [played(first, first.names[0])]
    now = tree(cup_plan, games, [first.names[0]])
    assert now[0][0].winner == first.names[0]
    games.append(played(now[0][1], now[0][1].names[0]))
    end = tree(cup_plan, games, [first.names[0]])
    assert is_over(end)
    assert champion(end) == now[0][1].names[0]
    assert end[1][0].ending == "forfeit"


def test_a_cup_that_all_have_left_is_over_without_a_champion():
    end = tree(plan(["a", "b", "c"]), [], ["a", "b", "c"])
    assert is_over(end)
    assert champion(end) is None


@pytest.mark.parametrize("names", [["a"], ["a", "A"], ["a", " "], [f"n{number}" for number in range(65)]])
def test_names_that_make_no_cup_are_refused(tmp_path, names):
    with pytest.raises(UsageError):
        Cup.create(tmp_path / "cup", plan(names))


def test_games_are_sessions_and_the_folder_goes_on_where_it_was(tmp_path):
    entrants = tuple(CupEntrant(name.capitalize(), f"scripted:{name}") for name in BOTS)
    cup = Cup.create(tmp_path / "cup", CupPlan(entrants, best_of=3))
    match = play(cup)
    assert cup.take(match).session == "1-1-1.json"
    match = play(cup)  # and the program is killed before it counts
    cup.close()

    again = Cup.open(tmp_path / "cup")
    assert len(again.games) == 1
    assert again.sides(next_match(again.tree))[0].name == match.names[1], "they change sides"
    assert again.take(next_match(again.tree)) is not None, "what was played to its end counts"
    while (match := next_match(again.tree)) is not None:
        play(again)
        again.take(match)
    assert champion(again.tree) in {entrant.name for entrant in entrants}
    assert {game.left for game in again.games} <= {entrant.name for entrant in entrants}
    again.close()
    assert cups(tmp_path) == [tmp_path / "cup"]


def test_a_line_that_was_broken_off_is_left_out(tmp_path):
    cup = Cup.create(tmp_path / "cup", plan(["a", "b", "c"]))
    cup.give_orders("a", "rush")
    cup.leave("b")
    cup.close()
    with open(tmp_path / "cup" / EVENTS, "ab") as file:
        file.write(b'{"left": "c')
    again = Cup.open(tmp_path / "cup")
    assert again.gone == ["b"]
    assert again.entrant("a") == replace(again.plan.entrants[0], orders="rush")
    again.leave("c")
    again.close()
    again = Cup.open(tmp_path / "cup")
    assert again.gone == ["b", "c"]
    again.close()


def test_a_cup_is_played_by_one_program_alone(tmp_path):
    cup = Cup.create(tmp_path / "cup", plan(["a", "b"]))
    with pytest.raises(UsageError, match="being played"):
        Cup.open(tmp_path / "cup")
    cup.close()
    Cup.open(tmp_path / "cup").close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limits")
def test_what_a_full_disk_did_not_take_can_be_written_again(tmp_path):
    cup = Cup.create(tmp_path / "cup", CupPlan((CupEntrant("Ann", "keyboard"), CupEntrant("Bob", "keyboard"))))
    with small_files(9), pytest.raises(UsageError, match="make room"):
        cup.leave("Ann")
    assert cup.gone == []
    cup.leave("Ann")
    cup.close()
    assert KeptCup.read(cup.folder).gone == ["Ann"]
