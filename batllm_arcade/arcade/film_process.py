"""The process that makes a film for the window: `python -m batllm_arcade.arcade.film_process` and `video`'s arguments.

It is `video` itself, whose progress and last sentence come as JSON objects on standard output, one a line.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import suppress

from batllm_arcade.cli import main

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
    with suppress(OSError, ValueError):  # the window may be gone: the film is made all the same
        print(json.dumps(values), flush=True)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_GENTLE)
    sys.stderr = Told()
    sys.exit(main(["video", *sys.argv[1:]]))
