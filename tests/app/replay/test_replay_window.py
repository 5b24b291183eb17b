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

from batllm_arcade.app.application import App
from batllm_arcade.app.menus.sessions import SessionsScreen
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
    app = App(plan, manager.load(), with_title=True)
    walked = _Walk(app)
    app.run(lambda app: app.go.sessions(), walked.step)
    assert walked.done == ["second selected", "replay", "sought", "reading", "closed", "back"]


class _Walk:
    """One press after the other, each once the screen shows what the one before did."""

    def __init__(self, app: App) -> None:
        self.done: list[str] = []
        self._app, self._ends = app, time.monotonic() + 40
        self._steps = iter(
            [
                ("", lambda: self._list().session_list.read == 2, [("hat", (0, -1))]),
                ("second selected", lambda: self._list().selected is self._list().rows[1], [("button", 0)]),
                ("replay", lambda: isinstance(app.screen, ReplayScreen), [("button", 0), ("hat", (1, 0))]),
                ("sought", lambda: self._replay().clock.t >= self._replay().index.starts["play"][0], [("button", 2)]),
                ("reading", lambda: self._replay().overlay is not None, [("button", 1)]),
                ("closed", lambda: self._replay().overlay is None, [("button", 1)]),
                ("back", lambda: isinstance(app.screen, SessionsScreen), []),
            ]
        )
        self._step = next(self._steps)

    def _list(self) -> SessionsScreen:
        assert isinstance(self._app.screen, SessionsScreen)
        return self._app.screen

    def _replay(self) -> ReplayScreen:
        assert isinstance(self._app.screen, ReplayScreen)
        return self._app.screen

    def step(self, app: App) -> None:
        """Once a frame."""
        assert time.monotonic() < self._ends, f"stuck after {self.done}"
        name, shown, presses = self._step
        if not shown():
            return
        self.done += [name] if name else []
        for kind, value in presses:
            _press(kind, value)
        following = next(self._steps, None)
        if following is None:
            app.go.quit()
        else:
            self._step = following


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
