"""How a game, or several between the same players, ended and why: the one reason that is told everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match.records import Play, SeatSwapped
from batllm_arcade.match.who_played import by_a_person
from batllm_arcade.story.account import accounts, lead, next_hit_wins, together
from batllm_arcade.story.games import Game, called
from batllm_arcade.story.reasons import reason
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint

BEHIND = 24.0
"""Who wins after being behind by so much health, in percent of its start, has come back."""
_FEW_GAMES = 5
"""Games of which it is told how each ended."""
_MANY_PLAYERS = 3
"""Changes of one seat from which on the first is told alone."""


def why(games: Sequence[Game], names: tuple[str, str], points: Sequence[TurningPoint] = ()) -> str:
    """Return why these games ended as they did: one reason, the same wherever it is told; "" if there is none.

    Of several it is what befell the loser in all of them where the same players had the same places, else how each
    ended. `names` are what both are called there, left first; `points` is where the games tipped, as films tell it,
    which is said of one where no other reason explains it.
    """
    names = called(names)
    if not games or games[-1].result is None:
        return ""
    return _of_one(games[-1], names, points) if len(games) == 1 else _of_several(games, names)


def ended(game: Game, names: tuple[str, str]) -> str:
    """Return how a game ended, and when or how it stood; "" while it has not."""
    if game.result is None:
        return ""
    left, right = called(names)
    last = game.plays[-1] if game.plays else None
    health = (last.after.left.health, last.after.right.health) if last is not None else game.rules.initial_health
    stands = {"left": f"{round(health[0], 1):g}", "right": f"{round(health[1], 1):g}"}
    match game.result.reason:
        case "knockout" if last is not None:
            return say("knock-out", round=f"{last.round}", turn=f"{last.turn}")
        case "points":
            return say("score", how="On points", **stands)
        case "draw":
            return say("score", how="A draw", **stands)
        case "forfeit" if game.result.winner is not None:
            return say("forfeit", loser=(right, left)[game.result.winner])
        case _:
            return say("left")


def who_played(game: Game) -> tuple[str, ...]:
    """Return who played at each seat that changed hands, and that a win counts for nobody; each a sentence."""
    swaps = [record for record in game.records if isinstance(record, SeatSwapped)]
    told = []
    for bot, seat in enumerate(SEATS):
        own = [swap for swap in swaps if swap.bot == bot]
        for swap in own if len(own) < _MANY_PLAYERS else own[:1]:
            turn = (swap.number + 1) // 2
            told.append(say("played", round=f"{swap.round}", turn=f"{turn}", name=swap.seat.name, seat=seat))
    lent = {swap.bot for swap in swaps if by_a_person(swap.why)}
    if game.result is not None and game.result.winner in lent:
        told.append(say("counts for nobody"))
    return tuple(f"{sentence}." for sentence in told)


def furthest_behind(plays: Sequence[Play], bot: int, rules: Rules) -> tuple[Play | None, float]:
    """Return the hit after which a bot was furthest behind, the last of equals, and by how much, in percent.

    None if it never was.
    """
    found, most = None, 0.0
    for play in plays:
        behind = -lead(play.after, bot, rules) if play.is_hit else 0.0
        if behind >= most and behind > 0:
            found, most = play, behind
    return found, most


def behind_words(percent: float, rules: Rules) -> str:
    """Return how far behind that is: `24` of bots with 100 health, else `24%`."""
    return f"{percent:.0f}{'' if set(rules.initial_health) == {100} else '%'}"


def took_the_lead(game: Game) -> Play | None:
    """Return the play after which the winner's share of health stayed the larger, None if it never was."""
    found, ahead = None, False
    if game.winner is None:
        return None
    for play in game.plays:
        now = lead(play.after, game.winner, game.rules) > 1e-9
        found, ahead = (play if now and not ahead else found if now else None), now
    return found


def _of_one(game: Game, names: tuple[str, str], points: Sequence[TurningPoint]) -> str:
    assert game.result is not None
    if game.result.reason == "forfeit" and game.result.winner is not None:
        return say("forfeit", loser=names[1 - game.result.winner])
    if not game.played_out:
        return ""
    if game.winner is None:
        return _drawn(game, names)
    winner, loser = names[game.winner], names[1 - game.winner]
    last = game.plays[-1]
    if last.knocks_out and last.bot == game.winner and next_hit_wins(last.before, game.rules):
        left, right = (f"{last.before.bot(bot).health:g}" for bot in (0, 1))
        return say("last shot", left=left, right=right, winner=winner)
    both = accounts(game.plays, game.rules)
    if (found := reason(both, game.winner, game.rules)) is not None:
        return say(found[0], winner=winner, loser=loser, **found[1])
    _, behind = furthest_behind(game.plays, game.winner, game.rules)
    if behind >= BEHIND:
        return say("comeback", winner=winner, n=behind_words(behind, game.rules))
    point = next((each for each in points if each.play in game.plays), None)
    if point is not None and point.play is not point.hit and not point.play.is_shot:
        return point.sentence(names)
    won, lost = both[game.winner], both[1 - game.winner]
    if won.hits <= lost.hits and won.damage > lost.damage:
        return say("harder", winner=winner, loser=loser, n=won.hits, m=lost.hits)
    led = took_the_lead(game)
    if led is not None and not led.knocks_out:
        return say("led", winner=winner, round=f"{led.round}", turn=f"{led.turn}")
    return say("hits", one=winner, other=loser, n=won.hits, m=lost.hits)


def _drawn(game: Game, names: tuple[str, str]) -> str:
    left, right = accounts(game.plays, game.rules)
    if not left.hits and not right.hits:
        return say("no hit")
    if left.hits == right.hits:
        return say("both hit", n=left.hits)
    return say("hits", one=names[0], other=names[1], n=left.hits, m=right.hits)


def _of_several(games: Sequence[Game], names: tuple[str, str]) -> str:
    won = [game.winner for game in games]
    winner = max((0, 1), key=won.count)
    same = len({game.names for game in games}) == 1 and not any(game.swapped for game in games)
    rules = {game.rules for game in games}
    if same and len(rules) == 1 and won.count(winner) > won.count(1 - winner):
        found = reason(together(accounts(game.plays, game.rules) for game in games), winner, rules.pop())
        if found is not None:
            return say(found[0], winner=names[winner], loser=names[1 - winner], **found[1])
    if len(games) > _FEW_GAMES:
        return ""
    ends = [game.plays[-1].after for game in games if game.plays]
    scores = ", ".join(f"{end.left.health:g}\u2013{end.right.health:g}" for end in ends)
    return say("games", scores=scores) if len(ends) == len(games) else ""
