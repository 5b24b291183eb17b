"""A scripted model server on loopback: every request takes the next step of a script that must be used up.

    with ScriptedServer(answer({"ok": True}), reset()) as server:
        ...  # ask server.url; what arrived is in server.requests

A step is a function `(conversation) -> bool`: whether the connection stays open afterwards.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import secrets
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from resources import HANGS_S


@dataclass(frozen=True)
class ReceivedRequest:
    """A request as it arrived; `client` is the caller's port, the same on a kept connection."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    client: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Conversation:
    """One request being answered."""

    sock: socket.socket
    request: ReceivedRequest
    server: ScriptedServer
    sent: int = field(default=0)

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)
        self.server.sent += len(data)

    def wait(self, seconds: float) -> bool:
        """Whether the caller is still there after `seconds` (and the server still meant to run)."""
        ends = time.monotonic() + seconds
        while not self.server.stopping.is_set():
            left = max(0.0, ends - time.monotonic())
            readable = select.select([self.sock, self.server.closing], [], [], left)[0]
            if self.sock in readable:
                if not self.sock.recv(1, socket.MSG_PEEK):
                    self.server.hung_up.set()
                    return False
                time.sleep(0.01)  # the next question, which waits as well
            if ends <= time.monotonic():
                return True
        return False


Step = Callable[[Conversation], bool]


