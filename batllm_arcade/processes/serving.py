"""The other end, in a child that is Python: messages from the program, and lines to it."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any


class Output:
    """The pipe to the program; whatever else is printed goes to standard error from now on."""

    def __init__(self) -> None:
        self._pipe = os.dup(1)
        self._writing = threading.Lock()
        os.dup2(2, 1)

    def write(self, line: bytes) -> None:
        """Write a line; raise OSError if the program is gone. Threads may write at once."""
        with self._writing:
            while line:
                line = line[os.write(self._pipe, line) :]


def messages() -> Iterator[dict[str, Any]]:
    """Yield what the program says, until it closes the pipe or is gone."""
    for line in sys.stdin.buffer:
        yield json.loads(line)
