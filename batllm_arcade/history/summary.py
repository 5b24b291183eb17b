"""A recorded session in a few words: what it holds, who won, whether it ever ended."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.core.model import SEATS
from batllm_arcade.core.rules import Result
from batllm_arcade.history.reader import GameTape, SessionTape

_REASONS = {
    "knockout": "by knock-out",
    "points": "on points",
    "forfeit": "by forfeit",
    "draw": "draw",
    "aborted": "abandoned",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of sessions says about one; `start` is ISO 8601, `seconds` what its brains took to think."""

    start: str
    names: tuple[str, str]
    brains: tuple[str, str]
    result: str
    winner: int | None
    games: int
    turns: int
    plays: int
    seconds: float
    ended: bool


def counted(number: int, word: str) -> str:
    """`1 play`, `2 plays`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def contents(session: SessionTape) -> str:
    """How much a session holds: `1 game, 24 plays`."""
    return f"{counted(len(session.games), 'game')}, {counted(_plays(session), 'play')}"


def unfinished(session: SessionTape, journal: bool) -> str:
    """What is to be said of a session that never ended, in brackets; nothing of one that did."""
    if session.end is not None:
        return " (read from a journal)" if journal else ""
    return " (the session never ended; read from its journal)" if journal else " (the session never ended)"


def summary(session: SessionTape) -> Summary:
    """The session in the words of a list; its result is that of its last game, or the games each side won."""
    games = session.games
    names = tuple(seat.name for seat in games[-1].seats) if games else ("", "")
    brains = tuple(seat.brain for seat in games[-1].seats) if games else ("", "")
    words, winner = _outcome(games, (names[0], names[1]))
    tapes = [tape for game in games for tape in game.rounds]
    return Summary(
        start=session.start,
        names=(names[0], names[1]),
        brains=(brains[0], brains[1]),
        result=words,
        winner=winner,
        games=len(games),
        turns=sum((len(tape.plays) + 1) // 2 for tape in tapes),
        plays=_plays(session),
        seconds=sum(play.latency_s for tape in tapes for play in tape.plays),
        ended=session.end is not None,
    )


def _plays(session: SessionTape) -> int:
    return sum(len(tape.plays) for game in session.games for tape in game.rounds)


def _outcome(games: tuple[GameTape, ...], names: tuple[str, str]) -> tuple[str, int | None]:
    results = [game.result for game in games if game.result is not None]
    if not games:
        return "no game", None
    if not results or (len(games) == 1 and games[0].result is None):
        return "never ended", None
    last = results[-1]
    called = names if names[0] != names[1] else (SEATS[0], SEATS[1])
    if len(results) > 1:
        wins = [sum(result.winner == seat for result in results) for seat in (0, 1)]
        if wins[0] == wins[1]:
            return f"{wins[0]} : {wins[1]}, nobody is ahead", None
        ahead = int(wins[1] > wins[0])
        return f"{called[ahead]} wins {wins[ahead]} : {wins[1 - ahead]}", ahead
    return worded(last, called), last.winner


def worded(result: Result, called: tuple[str, str]) -> str:
    """A game's result in a few words: `Ann wins by knock-out`, `draw`, `abandoned`."""
    reason = _REASONS[result.reason]
    return reason if result.winner is None else f"{called[result.winner]} wins {reason}"
