"""Summarize a recorded session: what it holds, who won, whether it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.history.reader import GameTape, SessionTape
from batllm_arcade.match.records import ForkedFrom, by_a_person, counts
from batllm_arcade.match.series import describe_result, distinct


@dataclass(frozen=True, slots=True)
class Summary:
    """A session in a list; `start` is ISO 8601, `seconds` the thinking time of its brains.

    `names`, `brains`, `result` and `winner` are of the last pairing: the two players of the last game, at either seat.
    """

    start: str
    names: tuple[str, str]
    brains: tuple[str, str]
    result: str
    winner: int | None
    games: int
    pairings: int
    """How many pairs of players played."""
    turns: int
    plays: int
    seconds: float
    ended: bool
    forked_from: ForkedFrom | None = None


def counted(number: int, word: str) -> str:
    """Return a number with its word: `1 play`, `2 plays`."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def contents(session: SessionTape) -> str:
    """Return how much a session holds: `1 game, 24 plays`."""
    return f"{counted(len(session.games), 'game')}, {counted(_plays(session), 'play')}"


def finished(session: SessionTape) -> str:
    """Return what a session that broke off holds: `2 whole games and 17 plays of the next`."""
    whole = sum(game.result is not None for game in session.games)
    begun = sum(len(tape.plays) for game in session.games if game.result is None for tape in game.rounds)
    rest = f" and {counted(begun, 'play')} of the next" if begun else ""
    return f"{counted(whole, 'whole game')}{rest}"


def remark(session: SessionTape) -> str:
    """Return in brackets that the session never ended or was read from a journal, else ""."""
    parts = [] if session.end is not None else ["the session never ended"]
    if session.journal is not None:
        parts.append(f"read from the journal {session.journal.name!r}{_damage(session)}")
    return f" ({'; '.join(parts)})" if parts else ""


def journal_note(session: SessionTape, path: Path) -> str:
    """Return the sentence that a journal was read instead of the file at `path`, else ""."""
    if session.journal is None or (session.journal == path and not session.bad_line):
        return ""
    if session.journal == path:
        return f"{path.name!r} is read{_damage(session)}"
    why = "was never finished" if path.exists() else "is not there"
    return f"{path.name!r} {why}; it is read from the journal {session.journal.name!r}{_damage(session)}"


def _damage(session: SessionTape) -> str:
    return f" up to line {session.bad_line}, which is damaged" if session.bad_line else ""


def summary(session: SessionTape) -> Summary:
    """Return a session's summary; its result is that of the last pairing's only game, or the games each player won."""
    games = session.games
    names = tuple(seat.name for seat in games[-1].seats) if games else ("", "")
    brains = tuple(seat.brain for seat in games[-1].seats) if games else ("", "")
    words, winner = _outcome(_of_last_pairing(games), (names[0], names[1]))
    tapes = [tape for game in games for tape in game.rounds]
    return Summary(
        start=session.start,
        names=(names[0], names[1]),
        brains=(brains[0], brains[1]),
        result=words,
        winner=winner,
        games=len(games),
        pairings=len({_pairing(game) for game in games}),
        turns=sum((len(tape.plays) + 1) // 2 for tape in tapes),
        plays=_plays(session),
        seconds=sum(play.latency_s for tape in tapes for play in tape.plays),
        ended=session.end is not None,
        forked_from=games[0].forked_from if games else None,
    )


def _plays(session: SessionTape) -> int:
    return sum(len(tape.plays) for game in session.games for tape in game.rounds)


def _pairing(game: GameTape) -> frozenset[tuple[str, str]]:
    return frozenset((seat.name, seat.brain) for seat in game.seats)


def _of_last_pairing(games: tuple[GameTape, ...]) -> tuple[GameTape, ...]:
    return tuple(game for game in games if _pairing(game) == _pairing(games[-1]))


def _won_by(game: GameTape, last: GameTape) -> int | None:
    """Return at which seat of the last game who won this one sat there, None for a draw."""
    winner = None if game.result is None else game.result.winner
    left, now = game.seats[0], last.seats[0]
    swapped = (left.name, left.brain) != (now.name, now.brain)
    return 1 - winner if winner is not None and swapped else winner


def _outcome(games: tuple[GameTape, ...], names: tuple[str, str]) -> tuple[str, int | None]:
    results = [game.result for game in games if game.result is not None]
    if not games:
        return "no game", None
    if not results or (len(games) == 1 and games[0].result is None):
        return "never ended", None
    last = results[-1]
    if len(results) > 1:
        won = [_won_by(game, games[-1]) for game in games if _counts(game)]
        wins = [won.count(seat) for seat in (0, 1)]
        if wins[0] == wins[1]:
            return f"{wins[0]} : {wins[1]}, nobody is ahead", None
        ahead = int(wins[1] > wins[0])
        return f"{distinct(names)[ahead]} wins {wins[ahead]} : {wins[1 - ahead]}", ahead
    return describe_result(last, _last_names(games[-1], names)), last.winner


def _counts(game: GameTape) -> bool:
    changed = {swap.bot for tape in game.rounds for swap in tape.swaps if by_a_person(swap.why)}
    return game.result is not None and counts(game.result, changed)


def _last_names(game: GameTape, names: tuple[str, str]) -> tuple[str, str]:
    last = {swap.bot: swap.seat.name for tape in game.rounds for swap in tape.swaps if by_a_person(swap.why)}
    return last.get(0, names[0]), last.get(1, names[1])
