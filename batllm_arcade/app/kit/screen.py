"""What every screen of the arcade is, and what it may ask of the window."""

from __future__ import annotations

from typing import Protocol

import pygame

from batllm_arcade.app.input.controls import Controls, Meaning
from batllm_arcade.settings.user_settings import Settings


class Screen(Protocol):
    """One screen: `handle`, `update` and `lay_out` change its state, `draw` only reads it.

    `now` is the window's time in seconds. Each frame `update`, `lay_out` and `draw` are called once, in this order.
    """

    @property
    def repeats(self) -> bool:
        """Whether a direction that is held down is given again and again."""

    @property
    def picture(self) -> object:
        """What is to be drawn as it is laid out, to be compared; None if it moves by itself and is always drawn.

        After every event it is drawn in any case, so this tells only what changes without one.
        """

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take one event of the window's only pump, as `Controls.feed` gives it, and what it means."""

    def update(self, now: float) -> None:
        """Move on to this moment; never waits for anybody."""

    def lay_out(self, size: tuple[int, int]) -> None:
        """Give everything its place in a window of this size, in pixels."""

    def draw(self, target: pygame.Surface) -> None:
        """Draw the whole window as it was laid out last, on a surface of that size; change nothing."""

    def leave(self) -> None:
        """Let go of what the screen holds; it will not be drawn again."""

    def cover(self, now: float) -> None:
        """Another screen is put over this one: hold still."""

    def uncover(self, now: float) -> None:
        """It is this screen's turn again."""


class Ui(Protocol):
    """What is between a screen and the person before it."""

    @property
    def settings(self) -> Settings:
        """The person's settings."""

    @property
    def controls(self) -> Controls:
        """Keyboard and gamepads."""

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""

    def sound(self, name: str) -> None:
        """Play a sound of the menus: move, confirm, back or error."""

    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""
