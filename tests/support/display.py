"""A virtual screen on which the real window opens, with real keys."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
        subprocess.run(["xdotool", *words], env=self.environment, check=True, timeout=20)

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """The colour of a pixel of the screen."""
        return self.pixels()(x, y)

    def pixels(self):
        """The screen now, as a function of x and y; the X server keeps it in a file in XWD format."""
        data = self._memory.read_bytes()
        header, _, _, _, width, height = struct.unpack(">6I", data[:24])
        line, colors = struct.unpack(">I", data[48:52])[0], struct.unpack(">I", data[76:80])[0]
        start = header + 12 * colors
        assert (width, height) == (1280, 720)

        def at(x: int, y: int) -> tuple[int, int, int]:
            blue, green, red = data[start + y * line + 4 * x :][:3]
            return red, green, blue

        return at


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
        server.wait(10)
