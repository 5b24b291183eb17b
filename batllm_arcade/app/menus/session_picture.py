"""The picture of a session's decisive moment, painted on a thread."""

from __future__ import annotations

import pygame

from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.session_loader import LoadedSession
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view import theme

_ARENA_SHARE = 0.86  # of a picture's height that its arena takes, about
_Request = tuple[LoadedSession, int, DisplayOptions]


class SessionPicture:
    """Paints the arena at a session's decisive moment, one picture at a time."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None  # used by the task alone, and kept: to make one takes as long as to draw
        self._task: BackgroundTask[pygame.Surface] | None = None
        self._request: _Request | None = None

    def update(self, session: LoadedSession, height: int, display: DisplayOptions) -> None:
        """Begin to paint this picture, `height` pixels high, unless it is there or another is being painted."""
        request = (session, height, display)
        if request != self._request and (self._task is None or self._task.done):
            self._request = request
            self._task = BackgroundTask("session picture", lambda report: self._paint(*request))

    def surface(self, session: LoadedSession, height: int) -> pygame.Surface | None:
        """Return the picture of a session in this height, None if it has not been painted."""
        fits = self._request is not None and self._request[:2] == (session, height)
        return self._task.result if fits and self._task is not None else None

    def _paint(self, session: LoadedSession, height: int, display: DisplayOptions) -> pygame.Surface:
        size, rules, kept = _size_for(height), session.decisive.board.rules, self._renderer
        if kept is None or (kept.size, kept.rules, kept.display) != (size, rules, display):
            self._renderer = kept = Renderer(size, rules, display)
        whole = pygame.Surface(size)
        kept.draw(whole, session.decisive)
        arena = whole.subsurface(kept.arena.clip(whole.get_rect()))
        width = max(1, round(arena.get_width() * height / arena.get_height()))
        return pygame.transform.smoothscale(arena, (width, max(1, height)))


def _size_for(height: int) -> tuple[int, int]:
    """Return the size of a picture whose arena is about so high."""
    whole = round(height / _ARENA_SHARE)
    return round(whole * theme.WIDTH / theme.HEIGHT), whole
