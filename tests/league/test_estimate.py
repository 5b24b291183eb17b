"""What a league would take: bots in processes of their own and embedded models are timed, servers are not asked."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from leagues import small

from batllm_arcade.brains.protocol import BrainError, Decision
from batllm_arcade.league import estimate as estimating
from batllm_arcade.league.estimate import TimedGame, estimate, timed_games
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.plugin import manager

KINDS = manager.load().kinds
THINKING = {**KINDS, "embedded": replace(KINDS["scripted"], name="embedded", prompted=True)}
"""An embedded model that is a script."""


def setup_of(*players, **more):
    plan = small(*players, **more)
    return set_up(plan, load_config(plan))


def test_one_game_of_each_brain_that_thinks_is_timed_and_none_of_scripts():
    timed = timed_games(setup_of("a=embedded:turtle", "b=embedded:turtle", "c=scripted:dancer"), THINKING)
    assert set(timed) == {"a", "b"}
    assert timed["a"] is timed["b"]
    assert (timed["a"].game_s > 0, timed["a"].problem) == (True, "")


def test_what_only_the_first_game_takes_is_counted_once_for_each_worker(monkeypatch):
    seconds = {"now": 0.0}
    monkeypatch.setattr(estimating, "time", SimpleNamespace(perf_counter=lambda: seconds["now"]))

    class Reads:
        def decide(self, view):
            seconds["now"] += 0.001 + 2.0 * (view.game == 1 and view.turn == 1)
            return Decision("M", "M")

    reading = {**KINDS, "embedded": replace(THINKING["embedded"], make=lambda spec: Reads())}
    found = timed_games(setup_of("a=embedded", "b=scripted:dancer"), reading)["a"]
    assert found.game_s < 0.1
    assert 1.9 < found.start_s < 2.1


def test_no_server_is_asked():
    away = replace(KINDS["scripted"], name="ollama", prompted=True, models=lambda spec: pytest.fail("it was asked"))
    assert timed_games(setup_of("a=ollama:turtle", "b=scripted:dancer"), {**KINDS, "ollama": away}) == {}


def test_what_is_wrong_with_a_player_is_said_instead(monkeypatch):
    class Broken:
        def decide(self, view):
            raise BrainError("crashed: at once")

    class Missing(Broken):
        def prepare(self, *_):
            raise BrainError("no file of a model")

    def said(brain):
        kinds = {
            **KINDS,
            "embedded": replace(KINDS["scripted"], name="embedded", prompted=True, make=lambda spec: brain()),
        }
        return estimate(setup_of("a=embedded", "b=scripted:dancer"), kinds, 1, None)

    assert "a lost the game that was timed: crashed: at once" in said(Broken)
    assert any("a could not be timed" in line and "no file of a model" in line for line in said(Missing))


def test_the_time_is_that_of_all_games_on_the_workers_and_the_pages_are_counted(monkeypatch):
    monkeypatch.setattr(estimating, "timed_games", lambda setup, kinds: {"a": TimedGame(20.0, 3.0)})
    lines = estimate(setup_of("a=scripted:turtle", "b=scripted:dancer", pairs=100, sessions="all"), KINDS, 2, None)
    assert "a: ready after 20.0 s, a game took 3.0 s" in lines
    assert "about 5 min on 2 workers" in lines, "200 games of 3 s on two workers, and 20 s to start"
    assert "about 4 MB of sessions and 15 MB of pages, at most" in lines
