"""Playing from Python: who may sit where, what is yielded, and what is written."""

from __future__ import annotations

import csv
import gc
import io
import json
import re
import subprocess
import sys
import weakref
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest
from approved import approve
from paths import DOCS

import batllm_arcade
from batllm_arcade import (
    BrainError,
    Decision,
    GameEnded,
    GameStarted,
    Play,
    SessionEnded,
    SessionStarted,
    UsageError,
    bot,
    play,
    plays,
    read_session,
)
from batllm_arcade.cli.main import main
from batllm_arcade.core.events import Event


def offering(name, **values):
    module = ModuleType(name)
    vars(module).update(values)
    return module


SHORT = {"rounds": 1, "turns": 3, "history": None, "seed": 7}


@bot("mover")
def mover(me, foe, clock):
    return "M"


@bot("mover")
def older_mover(me, foe, clock):
    return "S0"


@bot("counting")
class Counting:
    def __init__(self):
        self.plays = 0

    def decide(self, me, foe, clock):
        self.plays += 1
        return f"C{self.plays}"


class Spinner:
    """A brain that says what is called."""

    model = "spin 1"

    def __init__(self):
        self.called = []

    def prepare(self, report):
        self.called.append("prepare")

    def decide(self, view):
        self.called.append("decide")
        return Decision("C1", "C1")

    def close(self):
        self.called.append("close")


def commands(records, seat):
    return [row["command"] for row in plays(records) if row["seat"] == seat]


def test_the_public_names_can_be_completed():
    assert dir(batllm_arcade) == sorted(batllm_arcade.__all__)
    assert {"bot", "play", "plays", "read_session", "GameEnded"} <= set(dir(batllm_arcade))


def test_what_happens_in_a_play_can_be_imported_and_told():
    assert {each.__name__ for each in get_args(Event)} <= set(batllm_arcade.__all__)
    events = [
        event
        for record in play("scripted:sharpshooter", "scripted:random", seed=1, history=None)
        if isinstance(record, Play)
        for event in record.events
    ]
    assert any(isinstance(event, batllm_arcade.BotHit) and event.damage > 0 for event in events)


def test_a_seat_takes_a_spec_a_bot_a_class_and_a_brain_which_is_prepared_and_closed():
    brain = Spinner()
    assert commands(play(mover, brain, **SHORT), "right") == ["C1"] * 3
    assert brain.called == ["prepare", "decide", "decide", "decide", "close"]
    records = list(play(Counting, "scripted:turtle", games=2, **SHORT))
    assert commands(records, "left") == ["C1", "C2", "C3"] * 2, "a class is made anew for every game"
    assert isinstance(records[0], SessionStarted)
    assert isinstance(records[-1], SessionEnded)


def test_what_plays_inside_this_program_is_recorded_as_not_isolated():
    started = next(record for record in play(Spinner(), mover, **SHORT) if isinstance(record, GameStarted))
    assert [(seat.brain, seat.model, seat.isolation) for seat in started.seats] == [
        ("Spinner", "spin 1", "none"),
        ("mover", "", "none"),
    ]


def test_two_versions_of_one_bot_play_each_other():
    records = list(play(mover, older_mover, **SHORT))
    assert (commands(records, "left"), commands(records, "right")) == (["M"] * 3, ["S0"] * 3)


def test_the_games_are_those_of_run_with_its_defaults(tmp_path, capsys):
    from batllm_arcade.cli.main import main

    file = tmp_path / "run.json"
    run = ["run", "--left", "scripted:dancer", "--right", "scripted:random", "--games", "2", "--seed", "3", "--quiet"]
    assert main([*run, "--history", str(file)]) == 0
    games = play("scripted:dancer", "scripted:random", games=2, seed=3)
    played = list(games)
    assert games.history is not None
    assert games.history.is_file(), "kept in the data folder, as `run` does"

    def facts(records):
        return [
            (record.game, record.round, record.number, record.command, record.after)
            for record in records
            if isinstance(record, Play)
        ]

    assert facts(played) == facts(read_session(file)) == facts(read_session(games.history))
    assert [type(each) for each in played] == [type(each) for each in read_session(games.history)]


