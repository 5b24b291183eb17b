"""An X server that goes away: Xlib then ends the program, so what was played is brought to its end before."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from batllm_arcade.history.paths import journal_of
from batllm_arcade.terminal import output as terminal

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_kept: list[Any] = []  # what Xlib calls has to live as long as the program


def when_lost(end: Callable[[], None]) -> None:
    """Call `end` if the X server goes away, and exit with code 1; elsewhere, where SDL closes the window, do nothing.

    `end` must draw nothing. Nobody returns from Xlib then: neither would the program, without this.
    """
    if pygame.display.get_driver() != "x11":
        return
    try:
        xlib = ctypes.CDLL("libX11.so.6")  # the very one that SDL has loaded, by the same name
        xlib.XSetIOErrorHandler.argtypes = [_HANDLER]
    except (OSError, AttributeError):
        return

    begun = False

    def lost(_display: int | None) -> int:
        nonlocal begun
        try:
            if not begun:
                begun = True
                end()
        finally:
            os._exit(1)

    _kept[:] = [_HANDLER(lost)]
    xlib.XSetIOErrorHandler(_kept[0])


def sentence(session: Path | None) -> str:
    """Return what has happened, and where what was played of this session is."""
    said = "the display is gone, and the window with it"
    if session is None:
        return said
    journal = journal_of(session)
    if session.exists():
        return f"{said}; what was played is kept: {session}"
    return f"{said}; what was played is in its journal, which replay reads: {journal}" if journal.exists() else said


def tell(session: Path | None, news: str = "") -> None:
    """Say on standard error what has happened, and what else there is to say."""
    terminal.complain(sentence(session))
    if news:
        terminal.write_line(news)
