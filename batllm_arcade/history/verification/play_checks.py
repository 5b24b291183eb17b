"""Check a recorded play beside its states: its command against its answer, and who may sit at its seat."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from batllm_arcade.brains.lookalikes import looks_like
from batllm_arcade.brains.protocol import FAILED, SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.history.reader import GameTape, PlayTape, SwapTape
from batllm_arcade.history.verification.difference import Difference, Place
from batllm_arcade.match.decision_faults import decision_faults
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK as _LIMIT

_SCRIPTS = ("scripted", "keyboard")
"""Brains whose answer is always the very command."""
ORIGINAL = "batllm"
"""The brain of both bots in a session of the original game."""
NO_PEOPLE = (
    "anthropic", "cassette", "embedded", "gemini", "mistral", "ollama", "openai", "policy", "proc", "scripted",
)  # fmt: skip
"""Brains that are never a person; there may be others."""
_ANYBODY = SeatInfo("", "")
_BY_ITSELF = ("fallback", "recovered", "fork")
"""Why brains change without a person's wish in the middle of a match."""


def check_name(place: Place, seat: SeatInfo) -> Iterator[Difference]:
    """Yield the difference of a brain that is not the bundled one that it looks like."""
    like = looks_like(seat.brain, (*NO_PEOPLE, "keyboard"))
    if like and seat.brain.partition(":")[0] != like:
        yield place.broken("brain", ascii(seat.brain), f"must not look like {like!r}, which it is not")


def check_play(
    place: Place, play: PlayTape, number: int, rules: Rules, brain: str, queued: Collection[int], *, as_told: bool
) -> Iterator[Difference]:
    """Yield the differences of a play that this brain made, by its number in the round.

    `queued` are the numbers of the plays before it that a reply had announced.
    `as_told` are games that no seed began: those of the original game read their models' answers in its own way.
    """
    decision, free = play.decision, as_told and brain == ORIGINAL
    if play.latency_s < 0:
        yield place.broken("latency_s", play.latency_s, "must be 0 or more")
    if play.status == "timeout" and decision.raw:
        yield place.broken("llm_response", decision.raw, "must be empty, as there was no answer in time")
    for fault in decision_faults(decision, play.cmd, play.status, rules, number, queued):
        if not (free and fault.field == "cmd"):
            yield place.broken(*fault)
    if brain.partition(":")[0] in _SCRIPTS and not free:
        yield from _script(place, play, rules, brain)


def _script(place: Place, play: PlayTape, rules: Rules, brain: str) -> Iterator[Difference]:
    """Yield the differences of a play whose answer is always the very command."""
    raw, queued = play.decision.raw, play.decision.queued_from
    readable = not isinstance(read_command(raw, rules), Nothing)
    if queued is not None:
        yield place.broken("queued_from", queued, f"must not be there, as {brain!r:.40} answers every play")
    elif readable and play.status == "invalid":
        yield from place.compare([("status", play.status, "ok")], "by its llm_response")
    elif not readable and play.status == "ok" and play.cmd != "ERR":
        yield from place.compare([("llm_response", raw, play.cmd)], "by its cmd")


class SeatHistory:
    """Who sits where in a game, and how many plays in a row each brain has left without an answer.

    `number` is the game's in its session, or in that of the first of those that it was forked from.
    """

    def __init__(self, game: GameTape, number: int) -> None:
        self._seats, self._origin = list(game.seats), game.forked_from
        self._failures = [0, 0]
        self._recovered = [False, False]
        # Who lost a seat in a game before is not in the record of this one.
        self._lost: list[SeatInfo | None] = [_ANYBODY if number > 1 else None] * 2
        self._session, self._forked = [0, 0], [False, False]
        self.people = [_may_be_person(seat) for seat in game.seats]
        """Whether a person may have played for each bot."""
        # A person who changes seats may be about to do so when the third answer fails: no fallback comes then.
        self._changed_by_hand = any(swap.why not in _BY_ITSELF for tape in game.rounds for swap in tape.swaps)

    def brain(self, bot: int) -> str:
        """Return the brain that plays for this bot now."""
        return self._seats[bot].brain

    def reach(self, bot: int, round_number: int, turn: int) -> None:
        """Note which turn comes next for a bot: behind a fork no model is asked again that has lost its seat before."""
        session = 0 if self._origin is None else self._origin.session_of(round_number, turn)
        if session != self._session[bot]:
            self._session[bot], self._forked[bot] = session, True
            self._lost[bot] = None

    def swap(self, place: Place, swap: SwapTape) -> Iterator[Difference]:
        """Let another brain take a seat; yield the differences where none can have come in this way."""
        bot = swap.bot
        before, lost = self._seats[bot], self._lost[bot]
        if swap.why == "fallback" and self._failures[bot] < _LIMIT:
            yield place.broken("swaps.why", swap.why, f"must come after {_LIMIT} plays in a row without an answer")
        if swap.why == "fork" and not self._forked[bot]:
            yield place.broken("swaps.why", swap.why, "must come with a bot's first play behind 'forked_from'")
        if swap.why == "recovered" and not _same(swap.seat, lost):
            yield place.broken("swaps.brain", swap.seat.brain, "must be the one that lost this seat to a fallback")
        self._recovered[bot] = swap.why == "recovered"
        if swap.why != "wheel":
            self._lost[bot] = before if swap.why == "fallback" else None
        self._seats[bot], self._failures[bot] = swap.seat, 0
        self.people[bot] |= _may_be_person(swap.seat)

    def played(self, place: Place, play: PlayTape) -> Iterator[Difference]:
        """Count a play of the brain at its seat; yield the differences in who should have played it."""
        if self._failures[play.bot] >= _LIMIT and not self._changed_by_hand:
            yield place.broken("swaps", "without a swap here", "must name the fallback's, after so many failures")
        failed = play.status in FAILED
        if failed and self._recovered[play.bot]:
            yield place.broken("status", play.status, "must be an answer where a model gets its seat back")
        self._recovered[play.bot] = self._forked[play.bot] = False
        self._failures[play.bot] = self._failures[play.bot] + 1 if failed else 0
        if play.status == "forfeit" and self._failures[play.bot] < _LIMIT:
            yield place.broken("status", play.status, f"must be the last of {_LIMIT} in a row without an answer")


def _may_be_person(seat: SeatInfo) -> bool:
    return seat.brain.partition(":")[0] not in NO_PEOPLE


def _same(seat: SeatInfo, known: SeatInfo | None) -> bool:
    """Return whether this brain is the one known; one that got ready meanwhile may have found its model."""
    return known is _ANYBODY or (known is not None and (seat.brain, seat.options) == (known.brain, known.options))
