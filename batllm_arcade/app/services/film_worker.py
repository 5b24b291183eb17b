"""The process that makes a film for the window, started as a module with the arguments of `video`.

It is `video` itself, whose progress and last sentence come as JSON objects on standard output, one a line. When
standard input ends, the window's program is gone, however it went: the film is stopped and nothing of it is kept.
"""

from __future__ import annotations

import _thread
import io
import json
import os
import re
import sys
import threading
from contextlib import suppress
from pathlib import Path

from batllm_arcade.cli.main import main
from batllm_arcade.video.encode.output_paths import partial_of

_PERCENT = re.compile(r"(\d+)%")
_GENTLE = 5  # how far it stands back behind the window


class Told(io.TextIOBase):
    """Standard error as a terminal: its progress bar becomes a share, every other line words."""

    def isatty(self) -> bool:
        """So that there is a bar."""
        return True

    def write(self, text: str) -> int:
        """Pass on what the text says."""
        found = _PERCENT.search(text)
        words = text.replace("\r", "").replace("\x1b[K", "").strip()
        if found and "\n" not in text:
            _tell(share=int(found[1]) / 100)
        elif words:
            _tell(words=words.removeprefix("batllm-arcade: "))
        return len(text)


def _tell(**values: object) -> None:
    with suppress(OSError, ValueError):  # the window may be gone
        print(json.dumps(values), flush=True)


def _watch(gone: threading.Event, done: threading.Event) -> None:
    """Stop the film when standard input ends."""
    with suppress(OSError):
        while os.read(0, 64):
            pass
    if not done.is_set():
        gone.set()
        _thread.interrupt_main()


def _film(arguments: list[str]) -> int:
    gone, done = threading.Event(), threading.Event()
    threading.Thread(target=_watch, args=(gone, done), daemon=True).start()
    code = main(["video", *arguments])
    done.set()
    if gone.is_set() and code != 2:  # 2 is before any work: what is there is somebody else's
        out = Path(arguments[arguments.index("-o") + 1])
        for path in (out, partial_of(out)):
            path.unlink(missing_ok=True)
    return code


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_GENTLE)
    sys.stderr = Told()
    sys.exit(_film(sys.argv[1:]))
