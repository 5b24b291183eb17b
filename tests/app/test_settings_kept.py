"""A setting that was changed is in the user's file while the window is still open: a killed program loses none."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from windows import VirtualClock, press, run_until

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
    written: list[bool] = []

    def drive(app: App) -> bool:
        if len(written) in (2, 5, 8):
            press(pygame.K_m)  # on, off, on: one after the other
        written.append(kept(tmp_path).muted)
        return len(written) > 9 + 2 * SAVED_S * FRAMES

    run_until(app, lambda app: app.go.title(), drive)
    assert not any(written[: 9 + int(0.8 * SAVED_S * FRAMES)])
    assert written[-1]


def test_a_setting_changed_in_the_last_moment_is_written_as_the_window_closes(app, tmp_path):
    frames: list[int] = []

    def drive(app: App) -> bool:
        frames.append(len(frames))
        if len(frames) == 3:
            press(pygame.K_m)
        return app.ui.settings.muted

    run_until(app, lambda app: app.go.title(), drive)
    assert kept(tmp_path).muted


def test_a_window_in_which_nothing_was_changed_writes_nothing(app, tmp_path):
    frames: list[int] = []
    run_until(app, lambda app: app.go.title(), lambda app: frames.append(1) or len(frames) > 2 * SAVED_S * FRAMES)
    assert list(tmp_path.glob("settings*")) == []
