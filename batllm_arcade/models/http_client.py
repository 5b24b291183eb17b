"""The shared way to model servers: deadlines, cancellation, retries, size caps, keys that stay secret.

`requests` is imported when the first request is made, so that a program that asks no server never pays for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from batllm_arcade.brains.protocol import BrainError, Cancelled, Live
from batllm_arcade.models.deadline import Deadline, DeadlineStopped
from batllm_arcade.models.server_text import address, clean, is_loopback, json_object, proxy_address, retry_after, words

if TYPE_CHECKING:
    import requests

T = TypeVar("T")
Reader = Callable[[Iterator[str]], "T | None"]
"""Makes an answer of the lines of a body as they arrive; None says that the body broke off."""
Explain = Callable[[int, Any], "BrainError | None"]
"""What a provider makes of an error's status and parsed body (None where it is no JSON); None leaves the default."""

CONNECT_S = 3.0
LIMIT_S = 300.0
PROBE_S = 1.2
GRACE_S = 0.25
"""Seconds past a play's deadline: its host ends it then, and a failure before that would not look like a timeout."""
RETRIES = 2


class ServerError(BrainError):
    """A server did not answer; `again` says that asking again may help, `fatal` that it never will.

    `wait_s` is how long the server asks to be left alone.
    """

    def __init__(self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None) -> None:
        super().__init__(sentence)
        self.again, self.fatal, self.wait_s = again, fatal, wait_s


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    value: T


