"""What every screen of the arcade is, and the shell it lives in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.services.availability_cache import AvailabilityCache
from batllm_arcade.app.services.background import Leftover
from batllm_arcade.app.services.films.film_jobs import FilmJobs
from batllm_arcade.audio.player import Player
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.user_settings import Settings


class Screen(Protocol):
    """One screen: state changes in `handle` and `update`, `draw` only reads; `now` is the shell's time in seconds."""

    @property
    def repeats(self) -> bool:
        """Whether a direction that is held down is given again and again."""
        ...

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Take one event of the window's only pump, as `Controls.feed` gives it."""
        ...

    def update(self, now: float) -> None:
        """Move on to this moment; called once before every `draw`, never waits for anybody."""
        ...

    def draw(self, target: pygame.Surface) -> None:
        """Draw the whole window as it is at the moment last updated to; change nothing."""
        ...

    def leave(self) -> None:
        """Let go of what the screen holds; it will not be drawn again."""
        ...

    def cover(self, now: float) -> None:
        """Another screen is put over this one: hold still."""
        ...

    def uncover(self, now: float) -> None:
        """It is this screen's turn again."""
        ...


class Shell(Protocol):
    """What a screen may ask of the window."""

    plugins: Plugins
    session: LiveSession
    settings: Settings
    controls: Controls
    sounds: Player
    availability: AvailabilityCache
    films: FilmJobs

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""
        ...

    def show(self, screen: Screen) -> None:
        """Put another screen in this one's place."""
        ...

    def push(self, screen: Screen) -> None:
        """Put a screen over this one, which is kept and held still."""
        ...

    def pop(self) -> None:
        """Leave the screen on top and go back to the one below; the last one closes the window."""
        ...

    def title(self) -> None:
        """Show the title, with the last match's choices; in a window opened for one match or replay, close it."""
        ...

    def remember(self, plan: SessionPlan) -> None:
        """Take these choices as the last match's, for the title."""
        ...

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        ...

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        ...

    def sessions(self) -> None:
        """Show the recorded sessions."""
        ...

    def leagues(self) -> None:
        """Show the leagues."""
        ...

    def open_session(self, path: Path, game: int | None = None, failed: Callable[[str], None] | None = None) -> None:
        """Put a recorded session's replay over this screen, at this game's start, once it has been read on a thread.

        `failed` is given one sentence if that cannot be done; without it the window closes with the error.
        """
        ...

    def settings_screen(self) -> None:
        """Put the settings over this screen."""
        ...

    def help_screen(self) -> None:
        """Put the help with the controls over this screen."""
        ...

    def leave_match(self) -> None:
        """Back to where the match was started from: the title, or the command line."""
        ...

    def start(self, plan: SessionPlan, failed: Callable[[str], None] | None = None) -> None:
        """Play a match with this plan, once its brains have been made on a thread.

        `failed` is given one sentence if a seat's options are wrong; without it the window closes with the error.
        """
        ...

    def show_films(self) -> None:
        """Open the folder of films on the desktop; a notice says so if that cannot be done."""
        ...

    def wait_at_end(self, work: Leftover) -> None:
        """Wait for this work, whose screen is gone, when the window closes."""
        ...

    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""
        ...

    def new_problems(self) -> list[str]:
        """Return what was dropped since the window was opened, a sentence each."""
        ...

    def quit(self) -> None:
        """Close the window."""
        ...
