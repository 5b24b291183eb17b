"""A rematch: the brains of the last match play on, loaded and connected as they are."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import GameStarted
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.config import Config


class Loaded:
    """A brain that takes long to load: it tells what is done with it."""

    may_play = threading.Event()
    """Whether it answers; else it waits for that."""
    may_play.set()

    def __init__(self, told: list[str]) -> None:
        self.told = told
        told.append("made")

    def prepare(self, report):
        self.told.append("loaded")

    def read_orders(self, orders):
        self.told.append(f"read {orders}")
        if orders == "riddle":
            raise BrainError("it cannot read that")

    def decide(self, view):
        self.may_play.wait(30)
        return Decision("M", "M")

    def close(self):
        self.told.append("closed")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def session(told) -> LiveSession:
    plugins = Plugins.none()
    plugins.kinds["loaded"] = BrainKind("loaded", "loads", lambda spec: Loaded(told), variants=("a", "b"))
    return LiveSession(plan(), plugins)


def plan(left: str = "loaded", right: str = "loaded", prompts=("go", "")) -> SessionPlan:
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), fallback=Spec("loaded"), prompts=prompts)
    return SessionPlan(config, (Spec.parse(left), Spec.parse(right)), seed=1)


def play(session: LiveSession, wanted: SessionPlan, *, leave: bool = False, swap: bool = False) -> list[int]:
    """Play a match to its end, or leave it; return the numbers of its games."""
    table = session.table(wanted)
    thread = MatchThread(session, wanted, table)
    if swap:
        Loaded.may_play.clear()  # until the other brain is ready: a match may be over sooner
    thread.start()
    games, ends = [], time.monotonic() + 30
    while thread.alive:
        assert time.monotonic() < ends
        record = thread.peek()
        if isinstance(record, GameStarted):
            games.append(record.game)
            if swap:
                table.swap(0, Spec("loaded"))
                while (pending := table.pending(0)) is not None and not pending.ready:
                    time.sleep(0.002)
                Loaded.may_play.set()
            if leave:
                thread.leave()
        thread.take()
        time.sleep(0.002)
    thread.leave()  # as the screen does when another one takes its place
    assert not thread.problem
    for closing in threading.enumerate():
        if closing.name.startswith("closing"):  # brains are closed without being waited for
            closing.join(30)
    return games


@pytest.mark.parametrize(("then", "done", "closed"), [
    (plan(prompts=("stay", "riddle")), ["read stay", "read riddle"], 2),
    (plan("loaded:a", "loaded:b"), ["made", "made", "loaded", "read go", "loaded", "closed", "closed"], 4),
    (plan("loaded:a"), ["made", "loaded", "read go", "closed"], 3),
], ids=["the same seats", "other seats", "one other seat"])  # fmt: skip
def test_who_did_not_change_plays_on_as_they_are_and_others_are_closed_once_the_new_are_ready(
    then, done, closed, session, told
):
    assert play(session, plan()) == [1]
    assert told == ["made", "made", "loaded", "read go", "loaded"]
    told.clear()
    assert play(session, then) == [2]
    assert told == done
    session.close()
    assert told.count("closed") == closed


def test_a_seat_that_was_changed_in_the_match_is_made_anew_for_the_rematch_and_the_other_plays_on(session, told):
    play(session, plan(prompts=("go", "stay")), swap=True)
    assert (told.count("made"), told.count("closed")) == (3, 2)
    told.clear()
    play(session, plan(prompts=("go", "stay")))
    assert told == ["made", "loaded", "read go", "read stay"]
    session.close()
    assert told[4:] == ["closed", "closed"]


def test_a_brain_whose_seat_a_person_has_taken_over_is_kept_too(session, told):
    session._plugins.kinds["keyboard"] = BrainKind("keyboard", "a person", lambda spec: Loaded(told), human=True)
    table = session.table(plan())
    table.take_over(0)
    brains = table.release()
    table.close()
    assert [brain.spec.name for brain in brains] == ["loaded", "loaded"]
    assert told == ["made", "made", "made", "closed"]


def test_a_match_that_was_left_leaves_nothing_for_a_rematch(session, told):
    play(session, plan(), leave=True)
    assert told.count("closed") == told.count("made") == 2
    play(session, replace(plan(), seed=2))
    assert told.count("made") == 4
    session.close()
    assert told.count("closed") == 4


def test_options_that_are_wrong_cost_no_brain_its_seat(session, told):
    play(session, plan())
    told.clear()
    with pytest.raises(UsageError):
        session.table(plan(right="loaded:c,prepare_s=no"))
    play(session, plan())
    assert told == ["read go"]
    session.close()
    assert told[1:] == ["closed", "closed"]


def test_a_table_that_comes_back_after_the_session_is_over_is_closed(session, told):
    table = session.table(plan())
    session.close()
    session.give_back(plan(), table)
    assert told.count("closed") == 2


def test_a_brain_that_reads_the_rules_ahead_gets_its_seats_header_before_the_first_play(session, told, monkeypatch):
    monkeypatch.setattr(Loaded, "read_header", lambda self, header, seat: told.append((header, seat)), raising=False)
    wanted = plan()
    wanted = replace(wanted, config=replace(wanted.config, header_template="hit: $bullet_damage"))
    table = session.table(wanted)
    table.prepare(lambda words: None, wanted.config.prompts, wanted.headers)
    assert [each for each in told if isinstance(each, tuple)] == [("hit: 5", 0), ("hit: 5", 1)]
    table.close()
