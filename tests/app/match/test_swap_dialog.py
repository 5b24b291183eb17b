"""The list of brains for a seat: no two rows alike, and the one that plays is said to."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from menus import shell

from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.screen import notes_below
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config

ROOKIE = Spec("told", "", {"level": "rookie"})


class FakeTable:
    def __init__(self, options):
        self.options = options

    def seat(self, bot):
        return SeatInfo("SmolLM2", "told", options=self.options)

    def pending(self, bot):
        return None

    def bot_report(self, bot):
        return None


def rows(monkeypatch, playing):
    """Each row's name and what is said beside it, while a brain with these options plays."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    plugins = Plugins.none()
    plugins.kinds["told"] = BrainKind("told", "a model", lambda spec: None, titles={"": "SmolLM2"})
    with shell(SessionPlan(Config(), (ROOKIE, ROOKIE), seed=1), plugins) as app:
        dialog = SwapDialog(app.ui, app.services, FakeTable(playing), (ROOKIE, ROOKIE), lambda: None, 1)
        dialog.update(0.0)
        return {entry.text: entry.note == "plays now" for entry in dialog.entries}


def test_one_that_is_there_twice_is_told_apart_and_the_one_that_plays_is_marked(monkeypatch):
    assert rows(monkeypatch, {"level": "rookie"}) == {"SmolLM2 (rookie)": True, "SmolLM2": False}
    assert rows(monkeypatch, {}) == {"SmolLM2 (rookie)": False, "SmolLM2": True}


@pytest.mark.parametrize(
    ("banner", "place", "hint", "below"),
    [
        ("", "top", None, 12),
        ("S blocks it", "bottom", None, 12),
        ("S blocks it", "top", None, 116),
        ("", "top", True, 64),
    ],
)
def test_notices_lie_below_whatever_is_said_at_the_top(banner, place, hint, below):
    frame = SimpleNamespace(turn=SimpleNamespace(top=hint) if hint is not None else None)
    assert notes_below(frame, SimpleNamespace(telegraph=SimpleNamespace(banner=banner, place=place))) == below
    assert notes_below(frame, SimpleNamespace(telegraph=None)) == (64 if hint else 12)
