"""What every screen of the arcade is, and the shell it lives in."""

from __future__ import annotations

from typing import Protocol

import pygame

from batllm_arcade.plugin_manager import Plugins
from batllm_arcade.session import LiveSession, SessionPlan


class Screen(Protocol):
    """One screen: takes events, draws itself; `now` is seconds of the shell's clock."""

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Take one event of the window's only pump."""
        ...

    def draw(self, target: pygame.Surface, now: float) -> None:
        """Draw the whole window; never waits for anybody."""
        ...

    def leave(self) -> None:
        """Let go of what the screen holds; it will not be drawn again."""
        ...


class Shell(Protocol):
    """What a screen may ask of the window."""

    plugins: Plugins
    session: LiveSession

    def show(self, screen: Screen) -> None:
        """Put another screen in this one's place."""
        ...

    def title(self) -> None:
        """Show the title, with the last match's choices."""
        ...

    def leave_match(self) -> None:
        """Back to where the match was started from: the title, or the command line."""
        ...

    def start(self, plan: SessionPlan) -> None:
        """Play a match."""
        ...

    def new_problems(self) -> list[str]:
        """The plugins dropped since the window was opened, a sentence each."""
        ...

    def quit(self) -> None:
        """Close the window."""
        ...
