"""Leagues that carry what models note from game to game of a pairing: in their order, also after a kill."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count

import pytest
from fakes import kinds
from leagues import begun, line, small, written

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league import coordinator as coordinating
from batllm_arcade.league.coordinator import Coordinator
from batllm_arcade.league.engines import pair_play
from batllm_arcade.league.engines.pair_play import EngineReport, PairPlayer, PlayedPair
from batllm_arcade.league.plan import LeaguePlayer, PairLimits
from batllm_arcade.league.plan_file import RunOptions, load_plan
from batllm_arcade.league.reuse import ReusedPairs
from batllm_arcade.league.store import LeagueStore, lines_of, pair_of
from batllm_arcade.plugin.manager import Plugins

PLAYERS = tuple(LeaguePlayer(name, name) for name in "abc")
PLAN = small(players=PLAYERS, pairs=4, notes="league", sessions="all")
UNLIMITED = PairLimits("abc", {})


class Counting:
    """Notes how often it has noted; each game is noted once, as it has one round."""

    notes, model = 9, "m"

    def decide(self, view):
        return Decision("M", "M")

    def note(self, view):
        return Decision(str(int(view.notes or 0) + 1), None, tokens={"prompt": 10, "completion": 1})


class Silent(Counting):
    notes = 0


@pytest.fixture(autouse=True)
def players(monkeypatch):
    found = Plugins.none()
    found.kinds.update(kinds(a=Counting(), b=Counting(), c=Silent()))
    monkeypatch.setattr(pair_play, "load_plugins", lambda setup: found)
    monkeypatch.setattr(coordinating, "LATE_S", float("inf"))


class HereEngine:
    """Plays chunks in this process when `reports` is called, not in the order in which they are handed out.

    It gives up after so many pairs; those of `lose` are lost once. `begins` is what each pair began with.
    """

    workers = 4

    def __init__(self, plan, pair, most=99, lose=()):
        self.plan, self.pair, self.most, self.lose = plan, pair, most, set(lose)
        self.waiting, self.begins, self.at_once, self.played = {}, [], [], 0

    def submit(self, chunk, pairs):
        self.waiting[chunk] = list(pairs)
        self.begins += [((pair.first, pair.second), pair.notes) for pair in pairs]
        self.at_once.append([(pair.first, pair.second) for chunk in self.waiting.values() for pair in chunk])

    def reports(self, timeout_s):
        chunk, found = sorted(self.waiting)[self.played % len(self.waiting)], []
        for pair in self.waiting.pop(chunk):
            if pair.number in self.lose:
                self.lose.discard(pair.number)
                break
            self.played += 1
            found.append(EngineReport(chunk, self.pair(pair)))
        return [*found, EngineReport(chunk, ended=True, problem="killed" if self.played >= self.most else "")]

    def late(self, chunk):
        return ""

    def close(self):
        pass


def coordinate(folder, plan, engine):
    store, seconds = LeagueStore(folder, plan), count(0, 1000)  # by which every pair is a chunk of its own
    Coordinator(plan, store, engine, UNLIMITED, RunOptions(), clock=seconds.__next__).play()
    store.close()


def play(folder, setup, most=99):
    player = PairPlayer(setup)
    engine = HereEngine(setup.plan, player.play, most)
    coordinate(folder, setup.plan, engine)
    player.close()
    return engine


def test_notes_go_from_game_to_game_of_a_pairing_also_where_the_league_was_left_and_resumed(tmp_path):
    whole, parts = begun(tmp_path / "whole", PLAN), begun(tmp_path / "parts", PLAN)
    play(tmp_path / "whole", whole)
    for most in (7, 5, 99):
        engine = play(tmp_path / "parts", parts, most)
    assert engine.played < 12
    lines = written(tmp_path / "whole")
    assert lines == written(tmp_path / "parts")
    met = {
        pairing: [each["notes"] for each in lines if "".join(each["players"]) == pairing] for pairing in ("ab", "bc")
    }
    assert met["ab"] == [{"a": f"{n}", "b": f"{n}"} for n in (2, 4, 6, 8)]
    assert met["bc"] == [{"b": f"{n}"} for n in (2, 4, 6, 8)]
    assert lines[0]["games"][0]["tokens"] == {"a": 11, "b": 11}
    games = [json.loads((tmp_path / "parts" / "sessions" / f"4-{n}.json").read_text())["games"][0] for n in (1, 2)]
    assert [game["notes"] for game in games] == [["2", "2"], ["3", "3"]]
    assert list(lines_of(tmp_path / "parts", PLAN, 12))[-1]["notes"]


def test_pairs_of_a_pairing_are_played_one_after_the_other_lost_ones_first(tmp_path):
    begun(tmp_path / "league", PLAN)

    def noted(pair):
        made = line(pair.number, PLAN)
        return PlayedPair({**made, "notes": {made["players"][0]: str(pair.number)}}, {})

    engine = HereEngine(PLAN, noted, lose=(2, 7))
    coordinate(tmp_path / "league", PLAN, engine)
    assert all(len(set(together)) == len(together) for together in engine.at_once)
    assert [notes for pairing, notes in engine.begins if pairing == (0, 1)] == [
        ("", ""),
        ("1", ""),
        ("4", ""),
        ("4", ""),
        ("7", ""),
    ]
    assert [notes for pairing, notes in engine.begins if pairing == (0, 2)] == [
        ("", ""),
        ("", ""),
        ("2", ""),
        ("5", ""),
        ("8", ""),
    ]


def test_without_it_every_game_begins_without_notes_and_none_are_written_for_nobody(tmp_path):
    setup = begun(tmp_path / "league", replace(PLAN, notes="off", pairs=2))
    play(tmp_path / "league", setup)
    assert all("notes" not in each for each in written(tmp_path / "league"))
    assert '"notes"' not in (tmp_path / "league" / "sessions" / "4-1.json").read_text()


def test_it_is_told_in_the_plan_and_the_table_and_such_pairs_are_not_reused(tmp_path, monkeypatch, capsys):
    (tmp_path / "l.yaml").write_text(
        "players: [scripted:turtle, scripted:dancer]\nnotes: league\nrounds: 1\nturns: 2\npairs: 1\n"
    )
    assert load_plan(tmp_path / "l.yaml")[0].notes == "league"
    (tmp_path / "off.yaml").write_text("players: [scripted:turtle, scripted:dancer]\nnotes: off\n")
    assert load_plan(tmp_path / "off.yaml")[0].notes == "off"
    monkeypatch.undo()
    assert main(["league", str(tmp_path / "l.yaml"), "--out", str(tmp_path / "out"), "--workers", "1", "--quiet"]) == 0
    assert "carried from game to game" in capsys.readouterr().out
    with pytest.raises(UsageError, match="--from"):
        ReusedPairs(begun(tmp_path / "new", PLAN), [tmp_path / "out"], {})


@pytest.mark.parametrize("notes", [{"z": "x"}, {"a": "two\nlines"}, {"a": "w " * 301}, {"a": 3}, ["a"]])
def test_a_line_with_notes_that_no_league_writes_is_refused(notes):
    made = line(1, PLAN)
    assert pair_of({**made, "notes": {"a": "good"}})
    with pytest.raises(HistoryError, match="notes"):
        pair_of({**made, "notes": notes})
