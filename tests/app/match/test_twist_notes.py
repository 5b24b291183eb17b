"""What a watched match says of its turns, as films do."""

from __future__ import annotations

import pytest

from batllm_arcade.app.match.notifications import TWIST_S, TwistNotes
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.match.runner import MatchPlan, play
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings import config
from batllm_arcade.video.edit.text import twists
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(scope="module")
def timeline():
    seats = (Spec("scripted", "turtle"), Spec("scripted", "sharpshooter"))
    table = Table(manager.load().kinds, seats, fallback=seats[0])
    plan = MatchPlan(config.load("couch").rules, seed=3, games=2, header_template="$commands")
    return Timeline.of(play(plan, table))


def test_a_twist_is_named_from_when_it_is_known_for_a_while(timeline):
    notes, found = TwistNotes(), list(twists(timeline).values())
    assert {"next", "lead"} & {twist.kind for twist in found}
    for twist, later in zip(found, [*found[1:], None], strict=True):
        assert notes.at(timeline, twist.known).words == twist.text.upper()
        if later is None or later.known > twist.known + TWIST_S:
            assert notes.at(timeline, twist.known + TWIST_S) is None
    assert notes.at(timeline, found[0].known - 0.01) is None


def test_it_keeps_off_the_bots(timeline):
    known = next(iter(twists(timeline).values())).known
    last = timeline.segments[-1].arena
    low = min(last.left.y, last.right.y) < 360
    assert TwistNotes().at(timeline, known).ribbon == ("low" if low else "high")
