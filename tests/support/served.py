"""Pages without a browser: what they would send, over real sockets on loopback."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from batllm_arcade.serve.seat import close_pages, open_pages

if TYPE_CHECKING:
    from batllm_arcade.serve.server import Server


@contextmanager
def serving() -> Iterator[Server]:
    """The pages of this program, as long as it is wanted."""
    user = object()
    try:
        yield open_pages(user)
    finally:
        close_pages(user)


class Page:
    """A page that has connected; `heard` is all that it was told."""

    def __init__(self, server: Server, **headers: str) -> None:
        from websockets.sync import client

        address = f"127.0.0.1:{server.port}"
        self.server = server
        self.heard: list[dict[str, Any]] = []
        connect: Any = client.connect
        connecting = connect(
            f"ws://{address}/socket", origin=headers.pop("origin", f"http://{address}"), additional_headers=headers,
            compression=None, open_timeout=60,
        )  # fmt: skip
        self._open = ExitStack()
        self.socket: Any = self._open.enter_context(connecting)

    def send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def say(self, **values: Any) -> None:
        self.send(json.dumps(values))

    def join(self, role: str, door: str = "", page: str = "p", code: str | None = None, name: str = "") -> None:
        code = self.server.lobby.codes.by_door.get(door, "") if code is None else code
        self.say(join=role, code=code, page=page, name=name, match=0, have=0)

    def hear(self, wanted: str, seconds: float = 60) -> dict[str, Any]:
        """The next message with this in it."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(seconds))
            self.heard.append(message)
            if wanted in message:
                return message

    def closed(self) -> bool:
        """Whether the server has ended the line, with nothing but refusals before."""
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self.heard.append(json.loads(self.socket.recv(60)))
        except ConnectionClosed:
            return True

    def play(self, *plays: str, rest: float = 0.0) -> threading.Thread:
        """Play these again and again on a thread, and wait where the rules refuse one, until the match is over.

        It rests so many seconds before each: a page may send twenty messages a second.
        """
        thread = threading.Thread(target=self._play, args=(plays, rest), daemon=True)
        thread.start()
        return thread

    def _play(self, plays: tuple[str, ...], rest: float) -> None:
        from websockets.exceptions import ConnectionClosed

        asked = 0
        try:
            for text in self.socket:
                self.heard.append(message := json.loads(text))
                if "bot" in message and "ask" in message:
                    asked, play = message["ask"], plays[message["ask"] % len(plays)]
                    self.say(aim=45, hold="", ask=asked)
                    time.sleep(rest)
                    self.say(play=play, by=45 if play == "turn" else 0, ask=asked)
                elif "refused" in message:
                    self.say(play="wait", by=0, ask=asked)
        except ConnectionClosed:
            pass

    def close(self) -> None:
        self._open.close()


class Told:
    """A page that remembers what it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def tell(self, message: dict[str, Any]) -> None:
        self.heard.append(message)

    def drop(self) -> None:
        self.heard.append("dropped")
