"""The system's clipboard through SDL's own calls; pygame.scrap cannot read what most programs write."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import lru_cache
from typing import Any

import pygame


@lru_cache(maxsize=1)
def _sdl() -> Any:
    """The SDL library pygame has loaded, or None where its calls cannot be reached."""
    try:
        if sys.platform == "win32":
            library = ctypes.CDLL(os.path.join(os.path.dirname(pygame.__file__), "SDL2.dll"))
        else:
            library = ctypes.CDLL(pygame.display.__file__)
        library.SDL_GetClipboardText.restype = ctypes.c_void_p
        library.SDL_SetClipboardText.argtypes = [ctypes.c_char_p]
        library.SDL_free.argtypes = [ctypes.c_void_p]
    except (OSError, AttributeError, TypeError):
        return None
    return library


def paste() -> str:
    """The clipboard's text, "" where there is none."""
    library = _sdl()
    if library is None:
        return ""
    pointer = library.SDL_GetClipboardText()
    if not pointer:
        return ""
    try:
        text = ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        library.SDL_free(pointer)
    return text


def copy(text: str) -> None:
    """Put the text into the clipboard, where there is one."""
    library = _sdl()
    if library is not None:
        library.SDL_SetClipboardText(text.replace("\0", "").encode("utf-8", "replace"))
