"""Where two sessions part: the first play that differs, game by game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from batllm_arcade.core.model import Arena
from batllm_arcade.core.outcome import Result
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape


@dataclass(frozen=True, slots=True)
class PlayAt:
    """A play and its round; `arena` is both bots as it leaves them, `before` as it finds them."""

    round: RoundTape
    play: PlayTape
    before: Arena

    @property
    def arena(self) -> Arena:
        """Return both bots after the play."""
        return Arena.of(self.play.bot, self.play.post_state, self.play.opponent_state)


@dataclass(frozen=True, slots=True)
class Parting:
    """The first plays of two games that differ; None for a game that has no further one.

    `differs` names what is not the same, as session files call it.
    """

    one: PlayAt | None
    other: PlayAt | None
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameComparison:
    """Two games: their numbers, what differs at their start, how many plays are the same, and where they part."""

    numbers: tuple[int | None, int | None]
    start: tuple[str, ...]
    same: int
    parting: Parting | None
    results: tuple[Result | None, Result | None]

    @property
    def equal(self) -> bool:
        """Whether the games are the same to their ends."""
        return (
            not self.start and self.parting is None and self.results[0] == self.results[1] and None not in self.numbers
        )


def compare(one: SessionTape, other: SessionTape) -> list[GameComparison]:
    """Return the comparisons of two sessions' games, each with the one of its number; a fork's with its origin."""
    return [_compared(*pair) for pair in _pairs(one, other)]


def _pairs(one: SessionTape, other: SessionTape) -> Iterator[tuple[GameTape | None, GameTape | None]]:
    mine, theirs = _origin(one, other), _origin(other, one)
    if mine is not None or theirs is not None:
        yield (mine or one.games[0], theirs or other.games[0])
    else:
        yield from zip_longest(one.games, other.games)


def _origin(session: SessionTape, fork: SessionTape) -> GameTape | None:
    """Return the game of a session that another one was forked from, None if it was not."""
    origin = fork.games[0].forked_from if fork.games else None
    if origin is None or origin.session_start != session.start:
        return None
    return next((game for game in session.games if game.stream == origin.game), None)


def _compared(one: GameTape | None, other: GameTape | None) -> GameComparison:
    if one is None or other is None:
        numbers = (one.number if one else None, other.number if other else None)
        return GameComparison(numbers, (), 0, None, (one.result if one else None, other.result if other else None))
    same, parting = 0, None
    for mine, theirs in zip_longest(_plays(one), _plays(other)):
        differs = _differs(mine, theirs)
        if differs:
            parting = Parting(mine, theirs, differs)
            break
        same += 1
    start = (("rules", one.rules == other.rules), ("initial_state", one.arena == other.arena))
    wrong = tuple(name for name, equal in start if not equal)
    return GameComparison((one.number, other.number), wrong, same, parting, (one.result, other.result))


def _plays(game: GameTape) -> Iterator[PlayAt]:
    for entry in game.rounds:
        before = entry.arena
        for play in entry.plays:
            found = PlayAt(entry, play, before)
            yield found
            before = found.arena


def _differs(one: PlayAt | None, other: PlayAt | None) -> tuple[str, ...]:
    if one is None or other is None:
        return ("turns",)
    mine, theirs = one.play, other.play
    fields = (
        ("prompts", one.round.prompts == other.round.prompts or mine.number > 1),
        ("round_number", one.round.number == other.round.number),
        ("turn_number", mine.number == theirs.number),
        ("order", mine.bot == theirs.bot),
        ("llm_response", mine.decision.raw == theirs.decision.raw),
        ("cmd", mine.cmd == theirs.cmd),
        ("status", mine.status == theirs.status),
        ("pre_state", mine.pre_state == theirs.pre_state),
        ("post_state", mine.post_state == theirs.post_state),
        ("opponent_state", mine.opponent_state == theirs.opponent_state),
    )
    return tuple(name for name, equal in fields if not equal)
