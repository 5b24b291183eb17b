"""Requests to model servers: deadlines, cancellation, retries, size caps, keys that stay secret.

`requests` is imported when the first request is made, so that a program that asks no server never pays for it.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models import api_keys
from batllm_arcade.models.adapter import Adapter
from batllm_arcade.models.answers import Events
from batllm_arcade.models.api_keys import ApiKey, KeySource, NamedHeader
from batllm_arcade.models.deadline import Deadline, DeadlineStopped
from batllm_arcade.models.failures import (
    ANSWER_S,
    STARTING,
    UNTIL_DEADLINE,
    USED_UP,
    Patience,
    ServerError,
    failure_of,
    pause_s,
    refused,
    status_within,
    too_slow,
    unescaped,
    wait_of,
    waiting_words,
    words_of,
)
from batllm_arcade.models.limits import LONGEST_S, ServerLimits
from batllm_arcade.models.presets import check_address, parse_address
from batllm_arcade.prompts.unwrap import json_object, json_value

if TYPE_CHECKING:
    import requests

T = TypeVar("T")
Say = Callable[[str], None]
"""Is told in one sentence why there is a wait."""
Reader = Callable[[Iterator[str]], "T | None"]
"""Makes an answer of the lines of a body as they arrive; None says that the body broke off."""
Explain = Callable[[int, Any], "BrainError | None"]
"""A provider's error for a status and a parsed body (None if it is not JSON); None leaves the usual one."""


CONNECT_S = 3.0
LIMIT_S = 300.0
HEADERS = {"Content-Type": "application/json", "User-Agent": "batllm-arcade"}


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    value: T


