"""How a comparison of two sessions reads: a table of the first plays that differ, or plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from batllm_arcade.core.model import SEATS, Arena
from batllm_arcade.core.outcome import Result
from batllm_arcade.history import schema
from batllm_arcade.history.summary import counted
from batllm_arcade.history.what_if.comparison import GameComparison, Parting, PlayAt
from batllm_arcade.match.result_text import describe_result

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
    """Return what a play's column holds."""
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
