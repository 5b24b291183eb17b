"""A setting that was changed is in the user's file while the window is still open: a killed program loses none."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from windows import VirtualClock, press, until, walk

from batllm_arcade.app.application import SAVED_S, App
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings

FRAMES = 20  # of the window, a second


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")


@pytest.fixture
def app(tmp_path: Path, plugins) -> App:
    plan = SessionPlan(Config(rules=Rules()), (Spec("scripted", "turtle"), Spec("scripted", "turtle")), seed=7)
    file = SettingsFile(tmp_path / "settings.yaml")
    return App(plan, plugins, with_title=True, file=file, clock=VirtualClock(FRAMES))


def kept(tmp_path: Path) -> Settings:
    return SettingsFile(tmp_path / "settings.yaml").settings


def test_a_changed_setting_is_written_while_the_window_is_open_and_not_before_changing_has_come_to_an_end(
    app, tmp_path
):
    def steps(app):
        for _ in range(3):  # on, off, on: one after the other
            press(pygame.K_m)
            yield
            yield
        for _ in range(int(0.8 * SAVED_S * FRAMES)):
            assert not kept(tmp_path).muted
            yield
        yield from until(lambda: kept(tmp_path).muted)

    walk(app, lambda app: app.go.title(), steps)


def test_a_setting_changed_in_the_last_moment_is_written_as_the_window_closes_and_nothing_where_none_was(app, tmp_path):
    def steps(app):
        for _ in range(int(2 * SAVED_S * FRAMES)):
            yield
        assert list(tmp_path.glob("settings*")) == []
        press(pygame.K_m)
        yield from until(lambda: app.ui.settings.muted)

    walk(app, lambda app: app.go.title(), steps)
    assert kept(tmp_path).muted
