"""A shell without a window: a screen's events and frames come from the test, with its own clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygame

from batllm_arcade.app.input.controls import PAD, Controls
from batllm_arcade.app.services.leagues import LeagueJobs
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.settings.user_settings import Settings


class QuietSounds:
    """Plays nothing, remembers what it was asked to follow."""

    def __init__(self) -> None:
        self.followed: list[tuple[float, float, float]] = []

    def follow(self, timeline: Any, before: float, now: float, speed: float = 1.0) -> None:
        self.followed.append((before, now, speed))


def draw(screen: Any, surface: pygame.Surface) -> None:
    """Lay a screen out for the surface and draw it there, as the window does once a frame."""
    screen.lay_out(surface.get_size())
    screen.draw(surface)


class QuietFilms:
    """Makes no films, remembers which were asked for."""

    def __init__(self) -> None:
        self.share: float | None = None
        self.words = ""
        self.asked: list[tuple[Path, Path, list[str]]] = []
        self.stopped = 0
        self.saved: Path | None = None

    def start(self, session: Path, out: Path, options: Any = ()) -> None:
        self.asked.append((session, out, list(options)))
        self.share, self.words = 0.25, f"filming {out.name}"

    @property
    def news(self) -> str:
        return self.words if self.share is None else f"{self.words}  {self.share:.0%}"

    def made_of(self, session: Path | None) -> bool:
        return self.saved == session and session is not None

    def stop(self) -> None:
        self.share, self.words = None, "stopped"
        self.stopped += 1


def parts(window: Any) -> tuple[Any, Any, Any]:
    """Return what screens are made with: an arcade's `ui`, `go` and `services`."""
    return window.ui, window.go, window.services


class FakeShell:
    """What a screen asks of the window is written down; it is the screen's `ui`, `go` and `services` in one."""

    def __init__(self) -> None:
        self.ui = self.go = self.services = self
        self.settings = Settings()
        self.controls = Controls(self.settings)
        self.sounds, self.films, self.league_jobs = QuietSounds(), QuietFilms(), LeagueJobs()
        self.session: Any = None
        self.plugins = Plugins.none()
        self.pushed: list[Any] = []
        self.opened: list[Path] = []
        self.calls: list[str] = []

    def sound(self, name: str) -> None:
        """Nothing."""

    def text_input(self, on: bool) -> None:
        """Nothing."""

    def push(self, screen: Any) -> None:
        self.pushed.append(screen)

    show = push

    def open_session(self, path: Path, game: int | None, failed: Any) -> None:
        self.opened.append(path)

    def wait_for(self, title: str, task: Any, finished: Any, failed: Any) -> None:
        """Wait at once."""
        task.join()
        finished(task.result) if task.result is not None else failed(str(task.error))

    def give(self, screen: Any, event: pygame.event.Event, now: float = 0.0) -> None:
        """Hand an event to a screen, with what it means."""
        screen.handle(event, self.controls.meaning(event), now)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *arguments: self.calls.append(name)


def key(screen: Any, *keys: int, mod: int = 0) -> None:
    """Press keys one after the other."""
    for each in keys:
        event = pygame.event.Event(pygame.KEYDOWN, key=each, mod=mod, unicode="")
        for given in screen_shell(screen).controls.feed(event, 0.0):
            screen_shell(screen).give(screen, given)


def button(screen: Any, *buttons: str) -> None:
    """Press a gamepad's buttons one after the other."""
    screen_shell(screen).controls.device = "pad"
    for each in buttons:
        values = {"place": 0, "button": each, "pressed": True, "repeat": False}
        screen_shell(screen).give(screen, pygame.event.Event(PAD, values))


def mouse(screen: Any, kind: int, at: tuple[int, int], number: int = 1, now: float = 0.0) -> None:
    """Move, press or release the mouse at a pixel."""
    more = {} if kind == pygame.MOUSEMOTION else {"button": number}
    screen_shell(screen).give(screen, pygame.event.Event(kind, pos=at, **more), now)


def screen_shell(screen: Any) -> FakeShell:
    shell: FakeShell = screen.ui
    return shell
