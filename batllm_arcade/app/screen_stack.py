"""The screens that lie over each other; the top one is shown."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.screen import Screen


class ScreenStack:
    """Covers and uncovers screens and lets go of those that will not be shown again.

    `clock` gives the shell's time in seconds; `changed` is called when another screen has come to the top.
    """

    def __init__(self, clock: Callable[[], float], changed: Callable[[], None]) -> None:
        self._clock, self._changed = clock, changed
        self._screens: list[Screen] = []

    def __len__(self) -> int:
        return len(self._screens)

    @property
    def top(self) -> Screen | None:
        """The screen that is shown, None if there is none."""
        return self._screens[-1] if self._screens else None

    def push(self, screen: Screen) -> None:
        """Put a screen over the top one, which is kept and held still."""
        if self._screens:
            self._screens[-1].cover(self._clock())
        self._put(screen)

    def replace_top(self, screen: Screen) -> None:
        """Put a screen in the top one's place."""
        if self._screens:
            self._screens.pop().leave()
        self._put(screen)

    def replace_all(self, screen: Screen) -> None:
        """Put a screen in the place of all of them."""
        self.leave_all()
        self._screens.clear()
        self._put(screen)

    def pop(self) -> None:
        """Leave the top screen and go back to the one below."""
        self._screens.pop().leave()
        self._changed()
        if self._screens:
            self._screens[-1].uncover(self._clock())

    def leave_all(self) -> None:
        """Leave all screens, the top one first: none of them will be drawn again."""
        for screen in reversed(self._screens):
            screen.leave()

    def _put(self, screen: Screen) -> None:
        self._screens.append(screen)
        self._changed()
