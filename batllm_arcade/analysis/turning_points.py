"""Where each game of some records tipped, found without comparing every play with better ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from batllm_arcade.analysis.game import analyse_game, swings
from batllm_arcade.analysis.judgement import Judgement, judgements
from batllm_arcade.analysis.session import as_json, rounded
from batllm_arcade.analysis.tipping import (
    TurningPoint,
    behind,
    doubtful,
    first_to_know,
    last_level,
    swing,
    turning_point,
)
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import outcome
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record

_SMALL = 0.1
"""The share of its health that a bot loses by a hit of which more than ten are needed."""
_ROUNDED = 1e-6
"""By how many hits a bot may be behind by rounding alone."""
_EARLY, _MOST = 0.25, 0.5
"""The share of a game's plays that is early, and that of a bot's health that is most of it."""
_LOST = 0.05
"""The chance of a bot up to which one more plain hit turns nothing."""


def turning_points(records: Iterable[Record]) -> Iterator[TurningPoint]:
    """Yield where each game tipped that was played out and won, as `analyse` finds it in several times the time.

    A knock-out of a bot that was behind was coming: then it is the hit before it that took most from that bot.
    Nothing is told of a game in which no hit shows where that was, or the very first one (who hit first was never
    behind), nor where the loser was worn down by small hits and never hit back, or by so many that the one that counts
    most met a bot that had next to no chance, nor where the hit only undoes what the loser had made up, nor where that
    is early in a game and the loser loses most of its health after it, nor where the loser never fires, nor where the
    winner acts twice in a row and a plain hit makes its lead longer.
    """
    game: list[Record] = []
    for record in records:
        if isinstance(record, GameStarted):
            game = []
        game.append(record)
        if isinstance(record, GameEnded) and record.result.reason not in ("forfeit", "aborted"):
            yield from _of_game(game)


def _of_game(game: list[Record]) -> Iterator[TurningPoint]:
    rules = next((record.rules for record in game if isinstance(record, GameStarted)), Rules())
    plays = [record for record in game if isinstance(record, Play)]
    found = _judged(game, plays, rules)
    point = turning_point(plays, found, rules)
    if point is not None and point.hit.knocks_out and _was_coming(point.hit, rules):
        point = _gravest(plays, found, rules)
    if point is None or _worn_down(point, plays[-1].after, rules) or _undoes(point, plays, rules):
        return
    if _is_early(point, plays, rules) or not _fought(point, plays) or _widens(point, rules):
        return
    first = next(play for play in plays if play.is_hit)
    if point.hit is not first or first.knocks_out:
        yield point


def _was_coming(knockout: Play, rules: Rules) -> bool:
    """Return whether who is knocked out was behind, and the other one would not have fallen with its next hit."""
    winner, before = knockout.bot, knockout.before
    return outcome(before, rules).winner == winner and before.bot(winner).health > rules.bullet_damage[1 - winner]


def _gravest(plays: Sequence[Play], found: Sequence[Judgement], rules: Rules) -> TurningPoint | None:
    """Return the hit that took most from who is knocked out in the end, and the play before it; the last of equals.

    That is None where no hit took more than a plain one since that bot was last ahead or drew level.
    """
    winner = plays[-1].bot
    since = last_level(plays, 1 - winner, rules)
    taken = [0.0] * since + [
        play.before.bot(1 - winner).health - play.after.bot(1 - winner).health for play in plays[since:-1]
    ]
    most = max(taken, default=0.0)
    if most <= rules.bullet_damage[winner]:
        return None
    hit = max(at for at, each in enumerate(taken) if each == most)
    play = hit - 1 if hit and plays[hit - 1].bot != winner else hit
    return TurningPoint(plays[play], plays[hit], swing(found, play), not play)


def _worn_down(point: TurningPoint, end: Arena, rules: Rules) -> bool:
    """Return whether many small hits decided: none of them met the winner, or the loser had lost before the gravest."""
    struck = 0 if point.hit.after.left.health < point.hit.before.left.health else 1
    taken = point.hit.before.bot(struck).health - point.hit.after.bot(struck).health
    lost = point.play.bot == struck and point.chance[0] <= _LOST and not point.hit.knocks_out
    if lost and taken <= rules.bullet_damage[1 - struck]:
        return True
    unhurt = end.bot(1 - struck).health >= rules.initial_health[1 - struck]
    return unhurt and taken < _SMALL * rules.initial_health[struck]


def _undoes(point: TurningPoint, plays: Sequence[Play], rules: Rules) -> bool:
    """Return whether the loser had been as far behind since it was last ahead or level as it is after the hit."""
    loser = 1 - point.hit.bot
    if point.hit.knocks_out:
        return False
    since = plays[last_level(plays, loser, rules) : plays.index(point.play)]
    now = behind(point.hit.after, loser, rules)
    return any(behind(play.after, loser, rules) >= now - _ROUNDED for play in since)


def _is_early(point: TurningPoint, plays: Sequence[Play], rules: Rules) -> bool:
    """Return whether a game tipped in its first part, and most of what the loser lost came after that."""
    loser = 1 - point.hit.bot
    later = point.hit.after.bot(loser).health - plays[-1].after.bot(loser).health
    return plays.index(point.play) < _EARLY * len(plays) and later > _MOST * rules.initial_health[loser]


def _widens(point: TurningPoint, rules: Rules) -> bool:
    """Return whether the winner was ahead before it acted twice in a row, and its hit took no more than a plain one."""
    winner = point.hit.bot
    taken = point.hit.before.bot(1 - winner).health - point.hit.after.bot(1 - winner).health
    plain = not point.first and point.play is point.hit and taken <= rules.bullet_damage[winner]
    return plain and not point.hit.knocks_out and behind(point.hit.before, 1 - winner, rules) > 0


def _fought(point: TurningPoint, plays: Sequence[Play]) -> bool:
    """Return whether the bot that is hit at a turning point ever fired in this game."""
    return any(play.is_shot and play.bot != point.hit.bot for play in plays)


def _judged(game: list[Record], plays: list[Play], rules: Rules) -> list[Judgement]:
    """Return judgements that know what a play has lost only where that matters."""
    first = first_to_know(plays, rules)
    after = [0.5] * first + [rounded(left) for _, left in swings(game, first).values()]
    found = [
        Judgement(play.bot, play.command.token, left, "", left, 0.0, "")
        for play, left in zip(plays, after, strict=True)
    ]
    judged: set[int] = set()
    while (at := doubtful(plays, found, rules, judged)) is not None:
        analysed = analyse_game(game, (at,))
        found[at], *_ = judgements({"plays": [as_json(each) for each in analysed]})
        judged.add(at)
    return found
