"""What pygame leaves to SDL: clipboard and window."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import lru_cache
from typing import Any

import pygame

# -- The few calls of SDL that pygame does not pass on


@lru_cache(maxsize=1)
def library() -> Any:
    """Return the SDL library pygame has loaded, or None if its calls cannot be reached."""
    try:
        if sys.platform == "win32":
            found = ctypes.CDLL(os.path.join(os.path.dirname(pygame.__file__), "SDL2.dll"))
        else:
            found = ctypes.CDLL(pygame.display.__file__)
        found.SDL_GetClipboardText.restype = ctypes.c_void_p
        found.SDL_SetClipboardText.argtypes = [ctypes.c_char_p]
        found.SDL_free.argtypes = [ctypes.c_void_p]
        found.SDL_GetWindowFromID.restype = ctypes.c_void_p
        found.SDL_SetWindowMinimumSize.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    except (OSError, AttributeError, TypeError):
        return None
    return found


def set_smallest_size(width: int, height: int) -> None:
    """Do not let the window become smaller than this, if SDL can be reached."""
    sdl = library()
    for number in range(1, 9) if sdl is not None else ():  # SDL counts its windows; ours is the only one
        window = sdl.SDL_GetWindowFromID(number)
        if window:
            sdl.SDL_SetWindowMinimumSize(window, width, height)


def printed_at(scancode: int) -> int:
    """Return the code of what the keyboard in use has at a place, 0 if that is not known."""
    sdl = library()
    return int(sdl.SDL_GetKeyFromScancode(scancode)) if sdl is not None else 0


# -- The system's clipboard through SDL's own calls


def paste() -> str:
    """Return the clipboard's text, "" if there is none."""
    sdl = library()
    if sdl is None:
        return ""
    pointer = sdl.SDL_GetClipboardText()
    if not pointer:
        return ""
    try:
        text = ctypes.string_at(pointer).decode("utf-8", "replace")
    finally:
        sdl.SDL_free(pointer)
    return text


def copy(text: str) -> None:
    """Put the text into the clipboard, if there is one."""
    sdl = library()
    if sdl is not None:
        sdl.SDL_SetClipboardText(text.replace("\0", "").encode("utf-8", "replace"))
