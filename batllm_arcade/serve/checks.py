"""Who may ask: a request's Host is this very server, and its Origin one of this server's own pages.

A page of another site that has its name point to this computer (DNS rebinding), or asks from its own address, gets
403 for everything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Program = Callable[[Scope, Receive, Send], Awaitable[None]]
_LOOPBACK = ("127.0.0.1", "::1")


def is_loopback(address: str) -> bool:
    """Return whether an address is this computer itself."""
    return address in _LOOPBACK


def own_hosts(scope: Scope) -> frozenset[str]:
    """Return what the Host of a request may be: the address and port at which this very request has come in."""
    address, port = scope["server"]
    names = {address, *((*_LOOPBACK, "localhost") if is_loopback(address) else ())}
    return frozenset(f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names)


def host_of(scope: Scope) -> str:
    """Return a request's Host if it is this server, and its Origin, if any, a page of that; "" for any other request.

    A websocket must have an Origin.
    """
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    host = hosts[0].decode("latin-1").lower() if len(hosts) == 1 else ""
    if host not in own_hosts(scope):
        return ""
    wanted = [f"http://{host}".encode("latin-1")]
    return host if origins == wanted or (not origins and scope["type"] == "http") else ""


class Checked:
    """A server's program behind these checks: everybody else gets 403."""

    def __init__(self, program: Program) -> None:
        self._program = program

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] not in ("http", "websocket"):
            return
        if host_of(scope):
            await self._program(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        else:
            await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"this server answers its own pages alone"})
