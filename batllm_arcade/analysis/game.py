"""The analysis of a game: looking ahead, chances, judgements, best plays."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import atan2, ceil, degrees, exp, inf, log, sqrt
from random import Random
from typing import Any, Literal, NamedTuple

from batllm_arcade.brains.bots import BotView, turn_token
from batllm_arcade.core.commands import Rotate
from batllm_arcade.core.model import Arena, Rules, rules_from
from batllm_arcade.core.rules import knocked_out, limited, outcome, read_command, step
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted

WON = 1000.0
"""What a knock-out is worth, more than anything else; the sooner the better."""
AROUND = (60, -60, 90, -90, 120, -120, 180, 35, -35)
"""Directions that are considered, in degrees from that to the opponent."""


def outlook(me: BotView, token: str | None, depth: int, least: float, most: float = inf) -> float:
    """Return what a move is worth to `me` when both play on for `depth` plays in all, this one included.

    Exact between `least` and `most`; what is worth less or more only has to be known as such (alpha-beta search).
    """
    mine, foe, _ = me.simulate(token)
    if foe.health <= 0:
        return WON + depth
    if depth == 1:
        return -advantage(foe, mine)
    worst = most
    for answer in likely_plays(foe, mine):
        worst = min(worst, -outlook(foe, answer, depth - 1, -worst, -least))
        if worst <= least:
            break
    return worst


def likely_plays(me: BotView, foe: BotView) -> Iterator[str | None]:
    """Yield the plays worth considering, likely ones first, which makes the search short.

    With a `turn_limit` only the first of the turns that end alike.
    """
    if me.rules.turn_limit:
        yield from _ending_apart(me, _plays(me, foe))
    else:
        yield from _plays(me, foe)


def _ending_apart(me: BotView, plays: Iterable[str | None]) -> Iterator[str | None]:
    ends: set[float] = set()
    for token in plays:
        command = read_command(token, me.rules)
        if isinstance(command, Rotate):
            end = round(limited(command.degrees, me.rules.turn_limit), 2)
            if end in ends:
                continue
            ends.add(end)
        yield token


def _plays(me: BotView, foe: BotView) -> Iterator[str | None]:
    towards = me.bearing_to(foe)
    if me.loaded and not me.shield:
        yield "B"
    yield "M"
    if abs(towards) > 0.01:
        yield me.turn_to(foe)
    yield "S0" if me.shield else "S1"
    yield from (turn_token(shot.turn) for shot in me.banks(foe) if abs(shot.turn) > 0.01)
    yield from (turn_token(towards + off) for off in AROUND if abs((towards + off + 180) % 360 - 180) > 8)
    yield None
    if me.back:
        yield me.back
    step = foe.simulate("M").me
    for part in (1.0, 0.5):
        turn = degrees(atan2(foe.y + part * (step.y - foe.y) - me.y, foe.x + part * (step.x - foe.x) - me.x)) - me.rot
        if abs((turn - towards + 180) % 360 - 180) > (8 if part == 1 else 0.7):
            yield turn_token(turn)


def advantage(me: BotView, foe: BotView) -> float:
    """Return how much better `me` stands than its opponent when it is its turn, in points of health."""
    mine, theirs = me.bearing_to(foe), foe.bearing_to(me)
    ahead = me.health - foe.health + 0.012 * (abs(theirs) - abs(mine))
    if me.rules.battery:
        ahead += 4.5 * (sqrt(me.charge) - sqrt(foe.charge)) + 3 * (me.loaded - foe.loaded)
    if me.rules.turn_limit:
        ahead += 1.5 * (_plays_to_aim(theirs, me.rules) - _plays_to_aim(mine, me.rules))
    return ahead + 0.9 * threat(me, foe) - 0.6 * threat(foe, me)


def _plays_to_aim(off: float, rules: Rules) -> int:
    """Return how many plays a bot turns until it looks at the other, which is so many degrees off."""
    return ceil(max(0.0, abs(off) - 4) / rules.turn_limit)


def threat(me: BotView, foe: BotView) -> float:
    """Return the damage that a shot along the direction of `me` would do, less where it cannot be fired at once."""
    strike = me.strike(foe)
    if strike is None:
        return 0.0
    likely = (1.0 if me.loaded else 0.4) * (0.5 if me.shield else 1.0)
    return likely * strike.damage * (0.25 if foe.shield and strike.part == "front" else 1.0)


# -- A position in figures

DEPTH = 2
"""Plays that a position is looked ahead: one of the bot that plays next, and the answer."""
_MOST = 8.0
"""Hits that the look-ahead can see beyond what has happened, at most."""


class Position(NamedTuple):
    """Both bots, the index of the bot that plays next, and how many plays the game can still have."""

    arena: Arena
    mover: int
    left: int


def outlook_of(position: Position, rules: Rules, depth: int = DEPTH) -> float:
    """Return what the best play is worth to the bot that plays next, in points of health ahead."""
    me, foe = BotView.pair(position.arena, position.mover, rules)
    best = -inf
    for token in likely_plays(me, foe):
        best = max(best, outlook(me, token, depth, best))
    return best


def features(position: Position, rules: Rules, seen: float) -> tuple[float, ...]:
    """Return the figures that a chance is made of, all from the view of the bot that plays next.

    `seen` is what `outlook_of` says of the position.
    """
    me, foe = position.arena.bot(position.mover), position.arena.bot(1 - position.mover)
    mine, theirs = rules.bullet_damage[position.mover], rules.bullet_damage[1 - position.mover]
    damage = (mine + theirs) / 2 or 1.0
    left = position.left / (2 * rules.total_rounds * rules.turns_per_round)
    need, have = foe.health / (mine or 1.0), me.health / (theirs or 1.0)
    ratio = log((have + 0.5) / (need + 0.5))
    knocks_out = (seen > WON / 2) - (seen < -WON / 2)
    ahead = 0.0 if knocks_out else max(-_MOST, min(_MOST, (seen - me.health + foe.health) / damage))
    share = me.health / rules.initial_health[position.mover] - foe.health / rules.initial_health[1 - position.mover]
    lead = share * sum(rules.initial_health) / 2 / damage
    at_the_end = lead / sqrt(0.5 * position.left + 0.3)
    return (1.0, ratio, ahead, ratio * (1 - left), ahead * (1 - left), at_the_end, lead, float(knocks_out))


KNOTS = (0.7, 1.5, 3.0)
"""Where the curve from figures to chances may bend, in log odds."""


def bent(odds: float) -> tuple[float, ...]:
    """Return the figures that a curve with bends in it is made of."""
    return (1.0, odds, *(max(-knot, min(knot, odds)) for knot in KNOTS))


def dot(weights: Iterable[float], figures: Iterable[float]) -> float:
    """Return the sum of the products."""
    return sum(weight * figure for weight, figure in zip(weights, figures, strict=True))


# -- A side's chance to win a position


@dataclass(frozen=True, slots=True)
class Fit:
    """What makes chances of figures: made on games of the shipped configuration `name`.

    `exact` is false where the rules are none that a fit was made for, and this is the nearest.
    """

    name: str
    weights: tuple[float, ...]
    """What the figures of a position weigh."""
    bends: tuple[float, ...]
    """What corrects their sum to chances that come true, of `position.bent`."""
    rules: Rules
    """The configuration's."""
    exact: bool = True

    def chance(self, position: Position, rules: Rules, depth: int = DEPTH) -> float:
        """Return the chance, 0 to 1, of the bot that plays next; a draw counts as half."""
        if position.left <= 0 or knocked_out(position.arena) is not None:
            winner = outcome(position.arena, rules).winner
            return 0.5 if winner is None else float(winner == position.mover)
        seen = outlook_of(position, rules, depth)
        odds = dot(self.bends, bent(dot(self.weights, features(position, rules, seen))))
        return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


