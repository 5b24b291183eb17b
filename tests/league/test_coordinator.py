"""The coordinator: lines in order, the end by a test, budgets, servers that bear one game at once, lost chunks."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from leagues import begun, line, small, written

from batllm_arcade.league import coordinator as coordinating
from batllm_arcade.league.coordinator import AHEAD, LARGEST_CHUNK, Coordinator
from batllm_arcade.league.engines.pair_play import EngineReport, PlayedPair
from batllm_arcade.league.plan import PairLimits, SprtPlan
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.store import LeagueStore

PLAN = small("a=scripted", "b=scripted", "c=scripted", pairs=4)
RUN, UNLIMITED = RunOptions(), PairLimits(["a", "b", "c"], {})


@pytest.fixture(autouse=True)
def nothing_is_late(monkeypatch):
    """By these clocks everything would be."""
    monkeypatch.setattr(coordinating, "LATE_S", float("inf"))


def slowly():
    """A clock by which every pair takes so long that it is a chunk of its own."""
    return count(0, 1000).__next__


class FakeEngine:
    """Plays chunks when `reports` is called, the last one handed out first; `lose` are pairs that are lost once."""

    def __init__(self, plan, workers=3, *, tokens=0, lose=(), winners=lambda number: None):
        self.plan, self.workers, self.tokens, self.lose, self.winners = plan, workers, tokens, set(lose), winners
        self.waiting, self.submitted, self.at_once, self.played = {}, [], [], 0

    def submit(self, chunk, pairs):
        self.waiting[chunk] = list(pairs)
        self.submitted.append([pair.number for pair in pairs])
        self.at_once.append([(pair.first, pair.second) for chunk in self.waiting.values() for pair in chunk])

    def reports(self, timeout_s):
        chunk = max(self.waiting)
        found = []
        for pair in self.waiting.pop(chunk):
            if pair.number in self.lose:
                self.lose.discard(pair.number)
                break
            self.played += 1
            made = line(pair.number, self.plan, self.winners(pair.number) or self._each(pair), self.tokens)
            for game in made["games"]:
                game["requests"] = dict.fromkeys(game["requests"], 1)
            found.append(EngineReport(chunk, PlayedPair(made, {})))
        return [*found, EngineReport(chunk, ended=True)]

    def _each(self, pair):
        """Each of a pair's players wins once."""
        return self.plan.players[pair.first].name, self.plan.players[pair.second].name

    def late(self, chunk):
        return f"worker of {chunk}"

    def close(self):
        pass


@pytest.fixture
def league(tmp_path):
    stores = []

    def play(plan, engine, run=RUN, limits=UNLIMITED, **more):
        if not stores:
            begun(tmp_path / "league", plan)
        stores.append(LeagueStore(tmp_path / "league", plan))
        coordinator = Coordinator(plan, stores[-1], engine, limits, run, **{"clock": slowly(), **more})
        end = coordinator.play()
        stores[-1].close()
        return end, written(tmp_path / "league")

    return play


def test_lines_are_in_order_whatever_comes_back_first_and_what_is_lost_is_played_again(league):
    engine = FakeEngine(PLAN, lose=(2, 7))
    end, lines = league(PLAN, engine)
    assert end.complete
    assert [each["pair"] for each in lines] == list(range(1, 13))
    played = [number for chunk in engine.submitted for number in chunk]
    assert sorted(played) == sorted([*range(1, 13), 2, 7])


