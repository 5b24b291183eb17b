"""Where a menu has its widgets and its words: all in the window, none over another, in a window of any size."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pygame
import pytest
from shells import draw

from batllm_arcade.app.kit.canvas import Canvas

SIZES = ((1280, 720), (1920, 1080), (960, 540), (540, 960), (720, 1280))


def assert_fits(screen: Any, size: tuple[int, int], now: float = 4.3) -> pygame.Surface:
    """Return a screen's picture; fail where anything of it is outside of the window, or over something else."""
    surface = pygame.Surface(size)

    def look() -> None:
        screen.update(now)
        draw(screen, surface)

    look()  # the second time everything is in its place
    assert_words_fit(look, size)
    whole = surface.get_rect()
    form = screen.picker.form if screen.picker is not None else screen.form
    scrolls, seen = form._scrolls, []
    for widget in form.widgets:
        box, scroll = screen.canvas.rect(form.shown(widget)), scrolls.get(id(widget))
        within = whole if scroll is None else screen.canvas.rect(scroll.box)
        assert (scroll is None and within.contains(box)) or within.left - 1 <= box.left <= box.right <= within.right + 1
        seen.append((scroll, widget, box))
    for (one, first, left), (other, second, right) in combinations(seen, 2):
        assert one is not other or not left.inflate(-2, -2).colliderect(right), (size, first, second)
    return surface


def assert_words_fit(draws: Callable[[], object], size: tuple[int, int]) -> None:
    """Fail where words that are drawn leave a window of this size, or lie over others."""
    whole, words = pygame.Rect((0, 0), size), _Words()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("words", "block", "veil", "panel"):
            patch.setattr(Canvas, name, words.noting(getattr(Canvas, name), name))
        draws()
    assert words.drawn
    for text, rect in words.drawn:
        assert whole.inflate(2, 2).contains(rect), f"{text!r} leaves a window of {size}"
    for (text, left), (other, right) in combinations(words.drawn, 2):
        assert text == other or not left.colliderect(right), f"{text!r} lies over {other!r} in a window of {size}"


def cut_words(draws: Callable[[], object]) -> list[str]:
    """Return the words that are not drawn whole."""
    cut, whole = [], Canvas.words

    def words(canvas: Canvas, at: Any, text: str, face: Any, size: float, *rest: Any, **named: Any) -> float:
        if named.get("width") is not None and canvas.measure(text, face, size) > named["width"] + 1:
            cut.append(text)
        return whole(canvas, at, text, face, size, *rest, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Canvas, "words", words)
        draws()
    return cut


class _Words:
    """Every line of words and where it is, a little less high than its row; the letters of the logo are none."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, pygame.Rect]] = []

    def noting(self, draws: Any, kind: str) -> Any:
        def noted(canvas: Canvas, at: Any, text: str = "", *rest: Any, **named: Any) -> Any:
            if kind in ("veil", "panel"):  # what it covers is not read
                whole = canvas.target.get_rect() if kind == "veil" else canvas.rect(at)
                self.drawn = [(under, rect) for under, rect in self.drawn if not whole.colliderect(rect)]
                return draws(canvas, at, *((text,) if text else ()), **named)
            drawn = draws(canvas, at, text, *rest, **named)
            face, size = rest[:2]
            wide = drawn if kind == "words" else min(rest[3], canvas.measure(text, face, size))
            row = canvas.text_renderer.height(face, canvas.type_size(size)) / canvas.scale
            high = row if kind == "words" else drawn
            shift = {"middle": (wide / 2, high / 2), "right": (wide, 0.0)}.get(named.get("side", "left"), (0.0, 0.0))
            left, top = (at[0] - shift[0]) * canvas.scale, (at[1] - shift[1]) * canvas.scale
            rect = pygame.Rect(left, top, wide * canvas.scale, high * canvas.scale).inflate(
                -2, -row * canvas.scale / 2.5
            )
            clipped = rect.clip(canvas.target.get_clip())
            if len(text.strip()) > 1 and clipped.width > 0 and clipped.height > 0:
                self.drawn.append((text, clipped))
            return drawn

        return noted