class ModelServer:
    """A model server behind one address, for one request at a time; `close` from any thread.

    `hint` says what to do when nobody answers there. The key is read from the environment variable
    `key_variable` at every request and sent in the header `key_header` (as a bearer token if that is
    Authorization); with `key_optional` a server on loopback may do without. `explain` puts a
    provider's own words to its errors. UsageError where `base_url` or `proxy` is no address.
    """

    def __init__(
        self, name: str, base_url: str, *, hint: str = "check base_url", key_variable: str = "",
        key_header: str = "Authorization", key_optional: bool = False, proxy: str = "", explain: Explain | None = None,
    ) -> None:  # fmt: skip
        self.base_url = address(base_url)
        self.where = f"{name} at {self.base_url}"
        self._hint, self._explain, self._proxy = hint, explain, proxy_address(proxy)
        self._key_variable, self._key_header, self._key_optional = key_variable, key_header, key_optional
        self._lock = threading.Lock()
        self._session: requests.Session | None = None
        self._watches: set[Deadline] = set()
        self._jitter = Random()  # its own: back-off must not draw from a game's stream

    def fetch(
        self, path: str, body: Any = None, *, live: Live | None = None, limit_s: float = LIMIT_S, retries: int = RETRIES
    ) -> dict[str, Any]:
        """The JSON object at `path`: GET, or POST with a `body`; raises as `stream` does."""
        return self.stream(path, body, self._whole, live=live, limit_s=limit_s, retries=retries)

    def stream(
        self, path: str, body: Any, read: Reader[T], *, live: Live | None = None, limit_s: float = LIMIT_S,
        retries: int = RETRIES,
    ) -> T:  # fmt: skip
        """What `read` makes of the answer's lines as they arrive; every attempt calls it anew.

        The time is that of `live`, or `limit_s` seconds without a deadline there. Raises ServerError,
        and Cancelled when the answer is no longer wanted: given up, closed, or too late.
        """
        left = live.seconds_left() if live else None
        if left is not None:
            limit_s = left + GRACE_S if left else 0.0
        with self._watching(live, limit_s) as watch, contextlib.suppress(DeadlineStopped):
            return self._persist(lambda: self._attempt(path, body, read, watch), watch, retries)
        if watch.why == "late" and left is None:
            raise self._silent(limit_s)
        raise Cancelled

    def probe(self, path: str, limit_s: float = PROBE_S) -> dict[str, Any]:
        """The JSON object at `path`, asked once, back in time even if looking the name up hangs."""
        box: queue.SimpleQueue[dict[str, Any] | BrainError] = queue.SimpleQueue()

        def ask() -> None:
            try:
                box.put(self.fetch(path, limit_s=limit_s, retries=0))
            except BrainError as error:
                box.put(error)
            except Cancelled:
                pass

        threading.Thread(target=ask, daemon=True, name=f"probe {self.where}").start()
        answer: dict[str, Any] | BrainError = self._silent(limit_s)
        with contextlib.suppress(queue.Empty):
            answer = box.get(timeout=limit_s + 0.1)
        if isinstance(answer, BrainError):
            raise answer
        return answer

    def json_lines(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        """The objects of a body with one JSON object a line (NDJSON)."""
        for line in lines:
            if line.strip():
                yield self._object(line)

    def events(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        """The objects of server-sent events up to `[DONE]`; from a server that does not stream, its one object."""
        for line in lines:
            name, colon, data = line.partition(":")
            if not line.strip() or (colon and name in ("", "event", "id", "retry")):
                continue
            if name not in ("data", "error"):
                yield self._object("\n".join((line, *lines)))
            elif data.strip() == "[DONE]":
                return
            else:
                yield self._object(data)

    def failure(
        self, sentence: str, *, again: bool = False, fatal: bool = False, wait_s: float | None = None
    ) -> ServerError:
        """An error for `read` or `explain` to raise or return, fit to be shown: short and without the key."""
        return ServerError(clean(self.redact(sentence), 400), again=again, fatal=fatal, wait_s=wait_s)

    def close(self) -> None:
        """End whatever is under way and let the connections go; a later request opens new ones."""
        with self._lock:
            watches, session = tuple(self._watches), self._session
            self._session = None
        for watch in watches:
            watch.stop()
        if session is not None:
            session.close()

    @contextlib.contextmanager
    def _watching(self, live: Live | None, limit_s: float) -> Iterator[Deadline]:
        watch = Deadline(limit_s)
        with self._lock:
            self._watches.add(watch)
        try:
            with watch:
                if live is not None:
                    live.on_cancel(watch.stop)
                yield watch
        finally:
            with self._lock:
                self._watches.discard(watch)

    def _persist(self, attempt: Callable[[], _Done[T] | ServerError], watch: Deadline, retries: int) -> T:
        """Try until it works or no further try makes sense within the time; raises ServerError or Stopped."""
        failures, free = 0, 1
        while True:
            outcome = attempt()
            watch.check()
            if isinstance(outcome, _Done):
                return outcome.value
            if outcome.again and free and watch.reused and not watch.answered:
                free -= 1  # the server had closed a kept connection meanwhile: nothing has failed yet
                continue
            failures += 1
            pause = self._pause(outcome, failures)
            if not outcome.again or failures > retries or pause >= watch.left():
                raise outcome
            watch.sleep(pause)
            watch.check()

    def _pause(self, error: ServerError, failures: int) -> float:
        if error.wait_s is not None:
            return error.wait_s + self._jitter.uniform(0.0, 0.1)
        return 0.25 * 2.0 ** (failures - 1) * self._jitter.uniform(0.5, 1.5)

    def _attempt(self, path: str, body: Any, read: Reader[T], watch: Deadline) -> _Done[T] | ServerError:
        """One try; a failure is returned, so that raising it later drags no other exception along."""
        from batllm_arcade.models import connections

        watch.begin()
        try:
            return self._exchange(path, body, read, watch)
        except ServerError as error:
            return error
        except connections.FAILURES as problem:
            return self._failed(problem)

    def _exchange(self, path: str, body: Any, read: Reader[T], watch: Deadline) -> _Done[T] | ServerError:
        from batllm_arcade.models import connections

        data = None if body is None else json.dumps(body, separators=(",", ":")).encode("ascii")
        timeout = (max(0.01, min(CONNECT_S, watch.left())), watch.left() + 1.0)  # the watch is to end it, not a read
        response = connections.send(
            self._opened(), "GET" if data is None else "POST", self.base_url + path,
            data=data, headers=self._headers(), timeout=timeout, watch=watch,
        )  # fmt: skip
        try:
            lines = map(self.redact, connections.lines(response, watch))
            if not 200 <= response.status_code < 300:
                return self._refused(response.status_code, response.headers.get("Retry-After", ""), lines)
            answer = read(lines)
            watch.check()
            if answer is None:
                return ServerError(f"{self.where} hung up in the middle of its answer; try again", again=True)
            connections.finish(response)
            return _Done(answer)
        finally:
            response.close()

    def _opened(self) -> requests.Session:
        from batllm_arcade.models import connections

        with self._lock:
            if self._session is None:
                self._session = connections.new_session(self._proxy)
            return self._session

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "User-Agent": "batllm-arcade"}
        key = self._key()
        if key:
            headers[self._key_header] = f"Bearer {key}" if self._key_header == "Authorization" else key
        return headers

    def _key(self) -> str:
        """The key, or "" if none is needed; raises ServerError that names the variable."""
        name = self._key_variable
        key = os.environ.get(name, "").strip() if name else ""
        near = is_loopback(self.base_url)
        if name and not key and not (near and self._key_optional):
            raise ServerError(f"{self.where} needs a key; set the environment variable {name}", fatal=True)
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ServerError(f"{name} holds characters that no key has; set it again", fatal=True)
        if key and not self.base_url.startswith("https://") and (self._proxy or not near):
            raise ServerError(
                f"the key in {name} must not travel to {self.base_url} unencrypted; use an https:// address", fatal=True
            )
        return key

    def redact(self, text: str) -> str:
        """The text without the key."""
        # Servers quote the key they refuse; at the door is the one place where nothing slips past.
        key = os.environ.get(self._key_variable, "").strip() if self._key_variable else ""
        # A placeholder such as `x`, which local servers take for a key, stands in half of all words.
        return text.replace(key, "***") if len(key) >= 8 else text

    def _whole(self, lines: Iterator[str]) -> dict[str, Any]:
        return self._object("\n".join(lines))

    def _object(self, text: str) -> dict[str, Any]:
        value = json_object(text)
        if value is None:
            raise ServerError(f"{self.where} answered something that is not JSON; check base_url")
        return value

    def _refused(self, status: int, waiting: str, lines: Iterator[str]) -> ServerError:
        """What an error status means; never raises for what the body may hold."""
        from batllm_arcade.models import connections

        body = None
        with contextlib.suppress(*connections.FAILURES):
            body = json_object("\n".join(lines))
        try:
            error = self._explain(status, body) if self._explain else None
        except Exception:  # noqa: BLE001 - a provider is a plugin, and the body may hold anything
            error = None
        if error is None:
            return self._default(status, words(body), retry_after(waiting))
        if not isinstance(error, ServerError):
            return self.failure(str(error))
        error.wait_s = retry_after(waiting) if error.wait_s is None else error.wait_s
        return error

    def _default(self, status: int, said: str, wait_s: float | None) -> ServerError:
        said = f" ({status}: {said})" if said else f" ({status})"
        if 300 <= status < 400:
            return self.failure(f"{self.where} sends its callers elsewhere{said}; set base_url to the final address")
        if status in (401, 403):
            todo = f"check the key in {self._key_variable}" if self._key_variable else "it wants a key or a permission"
            return self.failure(f"{self.where} does not let us in{said}; {todo}", fatal=True)
        if status == 404:
            return self.failure(f"{self.where} knows no such model or address{said}; check both", fatal=True)
        if status == 429:
            pause = f"for {wait_s:.0f} s" if wait_s else "for now"
            todo = "wait, or use another model"
            return self.failure(f"{self.where} takes no requests {pause}{said}; {todo}", again=True, wait_s=wait_s)
        if status >= 500:
            todo = "try again, or look at its log"
            return self.failure(f"{self.where} failed{said}; {todo}", again=True, wait_s=wait_s)
        return self.failure(f"{self.where} refused the request{said}; check the options of this brain")

    def _silent(self, limit_s: float) -> ServerError:
        sentence = f"{self.where} did not answer within {limit_s:g} s; it may be overloaded or stuck"
        return ServerError(sentence, again=True)

    def _failed(self, problem: BaseException) -> ServerError:
        """One sentence for what went wrong on the way; nothing of `problem` is quoted, it may hold anything."""
        from batllm_arcade.models import connections

        sentence, again = connections.sentence(problem, self.where, self._hint)
        return ServerError(sentence, again=again)