MANY = small("a=scripted", "b=scripted", "c=scripted", pairs=40)
BUDGETS = {"max_tokens": 100, "max_requests": 10, "max_cost": 0.05, "minutes": 5}
"""Each is spent with the third pair, which takes 40 tokens, 4 requests, $0.02 and 2 minutes."""


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("limit", [None, 1, 2, 8])
def test_when_a_budget_is_spent_what_is_under_way_is_played_and_no_more(league, budget, limit):
    run = RunOptions(**{budget: BUDGETS[budget]}, prices=dict.fromkeys("abc", "500/500"))
    limits = PairLimits(["a", "server", "server"], {"server": limit} if limit else {})
    before = []
    for _ in range(2):  # each start may spend it again
        engine = FakeEngine(MANY, workers=2, tokens=10, lose=(2,))
        end, lines = league(MANY, engine, run, limits, clock=lambda engine=engine: 120.0 * engine.played)
        assert (end.complete, end.failed) == (False, False)
        assert "it was to pause after" in end.reason
        assert [each["pair"] for each in lines] == list(range(1, len(lines) + 1))
        assert 3 <= len(lines) - len(before) == engine.played <= 3 + 2 * engine.workers, "what was paid for is kept"
        before = lines


def test_a_test_ends_the_league_with_the_pair_that_decides(league):
    plan = small("a=scripted", "b=scripted", pairs=500, sprt=SprtPlan(0, 100))
    end, lines = league(plan, FakeEngine(plan, winners=lambda number: ("a", "a")))
    assert end.complete
    assert 5 < len(lines) < 50
    again, more = league(plan, FakeEngine(plan))  # resumed: nothing is left to do
    assert again.complete
    assert more == lines


def test_no_two_chunks_at_once_need_the_same_limited_server(tmp_path):
    begun(tmp_path / "league", PLAN)
    store = LeagueStore(tmp_path / "league", PLAN)
    engine = FakeEngine(PLAN, workers=2)
    limits = PairLimits(["a", "b", "ollama"], {"ollama": 1})
    Coordinator(PLAN, store, engine, limits, RunOptions(), clock=slowly()).play()
    assert store.played == 12
    store.close()
    for pairs in engine.at_once:
        assert sum(2 in pair for pair in pairs) <= 1
    assert any(len(pairs) > 1 for pairs in engine.at_once)  # a and b play on while c's server is busy


def test_a_pause_ends_it_at_once_and_a_problem_is_told(league):
    class Broken(FakeEngine):
        def reports(self, timeout_s):
            return [EngineReport(max(self.waiting), ended=True, problem="c: the server is away")]

    end, lines = league(PLAN, Broken(PLAN))
    assert (end.complete, end.failed, end.reason, lines) == (False, True, "c: the server is away", [])


def test_only_so_much_is_held_back_while_one_pair_takes_its_time(league):
    plan = small("a=scripted", "b=scripted", pairs=3000)

    class Slow(FakeEngine):
        def reports(self, timeout_s):
            others = [chunk for chunk in self.waiting if chunk != 1]
            if not others:
                most = max(number for chunk in self.submitted for number in chunk)
                assert most <= AHEAD * LARGEST_CHUNK * self.workers
                return super().reports(timeout_s)
            self.waiting = {**{key: self.waiting[key] for key in self.waiting if key == 1}, **self.waiting}
            first = self.waiting.pop(1, None)
            found = super().reports(timeout_s)
            if first:
                self.waiting[1] = first
            return found

    end, lines = league(plan, Slow(plan), clock=lambda: 0.0)
    assert end.complete
    assert len(lines) == 3000


class InOrder(FakeEngine):
    """Plays the chunks in the order in which they were handed out."""

    def reports(self, timeout_s):
        first, others = min(self.waiting), dict(self.waiting)
        self.waiting = {first: others.pop(first)}
        found = super().reports(timeout_s)
        self.waiting = others
        return found


def test_pairs_of_one_moment_share_a_write_to_the_disk(league, monkeypatch):
    writes = []
    monkeypatch.setattr("os.fsync", writes.append)
    end, lines = league(PLAN, InOrder(PLAN), clock=lambda: 0.0)
    assert end.complete
    assert [each["pair"] for each in lines] == list(range(1, 13))
    assert len(writes) <= 3


