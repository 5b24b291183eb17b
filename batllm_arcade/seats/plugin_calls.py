"""Calls of plugins, and the values they give."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar, get_args

from batllm_arcade.brains.kinds import Why
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import Brain, BrainError, BrainKind, Decision, Spec, check_options
from batllm_arcade.brains.redaction import SECRETS, is_secret, without_folders, without_secrets
from batllm_arcade.errors import (
    ArcadeError,
    authors_traceback,
    method_of,
    named,
    one_line,
    place_of_code,
    place_of_error,
    quoted,
)

_T = TypeVar("_T")


class PluginCall(Generic[_T]):
    """A call on a thread of its own; one that never returns is left behind.

    `what` begins the sentence about a failure: "NAME could not start", `todo` ends that of one that takes too long.
    `discard` gets a value that came too late. `code` is what is called, for an author to look at.
    """

    def __init__(
        self,
        call: Callable[[], _T],
        what: str,
        discard: Callable[[_T], None] = lambda value: None,
        todo: str = "give it more with prepare_s",
        code: object = None,
    ) -> None:
        self._call, self._what, self._discard, self._todo, self._code = call, what, discard, todo, code
        self._lock = threading.Lock()
        self._settled = threading.Event()
        self._given_up = False
        self._values: list[_T] = []
        self._error: BaseException | None = None

    def result(self, seconds: float) -> _T:
        """Return what the call returns.

        Raise BrainError for whatever it raises or if it takes longer than `seconds`, Cancelled if it was given up;
        an ArcadeError and KeyboardInterrupt (a plugin that raises it means ctrl-C) pass as they are.
        """
        threading.Thread(target=self._run, daemon=True, name=self._what).start()
        in_time = self._settled.wait(seconds)
        with self._lock:
            if self._values:
                return self._values[0]
            self._given_up = True
        if self._error is not None:
            raise _failure(self._error, self._what, self._code) from None
        if in_time:
            raise Cancelled
        raise BrainError(f"{self._what} within {seconds:g} s; {self._todo}")

    def give_up(self) -> None:
        """Let `result` wait no more."""
        self._settled.set()

    def _run(self) -> None:
        try:
            value = self._call()
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
            self._error = error
        else:
            with self._lock:
                if not self._given_up:
                    self._values.append(value)
            if not self._values:
                self._discard(value)
        self._settled.set()


def _failure(error: BaseException, what: str, code: object) -> BaseException:
    if isinstance(error, (ArcadeError, Cancelled, KeyboardInterrupt)):
        return error
    return BrainError(f"{what}: {without_secrets(one_line(error, 1000))[:300]}{place_of_error(error, code)}")


# -- What a plugin's brain hands over

RAW_LIMIT = 64 * 1024
"""Bytes of UTF-8 of an answer that are kept."""
_MOST_READ = 2 * RAW_LIMIT
"""Characters of an answer in which keys are looked for."""
NAME_LIMIT = 300
"""Characters of a model's name, a title, and a line of progress that are kept."""
TOKENS_LIMIT = 20
"""Kinds of tokens that an answer may count."""
ADAPTED_LIMIT = 20
"""Changes of its requests that a brain may tell of."""


class BrainNames(NamedTuple):
    """What a brain calls itself and its model; "" for what it does not say. And which calls it takes besides `decide`.

    `adapted` is what its requests leave out, rename or add;
    `hears_ends`: it is told how games end; `gets_ready`: it has something to do before the first play; `takes_notes`:
    it writes some after each round.
    """

    title: str
    model: str
    hears_ends: bool = False
    gets_ready: bool = False
    adapted: tuple[str, ...] = ()
    takes_notes: bool = False


class _Made(NamedTuple):
    brain: Brain
    decides: bool
    names: BrainNames


