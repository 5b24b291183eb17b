"""Finding servers and models, and fetching a model."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Protocol

from batllm_arcade.brains.kinds import PullProgress
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.failures import LOADING, ONCE, STARTING, USED_UP, Patience, ServerError, too_slow
from batllm_arcade.models.http_client import ModelServer
from batllm_arcade.models.presets import is_near

# -- A quick look at what a server has, on time whatever it does: for menus and for what is missing

PROBE_S = 1.2
PROBES_S = 1.4
"""Seconds for everything that is looked up to say what is missing."""


class Look(Protocol):
    """Asks a server for the JSON object at a path: GET, or POST with a body, the first of what is streamed then."""

    def __call__(self, path: str, body: Any = None) -> Mapping[str, Any]:
        """Return the object; raise BrainError."""
        ...


def prober(server: ModelServer) -> Look:
    """Return a function like `probe` whose calls together take at most `PROBES_S` seconds."""
    ends = time.monotonic() + PROBES_S

    def look(path: str, body: Any = None) -> dict[str, Any]:
        return probe(server, path, max(0.05, min(PROBE_S, ends - time.monotonic())), body)

    return look


def probe(server: ModelServer, path: str, limit_s: float = PROBE_S, body: Any = None) -> dict[str, Any]:
    """Return the JSON object at `path`, asked once, of a question's answer the first one.

    It is on time even if looking the name up hangs.
    """
    answers: queue.SimpleQueue[dict[str, Any] | BrainError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            if body is None:
                answers.put(server.fetch(path, limit_s=limit_s, patience=ONCE))
            else:
                answers.put(server.try_out(path, body, limit_s=limit_s, patience=ONCE))
        except BrainError as error:
            answers.put(error)
        except Cancelled:
            pass

    threading.Thread(target=ask, daemon=True, name=f"probe {server.where}").start()
    answer: dict[str, Any] | BrainError = too_slow(server.where, limit_s)
    with contextlib.suppress(queue.Empty):
        answer = answers.get(timeout=limit_s + 0.1)
    if isinstance(answer, BrainError):
        raise answer
    return answer


# -- Finding a model before it plays: in the server's list, else by asking it; and having it loaded

LOOK_S = 10.0
"""Seconds for one look at the list of a server's models before a match."""
NO_LIST = (401, 403, 404, 405, 501)
"""What servers answer that have no list of models, or none for this key."""
NO_ROUTE = (404, 405, 501)


class NotListed(ServerError):
    """The server's list does not hold the wanted model; it may have it all the same."""


class Searching(Protocol):
    """A brain whose model is looked for; see `ModelBrain`."""

    label: ClassVar[str]
    loads: ClassVar[bool]
    model: str
    wanted: str
    loaded: bool
    server: ModelServer

    def find(self, look: Look) -> None: ...
    def check_key(self, look: Look) -> None: ...
    def catalogue(self) -> str: ...
    def question(self) -> tuple[str, Any] | None: ...


def prepare(brain: Searching, report: Callable[[str], None], limit_s: float) -> None:
    """Find the model and have it loaded within `limit_s` seconds; raise BrainError that says what to do."""
    report(f"looking for {brain.server.where}")
    look = _patient(brain.server, report, time.monotonic() + limit_s)
    note = search(brain, look)
    if note:
        report(note)
    elif brain.loads or (is_near(brain.server.base_url) and not brain.loaded and brain.question()):
        report(f"loading {brain.model} into {brain.label}, the first time this takes a while")
        _ask(brain, look)
        report(f"{brain.model} is loaded")


def search(brain: Searching, look: Look, *, quick: bool = False) -> str:
    """Set `brain.model`; return what to note of it, "" for nothing; raise BrainError if the server has not got it.

    A model that is not in the server's list, or whose server has no list, is asked the shortest question; `quick`: one
    that does not answer that in time is there all the same.
    """
    doubt = doubtful(brain, look)
    if doubt is None:
        return ""
    try:
        _ask(brain, look)
    except ServerError as error:
        if quick and error.again:
            return ""
        # What the list has says more than that the model is not there.
        raise doubt if isinstance(doubt, NotListed) and error.status in (400, 404) else error from None
    return f"{brain.server.where} does not list {brain.model}; it is asked all the same"


def doubtful(brain: Searching, look: Look) -> ServerError | None:
    """Set `brain.model`; return why it may not be there, None if it is listed; raise BrainError if it cannot be."""
    try:
        _find(brain, look)
    except ServerError as error:
        listed = not isinstance(error, NotListed)
        if brain.question() is None or (listed and (error.kind or error.status not in NO_LIST)):
            raise
        if not brain.wanted:
            if not listed or error.status in (401, 403):
                raise
            raise brain.server.failure(f"{error}, or set model if it has no list of them", fatal=True) from None
        brain.model = brain.wanted
        return error
    return None