def test_orders_lengths_and_the_session_file_are_as_given(tmp_path):
    file = tmp_path / "mine.json"
    orders = []

    @bot("obedient", prompted=True)
    def obedient(me, foe, clock):
        orders.append((clock.orders, clock.rounds, clock.turns_per_round))

    games = play(obedient, "scripted:turtle", orders=("attack", None), rounds=2, turns=1, config="couch", history=file)
    list(games)
    assert set(orders) == {("attack", 2, 1)}
    assert [record.seed for record in read_session(file) if isinstance(record, GameStarted)] == [games.seed]
    with pytest.raises(UsageError, match=r"mine\.json' exists already; name another file or pass force=True$"):
        play(mover, mover, history=file)
    list(play(mover, mover, **{**SHORT, "history": file}, force=True))
    assert len(list(plays(read_session(file)))) == 6


def test_a_row_is_flat_and_every_row_has_the_same_columns():
    @bot("talker")
    def talker(me, foe, clock):
        return batllm_arcade.Reply("B" if me.aims_at(foe) and not me.shield else "what", "a thought", "hello")

    rows = list(plays(play(talker, "scripted:sharpshooter", **SHORT)))
    assert len({tuple(row) for row in rows}) == 1
    text = io.StringIO()
    table = csv.DictWriter(text, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    back = list(csv.DictReader(io.StringIO(text.getvalue())))
    mine = next(row for row in back if row["seat"] == "left")
    assert (mine["command"], mine["status"], mine["raw"], mine["say"]) == ("", "invalid", "what", "hello")
    assert "'what' is no command" in mine["reason"]


def test_the_rows_of_a_fallback_are_marked_and_the_page_has_every_key():
    @bot("broken")
    def broken(me, foe, clock):
        raise ValueError("no idea")

    with pytest.warns(UserWarning, match="played for broken to the end"):
        records = list(play(broken, mover, **{**SHORT, "turns": 5}, games=2))
    rows = list(plays(records))
    mine = [(row["game"], row["status"], row["fallback"]) for row in rows if row["seat"] == "left"]
    assert mine == [(1, "error", 0)] * 3 + [(1, "ok", 1)] * 2 + [(2, "ok", 1)] * 5
    assert {row["fallback"] for row in rows if row["seat"] == "right"} == {0}
    page = (DOCS / "plugins.md").read_text("utf-8").partition("| key of a row |")[2].partition("\n\n")[0]
    told = [key for line in page.splitlines() for key in re.findall(r"`(\w+)`", line.split(" | ")[0])]
    assert told == list(rows[0])
    left_out = {"tokens", "queued_from", "raw_cut", "invalid"}  # counted apart, of the file alone, part of the reason
    assert {field.name for field in fields(Decision)} - left_out <= {*rows[0]}


def test_damage_is_the_health_that_a_play_took():
    rows = list(plays(play("scripted:sharpshooter", "scripted:random", seed=1, history=None)))
    mine = [row for row in rows if row["seat"] == "left"]
    assert sum(row["damage"] for row in mine) == 100 - mine[-1]["opp_health"] > 0


def test_observers_get_every_record_first_and_what_one_raises_ends_the_match(tmp_path):
    told = []

    class Telling:
        def notify(self, record):
            told.append(record)

    for count, record in enumerate(play(mover, mover, observers=[Telling()], **SHORT), 1):
        assert told[-1] is record
        assert len(told) == count

    class Broken:
        def notify(self, record):
            if isinstance(record, Play):
                raise ZeroDivisionError

    brain = Spinner()
    with pytest.raises(ZeroDivisionError):
        list(play(brain, mover, observers=[Broken()], **SHORT))
    assert brain.called[-1] == "close"


def test_leaving_the_loop_early_ends_the_match_and_records_it_as_abandoned(tmp_path):
    brain, file = Spinner(), tmp_path / "left.json"
    with play(brain, mover, games=5, **{**SHORT, "history": file}) as games:
        next(record for record in games if isinstance(record, Play))
    assert brain.called[-1] == "close"
    ended = [record for record in read_session(file) if isinstance(record, GameEnded)]
    assert [record.result.reason for record in ended] == ["aborted"]
    with pytest.raises(StopIteration):
        next(games)


def until(games, turn):
    """Read on up to the last play of a turn."""
    plays = (record for record in games if isinstance(record, Play) and record.turn == turn)
    return [next(plays), next(plays)]


def test_a_seat_is_swapped_and_taken_over_in_mid_game_as_in_the_window(tmp_path, capsys):
    file = tmp_path / "swapped.json"
    with play("scripted:turtle", mover, rounds=2, turns=6, seed=7, history=file) as games:
        until(games, 1)
        games.swap("left", "scripted:dancer")
        until(games, 2)
        games.take_over("right", lambda view: f"C{view.turn}")
        assert [record.command.token for record in until(games, 3) if record.bot == 1] == ["C3"]
        until(games, 4)
        games.hand_back(1)
        list(games)
    swaps = json.loads(file.read_text())["games"][0]["rounds"][0]["swaps"]
    assert [(swap["brain"], swap["order"], swap["why"]) for swap in swaps] == [
        ("scripted:dancer", 0, "swap"), ("keyboard", 1, "wheel"), ("mover", 1, "wheel"),
    ]  # fmt: skip
    assert [(swap["turn_number"] + 1) // 2 for swap in swaps] == [2, 3, 5]
    rights = commands(read_session(file), "right")
    assert rights == ["M", "M", "C3", "C4", "M", "M"] + ["M"] * 6
    assert main(["verify", str(file)]) == 0
    assert "all as recorded" in capsys.readouterr().out


def test_a_brain_that_cannot_take_a_seat_leaves_it_to_who_sits_there(tmp_path):
    with play(mover, "scripted:turtle", **SHORT) as games:
        until(games, 1)
        with pytest.raises(BrainError, match=r"left: .*does not take connections"):
            games.swap(0, "ollama:base_url=http://127.0.0.1:9,model=m,prepare_s=1")
        for seat, spec, sentence in (
            ("left", "scripted:nobody", "left: "), ("up", "scripted:turtle", "a seat is 'left' or 'right', 0 or 1"),
            ("left", "keyboard", "left is a person"), ("left", "nobody", "there is no brain 'nobody'"),
            ("left", "proc:bot.py", "left: a bot of a file plays only where one does from the start"),
        ):  # fmt: skip
            with pytest.raises((UsageError, BrainError), match=sentence):
                games.swap(seat, spec)
        records = list(games)
    assert {record.command.token for record in records if isinstance(record, Play) and record.bot == 0} == {"M"}


@pytest.mark.parametrize("begun", [False, True])
def test_games_that_nobody_has_any_more_are_closed(begun):
    brain = Spinner()
    games = play(brain, mover, **SHORT)
    if begun:
        next(games)
    seen = weakref.ref(games)
    gc.disable()  # without the help of the collector
    try:
        del games
        assert seen() is None
        assert brain.called[-1:] == ["close"]
    finally:
        gc.enable()


@pytest.mark.parametrize("begun", ["", "next(games)"])
def test_a_program_that_never_ends_its_games_ends(tmp_path, begun):
    script = f"""from batllm_arcade import play
games = play("scripted:turtle", "scripted:dancer", history={str(tmp_path / "s.json")!r})
{begun}
"""
    ended = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_brain_that_cannot_get_ready_and_a_seat_that_never_answers_are_told(tmp_path):
    class Away(Spinner):
        def prepare(self, report):
            raise BrainError("start it first")

    with pytest.raises(BrainError, match=r"^left: start it first$"):
        next(play(Away(), mover, **SHORT))

    @bot("broken")
    def broken(me, foe, clock):
        raise ValueError("no idea")

    with pytest.warns(UserWarning, match=r"left \(broken\) gave not a single answer"):
        list(play(broken, mover, **{**SHORT, "turns": 2}))


@pytest.mark.parametrize(
    ("left", "keywords", "sentence"),
    [
        (lambda me, foe, clock: "M", {}, 'left: a lambda is no bot yet; give bot("NAME")(lambda me, foe, clock: ...)'),
        (offering("bots.matador", decide=len), {}, 'put @bot("matador") above its function decide, and give that'),
        (offering("bots.torero", go=mover), {}, "left: bots.torero is a module; give its bot, bots.torero.go"),
        (offering("bots"), {}, 'left: bots is a module; give a function of it with @bot("NAME") above it'),
        (Spinner, {}, "left: Spinner is a class; give an object of it, Spinner(...)"),
        (bot("scripted")(lambda me, foe, clock: "M"), {}, "left: a brain 'scripted' plays as well"),
        ("scripted:turtle", {"observers": [print]}, "is no observer; give an object with notify(record)"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_told_at_the_call(left, keywords, sentence):
    with pytest.raises(UsageError) as told:
        play(left, "scripted:turtle", **{**SHORT, **keywords})
    assert sentence in str(told.value)


def test_what_is_said_of_a_wrong_argument_is_approved():
    def refusal(case):
        left, keywords = case
        with pytest.raises(UsageError, match=r"^[^\n]*$") as told:
            play(left, "scripted:turtle", **{**SHORT, **keywords})
        return re.sub("choose one of .*", "choose one of ...", str(told.value))

    approve(Path(__file__).parent / "approved" / "arguments.txt", refusal)