def make_brain(kind: BrainKind, spec: Spec, limit_s: float) -> tuple[Brain, BrainNames]:
    """Return a new brain and its names; raise an ArcadeError if its factory fails or takes longer than the limit."""
    check_options(kind, spec)
    for key, text in spec.options.items():
        if is_secret(key) and not key.endswith("_env"):  # which is the name of a variable
            SECRETS.add(text)
    # A copy of the options: the factory must not change what is recorded.
    usual = {"isolation": kind.isolation} if kind.isolation else {}
    own = replace(spec, options={**usual, **spec.options})
    what = f"{spec.short} could not be made"
    making = PluginCall(lambda: _described(kind.make(own)), what, _discard, code=kind.make)
    made = making.result(limit_s)
    if not made.decides:
        place = place_of_code(kind.make if made.brain is None else made.brain)
        raise BrainError(f"{spec.short} is no brain: its factory made {named(made.brain)}, which has no decide{place}")
    return made.brain, made.names


def _described(brain: Brain) -> _Made:
    return _Made(brain, callable(getattr(brain, "decide", None)), names_of(brain))


def _discard(made: _Made) -> None:
    close_brain(made.brain)


def close_brain(brain: Brain) -> None:
    """Call the brain's `close`, if it has one; what it raises is dropped."""
    with suppress(BaseException):
        close = getattr(brain, "close", None)
        if callable(close):
            close()


def _has(brain: Brain, *methods: str, unknown: bool) -> bool:
    try:
        return any(callable(getattr(brain, name, None)) for name in methods)
    except BaseException:  # noqa: BLE001 - the attribute is a plugin's
        return unknown


def names_of(brain: Brain) -> BrainNames:
    """Return what the brain calls itself and its model; never raise: properties are a plugin's code, too."""
    hears_ends = _has(brain, "end_game", unknown=False)
    gets_ready = _has(brain, "prepare", "read_orders", "read_header", unknown=True)  # to prepare it tells what is wrong
    title, model = _attribute(brain, "title"), _attribute(brain, "model")
    takes_notes = _attribute(brain, "notes").isdecimal() and _has(brain, "note", unknown=False)
    return BrainNames(title, model, hears_ends, gets_ready, adapted_of(brain), takes_notes)


def adapted_of(brain: Brain) -> tuple[str, ...]:
    """Return what the brain's requests leave out, rename or add, () if it does not say; never raise."""
    try:
        told = getattr(brain, "adapted", ())
        if not told or not isinstance(told, (tuple, list)):
            return ()
        return tuple(plain_text(each, NAME_LIMIT) for each in told[:ADAPTED_LIMIT])
    except BaseException:  # noqa: BLE001 - the property is a plugin's
        return ()


def as_played_of(brain: Brain) -> tuple[dict[str, str], dict[str, str]]:
    """Return a model's `as_played` and `unlike`, nothing where a brain has none; never raise."""
    found: list[dict[str, str]] = []
    for name in ("as_played", "unlike"):
        try:
            told = getattr(brain, name, {})
            found.append({plain_text(key, 20): plain_text(text, NAME_LIMIT) for key, text in [*told.items()][:4]})
        except BaseException:  # noqa: BLE001 - the property is a plugin's
            found.append({})
    return found[0], found[1]


def _attribute(brain: Brain, name: str) -> str:
    try:
        return plain_text(getattr(brain, name, "") or "", NAME_LIMIT)
    except BaseException:  # noqa: BLE001 - the property is a plugin's
        return ""


def checked(decision: Any, name: str) -> Decision:
    """Return the answer as a Decision that holds nothing but plain values; raise BrainError if it cannot be one.

    Keys that the program was given are left out of it, options of the seat among them.
    Each field is read once: what a subclass does then is a plugin's code, too. Whether they fit one another is for
    `decision_faults` to say.
    """
    if not isinstance(decision, Decision):
        raise BrainError(f"{name} answered {quoted(decision)}; a brain must return a Decision")
    raw, command = decision.raw, decision.command
    if type(raw) is not str or type(command) not in (str, type(None)):
        raise BrainError(f"{name} answered with raw {quoted(raw)} and command {quoted(command)}; both must be text")
    tokens, queued_from, raw_cut = decision.tokens, decision.queued_from, decision.raw_cut
    if len(raw) > _MOST_READ:
        raw_cut = len(raw)
    raw, command = SECRETS.left_out(raw, _MOST_READ), command and SECRETS.left_out(command, _MOST_READ)
    counts = None if tokens is None else _counts(tokens)
    numbers = (*(counts or {}).values(), *(each for each in (queued_from, raw_cut) if each is not None))
    if not all((type(number) is int and abs(number) < 10**15) for number in numbers):
        raise BrainError(f"{name} answered with tokens, queued_from or raw_cut that are no whole numbers")
    if command is not None and len(command) > RAW_LIMIT:
        command = command[:200] + "\u2026"  # no command either way, and nobody keeps megabytes of it
    invalid = " ".join(plain_text(decision.invalid or "", 4000).split())[:500]
    thought, say = plain_text(decision.thought or "", 4000), plain_text(decision.say or "", 1000)
    return cut(Decision(raw, command, thought, say, counts, queued_from, raw_cut, invalid))