def test_a_pause_keeps_what_has_come_since_the_last_write(tmp_path):
    class Interrupted(InOrder):
        def reports(self, timeout_s):
            found = super().reports(timeout_s)
            if found[0].played.line["pair"] == 2:
                coordinator.pause()
            return found

    begun(tmp_path / "league", PLAN)
    store = LeagueStore(tmp_path / "league", PLAN)
    coordinator = Coordinator(PLAN, store, Interrupted(PLAN), UNLIMITED, RUN, clock=lambda: 0.0)
    assert not coordinator.play().complete
    store.close()
    assert [each["pair"] for each in written(tmp_path / "league")] == [1, 2]


class Frozen(InOrder):
    """Nothing comes back of the chunk with pair 3 until `thaws`; while nothing happens the clock goes on."""

    def __init__(self, plan, thaws=None):
        super().__init__(plan, workers=2)
        self.now, self.thaws, self.late_chunks = 0.0, thaws, []

    def late(self, chunk):
        self.late_chunks.append(chunk)
        return "worker C"

    def reports(self, timeout_s):
        self.now += 3
        assert self.now < 3000, "a late chunk is never handed out again"
        frozen = {chunk: pairs for chunk, pairs in self.waiting.items() if chunk == self.frozen}
        if frozen and (self.thaws is None or self.now < self.thaws):
            self.waiting = {chunk: pairs for chunk, pairs in self.waiting.items() if chunk not in frozen}
            found = super().reports(timeout_s) if self.waiting else []
            self.waiting |= frozen
            return found
        return super().reports(timeout_s)

    @property
    def frozen(self):
        return 1 + next((at for at, pairs in enumerate(self.submitted) if 3 in pairs), -1)


@pytest.mark.parametrize("thaws", [None, 60])
def test_a_late_chunk_is_played_elsewhere_too_and_stops_nobody(league, monkeypatch, thaws):
    monkeypatch.setattr(coordinating, "LATE_S", 25.0)
    told, engine = [], Frozen(PLAN, thaws)
    end, lines = league(PLAN, engine, clock=lambda: engine.now, told=told.append)
    assert end.complete
    assert [each["pair"] for each in lines] == list(range(1, 13))
    assert told == ["worker C is late with pair 3; it is played elsewhere, too"]
    assert len(engine.late_chunks) == 1


def test_what_needs_a_limited_server_is_waited_for(league, monkeypatch):
    monkeypatch.setattr(coordinating, "LATE_S", 25.0)
    engine, told = Frozen(PLAN, thaws=200), []
    limits = PairLimits(["server", "server", "server"], {"server": 3})
    end, _ = league(PLAN, engine, limits=limits, clock=lambda: engine.now, told=told.append)
    assert end.complete
    assert told == []


def test_pairs_of_an_earlier_league_are_written_in_their_place_and_count_for_no_budget(league):
    taken = {number: PlayedPair(line(number, PLAN, ("a", "b"), 1000), {}) for number in (1, 2, 6, 11)}
    engine = FakeEngine(PLAN, tokens=1)
    end, lines = league(PLAN, engine, RunOptions(max_tokens=500), reused=lambda pair: taken.get(pair.number))
    assert end.complete
    assert [each["pair"] for each in lines] == list(range(1, 13))
    assert sorted(number for chunk in engine.submitted for number in chunk) == [3, 4, 5, 7, 8, 9, 10, 12]


def test_a_player_that_fails_in_every_game_pauses_the_league(league):
    class Failing(InOrder):
        def reports(self, timeout_s):
            found = super().reports(timeout_s)
            return [
                replace(each, played=each.played and replace(each.played, failures={"a": ["crashed"] * 2}))
                for each in found
            ]

    end, lines = league(PLAN, Failing(PLAN, workers=1))
    assert (end.complete, end.failed) == (False, True)
    assert "a has failed in each of its last 4 games: crashed" in end.reason
    assert 2 <= len(lines) <= 4
