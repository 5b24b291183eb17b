"""What a plugin's brain hands over, checked: the brain itself, its names, its decisions, all as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from batllm_arcade.brains.kinds.declared import check_options
from batllm_arcade.brains.protocol import Brain, BrainError, BrainKind, Decision, Spec
from batllm_arcade.brains.redaction import SECRETS, is_secret
from batllm_arcade.errors import named, place_of_code, quoted
from batllm_arcade.seats.plugin_call import PluginCall

RAW_LIMIT = 64 * 1024
"""Bytes of UTF-8 of an answer that are kept."""
NAME_LIMIT = 300
"""Characters of a model's name, a title, and a line of progress that are kept."""
TOKENS_LIMIT = 20
"""Kinds of tokens that an answer may count."""
ADAPTED_LIMIT = 20
"""Changes of its requests that a brain may tell of."""


class BrainNames(NamedTuple):
    """What a brain calls itself and its model; "" for what it does not say. And which calls it takes besides `decide`.

    `adapted` is what its requests leave out, rename or add;
    `hears_ends`: it is told how games end; `gets_ready`: it has something to do before the first play.
    """

    title: str
    model: str
    hears_ends: bool = False
    gets_ready: bool = False
    adapted: tuple[str, ...] = ()


class _Made(NamedTuple):
    brain: Brain
    decides: bool
    names: BrainNames


def make_brain(kind: BrainKind, spec: Spec, limit_s: float) -> tuple[Brain, BrainNames]:
    """Return a new brain and its names; raise an ArcadeError if its factory fails or takes longer than the limit."""
    check_options(kind, spec)
    for key, text in spec.options.items():
        if is_secret(key) and key != "key_env":  # which is the name of a variable
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
    """Return whether it has one of these methods; `unknown` where looking raises."""
    try:
        return any(callable(getattr(brain, name, None)) for name in methods)
    except BaseException:  # noqa: BLE001 - the attribute is a plugin's
        return unknown


def names_of(brain: Brain) -> BrainNames:
    """Return what the brain calls itself and its model; never raise: properties are a plugin's code, too."""
    hears_ends = _has(brain, "end_game", unknown=False)
    gets_ready = _has(brain, "prepare", "read_orders", "read_header", unknown=True)  # to prepare it tells what is wrong
    return BrainNames(_attribute(brain, "title"), _attribute(brain, "model"), hears_ends, gets_ready, adapted_of(brain))


def adapted_of(brain: Brain) -> tuple[str, ...]:
    """Return what the brain's requests leave out, rename or add, () if it does not say; never raise."""
    try:
        told = getattr(brain, "adapted", ())
        if not told or not isinstance(told, (tuple, list)):
            return ()
        return tuple(plain_text(each, NAME_LIMIT) for each in told[:ADAPTED_LIMIT])
    except BaseException:  # noqa: BLE001 - the property is a plugin's
        return ()


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
    raw, command = SECRETS.left_out(raw), command and SECRETS.left_out(command)
    tokens, queued_from, raw_cut = decision.tokens, decision.queued_from, decision.raw_cut
    counts = None if tokens is None else _counts(tokens)
    numbers = (*(counts or {}).values(), *(each for each in (queued_from, raw_cut) if each is not None))
    if not all(_whole(number) for number in numbers):
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
    return SECRETS.left_out(str.__str__(str(value)))[:limit]


def _whole(value: object) -> bool:
    return type(value) is int and abs(value) < 10**15


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
    return replace(decision, raw=head[:end].decode("utf-8", "surrogatepass"), raw_cut=len(decision.raw))
