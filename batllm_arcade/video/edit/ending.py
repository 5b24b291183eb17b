"""How what a page shows ended, in words: who won, the score, and what decided it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from batllm_arcade.core.model import plain
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.records import GameEnded, Play, Record
from batllm_arcade.match.result_text import reason_text, winner_text
from batllm_arcade.match.verdict import LED, NEVER_BEHIND, TOOK_THE_LEAD, befell_in_all, took_the_lead, verdict
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline

_MOST_GAMES = 5
"""Games of a series of which the end card tells how each ended."""
LAST_GAME = "Last game: "
"""What a sentence on a series begins with, which is about its last game alone."""


def ending(segments: Sequence[Segment], names: tuple[str, str]) -> dict[str, Any]:
    """Return who won (`title`, `bot`), how, the score `of` games or health, and what decided the last game.

    `names` are left first, as is the score; `bot` is None where nobody won or the end is not shown.
    """
    last = segments[-1]
    result, (won, games) = last.board.result, wins(segments)
    title, reason, bot = "To be continued", "", None
    if result is not None:
        title, reason, bot = winner_text(result, names), reason_text(result), result.winner
    if result is not None and games > 1:
        bot = None if won[0] == won[1] else int(won[1] > won[0])
        title = winner_text(Result(bot, "draw" if bot is None else "points"), names)
        reason = f"the last of {games} games {_last(result)}"
    decided = " ".join(verdict(segment.record for segment in segments))
    health = [plain(bot_state.health) for bot_state in (last.arena.left, last.arena.right)]
    return {
        "title": title,
        "reason": reason,
        "bot": bot,
        "score": list(won) if games > 1 else health,
        "of": "games" if games > 1 else "health",
        "decided": f"{LAST_GAME}{decided}" if decided and games > 1 else decided,
    }


def shorter(decided: str) -> tuple[str, ...]:
    """Return a sentence on what decided a game and the shorter ones that it begins with, which are true, too."""
    if decided.startswith(LAST_GAME):
        return tuple(LAST_GAME + each for each in shorter(decided.removeprefix(LAST_GAME)))
    whole, mark, _ = decided.partition("; ")
    found = [decided, *([f"{whole}."] if mark else [])]
    for mark in (": ", ", "):  # after a colon come figures of both, of which one alone would say little
        if mark in whole:
            found.append(whole.split(mark)[0] + ".")
            break
    return tuple(found)


def of_games(shown: Sequence[Segment], ends: Sequence[Segment], winner: int | None, names: tuple[str, str]) -> str:
    """Return what befell the loser of a series, and how its games ended: `Bob never fired; Ann won every game: 40–0,
    28–0`; "" without such `ends`."""
    if not ends:
        return ""
    won = [end.board.result.winner if end.board.result else None for end in ends]
    led = "the games"
    if winner is not None and set(won) == {winner}:
        led = f"{names[winner]} won {'both games' if len(won) == 2 else 'every game'}"
    elif winner is not None and won[:-1].count(winner) <= won[:-1].count(1 - winner):
        led = f"game {ends[-1].board.game} decided it"
    scores = ", ".join(f"{end.arena.left.health:g}\u2013{end.arena.right.health:g}" for end in ends)
    befell = "" if winner is None else befell_in_all([segment.record for segment in shown], winner).rstrip(".")
    return f"{befell}; {led}: {scores}" if befell else f"{led[:1].upper()}{led[1:]}: {scores}"


def ends_of_few(shown: Sequence[Segment]) -> list[Segment]:
    """Return where the games of a series end, none of one game, of many, and of other players, too."""
    ends = [segment for segment in shown if isinstance(segment.record, GameEnded)]
    return ends if 1 < len(ends) <= _MOST_GAMES and wins(shown)[1] == len(ends) else []


def ahead(records: Sequence[Record], decided: str) -> tuple[str, Play | None]:
    """Return when the last game's winner took the lead, "" where `decided` tells it, and the play; None if never."""
    since = None if TOOK_THE_LEAD in decided else took_the_lead(records)
    if since is None:
        return "", None
    return "" if LED in decided or NEVER_BEHIND in decided else since[0], since[1]


def _last(result: Result) -> str:
    return {"draw": "was a draw", "aborted": "was abandoned"}.get(result.reason, f"ended {reason_text(result)}")


def standings(timeline: Timeline) -> dict[tuple[int, bool], str]:
    """Return for each game of a series, before and once it is over, its number and how often each side had won.

    Nothing is returned of one game.
    """
    begins = {segment.board.game: number for number, segment in reversed(list(enumerate(timeline.segments)))}
    if len(begins) < 2:
        return {}
    starts, found = [*sorted((number, game) for game, number in begins.items()), (len(timeline.segments), 0)], {}
    for (first, game), (after, _) in pairwise(starts):
        for over, shown in ((False, first + 1), (True, after)):
            left, right = wins(timeline.segments[:shown])[0]
            found[game, over] = f"GAME {game}   {left} : {right}"
    return found


def wins(segments: Iterable[Segment]) -> tuple[tuple[int, int], int]:
    """Return how often each seat's player has won, left first, and in how many games, since these two have met.

    Who changed places keeps what they won.
    """
    won, games, before, game = [0, 0], 0, ("", ""), 0
    for segment in segments:
        if segment.board.game != game:
            left, right = segment.board.seats
            game, names = segment.board.game, (left.name, right.name)
            if names != before:
                won, games = (won[::-1], games) if names == before[::-1] else ([0, 0], 0)
            before = names
        if isinstance(segment.record, GameEnded):
            games += 1
            if segment.record.result.winner is not None:
                won[segment.record.result.winner] += 1
    return (won[0], won[1]), games
