"""A session: what its observers are told, and when."""

from __future__ import annotations

from fakes import kinds

from batllm_arcade.brains.functions import BotBrain
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.config import Config


def test_observers_are_told_of_a_record_before_whoever_plays_the_match_gets_it():
    told = []

    class Telling:
        def notify(self, record):
            told.append(record)

    plugins = Plugins.none()
    plugins.kinds.update(kinds(mover=BotBrain("mover", lambda me, foe, clock: "M")))
    config = Config(rules=Rules(total_rounds=1, turns_per_round=2), fallback=Spec("mover"))
    plan = SessionPlan(config, (Spec("mover"), Spec("mover")), seed=1)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    stream = session.match(plan, table)
    next(stream)
    assert session.observers is not None
    session.observers.add("telling", Telling())
    for count, record in enumerate(stream, 1):
        assert told[-1] is record
        assert len(told) == count
    session.close()
    table.close()
