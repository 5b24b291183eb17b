"""What is shown of a match, and how fast: a fake thread hands over the records."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from types import SimpleNamespace

import pytest
from plays import SEATS, game

from batllm_arcade.app.match.state import MatchState
from batllm_arcade.match.records import Play
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.timeline import Timeline


class Handing:
    """Hands over records one by one, at a table of these people."""

    def __init__(self, records, humans) -> None:
        self.records = deque(records)
        seats = [replace(seat, human=human) for seat, human in zip(SEATS, humans, strict=True)]
        self.table = SimpleNamespace(seat=seats.__getitem__, taken_over=lambda bot: False)

    def peek(self):
        return self.records[0] if self.records else None

    def take(self):
        self.records.popleft()

    def hold(self, held):
        """Nobody is asked here."""


def waited(humans=(False, False), speed=1.0):
    """How long the match waits for the words of its first play."""
    started, first, *_ = game("A C0")
    first = replace(first, decision=replace(first.decision, thought="I wait until it comes nearer"))
    state = MatchState(Handing([started, first], humans), SessionPlan(Config(), (None, None), 1), DisplayOptions())
    state.clock.speed = speed
    for tick in range(200):
        state.update(tick / 10)
    assert isinstance(state.timeline.segments[-1].record, Play)
    shown, alone = state.timeline.segments[-1], Timeline.of([started, first]).segments[-1]
    return (shown.end - shown.start) - (alone.end - alone.start)


def test_a_match_that_is_watched_waits_for_words():
    assert waited() == pytest.approx(1.3)
    assert waited(speed=0.5) == pytest.approx(1.3)


@pytest.mark.parametrize("how", [{"humans": (True, False)}, {"humans": (False, True)}, {"speed": 2.0}])
def test_who_plays_or_wants_it_faster_does_not_wait(how):
    assert waited(**how) == pytest.approx(0.0)
