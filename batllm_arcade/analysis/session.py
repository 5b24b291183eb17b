"""The analysis of a session, kept beside it and told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from batllm_arcade.analysis.game import LEAST, Analysed, Judgement, analyse_game, as_json, fit_for, judgements
from batllm_arcade.analysis.tipping import tipped
from batllm_arcade.core.model import SEATS
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import data_folder
from batllm_arcade.files.reading import read_text
from batllm_arcade.history.reader import GameTape, SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play

VERSION = 7
"""Grows when the same session is analysed in another way."""
_KEPT = {"game_number", "fit", "exact", "tipped", "plays"}
Values = dict[str, Any]
Progress = Callable[[int, int], None]
"""Gets the plays done and all plays."""


def games_of(session: SessionTape, number: int | None) -> list[GameTape]:
    """Return the games to analyse; raise HistoryError if there is no game of this number."""
    return list(session.games) if number is None else [session.game(number)]


def analyse(session: SessionTape, number: int | None, progress: Progress | None = None) -> Values:
    """Return the analysis of a session, or of one game of it, as `--json` prints it; kept ones are read again."""
    games = games_of(session, number)
    every = sum(len(entry.plays) for game in games for entry in game.rounds)
    found, done = [], 0
    for game in games:
        kept = KeptAnalysis(session, game)
        values = kept.read()
        if values is None:
            analysed: list[Analysed] = []
            for each in _plays(session, game):
                analysed.append(each)
                done += 1
                if progress is not None:
                    progress(done, every)
            plays = [as_json(each) for each in analysed]
            tip = _tipped([each.play for each in analysed], judgements({"plays": plays}), game)
            values = {"game_number": game.number, **_fit(game), "tipped": tip, "plays": plays}
            kept.write(values)
        else:
            done += len(values["plays"])
        found.append(values)
    return {"games": found}


def judged_plays(session: SessionTape, number: int) -> list[tuple[Play, Judgement]]:
    """Return the plays of a game, and what was found of each; raise HistoryError if there is no game of this number.

    What is kept is not read: a page must not depend on where it is made.
    """
    game = session.game(number)
    name = KeptAnalysis(session, game).name
    found = _remembered.get(name)
    if found is None:
        values = {"plays": [as_json(play) for play in _plays(session, game)]}
        found = _remembered[name] = judgements(values)
        while len(_remembered) > _REMEMBERED:
            del _remembered[next(iter(_remembered))]
    plays = (record for record in replay(replace(session, games=(game,))) if isinstance(record, Play))
    return list(zip(plays, found, strict=True))


_REMEMBERED = 4
_remembered: dict[str, list[Judgement]] = {}
"""What was found of the last games: a page is made, then checked."""


def _plays(session: SessionTape, game: GameTape) -> Iterator[Analysed]:
    return analyse_game(replay(replace(session, games=(game,))))


def _fit(game: GameTape) -> Values:
    fit = fit_for(game.rules)
    return {"fit": fit.name, "exact": fit.exact}


def _tipped(plays: Sequence[Play], found: Sequence[Judgement], game: GameTape) -> Values | None:
    if game.result is not None and game.result.reason == "forfeit":
        return None
    tip = tipped(plays, found, game.rules)
    if tip is None:
        return None
    shown = plays[tip.play if tip.hit is None else tip.hit]
    score = [[arena.left.health, arena.right.health] for arena in (shown.before, shown.after)]
    return {**tip._asdict(), "health": score}


class KeptAnalysis:
    """The analysis of a game in the data folder, by what was played and not by the file's name."""

    def __init__(self, session: SessionTape, game: GameTape) -> None:
        import hashlib

        played = [(entry.number, play.bot, play.cmd, play.post_state) for entry in game.rounds for play in entry.plays]
        told = repr((VERSION, fit_for(game.rules), game.number, game.rules, game.arena, played, session.program))
        name = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
        self.name = name[:32]

    @property
    def _path(self) -> Path:
        return data_folder() / "analysis" / f"{self.name}.json"

    def read(self) -> Values | None:
        """Return what is kept, None where nothing is that can be read."""
        try:
            values = json.loads(read_text(self._path))
            judgements(values)
            return values if isinstance(values, dict) and values.keys() >= _KEPT else None
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, values: Values) -> None:
        """Keep an analysis; where that cannot be done it is only made again the next time."""
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_text(self._path, [json.dumps(values)])


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
