"""The system's clipboard through SDL's own calls; pygame.scrap cannot read what most programs write."""

from __future__ import annotations

import ctypes

from batllm_arcade.app.input import sdl


def paste() -> str:
    """Return the clipboard's text, "" if there is none."""
    library = sdl.library()
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
    """Put the text into the clipboard, if there is one."""
    library = sdl.library()
    if library is not None:
        library.SDL_SetClipboardText(text.replace("\0", "").encode("utf-8", "replace"))