def fit_for(rules: Rules) -> Fit:
    """Return the fit of the shipped configuration with these rules, else that of the nearest one."""
    name = min(_fits(), key=lambda each: _distance(rules, _fits()[each].rules))
    return replace(_fits()[name], exact=_of_any_length(rules) == _of_any_length(_fits()[name].rules))


@cache
def _fits() -> Mapping[str, Fit]:
    text = (files("batllm_arcade.assets") / "analysis" / "fits.json").read_text("utf-8")
    return {
        name: Fit(name, tuple(fit["weights"]), tuple(fit["bends"]), rules_from(fit["rules"]))
        for name, fit in json.loads(text).items()
    }


def _of_any_length(rules: Rules) -> Rules:
    """Return rules with lengths that say nothing: how much of a game is left is one of the figures."""
    return replace(rules, total_rounds=1, turns_per_round=1)


def _distance(one: Rules, other: Rules) -> float:
    """Return how unlike the games of two sets of rules are: above all by their optional rules, then by their length."""
    mechanisms = [
        bool(one.battery) != bool(other.battery),
        (one.side_damage, one.back_damage) != (other.side_damage, other.back_damage),
        bool(one.ricochet) != bool(other.ricochet),
        bool(one.back_step) != bool(other.back_step),
        bool(one.turn_limit) != bool(other.turn_limit),
        one.bumps != other.bumps,
    ]
    same = 0.0 if _of_any_length(one) == _of_any_length(other) else 0.5
    return 4.0 * sum(mechanisms) + same + abs(log(_hits(one) / _hits(other)))


