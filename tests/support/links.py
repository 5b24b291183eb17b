"""What stands in for a child process in tests: a link that notes what is sent, a protocol that notes what is heard."""

from __future__ import annotations

import threading
from typing import Any

from batllm_arcade.processes.child import Ended, Line


class FakeLink:
    """A link to nobody: what was sent and whether anybody listens, in order."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def send(self, line: bytes) -> None:
        self.calls.append(line)

    def listen(self) -> None:
        self.calls.append("listen")

    def rest(self) -> None:
        self.calls.append("rest")


class Heard:
    """A protocol that keeps what it is told; `wait_for` a number of lines, `ended` in the end."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.ended: Ended | None = None
        self._news = threading.Condition()

    def connected(self, link: Any) -> None:
        self.link = link

    def received(self, line: Line) -> None:
        with self._news:
            self.lines.append(line)
            self._news.notify_all()
        if line == b"nonsense":
            raise ValueError(line)

    def gone(self, ended: Ended) -> None:
        self.ended = ended

    def wait_for(self, count: int, seconds: float = 60.0) -> list[Line]:
        with self._news:
            assert self._news.wait_for(lambda: len(self.lines) >= count, seconds), self.lines
            return list(self.lines)
