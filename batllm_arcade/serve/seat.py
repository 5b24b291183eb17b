"""The brain of a seat that a person plays in a page, and the one server of this program that such seats share."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.util import find_spec

from batllm_arcade.brains.protocol import Decision, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import Record, SessionStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from batllm_arcade.plugin.hookspecs import Session
    from batllm_arcade.serve.club import Club
    from batllm_arcade.serve.server import Server

MISSING = "pages need Starlette, uvicorn, websockets and segno; run: pip install 'batllm-arcade[serve]'"
_lock = threading.Lock()
_open: list[Server] = []
_users: list[object] = []


def pages_missing() -> str:
    """Return what pages lack here, in one sentence; "" if nothing."""
    return "" if all(map(find_spec, ("starlette", "uvicorn", "websockets", "segno"))) else MISSING


def open_pages(user: object, *, port: int = 0, lan: bool = False, club: Club | None = None) -> Server:
    """Return the server of this program's pages, opened if it is not, for a user who closes it; `lan`: to the network.

    Pages that come back at once find the `club` there.
    Raise UsageError if what it needs is not installed, or it cannot listen.
    """
    if problem := pages_missing():
        raise UsageError(problem)
    from batllm_arcade.serve.lobby import Lobby
    from batllm_arcade.serve.server import Server

    with _lock:
        if not _open:
            _open.append(Server(club.lobby if club is not None else Lobby(), port=port, lan=lan, club=club))
        if not any(each is user for each in _users):
            _users.append(user)
        return _open[0]


def open_server() -> Server | None:
    """Return the server of this program's pages, None while there is none."""
    return _open[0] if _open else None


def close_pages(user: object | None) -> None:
    """End the server of this program's pages if nobody else uses it, or (None) whoever does; twice does nothing."""
    with _lock:
        used, _users[:] = bool(_users), [each for each in _users if user is not None and each is not user]
        server = _open.pop() if used and not _users and _open else None
    if server is not None:
        server.close()


def addresses(server: Server) -> dict[str, str]:
    """Return where the page of each code is: `left`, `right`, `watch`, and of a cup `class` and `teach`."""
    from batllm_arcade.serve.invitation import own_address

    host = (own_address() if server.lan else "") or "127.0.0.1"
    found = {}
    for door, code in server.lobby.codes.by_door.items():
        path = server.lobby.places[SEATS.index(door)].wanted or "seat" if door in SEATS else door
        found[door] = f"http://{host}:{server.port}/{path}#{code}"
    return found


class PageSeat:
    """A person in a page; the match waits until somebody has opened it."""

    def __init__(self, spec: Spec) -> None:
        spec.allow()
        if problem := pages_missing():
            raise UsageError(problem)
        self._bot = SEATS.index(spec.seat) if spec.seat in SEATS else 0
        self._closed = threading.Event()
        self.title = "Phone"

    def prepare(self, report: Callable[[str], None]) -> None:
        """Wait until a page has taken the seat; raise what `open_pages` and `Lobby.sit` raise."""
        server = open_pages(self)
        server.lobby.expect(self._bot)
        if not server.lobby.invited:
            report(f"{SEATS[self._bot]} plays at {addresses(server)[SEATS[self._bot]]}")
        self.title = server.lobby.sit(self._bot, self._closed.is_set) or self.title

    def decide(self, view: View) -> Decision:
        """Return the play of the person; raise BrainError if their page is away for too long."""
        token = open_pages(self).lobby.ask(view.seat, view)
        return Decision(token, token or None)

    def close(self) -> None:
        """Wait for nobody any more."""
        self._closed.set()
        close_pages(self)


def page_observer(session: Session) -> PageObserver | None:
    """Return what shows a session on the pages, None for one that nobody could watch, as in a league."""
    return PageObserver() if session.history is not None or open_server() is not None else None


class PageObserver:
    """Shows every record of a session on the pages, if there are any; of several sessions that which began last."""

    def notify(self, record: Record) -> None:
        """Receive the next record of the session."""
        server = open_server()
        if server is None:
            return
        if isinstance(record, SessionStarted) or server.lobby.shown is None:
            server.lobby.shown = self
        if server.lobby.shown is self:
            server.lobby.notify(record)