def _hits(rules: Rules) -> float:
    return max(1.0, sum(rules.initial_health)) / max(1e-9, sum(rules.bullet_damage))


# -- What an analysis says of each play of a game

LEAST = 0.05
"""The chance that a play has cost at least where the better one is named."""
LEAST_TURN = 0.5
"""Degrees: a smaller turn is none worth the name, and as good as waiting."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a play of `bot` was worth: left's chance after it and after the best play there, 0 to 1."""

    bot: int
    cmd: str
    chance: float
    best: str
    best_chance: float
    loss: float
    """The acting side's chance lost against the best play."""
    mark: str
    """`?!`, `?`, `??`, `!` or "" for none."""

    @property
    def points(self) -> int:
        """Return what was lost in points: hundredths of a game."""
        return round(100 * self.loss)


def own(chance: float, bot: int) -> float:
    """Return the chance of a bot, given left's."""
    return 1 - chance if bot else chance


def judgements(game: Mapping[str, Any]) -> list[Judgement]:
    """Return what the plain values of an analysed game say of its plays; raise ValueError if they are none."""
    try:
        return [_judgement(play) for play in game["plays"]]
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no analysis of a game: {error}") from None


def _judgement(play: Mapping[str, Any]) -> Judgement:
    best = play["best"]
    left, right = float(play["chance"][0]), float(best["chance"][0])
    return Judgement(
        int(play["order"]), str(play["cmd"]), left, str(best["cmd"]), right, float(play["loss"]), play["mark"] or ""
    )


Swings = Mapping[tuple[int, int, int], tuple[float, float]]
"""Left's chance before and after each play, by game, round and the play's number in it; in the order of the plays."""


# -- The plays of a recorded game with each side's chance after them

Mark = Literal["", "?!", "?", "??", "!"]
MARKS: tuple[tuple[float, Mark], ...] = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))
"""The chance that a play with a mark loses at least, against the best one."""
HIT_MARKED = 0.2
"""The same for a shot that hit: nobody calls it a mistake, and what seems a little better than it is seldom better."""
ONLY = 0.2
"""How much worse all others are where a play was the only good one."""
GOOD = 0.02
"""The chance that a good play loses at most."""
CLEARLY = 0.005
"""How much better another play must be to be called the best."""
_CLOSER = 5
"""Plays of those that look best which are looked at more closely, beside all that are no turns."""
_DEEPER = ((DEPTH + 1, 2, 1.0), (DEPTH + 2, 1, 0.3))
"""How deep plays that seem to be much better are looked at, how many of them, and up to which gain it is doubted."""
_NOTHING = "ERR"
"""How files name a play in which nothing is done."""


@dataclass(frozen=True, slots=True)
class Analysed:
    """A play and what it was worth: `chance` left's and right's after it, `best` the best play there."""

    play: Play
    chance: tuple[float, float]
    best: str
    best_chance: tuple[float, float]
    loss: float
    """The acting side's chance lost against the best play, 0 to 1."""
    mark: Mark


class Next(NamedTuple):
    """What comes after a play: who may play then (both where nobody knows), and how many plays there can be."""

    movers: tuple[int, ...]
    left: int


