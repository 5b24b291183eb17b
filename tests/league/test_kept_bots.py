"""Bots in processes of their own are kept between the games of a worker, and play as if they were new."""

from __future__ import annotations

import json

from leagues import small, timeless

from batllm_arcade.cli.main import main
from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.plugin.isolated import IsolationChoice
from batllm_arcade.seats.brain_thread import MOST, KeptBots

COUNTING = """
import os
with open({count!r}, "a") as file:
    file.write("loaded\\n")
from batllm_arcade import bot

@bot("counting")
class Counting:
    def __init__(self):
        self.plays = 0

    def decide(self, me, foe, clock):
        self.plays += 1
        return "B" if self.plays % 3 == 0 else f"C{{self.plays}}" if clock.rng.random() < 0.5 else "M"
"""
SPEAKING = """
import json, sys
with open({count!r}, "a") as file:
    file.write("loaded\\n")
games = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready"}}), flush=True)
    elif message["type"] == "game":
        games, plays = games + 1, 0
    elif message["type"] == "decide":
        plays += 1
        print(json.dumps({{"type": "play", "id": message["id"], "command": f"C{{plays}}"}}), flush=True)
    elif message["type"] == "quit":
        break
"""


def league(player, mode, plugins_dir=""):
    """The pairs of a league on one worker, which is this process: their lines without times, and their sessions."""
    plan = small(f"mine={player}", "scripted:dancer", turns=4, sessions="all", plugins_dir=str(plugins_dir))
    setup = set_up(plan, load_config(plan), IsolationChoice("nothing" if mode == "none" else "files", mode))
    worker = PairPlayer(setup)
    try:
        played = [worker.play(pair) for pair in PairSchedule(plan).from_number(1)]
    finally:
        worker.close()
    return [timeless(pair.line) for pair in played], [pair.sessions for pair in played]


def test_a_file_is_loaded_once_a_worker_and_its_games_are_those_of_a_bot_inside(tmp_path):
    count = tmp_path / "count"
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "counting.py").write_text(COUNTING.format(count=str(count)))
    lines, _ = league("counting", "process", tmp_path / "bots")
    assert len(count.read_text().splitlines()) == 2, "to see what it offers, and to play, whichever the seat"
    assert league("counting", "none", tmp_path / "bots")[0] == lines


def test_a_bot_in_any_language_is_started_once_a_seat_and_told_of_every_game(tmp_path):
    count, file = tmp_path / "count", tmp_path / "speaking.py"
    file.write_text(SPEAKING.format(count=str(count)))
    _, sessions = league(f"proc:{file},isolation=process", "process")
    assert len(count.read_text().splitlines()) == 2
    for session in sessions:
        (game,) = json.loads(session[1])["games"]
        mine = [play["cmd"] for play in game["rounds"][0]["turns"] if play["order"] == 1]
        assert mine == ["C1", "C2", "C3", "C4"], "it counts anew in each game"


def test_more_bots_than_are_kept_play_on():
    closed = []

    class Bot:
        apart = True

        def __init__(self, name):
            self.name = name

        def sit(self, seat):
            return False

        def close(self):
            closed.append(self.name)

    kept = KeptBots()
    for number in range(MOST + 2):
        kept.put(f"player {number}", "left", Bot(number))
    assert closed == [0, 1], "those that were not asked for the longest time"
    assert kept.take("player 0", "left") is None
    assert kept.take("player 2", "left").name == 2
    kept.close()
    assert sorted(closed) == [0, 1, *range(3, MOST + 2)]


def test_an_observer_that_no_league_would_call_is_refused_before_it_begins(tmp_path, capsys):
    (tmp_path / "table.py").write_text(
        "from batllm_arcade import hookimpl\nclass Table:\n    def notify(self, record): pass\n"
        "@hookimpl\ndef batllm_observer(session): return Table()\n"
    )
    players = ["scripted:turtle", "scripted:dancer", "--plugins-dir", str(tmp_path), "--trust-plugins"]
    assert main(["league", *players, "--out", str(tmp_path / "out")]) == 2
    assert "the plugin 'table' has an observer, which no league tells anything" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
