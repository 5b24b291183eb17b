"""Two sessions compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from batllm_arcade.core.model import SEATS, Arena
from batllm_arcade.core.rules import Result
from batllm_arcade.history import schema
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape
from batllm_arcade.history.summary import counted
from batllm_arcade.match.series import describe_result


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


# -- How a comparison of two sessions reads

_WIDTH = 44  # of a column of answers


def as_json(game: GameComparison) -> dict[str, Any]:
    """Return a comparison as plain values; `a` and `b` are the plays, null where a game has no further one."""
    first = None
    if game.parting is not None:
        place = game.parting.one or game.parting.other
        assert place is not None
        first = {
            "round": place.round.number,
            "turn": place.play.turn,
            "order": place.play.bot,
            "differs": list(game.parting.differs),
            "a": _play(game.parting.one),
            "b": _play(game.parting.other),
        }
    results = [None if each is None else {"winner": each.winner, "reason": each.reason} for each in game.results]
    return {
        "game_number": list(game.numbers),
        "equal": game.equal,
        "start_differs": list(game.start),
        "same_plays": game.same,
        "first": first,
        "results": results,
    }


def _play(found: PlayAt | None) -> dict[str, Any] | None:
    if found is None:
        return None
    play = found.play
    return {
        "order": play.bot,
        "llm_response": play.decision.raw,
        "cmd": play.cmd,
        "status": play.status,
        "reason": play.reason,
        "thought": play.decision.thought,
        "before": schema.states(found.before, battery=True),
        "after": schema.states(found.arena, battery=True),
    }


def lines(game: GameComparison, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines about one game of each file."""
    one, other = game.numbers
    if one is None or other is None:
        yield f"game {one or other}: only in {names[other is not None]}"
        return
    title = f"game {one}" if one == other else f"game {one} of {names[0]} and game {other} of {names[1]}"
    if game.equal:
        yield f"{title}: the same in all {counted(game.same, 'play')}"
        return
    yield f"{title}: {until(game)}"
    if game.start:
        yield f"  they differ from the start: {', '.join(game.start)}"
    if game.parting is not None:
        yield from (f"  {line}" for line in _table(game.parting, names))
    yield from (f"  {name} ended: {result_words(result)}" for name, result in zip(names, game.results, strict=True))


def until(game: GameComparison) -> str:
    """Return up to where both games are the same: `the same for 12 plays; they part in round 2, turn 3 (right)`."""
    same = f"the same for {counted(game.same, 'play')}" if game.same else "no play is the same"
    place = game.parting and (game.parting.one or game.parting.other)
    if not place:
        return same
    return f"{same}; they part in round {place.round.number}, turn {place.play.turn} ({SEATS[place.play.bot]})"


def rows(parting: Parting) -> Iterator[tuple[str, str, str]]:
    """Yield what there is to say of the first plays that differ: of what, and of both; `-` where one is missing."""
    one, other = _cells(parting.one), _cells(parting.other)
    for key in one or other:
        left, right = (cells.get(key, "-") for cells in (one, other))
        if left or right:
            yield key, left, right


def _table(parting: Parting, names: tuple[str, str]) -> Iterator[str]:
    yield _row("", *names)
    for key, left, right in rows(parting):
        yield f"{_row(key, left, right)}{'' if left == right else '  *'}"


def _cells(found: PlayAt | None) -> dict[str, str]:
    if found is None:
        return {}
    play = found.play
    cells = {
        "acts": SEATS[play.bot],
        "answer": " ".join(play.decision.raw.split()),
        "command": play.cmd,
        "status": f"{play.status}: {play.reason}" if play.reason else play.status,
    }
    return cells | _states("before", found.before) | _states("after", found.arena)


def _states(when: str, arena: Arena) -> dict[str, str]:
    return {f"{seat} {when}": _state(arena, bot) for bot, seat in enumerate(SEATS)}


def _state(arena: Arena, bot: int) -> str:
    state = arena.bot(bot)
    charge = f", charge {state.charge}" if state.charge else ""
    shield = ", shield" if state.shield else ""
    return f"{state.x:.5g} {state.y:.5g} at {state.rot:.5g}, health {state.health:g}{charge}{shield}"


def _row(key: str, left: str, right: str) -> str:
    return f"{key:13} {_cut(left):{_WIDTH}}  {_cut(right):{_WIDTH}}".rstrip()


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."


def result_words(result: Result | None) -> str:
    """Return how a game ended, seats instead of names: `left wins by knock-out`; `never` where it did not."""
    return "never" if result is None else describe_result(result, ("left", "right"))
