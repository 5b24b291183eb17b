"""An analysis as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from batllm_arcade.analysis.judgement import LEAST
from batllm_arcade.core.model import SEATS

_BAR = 20  # characters of the curve


def lines(game: dict[str, Any], names: tuple[str, str]) -> Iterator[str]:
    """Yield the table of one analysed game, given as plain values; names are left first."""
    yield f"game {game['game_number']}: {names[0]} (left) against {names[1]} (right)"
    if not game["exact"]:
        yield f"  these rules have no figures of their own; the chances are weighed as in {game['fit']!r}, the nearest"
    yield f"  {'turn':>6} {'side':5} {'command':9} {'left':>4} {'':{_BAR}} {'right':<5} {'lost':>4}    best"
    for play in game["plays"]:
        yield f"  {_row(play)}"


def _row(play: dict[str, Any]) -> str:
    left, right = play["chance"]
    turn, mark = f"{play['round']}.{play['turn']}", play["mark"] or ""
    lost = f"{100 * play['loss']:4.0f}" if play["loss"] >= 0.005 else "    "
    bar = "#" * round(_BAR * left) + "." * (_BAR - round(_BAR * left))
    better = _better(play) if play["loss"] >= LEAST else ""
    who = f"{turn:>6} {SEATS[play['order']]:5} {_shown(play['cmd']):9}"
    return f"{who} {100 * left:3.0f}% {bar} {100 * right:3.0f}%  {lost} {mark:2} {better}".rstrip()


def _shown(command: str) -> str:
    return "nothing" if command == "ERR" else command[:9]


def _better(play: dict[str, Any]) -> str:
    return f"{_shown(play['best']['cmd'])} ({100 * play['best']['chance'][play['order']]:.0f}%)"