def analyse_game(records: Iterable[Record], only: Container[int] | None = None) -> Iterator[Analysed]:
    """Yield the plays of one game's records, each as soon as it is analysed; of some `only`, by their indices."""
    fit: Fit | None = None
    rules, at = Rules(), -1
    for record, then in _with_next(records):
        if isinstance(record, GameStarted):
            rules, fit = record.rules, fit_for(record.rules)
        elif isinstance(record, Play) and fit is not None and then is not None:
            at += 1
            if only is None or at in only:
                yield _analysed(record, then, rules, fit)


def sampled_losses(records: Sequence[Record], most: int, stream: Random) -> tuple[list[float], list[float]]:
    """Return the chances lost in plays of one game drawn at random, at most so many of each side, left's first."""
    bots = [record.bot for record in records if isinstance(record, Play)]
    only: set[int] = set()
    for bot in (0, 1):
        own = [number for number, each in enumerate(bots) if each == bot]
        only |= set(stream.sample(own, min(most, len(own))))
    losses: tuple[list[float], list[float]] = [], []
    for found in analyse_game(records, only):
        losses[found.play.bot].append(found.loss)
    return losses


def positions(records: Iterable[Record]) -> Iterator[Position]:
    """Yield the position after each play of a game but that which knocks a bot out."""
    for record, then in _with_next(records):
        if isinstance(record, Play) and then is not None and knocked_out(record.after) is None:
            yield Position(record.after, then.movers[0], then.left)


def swings(records: Iterable[Record], first: int = 0) -> Swings:
    """Return how left's chance changes with every play of the records, which may hold several games.

    Of one game it may be asked from the `first` play on, by its index.
    """
    found: dict[tuple[int, int, int], tuple[float, float]] = {}
    fit: Fit | None = None
    left: float | None = None
    rules, at = Rules(), -1
    for record, then in _with_next(records):
        if isinstance(record, GameStarted):
            rules, fit, left = record.rules, fit_for(record.rules), None
        elif isinstance(record, Play) and fit is not None and then is not None:
            at += 1
            if at < first:
                continue
            if left is None:
                start = fit.chance(Position(record.before, record.bot, _plays_left(rules, record) + 1), rules)
                left = _both(start, record.bot)[0]
            after = _both(_chance(record.after, record.bot, then, rules, fit), record.bot)[0]
            found[record.key] = left, after
            left = after
    return found


def _plays_left(rules: Rules, play: Play) -> int:
    return 2 * rules.turns_per_round * (rules.total_rounds - play.round + 1) - play.number


def _with_next(records: Iterable[Record]) -> Iterator[tuple[Record, Next | None]]:
    rules = Rules()
    last: Play | None = None
    for record in records:
        if isinstance(record, GameStarted):
            if last is not None:
                yield last, _unknown(last, rules)
            rules, last = record.rules, None
        if last is not None and isinstance(record, RoundStarted | Play):
            mover = record.acting_order[0] if isinstance(record, RoundStarted) else record.bot
            yield last, Next((mover,), _plays_left(rules, last))
            last = None
        if isinstance(record, Play):
            last = record
        else:
            yield record, None
    if last is not None:
        yield last, _unknown(last, rules)


def _unknown(last: Play, rules: Rules) -> Next:
    """Return what comes after a play behind which nothing is recorded: what nobody has drawn may go either way."""
    ends_round = last.number == 2 * rules.turns_per_round
    return Next((0, 1) if ends_round else (1 - last.bot,), _plays_left(rules, last))


def _analysed(play: Play, then: Next, rules: Rules, fit: Fit) -> Analysed:
    afters = _afters(play.before, play.bot, rules, {play.after: play.command.token})
    worth = _worth(afters, play.bot, then, rules, fit)
    best, loss = _better(worth, play, then, rules, fit)
    made = worth[play.after]
    others = [chance for arena, chance in worth.items() if arena != play.after]
    mark = _mark(loss, made, others, hit=play.is_hit)
    return Analysed(play, _both(made, play.bot), afters[best], _both(made + loss, play.bot), loss, mark)