class ModelServer:
    """A model server behind one address, for one request at a time; `close` from any thread.

    `hint` says what to do when nobody answers there. The key is read from the environment variable
    `key_variable` at every request and sent in the header `key_header` (as a bearer token if that is
    Authorization); with `key_optional` a server on loopback may do without. `key_source` says in more detail where
    the key is from. `headers` are sent with every request, and `named` with what their variables hold; `ca` is a file
    of authorities that sign its certificate. `explain` puts a provider's own words to its errors.
    Raise UsageError if `base_url` or `proxy` is not an address.
    """

    def __init__(
        self, name: str, base_url: str, *, hint: str = "check base_url", key_variable: str = "",
        key_header: str = "Authorization", key_optional: bool = False, proxy: str = "", explain: Explain | None = None,
        key_source: KeySource | None = None, headers: Mapping[str, str] = {}, ca: str = "",
        named: Sequence[NamedHeader] = (),
    ) -> None:  # fmt: skip
        self.address = parse_address(base_url)
        """Where requests go; who finds that the server knows no version in its addresses sets another."""
        self.base_url = self.address.base
        self._name = name
        self.where = f"{name} at {self.base_url}"
        self.cap = 0
        """Bytes of a body that are read at most, 0 for what an answer or a list may have."""
        if proxy:
            check_address(proxy, "proxy")
        self.limits, self.limited = ServerLimits(base_url), ""
        """How often it may be asked, and what it said where a limit has cost an answer."""
        self.served = ""
        """The model that answered last, as the server calls it; "" where it does not say."""
        self._hint, self._explain, self._proxy = hint, explain, proxy
        source = key_source or api_keys.key_source(base_url, "", None, (base_url, key_variable), optional=key_optional)
        self._ca = ca
        self._key = ApiKey(source, key_header, self.base_url, bool(self._proxy), tuple(named))
        self._headers = {**HEADERS, **headers}
        self.adapter: Adapter | None = None  # changes requests as the server wants them
        self._lock = threading.Lock()
        self._session: requests.Session | None = None
        self._deadlines: set[Deadline] = set()
        self._jitter = Random()  # its own: back-off must not draw from a game's stream

    def fetch(
        self, path: str, body: Any = None, *, live: Live | None = None, limit_s: float = LIMIT_S,
        patience: Patience = UNTIL_DEADLINE, say: Say | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Return the JSON object at `path`: GET, or POST with a `body`; raise as `stream` does.

        A list that is got stands under the keys `data` and `models`, as other servers have theirs.
        """

        def whole(lines: Iterator[str]) -> dict[str, Any]:
            text = "\n".join(lines)
            value = json_value(text) if body is None else None
            return {"data": value, "models": value} if isinstance(value, list) else self._object(text)

        return self.stream(path, body, whole, live=live, limit_s=limit_s, patience=patience, say=say)

    def stream(
        self, path: str, body: Any, read: Reader[T], *, live: Live | None = None, limit_s: float = LIMIT_S,
        patience: Patience = UNTIL_DEADLINE, say: Say | None = None,
    ) -> T:  # fmt: skip
        """Return what `read` makes of the answer's lines as they arrive; every attempt calls it anew.

        The time is that of `live`, or `limit_s` seconds without a deadline there. A server that is away or busy is
        asked again within it, as `patience` has it, which `say` (without it, `live`) is told. Raise ServerError,
        and Cancelled when the answer is no longer wanted: given up, closed, or too late.
        """
        left = live.seconds_left() if live else None
        patience = STARTING if live and live.attended and patience is UNTIL_DEADLINE else patience
        say = say or (live.publish if live else None)
        with self._deadline(live, limit_s if left is None else left) as deadline, contextlib.suppress(DeadlineStopped):
            return self._persist(lambda: self._adapting(path, body, read, deadline), deadline, patience, say)
        if deadline.why == "late" and left is None:
            raise too_slow(self.where, limit_s)
        raise Cancelled

    def try_out(
        self, path: str, body: Any, *, limit_s: float = LIMIT_S, patience: Patience = UNTIL_DEADLINE,
        say: Say | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Return the first JSON object of what a question is answered with, whether it is streamed or not."""

        def first(lines: Iterator[str]) -> dict[str, Any]:
            text = "\n".join(lines).strip()
            if text.startswith(("data:", "event:", ":")):
                return next(self.events(iter(text.split("\n"))), None) or self._object("")
            return json_object(text) or self._object(text.partition("\n")[0])

        return self.stream(path, body, first, limit_s=limit_s, patience=patience, say=say)

    def json_lines(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        """Yield the objects of a body with one JSON object a line (NDJSON)."""
        for line in lines:
            if line.strip():
                yield self._object(line)

    def events(self, lines: Iterator[str]) -> Events:
        """Return the objects of server-sent events up to `[DONE]`; of a server that does not stream its one object."""
        return Events(lines, self._object)

    def failure(
        self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None, raw: str = ""
    ) -> ServerError:
        """Return an error for `read` or `explain` to raise or return, fit to be shown: one line without the key.

        `raw` is the text of an answer that the server ended itself; it is recorded.
        """
        return ServerError(self.redact(sentence), again=again, fatal=fatal, wait_s=wait_s, raw=self.redact(raw))

    def pause(self, deadline: Deadline, seconds: float) -> None:
        """Wait before the next try, at most until the deadline."""
        deadline.sleep(seconds)

    def check_key(self) -> None:
        """Raise ServerError if a key or a header that is to be sent is missing or cannot be sent; ask nobody."""
        self._key.headers(self.where)

    def close(self) -> None:
        """End whatever is under way and close the connections; a later request opens new ones."""
        with self._lock:
            deadlines, session = tuple(self._deadlines), self._session
            self._session = None
        for deadline in deadlines:
            deadline.stop()
        if session is not None:
            session.close()

    @contextlib.contextmanager
    def _deadline(self, live: Live | None, limit_s: float) -> Iterator[Deadline]:
        deadline = Deadline(limit_s, live.hold if live is not None and live.patient else None)
        with self._lock:
            self._deadlines.add(deadline)
        try:
            with deadline:
                if live is not None:
                    live.on_cancel(deadline.stop)
                yield deadline
        finally:
            with self._lock:
                self._deadlines.discard(deadline)

    def _persist(
        self, attempt: Callable[[], _Done[T] | ServerError], deadline: Deadline, patience: Patience, say: Say | None
    ) -> T:
        failures, free, begun_s = 0, 1, 0.0
        while True:
            outcome = attempt()
            deadline.check()
            if isinstance(outcome, _Done):
                return outcome.value
            if outcome.again and free and deadline.reused and not deadline.answered:
                free -= 1  # the server had closed a kept connection meanwhile: nothing has failed yet
                continue
            failures, left_s = failures + 1, deadline.left()
            begun_s = left_s if failures == 1 else begun_s
            delay_s = pause_s(outcome, failures, self._jitter, begun=deadline.answered)
            stands = deadline.patient and outcome.status == 429 and outcome.again
            if stands and deadline.stood_s + delay_s < LONGEST_S:
                failures -= 1
                # For everybody: the next try waits for it.
                self.limits.refused(delay_s if outcome.wait_s is None else outcome.wait_s)
            elif patience.ends(outcome, failures, begun_s - left_s + delay_s) or delay_s + ANSWER_S >= left_s:
                self.limited = str(outcome) if outcome.status == 429 or outcome.kind in USED_UP else self.limited
                raise outcome
            else:
                self.pause(deadline, delay_s)
            if say is not None:
                say(waiting_words(self._name, outcome, left_s))
            deadline.again(outcome)

    def _adapting(self, path: str, body: Any, read: Reader[T], deadline: Deadline) -> _Done[T] | ServerError:
        """Make one try, and at once another for each thing that the server refuses and that can be changed."""
        attempt = partial(self._attempt, path, read=read, deadline=deadline)
        return attempt(body) if self.adapter is None or body is None else self.adapter.asked(body, attempt)

    def _attempt(self, path: str, body: Any, read: Reader[T], deadline: Deadline) -> _Done[T] | ServerError:
        """Make one try; a failure is returned, so that raising it later drags no other exception along."""
        from batllm_arcade.models import connections

        deadline.begin()
        try:
            return self._exchange(path, body, read, deadline)
        except ServerError as error:
            return error
        except connections.FAILURES as problem:
            # One sentence for what went wrong on the way; `problem` is not quoted, as it may hold anything.
            sentence, again = connections.sentence(problem, self.where, self._hint)
            return ServerError(sentence, again=again, why="down" if again else "other")

    def _exchange(self, path: str, body: Any, read: Reader[T], deadline: Deadline) -> _Done[T] | ServerError:
        from batllm_arcade.models import connections

        data = None if body is None else json.dumps(body, separators=(",", ":")).encode("ascii")
        if data is not None and (deadline.patient or self.limits.known):
            deadline.stand(self.limits.wait_s(len(data)))
            deadline.check()
        # Less than what is left, so that a server that cannot be reached is told as that and not as too slow.
        connect_s = max(0.01, min(CONNECT_S, deadline.left() - ANSWER_S))
        response = connections.send(
            self._opened(), "GET" if data is None else "POST", self.address.url(path),
            data=data, headers={**self._headers, **self._key.headers(self.where)}, connect_s=connect_s,
            deadline=deadline,
        )  # fmt: skip
        try:
            cap = self.cap or (connections.CAP if body is not None else connections.LIST_CAP)
            lines = map(self.redact, connections.lines(response, deadline, cap))
            if not 200 <= response.status_code < 300:
                return self._refused(response.status_code, response.headers, lines, path)
            answer = read(lines)
            deadline.check()
            if answer is None:
                return ServerError(
                    f"{self.where} hung up in the middle of its answer; try again", again=True, why="down"
                )
            connections.finish(response)
            if data is not None:
                self.limits.worked()
            return _Done(answer)
        finally:
            response.close()

    def _opened(self) -> requests.Session:
        from batllm_arcade.models import connections

        with self._lock:
            self._session = self._session or connections.new_session(self._proxy, self._ca)
            return self._session

    def redact(self, text: str) -> str:
        """Return the text without the key."""
        return self._key.redact(text)

    def _object(self, text: str) -> dict[str, Any]:
        value = json_object(text)
        if value is None:
            raise ServerError(f"{self.where} answered something that is not JSON; check base_url")
        message = value.get("message")
        names = (value.get("model"), value.get("modelVersion"), message.get("model") if type(message) is dict else None)
        self.served = next((name for name in names if name and isinstance(name, str)), self.served)
        return value

    def _refused(self, status: int, headers: Mapping[str, str], lines: Iterator[str], path: str) -> ServerError:
        """Return what an error status means; never raise, whatever the body holds."""
        from batllm_arcade.models import connections

        text = ""
        with contextlib.suppress(*connections.FAILURES):
            text = "\n".join(lines)
        return self.refusal(status, text, headers, path)

    def gave_up(self, error: Any) -> ServerError:
        """Return what an error means that came within an answer; never raise."""
        return self.refusal(status_within(error), {"error": error})

    def refusal(self, status: int | None, body: Any, headers: Mapping[str, str] = {}, path: str = "") -> ServerError:
        """Return what an error with this status means, None if it has none, and this body, also as text; never raise.

        It is the same for an error that came within an answer.
        """
        value = json_value(body) if isinstance(body, str) else body
        value = unescaped(value, self.redact)  # which also finds a key that is escaped
        said = words_of(body if value is None else value)
        one = value[0] if isinstance(value, list) and value else value
        error = None
        with contextlib.suppress(Exception):  # a provider is a plugin, and the body may hold anything
            error = self._explain(status, one if isinstance(one, dict) else None) if self._explain and status else None
        row, wait_s = failure_of(status, said.text), wait_of(headers, status or 0, said)
        if error is None or (row.kind in USED_UP and getattr(error, "again", False)):
            hint, to = self._key.hint, self.redact(headers.get("Location", ""))
            error = refused(status, said, wait_s, self.where, hint, self.redact(path), to)
        elif not isinstance(error, ServerError):
            error = self.failure(str(error))
        error.wait_s = wait_s if error.wait_s is None else error.wait_s
        error.status, error.kind = status, row.kind
        error.answer = body if value is None and isinstance(body, str) else json.dumps(value)
        if error.why == "other":
            error.why = row.why
        if error.why == "key" and self._key.is_there:
            error.why = "wrong key"
        return error
