"""The server of the pages: Starlette on uvicorn, on a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol

from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.serve import messages, pages
from batllm_arcade.serve.checks import Checked, Program, Receive, Scope, Send, host_of, is_loopback
from batllm_arcade.serve.club import Club
from batllm_arcade.serve.lobby import Lobby

CONNECTIONS = 200
"""Connections at once, pages and all others."""
JOIN_S, SEND_S, REQUEST_S = 10.0, 15.0, 10.0
"""Seconds in which a page must say what it is, take a message, and a connection ask for something."""
LAST_S = 1.0
"""Seconds in which pages are sent the end of a match before the server ends."""
USUAL_PORT = 8765
_REFUSED = 1008
_GONE = (WebSocketDisconnect, asyncio.TimeoutError, OSError, RuntimeError)
"""What comes of a page that has gone, or takes nothing any more; RuntimeError is Starlette's for one that is closed."""
_STORY = ("seat", "watch", "wall")
"""The pages that show the match."""
_CLUB = ("class", "teach", "wall")
"""The pages of a cup's members, of who leads it, and the one that all see."""
_NEAR = ("watch", "wall", "teach")
"""The pages that need no code on this computer itself."""
_OUTBOX = 100
"""Messages that wait for a page at most; one that takes none any more is dropped."""