def _counts(tokens: Any) -> dict[str, Any]:
    if not isinstance(tokens, Mapping) or len(tokens) > TOKENS_LIMIT:
        return {"": None}  # refused as a count that is no number
    return {plain_text(key, 40): count for key, count in tokens.items()}


def plain_text(value: object, limit: int) -> str:
    """Return the value as exactly a `str` without keys, cut to `limit` characters.

    What a subclass overrides is not called later.
    """
    return SECRETS.left_out(str.__str__(str(value)), limit)[:limit]


def cut(decision: Decision) -> Decision:
    """The decision with `raw` cut to 64 KiB of UTF-8, its full length noted."""
    if len(decision.raw) * 4 <= RAW_LIMIT:
        return decision
    head = decision.raw[: RAW_LIMIT + 1].encode("utf-8", "surrogatepass")
    if len(head) <= RAW_LIMIT:
        return decision
    end = RAW_LIMIT
    while head[end] & 0xC0 == 0x80:  # never within a character
        end -= 1
    length = max(decision.raw_cut or 0, len(decision.raw))
    return replace(decision, raw=head[:end].decode("utf-8", "surrogatepass"), raw_cut=length)


# -- Asking a brain

Log = Callable[[str], None]
"""Gets a line of a bot's log."""


def decision_of(
    decide: Callable[[], Any], name: str, brain: object = None, log: Log | None = None
) -> tuple[Decision | None, str, Why]:
    """Return what the brain called `name` decides, or why there is none, also as a kind; never raise.

    `brain` is whose code it is, for an author to look at; `log` gets the whole traceback of an unexpected failure.
    """
    try:
        answer = decide()
    except Cancelled:
        return None, "", ""  # it was given up or closed: the same as not answering
    except ArcadeError as error:
        return _received(error), without_folders(one_line(error, 4000))[:500], why_of(error)
    except BaseException as error:  # noqa: BLE001 - a plugin may raise anything, even SystemExit
        return None, _failed(error, name, brain, log), "other"
    try:
        return checked(answer, name), "", ""
    except ArcadeError as error:
        place = place_of_code(method_of(brain, "decide"))
        return None, without_folders(one_line(error, 4000))[:500] + place, "other"
    except BaseException as error:  # noqa: BLE001 - what is in an answer is a plugin's code, too
        return None, _failed(error, name, brain, log), "other"


def why_of(error: BaseException | None) -> Why:
    """Return the kind of a failure, "other" where it does not say: a plugin may have put anything there."""
    why = error.why if isinstance(error, BrainError) else None
    return why if type(why) is str and why in get_args(Why) else "other"


def _failed(error: BaseException, name: str, brain: object, log: Log | None) -> str:
    if log is not None:
        with suppress(BaseException):  # an exception of a plugin's own may fail even when it is printed
            for line in authors_traceback(error):
                log(line)
    problem = without_folders(one_line(error, 4000))[:300]  # cut last: half a password would not be known
    return f"{name} failed with {problem}{place_of_error(error, method_of(brain, 'decide'))}"


def _received(error: ArcadeError) -> Decision | None:
    """Return what came with a failure (text, thought, tokens) as a decision that plays nothing; None if nothing did."""
    if not isinstance(error, BrainError):
        return None
    try:
        received = checked(Decision(error.raw, None, error.thought, tokens=error.tokens), "")
    except BaseException:  # noqa: BLE001 - a plugin may have put anything there
        return None
    return received if received.raw or received.thought or received.tokens else None