def _better(worth: Mapping[Arena, float], play: Play, then: Next, rules: Rules, fit: Fit) -> tuple[Arena, float]:
    """Return the best play and how much better it is than the one made, which is the best where none clearly is.

    What seems to be so much better that a mark is due is looked at deeper, too, and counts as the least that is found.
    """
    made = play.after
    gains = {arena: chance - worth[made] for arena, chance in worth.items()}
    for depth, plays, doubted in _DEEPER:
        likely = sorted(gains, key=gains.__getitem__, reverse=True)[:plays]
        if not MARKS[-1][0] <= gains[likely[0]] < doubted:
            break
        deeper = {arena: _chance(arena, play.bot, then, rules, fit, depth) for arena in (made, *likely)}
        gains = {arena: min(gains[arena], deeper[arena] - deeper[made]) for arena in likely}
    best = max(gains, key=gains.__getitem__)
    return (best, gains[best]) if gains[best] >= CLEARLY else (made, 0.0)


def best_of(arena: Arena, bot: int, round: int, number: int, rules: Rules) -> tuple[str, float, float]:
    """Return the best play of a bot whose turn it is, its chance after that, and its chance after doing nothing.

    `number` is that of the play in its round; nobody has drawn who begins the next round.
    """
    fit, ends_round = fit_for(rules), number == 2 * rules.turns_per_round
    left = 2 * rules.turns_per_round * (rules.total_rounds - round + 1) - number
    then = Next((0, 1) if ends_round else (1 - bot,), left)
    waited, _ = step(arena, bot, read_command(None, rules), rules)
    afters = _afters(arena, bot, rules, {waited: _NOTHING})
    worth = _worth(afters, bot, then, rules, fit)
    best = max(worth, key=worth.__getitem__)
    return afters[best], worth[best], worth[waited]


def _afters(arena: Arena, bot: int, rules: Rules, known: Mapping[Arena, str]) -> dict[Arena, str]:
    """Return what a bot's plays lead to, each with its name: those known, waiting, and what is likely to be good."""
    afters = dict(known)
    me, foe = BotView.pair(arena, bot, rules)
    for token in (None, *likely_plays(me, foe)):
        command = read_command(token, rules)
        if not (isinstance(command, Rotate) and abs(command.degrees) < LEAST_TURN):
            afters.setdefault(step(arena, bot, command, rules)[0], token or _NOTHING)
    return afters


def _worth(afters: Mapping[Arena, str], bot: int, then: Next, rules: Rules, fit: Fit) -> dict[Arena, float]:
    likely = sorted(afters, key=lambda arena: _chance(arena, bot, then, rules, fit, 1), reverse=True)
    others = (arena for arena, token in afters.items() if token[:1] not in "CA")
    closer = dict.fromkeys((next(iter(afters)), *likely[:_CLOSER], *others))
    return {arena: _chance(arena, bot, then, rules, fit) for arena in closer}


def _chance(arena: Arena, bot: int, then: Next, rules: Rules, fit: Fit, depth: int | None = None) -> float:
    chances = []
    for mover in then.movers:
        position = Position(arena, mover, then.left)
        chance = fit.chance(position, rules) if depth is None else fit.chance(position, rules, depth)
        chances.append(chance if mover == bot else 1 - chance)
    return sum(chances) / len(chances)


def _both(chance: float, bot: int) -> tuple[float, float]:
    return (chance, 1 - chance) if bot == 0 else (1 - chance, chance)


def _mark(loss: float, chance: float, others: list[float], *, hit: bool) -> Mark:
    for least, mark in MARKS:
        if loss >= (max(least, HIT_MARKED) if hit else least):
            return mark
    return "!" if loss <= GOOD and others and chance - max(others) >= ONLY else ""


def as_json(found: Analysed) -> dict[str, Any]:
    """Return an analysed play as plain values; chances have four digits."""
    left, right = _pair(found.chance)
    return {
        "round": found.play.round,
        "turn": found.play.turn,
        "order": found.play.bot,
        "cmd": found.play.command.token,
        "chance": [left, right],
        "best": {"cmd": found.best, "chance": list(_pair(found.best_chance))},
        "loss": rounded(found.loss),
        "mark": found.mark or None,
    }


def rounded(chance: float) -> float:
    """Return a chance with the four digits that are kept of it."""
    return round(chance, 4)


def _pair(chance: tuple[float, float]) -> tuple[float, float]:
    left = rounded(chance[0])
    return left, rounded(1 - left)
