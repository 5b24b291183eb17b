"""`fork` on the command line."""

from __future__ import annotations

import json

import pytest
from fakes import played, written
from sessions import scripted_match

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read


@pytest.fixture
def night(tmp_path):
    """A match of sharpshooter against dancer, which takes 19 turns."""
    return scripted_match(tmp_path / "night.json", 4)


def forked(night, *options, code=0):
    out = night.with_name("fork.json")
    assert main(["fork", str(night), "--history", str(out), "--quiet", "--force", *options]) == code
    return out


def test_it_is_played_on_by_new_players_with_new_orders_and_verifies(night, capsys):
    out = forked(night, "--at", "1.4", "--left", "scripted:turtle", "--right-prompt", "be brave")
    assert (
        "the original game ended in round 2, turn 1: Sharpshooter (left) wins by knock-out" in capsys.readouterr().err
    )
    assert main(["verify", str(out)]) == 0
    one, other = (json.loads(path.read_text())["games"][0] for path in (night, out))
    assert other["rounds"][0]["turns"][:8] == one["rounds"][0]["turns"][:8]
    assert other["rules"] == one["rules"]
    swaps = {swap["order"]: swap for swap in other["rounds"][0]["swaps"]}
    assert [(swaps[bot]["brain"], swaps[bot].get("prompt")) for bot in (0, 1)] == [
        ("scripted:turtle", None), ("scripted:dancer", "be brave"),
    ]  # fmt: skip


def test_the_same_fork_is_the_same_game(night, capsys):
    first = read(forked(night, "--at", "1.1.4")).games[0]
    again = read(forked(night, "--at", "1.4")).games[0]
    assert [play.cmd for entry in first.rounds for play in entry.plays] == [
        play.cmd for entry in again.rounds for play in entry.plays
    ]


def test_json_is_one_game_that_says_where_it_comes_from(night, capsys):
    forked(night, "--at", "1.4", "--json")
    (line,) = capsys.readouterr().out.splitlines()
    game = json.loads(line)
    assert (game["game_number"], game["forked_from"]["turn"]) == (1, 4)


def test_tokens_that_were_read_before_are_not_paid_again(tmp_path, capsys):
    answer = Decision("M", "M", tokens={"prompt": 100, "completion": 1})
    rules = Rules(total_rounds=1, turns_per_round=3)
    night = written(played([answer] * 3, ["M"] * 3, rules=rules), tmp_path / "night.json")
    seats = ("--left", "scripted:turtle", "--right", "scripted:turtle")
    forked(night, "--at", "1.1", "--json", *seats)
    assert "tokens" not in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--at", "9.9"], "there is no round 9"),
        (["--at", "nine"], "is no turn; write ROUND.TURN"),
        (["--at", "1.2", "--left", "keyboard"], "left is a person"),
        (["--at", "1.2", "--left", "scripted:nobody"], "nobody"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(night, capsys, options, said):
    assert not forked(night, *options, code=2).exists()
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("brain", "said"),
    [
        ("gone:b", "left was played by 'gone:b', which is not installed; add --left BRAIN"),
        ("proc:bot.py", "left was played by proc:bot.py, whose folder is not recorded; add --left BRAIN"),
    ],
)
def test_a_brain_that_cannot_be_made_again_has_to_be_named(night, capsys, brain, said):
    night.write_text(night.read_text().replace("scripted:sharpshooter", brain))
    forked(night, "--at", "1.2", code=2)
    assert said in capsys.readouterr().err
