"""A virtual screen on which the real window opens, with real keys."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

_NEEDED = ("Xvfb", "xdotool")


class Screen:
    """A virtual screen: windows open on it, keys are pressed on it, its pixels can be read."""

    def __init__(self, number: str, folder: Path) -> None:
        # Without XDG_RUNTIME_DIR and the like: only what a window needs.
        self.environment = {
            **os.environ,
            "DISPLAY": f":{number}",
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self._memory = folder / "Xvfb_screen0"

    def key(self, *words: str) -> None:
        """What xdotool calls key, keydown, keyup or type; without --window it reaches the focused window alone."""
        subprocess.run(["xdotool", *words], env=self.environment, check=True)

    def count(self, colour: tuple[int, int, int], box: tuple[int, int, int, int]) -> int:
        """How many pixels of a box (left, top, right, bottom) have a colour, of every second in every second row."""
        left, top, right, bottom = box
        return int((self.pixels()[top:bottom:2, left:right:2] == colour).all(axis=2).sum())

    def pixels(self) -> np.ndarray:
        """The screen now, rows of red, green and blue; the X server keeps it in a file in XWD format."""
        data = self._memory.read_bytes()
        header, _, _, _, width, height = struct.unpack(">6I", data[:24])
        line, colors = struct.unpack(">I", data[48:52])[0], struct.unpack(">I", data[76:80])[0]
        start = header + 12 * colors
        assert (width, height) == (1280, 720)
        rows = np.frombuffer(data, np.uint8, line * height, start).reshape(height, line)
        return rows[:, : 4 * width].reshape(height, width, 4)[:, :, 2::-1]


@contextmanager
def virtual_screen(folder: Path) -> Iterator[Screen]:
    """A screen of 1280 x 720; skips the test where there can be none, fails it in CI."""
    missing = [name for name in _NEEDED if not shutil.which(name)]
    if missing:
        message = f"{' and '.join(missing)} not found; on Debian: apt-get install xvfb xdotool"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1280x720x24",
        "-fbdir",
        str(folder),
        "-nolisten",
        "tcp",
        "-noreset",  # else it starts anew when its last client leaves, and refuses whoever comes in that moment
    ]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "the virtual screen did not start"
        yield Screen(number, folder)
    finally:
        server.terminate()
        server.wait()
