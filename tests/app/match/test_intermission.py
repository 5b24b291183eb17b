"""When a match goes on by itself between two rounds, and when it waits for somebody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from menus import shell
from plays import game

from batllm_arcade.app.match.intermission import COUNTDOWN_S, WRITERS_COUNTDOWN_S, IntermissionDialog
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.match.records import RoundEnded, RoundStarted
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Intermission
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.view.statistics import report


@pytest.fixture
def app(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    plugins = Plugins.none()
    for name in ("told", "script"):
        plugins.kinds[name] = BrainKind(name, name, lambda spec: None, prompted=name == "told")
    with shell(SessionPlan(Config(), (Spec("told"), Spec("told")), seed=1), plugins) as made:
        yield made


class Waiting(Intermission):
    """The time between two rounds, which knows whether the next one has begun."""

    begun = False

    def go_on(self, prompts=None):
        self.begun = True


def between(app, left="told", right="told", *, human=False, many=False):
    """The dialog after a round of these two."""
    started, *plays, _ = game("A B", "B B")
    begun = RoundStarted(1, 1, (0, 1), started.arena, ("", ""), False, False, ("", ""))
    records = [started, begun, *plays, RoundEnded(1, 1, "complete", plays[-1].after)]
    seats = (SeatInfo("A", left), SeatInfo("B", right, human=human))
    reports = (report(records), report(records, 1))
    return IntermissionDialog(app.ui, app.services, Waiting(1, 2, ("", "")), seats, reports, 0.0, many=many)


def goes_on(dialog, seconds):
    """Whether the round has begun after so many seconds."""
    for tick in range(round(seconds * 10)):
        dialog.update(tick / 10)
    return dialog.intermission.begun


@pytest.mark.parametrize(
    ("left", "right", "human", "hidden", "many", "alone"),
    [
        ("script", "script", False, False, False, True),
        ("told", "script", False, False, False, True),
        ("told", "told", False, False, False, True),
        ("told", "script", True, False, False, False),
        ("script", "script", True, False, False, False),
        ("script", "script", True, False, True, True),
        ("told", "told", False, True, False, False),
    ],
)
def test_a_match_goes_on_by_itself_where_nobody_plays_or_hides_orders(app, left, right, human, hidden, many, alone):
    app.ui.apply(replace(app.ui.settings, hide_prompts=hidden))
    assert goes_on(between(app, left, right, human=human, many=many), WRITERS_COUNTDOWN_S + 1) is alone


def test_there_is_more_time_where_orders_could_be_written(app):
    assert goes_on(between(app, "script", "script"), COUNTDOWN_S + 0.5)
    assert not goes_on(between(app), COUNTDOWN_S + 0.5)
    assert not goes_on(between(app), WRITERS_COUNTDOWN_S - 0.5)


def test_whoever_begins_to_write_stops_the_countdown_and_then_both_have_to_be_ready(app):
    dialog = between(app)
    assert [button.text for button in dialog.form.widgets[:2] if hasattr(button, "big") and button.big] == ["Round 2"]
    dialog.form.set_focus(dialog.pair.areas[0])
    assert not goes_on(dialog, 60)
    assert [button.text for button in dialog.form.widgets[:2]] == ["left is ready", "right is ready"]
    assert dialog.form.focus is dialog.pair.areas[0]
    dialog.toggle_ready(0)
    dialog.toggle_ready(1)
    assert dialog.intermission.begun


def test_after_the_pause_menu_it_counts_anew(app):
    dialog = between(app, "script", "script")
    dialog.update(3.0)
    dialog.resume(60.0)
    dialog.update(61.0)
    assert not dialog.intermission.begun
    dialog.update(60.0 + COUNTDOWN_S)
    assert dialog.intermission.begun
