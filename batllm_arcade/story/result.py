"""The result of a game and its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from batllm_arcade.core.events import BotHit, ShotBlocked, ShotMissed
from batllm_arcade.core.model import Part, Rules
from batllm_arcade.match.records import Play, SeatSwapped, by_a_person
from batllm_arcade.match.series import SIDES
from batllm_arcade.story.games import BEHIND, COLORS, Game, behind_words, called, is_loaded, lead, next_hit_wins
from batllm_arcade.story.moments import TurningPoint
from batllm_arcade.story.sentences import say

# What each bot did, counted once from its plays

CLOSE = 0.25
"""Up to so many widths of the arena between their centres, bots are close up."""


@dataclass(slots=True)
class Account:
    """One bot's plays in a game, or in several."""

    turns: int = 0
    """Its plays: one in each turn."""
    shots: int = 0
    """Bullets that it fired."""
    hits: int = 0
    """Those that hit the other bot, straight or off a wall."""
    shielded: int = 0
    """Its plays after which its shield was up."""
    close: int = 0
    """Its plays after which the other bot was close up."""
    blocked: int = 0
    """Its shots that ended at the other's shield."""
    missed: int = 0
    """Its shots that met nothing but walls."""
    walls: int = 0
    """Its hits off a wall."""
    parts: Counter[Part] = field(default_factory=Counter)
    """Its straight hits, by the part of the other bot that they struck."""
    beside: int = 0
    """Its straight hits on the other while that had its shield up."""
    opened: int = 0
    """Hits that it took in the very next play after it had lowered its shield."""
    empty: int = 0
    """Its plays at whose beginning it had too little charge to fire."""
    lost: int = 0
    """Its plays without a command: too late, failed or not understood."""
    damage: float = 0.0
    """What its hits took in all, the last one as much as it would have."""
    extra: float = 0.0
    """How much more its straight hits took than as many in front would have."""


Accounts = tuple[Account, Account]
_COUNTED = [each.name for each in fields(Account) if each.name != "parts"]


def accounts(plays: Iterable[Play], rules: Rules) -> Accounts:
    """Return both bots' accounts of a game's plays, left first."""
    both, last = (Account(), Account()), None
    for play in plays:
        mine, other = both[play.bot], both[1 - play.bot]
        _count(mine, play, rules)
        lowered = last is not None and last.bot != play.bot and _lowered(last)
        other.opened += lowered and play.is_hit
        last = play
    return both


def together(several: Iterable[Accounts]) -> Accounts:
    """Return both bots' accounts of several games."""
    both = (Account(), Account())
    for game in several:
        for whole, account in zip(both, game, strict=True):
            for name in _COUNTED:
                setattr(whole, name, getattr(whole, name) + getattr(account, name))
            whole.parts.update(account.parts)
    return both


def _count(mine: Account, play: Play, rules: Rules) -> None:
    mine.turns += 1
    mine.shots += play.is_shot
    mine.shielded += play.after.bot(play.bot).shield
    mine.close += play.after.apart <= CLOSE * rules.arena_width
    mine.empty += not is_loaded(play.before, play.bot, rules)
    mine.lost += play.status != "ok"
    wall = play.came_off_a_wall
    for event in play.events:
        if isinstance(event, BotHit):
            mine.hits += 1
            mine.damage += event.damage
            mine.extra += 0.0 if wall else max(0.0, event.damage - rules.bullet_damage[play.bot])
            mine.walls += wall
            mine.parts[event.part] += not wall
            mine.beside += bool(play.before.bot(event.bot).shield) and not wall
        mine.blocked += isinstance(event, ShotBlocked)
        mine.missed += isinstance(event, ShotMissed)


def _lowered(play: Play) -> bool:
    return play.before.bot(play.bot).shield and not play.after.bot(play.bot).shield


# Why a game was won: one table of reasons over both accounts

_EXPLAINS = 0.5
"""The share of the damage that the winner did more, from which on a reason explains the game."""
_SOME, _SHARE = 2, 0.4
"""Hits, and their share of all hits on the loser, from which on it is told what they have in common."""
_MORE_SHOTS = 1.4
"""Times as many shots as the other one, from which on it is told that one fired less."""
_ARMOURED: tuple[Part, ...] = ("side", "back")