class _Connections(H11Protocol):
    """Refuses connections beyond so many, and those that have not asked for anything in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.abort()
        else:
            self.loop.call_later(REQUEST_S, self._expire)

    def _expire(self) -> None:
        if self in self.connections and self.cycle is None:  # neither a page was asked for, nor the socket
            self.transport.abort()


class _Connection:
    """A page that is connected: what it may do is what its code has opened."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self._server, self._socket, self._lobby = server, socket, server.lobby
        self._outbox: deque[dict[str, Any]] = deque()
        self._role, self._bot = "", 0
        self._match = self._sent = 0
        self._version = -1
        self._dropped = False
        self._reading: asyncio.Task[None] | None = None

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message, without waiting for that."""
        if len(self._outbox) >= _OUTBOX:
            self._dropped = True
        self._outbox.append(message)
        self._server.wake()

    def drop(self) -> None:
        """Close the connection."""
        self._dropped = True
        self._server.wake()

    @property
    def behind(self) -> bool:
        """Whether there is something that it has not been sent yet."""
        lobby, story = self._lobby, self._role in _STORY
        return (
            bool(self._outbox)
            or (bool(self._role) and self._version != lobby.version)
            or (story and (self._match != lobby.feed.match or self._sent < len(lobby.feed.messages)))
        )

    async def run(self) -> None:
        """Serve the page until it goes."""
        tasks = [asyncio.ensure_future(self._send()), asyncio.ensure_future(self._receive())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._dropped = True  # before Python 3.12 wait_for may lose that it was cancelled
            if self._server.club is not None:
                self._server.club.leave(self)
            self._lobby.leave(self)
            tasks += [self._reading] if self._reading is not None else []
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
            with suppress(*_GONE):
                await self._socket.close(_REFUSED)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, _GONE):
                raise end

    # -- what it sends us

    async def _receive(self) -> None:
        pace = messages.MessagePace()
        while not self._dropped:
            wait = asyncio.wait_for(self._socket.receive(), None if self._role else JOIN_S)
            try:
                received = await wait
            except asyncio.TimeoutError:
                return
            if received["type"] != "websocket.receive" or received.get("text") is None:
                return  # it has gone, or sends bytes
            try:
                if not pace.take():
                    raise messages.BadMessage("it sends too much")
                self._hear(*messages.read(received["text"]))
            except messages.BadMessage as problem:
                await self._socket.send_text(messages.written({"wrong": str(problem)}))
                return

    def _hear(self, name: str, values: dict[str, Any]) -> None:
        if name == "join":
            self._join(values)
        elif self._role == "seat" and name in ("aim", "play"):
            hear = self._lobby.aim if name == "aim" else self._lobby.play
            self.tell(hear(self._bot, values) if self._lobby.sits(self._bot, self) else {"leave": True})
        elif self._role == "watch" and name == "vote":
            self._lobby.vote(self, values["vote"], values["of"])
        elif self._role in ("class", "teach") and self._server.club is not None:
            self._hear_member(self._server.club, name, values)
        elif self._role == "orders" and name == "orders":
            self._lobby.write(self._bot, values["orders"])
            self._read()
        elif self._role == "orders" and name == "ready":
            self._lobby.be_ready(self._bot, values["ready"])
        else:
            raise messages.BadMessage("that is not for this page to say")

    def _hear_member(self, club: Club, name: str, values: dict[str, Any]) -> None:
        if self._role == "teach" and name == "lead":
            club.lead(values["lead"], values["name"])
        elif self._role == "class" and name == "orders":
            club.write(self, values["orders"])
            self._read()
        elif self._role == "class" and name == "ready":
            club.be_ready(self, values["ready"])
        elif self._role == "class" and name == "vote":
            club.vote(self, values["vote"], values["of"])
        else:
            raise messages.BadMessage("that is not for this page to say")

    def _join(self, values: dict[str, Any]) -> None:
        if self._role:
            raise messages.BadMessage("it has joined already")
        role, client = values["join"], self._socket.client
        address = client.host if client is not None else ""
        if not values["code"] and not (role in _NEAR and is_loopback(address)):
            return self.tell({"wrong": "this page needs a code; open / and type it there"})
        door = self._lobby.codes.door(values["code"], address) if values["code"] else role
        if not door:
            problem = "too many wrong codes; wait a minute" if door is None else "that code is wrong"
            return self.tell({"wrong": problem, "leave": True})
        if role == "door":
            return self.tell({"page": self._lobby.places[SEATS.index(door)].wanted if door in SEATS else door})
        if problem := self._problem(role, door, values):
            return self.tell({"wrong": problem})
        self._role, self._match, self._sent = role, values["match"], values["have"]
        return self._server.wake()

    def _problem(self, role: str, door: str, values: dict[str, Any]) -> str:
        """Return why a door does not let this page in, "" if it does: whoever has any code may watch."""
        club = self._server.club
        if role in ("seat", "orders") and door in SEATS:
            self._bot = SEATS.index(door)
            return self._lobby.take(self._bot, self, role, values["page"], values["name"])
        if role in ("class", "teach", "wall") and club is None:
            return "nobody takes part by name here"
        if role == "class" and door == "class" and club is not None:
            return club.join(self, values["page"], values["name"])
        return "" if role in ("watch", "wall", door) else "that code is wrong"

    def _read(self) -> None:
        """Have the orders read as soon as they rest, on a thread."""
        if self._reading is not None:
            self._reading.cancel()
        self._reading = asyncio.ensure_future(self._rest_and_read())

    async def _rest_and_read(self) -> None:
        await asyncio.sleep(0.4)
        club, loop = self._server.club, asyncio.get_running_loop()
        if self._role == "class" and club is not None:
            await loop.run_in_executor(self._server.reading, club.read, self)
        else:
            await loop.run_in_executor(self._server.reading, self._lobby.read, self._bot)

    # -- what it gets

    async def _send(self) -> None:
        while not self._dropped:
            changed = self._server.changed
            if self._role in _STORY and self._is_new:
                await asyncio.get_running_loop().run_in_executor(None, self._lobby.feed.start)  # may take a while
            for text in self._due():
                await asyncio.wait_for(self._socket.send_text(text), SEND_S)
                if self._dropped:
                    return
            await changed.wait()

    def _due(self) -> Iterator[str]:
        """Yield what is to be sent: how the seats stand, the match as far as it has not been sent, answers."""
        lobby = self._lobby
        if self._role and self._version != lobby.version:
            self._version = lobby.version
            if self._role in _CLUB and self._server.club is not None:
                yield messages.written(self._server.club.state(self, self._role))
            else:
                yield messages.written(lobby.state(self._bot if self._role in ("seat", "orders") else None))
        if self._role in _STORY:
            yield from self._story()
        while self._outbox:
            yield messages.written(self._outbox.popleft())

    @property
    def _is_new(self) -> bool:
        """Whether the page knows nothing of this story."""
        feed = self._lobby.feed
        return self._match != feed.match or self._sent > len(feed.messages)

    def _story(self) -> Iterator[str]:
        feed = self._lobby.feed
        if self._is_new:
            match, (start, count) = feed.match, feed.start()
            if start:
                self._match, self._sent = match, count
                yield start
                yield messages.written({"now": feed.now})
        while self._match == feed.match and self._sent < len(feed.messages):
            self._sent += 1
            yield feed.messages[self._sent - 1]


class Server:
    """Serves the pages of a lobby, on this computer alone or (`lan`) on the network, until it is closed.

    Raise UsageError if it cannot listen at this port; without one it takes the usual one, or any that is free.
    """

    def __init__(self, lobby: Lobby, *, port: int = 0, lan: bool = False, club: Club | None = None) -> None:
        self.lobby, self.lan = lobby, lan
        self.club = club
        """Who takes part in a cup by page, None where nobody does."""
        self._listening = _listen(port, lan=lan)
        self.port: int = self._listening.getsockname()[1]
        routes = [Route("/" if name == "door" else f"/{name}", _shown(name)) for name in pages.TITLES]
        self._pages = Starlette(routes=[*routes, WebSocketRoute("/socket", self._connected)])
        self.mounted: dict[str, Program] = {}
        self.reading = ThreadPoolExecutor(1, "reading")
        """Reads orders, one after the other: a model can do no more at once."""
        self._uvicorn = uvicorn.Server(
            uvicorn.Config(
                Checked(self._answer), http=_Connections, ws="websockets-sansio", ws_max_size=messages.LONGEST,
                ws_ping_interval=10, ws_ping_timeout=10, ws_per_message_deflate=False,
                lifespan="off", log_config=None, access_log=False,
                server_header=False, proxy_headers=False, h11_max_incomplete_event_size=8192,
                timeout_graceful_shutdown=1, timeout_keep_alive=5,
            )
        )  # fmt: skip
        self._loop: asyncio.AbstractEventLoop | None = None
        self._connections: set[_Connection] = set()
        self._begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True, name="pages")
        self._thread.start()
        self._begun.wait()
        lobby.wake = self.wake

    async def _run(self) -> None:
        self._loop, self.changed = asyncio.get_running_loop(), asyncio.Event()
        self._begun.set()
        expiring = asyncio.ensure_future(self._expire())
        await self._uvicorn.serve(sockets=[self._listening])
        expiring.cancel()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        near = scope["type"] == "http" and is_loopback((scope.get("client") or ("",))[0])
        await ((self.mounted.get(scope["path"]) if near else None) or self._pages)(scope, receive, send)

    def mount(self, path: str, program: Program, running: AbstractAsyncContextManager[object]) -> None:
        """Have a program answer a path, for this computer alone, within `running`; any thread may call it, once a path.

        Raise what `running` raises when it begins.
        """
        entered = threading.Event()

        async def run() -> None:
            async with running:
                self.mounted[path] = program
                entered.set()
                await asyncio.Event().wait()  # until the server ends

        assert self._loop is not None, "it is running"
        task = asyncio.run_coroutine_threadsafe(run(), self._loop)
        task.add_done_callback(lambda _: entered.set())
        entered.wait()
        if task.done():
            task.result()

    async def _expire(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            self.lobby.expire()

    async def _connected(self, socket: WebSocket) -> None:
        await socket.accept()
        connection = _Connection(self, socket)
        self._connections.add(connection)
        try:
            await connection.run()
        finally:
            self._connections.discard(connection)

    def wake(self) -> None:
        """Have every connection look whether there is something to send; any thread may call it."""
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._pulse)

    def _pulse(self) -> None:
        before, self.changed = self.changed, asyncio.Event()
        before.set()

    def close(self) -> None:
        """Tell all pages that it is over, and end."""
        self.lobby.end()
        ends = time.monotonic() + LAST_S
        while time.monotonic() < ends and any(each.behind for each in tuple(self._connections)):
            time.sleep(0.02)
        self.reading.shutdown(wait=False, cancel_futures=True)
        self._uvicorn.should_exit = True
        self._thread.join(5)
        self._listening.close()


def _shown(name: str) -> Any:
    async def answer(request: Request) -> HTMLResponse:
        headers = {**pages.HEADERS, "Content-Security-Policy": pages.policy(name, host_of(request.scope))}
        return HTMLResponse(pages.page(name)[0], headers=headers)

    return answer


def _listen(port: int, *, lan: bool) -> socket.socket:
    address = "0.0.0.0" if lan else "127.0.0.1"
    for each in (port,) if port else (USUAL_PORT, 0):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((address, each))
            listening.listen(128)
            return listening
        except OSError as error:
            listening.close()
            problem = error.strerror
    raise UsageError(f"pages cannot be served at port {port} ({problem}); choose another one with --port")