def _find(brain: Searching, look: Look) -> None:
    """Find the model, where the server's address turns out to have no version: there."""
    server, other = brain.server, brain.server.address.without_version
    _check_key(brain, look)
    try:
        brain.find(look)
    except ServerError as error:
        if error.status != 404 or other is None or not brain.catalogue().startswith("/v1/"):
            raise
        usual, server.address = server.address, other
        try:
            brain.find(look)
        except BrainError:
            server.address = usual
            raise error from None


def knock(look: Look) -> None:
    """Raise BrainError if nobody takes connections, or a key is missing; a server that is there may answer anything."""
    try:
        look("/")
    except ServerError as error:
        if error.status is None and error.why in ("down", "key", "options"):
            raise


def _check_key(brain: Searching, look: Look) -> None:
    """Raise BrainError if the server says that the key is wrong; whatever else it says is no matter here."""
    try:
        brain.check_key(look)
    except ServerError as error:
        if error.status in (401, 403) or error.status is None:
            raise


def _ask(brain: Searching, look: Look) -> None:
    """Ask the shortest question, which has the model loaded; raise BrainError unless the model is there.

    A server that refuses how it is asked has the model, and one that fails may do better in the match.
    """
    question = brain.question()
    assert question is not None
    try:
        answer = look(*question)
    except ServerError as error:
        if error.fatal or brain.loads or error.kind in USED_UP or not _is_there(error.status):
            raise
    else:
        if answer.get("error"):
            raise brain.server.failure(f"{brain.server.where} gave up: {answer['error']}; look at its log", again=True)


def _is_there(status: int | None) -> bool:
    return status is not None and status >= 400 and status not in (*NO_ROUTE, *LOADING)


def _patient(server: ModelServer, report: Callable[[str], None], ends: float) -> Look:
    """Return a function that asks until `ends` (of the monotonic clock) while the server loads."""

    def look(path: str, body: Any = None) -> dict[str, Any]:
        while True:
            left_s = max(0.1, round(ends - time.monotonic(), 1))
            if body is not None:
                return server.try_out(path, body, limit_s=left_s, patience=STARTING, say=report)
            try:  # a list comes at once or not at all, unless its server still loads
                return server.fetch(path, limit_s=min(LOOK_S, left_s), patience=STARTING, say=report)
            except ServerError as error:
                if error.status not in LOADING or left_s <= LOOK_S:
                    raise

    return look


# -- Having a server fetch a model, as Ollama does: told how far it is, given up at any moment,

LIMIT_S = 24 * 3600.0
"""Seconds that fetching a model may take."""
PATIENCE = Patience(away_s=30.0)
"""A server that is gone is asked again for so long: it goes on where it was."""
CAP = 256 << 20
"""Bytes of progress that are read at most: some lines a second, for a day."""
Tell = Callable[[PullProgress], None]


def pull_model(server: ModelServer, path: str, model: str, live: Live, progress: Tell) -> None:
    """Have the server fetch a model; return when it is there.

    Raise BrainError if it cannot be fetched, Cancelled when `live` is cancelled; the server keeps what has come.
    """
    server.cap = CAP
    body = {"model": model, "stream": True}
    server.stream(path, body, lambda lines: _read(server, lines, model, progress), live=live, limit_s=LIMIT_S,
                  patience=PATIENCE)  # fmt: skip


def _read(server: ModelServer, lines: Iterator[str], model: str, progress: Tell) -> bool | None:
    """Return True when the model is there, None if the answer broke off; raise ServerError."""
    layers: dict[str, tuple[int, int]] = {}  # a model has several, each told by itself
    for line in server.json_lines(lines):
        if line.get("error"):
            sentence = f"{server.where} could not fetch {model!r}: {line['error']}; check its name"
            raise server.failure(sentence, fatal=True)
        progress(_progress(line, layers))
        if line.get("status") == "success":
            return True
    return None


def _progress(line: Mapping[str, Any], layers: dict[str, tuple[int, int]]) -> PullProgress:
    digest, words = line.get("digest"), line.get("status")
    if isinstance(digest, str):
        layers[digest] = _count(line.get("completed")), _count(line.get("total"))
    done, total = (sum(each[place] for each in layers.values()) for place in (0, 1))
    return PullProgress(words if isinstance(words, str) else "", done, total)


def _count(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0
