"""Check a recorded play beside its states: its command against its answer, and who may sit at its seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from batllm_arcade.brains.protocol import FAILED
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.history.reader import GameTape, PlayTape, SwapTape
from batllm_arcade.history.verification.difference import Difference, Place
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK as _LIMIT

_SCRIPTS = ("scripted", "keyboard")
"""Brains whose answer is always the very command."""
ORIGINAL = "batllm"
"""The brain of both bots in a session of the original game."""
_BY_ITSELF = ("fallback", "recovered", "fork")
"""Why brains change without a person's wish in the middle of a match."""


def check_play(place: Place, play: PlayTape, rules: Rules, brain: str, *, as_told: bool) -> Iterator[Difference]:
    """Yield the differences of a play that this brain made.

    `as_told` are games that no seed began: those of the original game read their models' answers in its own way.
    """
    raw, cut = play.decision.raw, play.decision.raw_cut
    if play.latency_s < 0:
        yield place.broken("latency_s", play.latency_s, "must be 0 or more")
    if cut is not None and cut <= len(raw):
        yield place.broken("raw_cut", cut, f"must be more than the {len(raw)} characters of llm_response")
    if play.status == "timeout" and raw:
        yield place.broken("llm_response", raw, "must be empty, as there was no answer in time")
    if not (as_told and brain == ORIGINAL):
        yield from _command(place, play, rules, script=_is_script(brain))


def check_queued(place: Place, plays: Sequence[PlayTape], position: int, brain: str) -> Iterator[Difference]:
    """Yield the differences in which play of the round announced the one at this position, if any did."""
    play = plays[position - 1]
    queued = play.decision.queued_from
    if queued is None:
        return
    earlier = 1 <= queued < position
    if _is_script(brain):
        yield place.broken("queued_from", queued, f"must not be there, as {brain!r:.40} answers every play")
    elif not earlier or plays[queued - 1].bot != play.bot:
        yield place.broken("queued_from", queued, "must be an earlier play of the same bot in the round")
    elif plays[queued - 1].decision.queued_from is not None:
        yield place.broken("queued_from", queued, "must be the play of the reply, which was queued by none")
    if play.decision.raw:
        yield place.broken("llm_response", play.decision.raw, "must be empty, as the play was queued")


def _is_script(brain: str) -> bool:
    return brain.partition(":")[0] in _SCRIPTS


def _command(place: Place, play: PlayTape, rules: Rules, *, script: bool) -> Iterator[Difference]:
    raw = play.decision.raw
    said = read_command(raw, rules)
    if not isinstance(said, Nothing):
        if play.status == "ok":
            yield from place.compare([("cmd", play.cmd, said.token)], "by its llm_response")
        elif script and play.status == "invalid":
            yield from place.compare([("status", play.status, "ok")], "by its llm_response")
    elif script and play.status == "ok" and play.cmd != "ERR" and play.decision.queued_from is None:
        yield from place.compare([("llm_response", raw, play.cmd)], "by its cmd")


class SeatHistory:
    """Who sits where in a game, and how many plays in a row each brain has left without an answer."""

    def __init__(self, game: GameTape) -> None:
        self._brains = [seat.brain for seat in game.seats]
        self._failures = [0, 0]
        self._recovered = [False, False]
        # A person who changes seats may be about to do so when the third answer fails: no fallback comes then.
        self._changed_by_hand = any(swap.why not in _BY_ITSELF for tape in game.rounds for swap in tape.swaps)

    def brain(self, bot: int) -> str:
        """Return the brain that plays for this bot now."""
        return self._brains[bot]

    def swap(self, place: Place, swap: SwapTape, *, drawn: bool) -> Iterator[Difference]:
        """Let another brain take a seat; yield a difference where a fallback comes without failures before it."""
        if drawn and swap.why == "fallback" and self._failures[swap.bot] < _LIMIT:
            yield place.broken("swaps.why", swap.why, f"must come after {_LIMIT} plays in a row without an answer")
        self._recovered[swap.bot] = swap.why == "recovered"
        self._brains[swap.bot], self._failures[swap.bot] = swap.seat.brain, 0

    def played(self, place: Place, play: PlayTape) -> Iterator[Difference]:
        """Count a play of the brain at its seat; yield the differences in who should have played it."""
        if self._failures[play.bot] >= _LIMIT and not self._changed_by_hand:
            yield place.broken("swaps", "without a swap here", "must name the fallback's, after so many failures")
        failed = play.status in FAILED
        if failed and self._recovered[play.bot]:
            yield place.broken("status", play.status, "must be an answer where a model gets its seat back")
        self._recovered[play.bot] = False
        self._failures[play.bot] = self._failures[play.bot] + 1 if failed else 0
        if play.status == "forfeit" and self._failures[play.bot] < _LIMIT:
            yield place.broken("status", play.status, f"must be the last of {_LIMIT} in a row without an answer")
