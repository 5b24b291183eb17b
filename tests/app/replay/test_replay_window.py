"""The sessions and the replay walked in a real window: by keys alone, and by a gamepad's events."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pygame
import pytest
from display import Screen
from fakes import eventful, written
from windows import until, walk

from batllm_arcade.app.application import App
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config
from batllm_arcade.view import theme


def _wait(what, program: subprocess.Popen[str], seconds: float = 40.0) -> None:
    ends = time.monotonic() + seconds
    while not what():
        assert program.poll() is None, program.communicate()
        assert time.monotonic() < ends, "what was waited for did not happen"
        time.sleep(0.05)


def _clock(screen: Screen) -> int:
    """Where the white line on the timeline is, -1 without one."""
    white = (screen.pixels()[664:686:3, 20:1262] == theme.WHITE).all(axis=(0, 2))
    return 20 + int(white.argmax()) if white.any() else -1


def _bar_shown(screen: Screen) -> bool:
    return _clock(screen) >= 0


@pytest.mark.timeout(180)
def test_the_sessions_and_a_replay_are_walked_by_keyboard_alone(screen, tmp_path):
    folder = tmp_path / "batllm-arcade" / "sessions"
    folder.mkdir(parents=True)
    for name in ("a.json", "b.json"):
        written(eventful(), folder / name)
    (folder / "broken.json").write_text('{"games":')
    os.utime(folder / "broken.json", (1_000_000_000, 1_000_000_000))
    environment = {**screen.environment, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    code = (
        "from batllm_arcade.app.application import App\n"
        "from batllm_arcade.plugin.manager import Plugins\n"
        "import sys; sys.exit(App(None, Plugins.none()).run(lambda app: app.go.sessions()))\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        _wait(lambda: screen.count(theme.DANGER, (50, 230, 600, 300)) > 8, program)  # the broken one's reason
        screen.key("key", "Down", "Return")
        _wait(lambda: _bar_shown(screen), program)
        screen.key("key", "k", "End")
        _wait(lambda: _clock(screen) > 1250, program)
        screen.key("key", "Home", "shift+Right")
        _wait(lambda: 20 < _clock(screen) < 400, program)
        screen.key("key", "t")
        _wait(lambda: not _bar_shown(screen), program)
        screen.key("key", "Escape")
        _wait(lambda: _bar_shown(screen), program)
        screen.key("key", "Tab")
        _wait(lambda: not _bar_shown(screen), program)
        screen.key("key", "Tab")
        _wait(lambda: _bar_shown(screen), program)
        screen.key("key", "Escape")
        _wait(lambda: screen.count(theme.DANGER, (50, 230, 600, 300)) > 8, program)
        screen.key("key", "End", "Delete", "Down", "Return")  # it asks first
        _wait(lambda: not (folder / "broken.json").exists(), program)
        assert len(list(folder.iterdir())) == 2
        screen.key("key", "Escape")
        assert program.wait(20) == 0
    finally:
        program.kill()
        _, err = program.communicate()
    assert "Traceback" not in err


@pytest.mark.timeout(60)
def test_the_sessions_and_a_replay_are_walked_by_a_gamepads_events(tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "batllm-arcade" / "sessions"
    folder.mkdir(parents=True)
    for name in ("a.json", "b.json"):
        written(eventful(), folder / name)
    seats = (Spec("scripted", "random"), Spec("scripted", "turtle"))
    plan = SessionPlan(Config(rules=Rules()), seats, seed=7, history=tmp_path / "match.json")

    def steps(app):
        listed = app.screen
        yield from until(lambda: listed.session_list.read == 2)
        _press("hat", (0, -1))
        yield from until(lambda: listed.selected is listed.rows[1])
        _press("button", 0)
        replay = yield from until(lambda: isinstance(app.screen, ReplayScreen) and app.screen)
        _press("button", 0)
        _press("hat", (1, 0))
        yield from until(lambda: replay.clock.t >= replay.index.starts["play"][0])
        _press("button", 2)
        yield from until(lambda: replay.overlay)
        _press("button", 1)
        yield from until(lambda: replay.overlay is None)
        _press("button", 1)
        yield from until(lambda: app.screen is listed)

    walk(App(plan, manager.load(), with_title=True), lambda app: app.go.sessions(), steps)


def _press(kind: str, value) -> None:
    """A gamepad that SDL does not know: buttons by number, the d-pad as a hat."""
    if kind == "button":
        for event in (pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP):
            pygame.event.post(pygame.event.Event(event, joy=0, instance_id=0, button=value))
    else:
        for way in (value, (0, 0)):
            pygame.event.post(pygame.event.Event(pygame.JOYHATMOTION, joy=0, instance_id=0, hat=0, value=way))


def test_a_session_file_is_opened_from_the_command_line(screen, tmp_path):
    path: Path = written(eventful(), tmp_path / "s.json")
    program = subprocess.Popen(
        [sys.executable, "-m", "batllm_arcade", "replay", str(path)],
        env={**screen.environment, "XDG_CONFIG_HOME": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _wait(lambda: _bar_shown(screen), program)
        screen.key("key", "Escape")
        assert program.wait(20) == 0
    finally:
        program.kill()
        _, err = program.communicate()
    assert "Traceback" not in err