class Found(NamedTuple):
    """A reason that holds: about how much health it cost the loser, and the numbers of its sentence."""

    weight: float
    values: dict[str, object]


class Reason(NamedTuple):
    """A row: the `kind` of its sentence, and what finds it in the loser's and the winner's account."""

    kind: str
    find: Callable[[Account, Account, float], Found | None]
    """With the damage that a plain hit does to the loser."""


def _silent(lost: Account, won: Account, harm: float) -> Found | None:
    could = lost.empty < lost.turns and not lost.lost
    return Found(harm * won.hits, {}) if won.hits and not lost.shots and could else None


def _part(lost: Account, won: Account, harm: float) -> Found | None:
    n, told = sum(won.parts[part] for part in _ARMOURED), [part for part in _ARMOURED if won.parts[part]]
    if n < _SOME or 2 * sum(lost.parts[part] for part in _ARMOURED) > n:
        return None
    return Found(won.extra - lost.extra, {"n": n, "part": " or ".join(told)})


def _of_hits(own: Callable[[Account], int], its: Callable[[Account], int], share: float) -> Callable[..., Found | None]:
    """Return what finds that many hits on the loser were of one kind, and less than half as many on the winner."""

    def find(lost: Account, won: Account, harm: float) -> Found | None:
        n, other = own(lost) + its(won), own(won) + its(lost)
        if n < max(_SOME, _SHARE * won.hits) or 2 * other > n:
            return None
        return Found(share * harm * (n - other), {"n": n})

    return find


def _of_shots(counted: Callable[[Account], int], share: float) -> Callable[..., Found | None]:
    """Return what finds that more of the loser's shots than of the winner's came to nothing in one way."""

    def find(lost: Account, won: Account, harm: float) -> Found | None:
        n, other = counted(lost), counted(won)
        if n < _SOME or n * max(1, won.shots) <= other * lost.shots or n <= other:
            return None
        return Found(share * harm * (n - other), {"n": n, "m": lost.shots})

    return find


def _empty(lost: Account, won: Account, harm: float) -> Found | None:
    more = lost.empty - won.empty
    if 2 * lost.empty < lost.turns or more < _SOME:
        return None
    return Found(0.4 * harm * more, {"n": lost.empty, "m": lost.turns})


def _fired(lost: Account, won: Account, harm: float) -> Found | None:
    if not lost.shots or won.shots < _MORE_SHOTS * lost.shots or won.shots - lost.shots < _SOME:
        return None
    return Found(0.5 * harm * (won.shots - lost.shots), {"n": won.shots, "m": lost.shots})


def _no_command(lost: Account, won: Account, harm: float) -> Found | None:
    if lost.lost < _SOME or 2 * won.lost > lost.lost:
        return None
    return Found(0.6 * harm * (lost.lost - won.lost), {"n": lost.lost, "m": lost.turns})


REASONS = (
    Reason("silent", _silent),
    Reason("part", _part),
    Reason("beside", _of_hits(lambda _: 0, lambda won: won.beside, 0.7)),
    Reason("opened", _of_hits(lambda lost: lost.opened, lambda _: 0, 0.7)),
    Reason("walls", _of_hits(lambda _: 0, lambda won: won.walls, 0.6)),
    Reason("stopped", _of_shots(lambda lost: lost.blocked, 1.0)),
    Reason("missed", _of_shots(lambda lost: lost.missed, 0.8)),
    Reason("no command", _no_command),
    Reason("fired", _fired),
    Reason("empty", _empty),
)
"""All reasons that can be counted; of two that weigh the same the first one."""


def reason(both: Accounts, winner: int, rules: Rules) -> tuple[str, dict[str, object]] | None:
    """Return the kind of the reason for which a bot won and its numbers, None if none explains enough."""
    won, lost = both[winner], both[1 - winner]
    found = [(row.kind, each) for row in REASONS if (each := row.find(lost, won, rules.bullet_damage[winner]))]
    best = max(found, key=lambda each: each[1].weight, default=None)
    enough = max(1e-9, _EXPLAINS * (won.damage - lost.damage))
    return None if best is None or best[1].weight < enough else (best[0], best[1].values)


# How games ended and why

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
    for bot, seat in enumerate(SIDES):
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
    names = COLORS if game.swapped else names  # a name is not that of the whole game
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