class ScriptedServer:
    """A server that plays a script; leaving the `with` block asserts that exactly the script was asked for.

    It takes connections `after_s` seconds after it was started; until then they are refused.
    """

    def __init__(self, *script: Step, port: int = 0, after_s: float = 0.0, host: str = "127.0.0.1") -> None:
        self.requests: list[ReceivedRequest] = []
        self.sent = 0
        """Bytes the callers took, or at least their socket buffers."""
        self.hung_up = threading.Event()
        """Set when a caller gave up while a step was still waiting or sending."""
        self.asked = threading.Event()
        """Set when the first request has been read."""
        self.stopping = threading.Event()
        self.closing, self._close = socket.socketpair()
        """What can be read from when the server stops."""
        self.surplus: list[str] = []
        self._script = list(script)
        self._lock = threading.Lock()
        self._after_s = after_s
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((host, port))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{host}:{self.port}"
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> ScriptedServer:
        if not self._after_s:
            self._socket.listen()
        self._start(self._accept)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.stopping.set()
        self._close.close()
        for thread in self._threads:
            thread.join(5.0)
        self._socket.close()
        self.closing.close()
        if kind is None:
            assert not self.surplus, f"asked for more than the script holds: {self.surplus}"
            left = [step for step in self._script if not _is_endless(step)]
            assert not left, f"{len(left)} steps of the script were never asked for"

    def _start(self, target: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def when_asked(self, act: Callable[[], object]) -> None:
        """Call `act` on a thread of its own as soon as the first request has been read."""
        self._start(lambda: self.asked.wait(30) and act())

    def _accept(self) -> None:
        if self._after_s:
            self.stopping.wait(self._after_s)
            self._socket.listen()
        while self._readable(self._socket):
            sock, (_, port) = self._socket.accept()
            self._start(self._serve, sock, port)

    def _serve(self, sock: socket.socket, port: int) -> None:
        with sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                while (request := self._read(sock, port)) is not None and self._next(request)(
                    Conversation(sock, request, self)
                ):
                    pass
            except OSError:
                self.hung_up.set()

    def _next(self, request: ReceivedRequest) -> Step:
        with self._lock:
            self.requests.append(request)
            self.asked.set()
            if self._script:
                return self._script[0] if _is_endless(self._script[0]) else self._script.pop(0)
            self.surplus.append(f"{request.method} {request.path}")
            return answer({"error": "the script is at its end"}, 418, keep=False)

    def _read(self, sock: socket.socket, port: int) -> ReceivedRequest | None:
        data = b""
        while b"\r\n\r\n" not in data:
            if not self._readable(sock) or not (part := sock.recv(65536)):
                return None
            data += part
        head, _, body = data.partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        while len(body) < int(headers.get("content-length", 0)):
            if not (part := sock.recv(65536)):
                return None
            body += part
        method, path, _ = first.split(" ")
        return ReceivedRequest(method, path, headers, body, port)

    def _readable(self, sock: socket.socket) -> bool:
        """Wait until there is something to read; return False if the server is to stop."""
        return self.closing not in select.select([sock, self.closing], [], [])[0]


def endless(step: Step) -> Step:
    """Answer every further request with this step, however many there are."""

    def again(to: Conversation) -> bool:
        return step(to)

    again.endless = True  # type: ignore[attr-defined]
    return again


def _is_endless(step: Step) -> bool:
    return getattr(step, "endless", False)


def closed_port() -> int:
    """A port on loopback where nobody listens, nor will before the test does: the system hands out only higher ones."""
    while True:
        port = secrets.choice(range(20_000, 32_000))
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _head(status: int, content_type: str, *more: str) -> bytes:
    return "\r\n".join((f"HTTP/1.1 {status} X", f"Content-Type: {content_type}", *more, "", "")).encode("latin-1")


def answer(
    body: Any,
    status: int = 200,
    *,
    content_type: str = "application/json",
    headers: tuple[str, ...] = (),
    keep: bool = True,
) -> Step:
    """A whole answer at once; what is not bytes goes out as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()

    def step(to: Conversation) -> bool:
        to.send(_head(status, content_type, f"Content-Length: {len(data)}", *headers) + data)
        return keep

    return step


def html(status: int = 200) -> Step:
    """What a router's login page or a wrong port answers."""
    return answer(b"<html><body>Welcome to nginx!</body></html>", status, content_type="text/html")


def not_utf8() -> Step:
    """Bytes that are no UTF-8 where text should be."""
    return answer(b'{"a": "\xff\xfe"}')


def streamed(
    *parts: bytes,
    pause: float = 0.0,
    taken: threading.Semaphore | None = None,
    whole: bool = True,
    content_type: str = "application/x-ndjson",
) -> Step:
    """A chunked answer, one chunk a part; not `whole`, it is cut off before its end.

    With `taken` a part is sent only when the one before has been, and is broken off when it never is.
    """

    def step(to: Conversation) -> bool:
        to.send(_head(200, content_type, "Transfer-Encoding: chunked"))
        for part in parts:
            to.send(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            if (pause and not to.wait(pause)) or (taken and not taken.acquire(timeout=HANGS_S)):
                return False
        if whole:
            to.send(b"0\r\n\r\n")
        return whole

    return step


def ndjson(*objects: Any, pause: float = 0.0, whole: bool = True) -> Step:
    """One JSON object a line, chunked."""
    return streamed(*(json.dumps(part).encode() + b"\n" for part in objects), pause=pause, whole=whole)


def until_closed(*parts: bytes, taken: threading.Semaphore | None = None) -> Step:
    """An answer without a length that ends when the connection does; with `taken` one part after the other."""

    def step(to: Conversation) -> bool:
        to.send(_head(200, "application/x-ndjson", "Connection: close"))
        for part in parts:
            to.send(part)
            if taken and not taken.acquire(timeout=HANGS_S):
                return False
        return False

    return step


def truncated(body: Any) -> Step:
    """Less than the announced length, then nothing."""
    data = json.dumps(body).encode()

    def step(to: Conversation) -> bool:
        to.send(_head(200, "application/json", f"Content-Length: {len(data) + 100}") + data)
        return False

    return step


def hang_up() -> Step:
    """Close the connection without a byte."""
    return lambda to: False


def reset() -> Step:
    """Break the connection off (RST)."""

    def step(to: Conversation) -> bool:
        to.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False

    return step


def hang() -> Step:
    """Never answer."""

    def step(to: Conversation) -> bool:
        to.wait(HANGS_S)
        return False

    return step


def slow(seconds: float, then: Step) -> Step:
    """Answer late."""
    return lambda to: to.wait(seconds) and then(to)


def drip(start: bytes = b"", every: float = 0.05) -> Step:
    """Send `start`, then a letter now and then for ever: each one restarts a read's own timeout."""

    def step(to: Conversation) -> bool:
        to.send(start)
        while to.wait(every):
            to.send(b"x")
        return False

    return step


def drip_headers() -> Step:
    """A header that never ends."""
    return drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")


def drip_body() -> Step:
    """A body without a length that never ends."""
    return drip(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")


def drip_announced() -> Step:
    """A body with a length that takes for ever."""
    return drip(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")


def drip_redirect() -> Step:
    """A redirect whose body never ends."""
    return drip(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 100000\r\n\r\n")


def flood(megabytes: int = 50, status: int = 200) -> Step:
    """A body far larger than any answer; with a `status` of 302 it is a redirect's."""

    def step(to: Conversation) -> bool:
        to.send(_head(status, "text/plain", "Location: http://127.0.0.1:1/", f"Content-Length: {megabytes << 20}"))
        for _ in range(megabytes):
            to.send(b" " * (1 << 20))
        return False

    return step


def gzip_bomb(megabytes: int = 128) -> Step:
    """A small body that unpacks to a huge one."""
    data = gzip.compress(bytes(megabytes << 20), 1)
    return answer(data, headers=("Content-Encoding: gzip",), keep=False)


def gzipped(body: Any) -> Step:
    """A body packed although nobody asked for it."""
    return answer(gzip.compress(json.dumps(body).encode()), headers=("Content-Encoding: gzip",))


def redirect(to_url: str, status: int = 307) -> Step:
    """Send the caller elsewhere."""
    return answer({}, status, headers=(f"Location: {to_url}",))
