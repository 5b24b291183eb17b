"""A session: what its observers are told, and when."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace

import pytest
from fakes import kinds

from batllm_arcade.brains.bots import BotBrain
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import Series
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, RecorderLost, SessionPlan
from batllm_arcade.settings.config import Config


def test_a_game_that_begins_another_series_says_so_and_a_rematch_does_not():
    plugins = Plugins.none()
    plugins.kinds.update(kinds(hunter=BotBrain("hunter", hunter), idle=BotBrain("idle", lambda me, foe, clock: None)))
    rules = Rules(total_rounds=1, turns_per_round=4, initial_shield=False, initial_health=(20, 5))
    config = Config(rules=rules, fallback=Spec("idle"))
    plan = SessionPlan(config, (Spec("hunter"), Spec("idle")), seed=1, series=Series(3))
    session = LiveSession(plan, plugins)

    def begun(series: Series, *, swap: bool = False) -> Series | None:
        """Play a game that the left player wins; return the series that begins with it."""
        wanted = replace(plan, series=series)
        table = session.table(wanted)
        records = session.match(wanted, table)
        started = next(records)
        if swap:
            table.swap(0, Spec("hunter"))
            wait_until(lambda: table.pending(0).ready)
        *_, ended = records
        table.close()
        assert ended.result.winner == 0
        return started.series

    assert begun(Series(3)) is None
    assert begun(Series(3, (1, 0))) is None
    assert begun(Series(3)) is None, "the series has been won, and the next one is as long"
    assert begun(Series(7)) == Series(7)
    assert begun(Series(7, (1, 0))) is None
    assert begun(Series(7)) == Series(7), "nothing is won yet, although the same two play"
    assert begun(Series()) == Series()
    assert begun(Series(None, (1, 0)), swap=True) is None
    assert begun(Series(None, (1, 0))) is None, "what a person's swap won counts for nobody"
    session.close()


def wait_until(so):
    """Wait for what a thread does beside the match."""
    ends = time.monotonic() + 30
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.002)


def hunter(me, foe, clock):
    return "B" if me.aims_at(foe) else me.turn_to(foe)


def watched(name, observer, turns):
    """A session of two that move, its first match begun, with one more observer."""
    plugins = Plugins.none()
    plugins.kinds.update(kinds(mover=BotBrain("mover", lambda me, foe, clock: "M")))
    config = Config(rules=Rules(total_rounds=1, turns_per_round=turns), fallback=Spec("mover"))
    plan = SessionPlan(config, (Spec("mover"), Spec("mover")), seed=1)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    stream = session.match(plan, table)
    next(stream)
    session.observers.add(name, observer)
    return session, plan, table, stream


def test_observers_are_told_of_a_record_before_whoever_plays_the_match_gets_it():
    told = []

    class Telling:
        def notify(self, record):
            told.append(record)

    session, _plan, table, stream = watched("telling", Telling(), turns=2)
    for count, record in enumerate(stream, 1):
        assert told[-1] is record
        assert len(told) == count
    session.close()
    table.close()


def test_a_match_without_its_recorder_ends_with_that_play_and_no_other_begins_in_that_session():
    class Full:
        required = True

        def notify(self, record):
            if isinstance(record, Play) and record.number == 3:
                raise ArcadeError("the disk is full; what was played is in the journal")

    session, plan, table, stream = watched("recorder", Full(), turns=9)
    plays = 0
    with suppress(RecorderLost):
        for record in stream:
            plays += isinstance(record, Play)
    assert plays == 3
    with pytest.raises(RecorderLost, match=r"^the disk is full; what was played is in the journal$"):
        next(session.match(plan, table))
    assert session.lost
    session.close()
    table.close()
