"""How what a page or a film shows ended, in words: who won, the score, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from batllm_arcade.core.model import plain
from batllm_arcade.match.records import GameEnded
from batllm_arcade.match.result_text import reason_text
from batllm_arcade.story.games import called, games_of
from batllm_arcade.story.result import why
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline


def ending(segments: Sequence[Segment], names: tuple[str, str], points: Sequence[TurningPoint] = ()) -> dict[str, Any]:
    """Return who won (`title`, `bot`), how, the score `of` games or health, and why it ended so (`decided`).

    `names` are left first, as is the score; `bot` is None where nobody won or the end is not shown. `points` is where
    the games tipped.
    """
    last = segments[-1]
    result, (won, games) = last.board.result, wins(segments)
    title, reason, bot, decided = say("unfinished"), "", None, ""
    if result is not None:
        bot, reason = result.winner, reason_text(result)
        if games > 1:
            bot, reason = None if won[0] == won[1] else int(won[1] > won[0]), f"after {games} games"
        title = say("wins", winner="Nobody" if bot is None else called(names)[bot])
        decided = why(games_of(segment.record for segment in segments)[-max(1, games) :], names, points)
    health = [plain(bot_state.health) for bot_state in (last.arena.left, last.arena.right)]
    return {
        "title": title,
        "reason": reason,
        "bot": bot,
        "score": list(won) if games > 1 else health,
        "of": "games" if games > 1 else "health",
        "decided": f"{decided}." if decided else "",
    }


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
