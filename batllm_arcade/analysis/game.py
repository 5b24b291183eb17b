"""The plays of a recorded game with each side's chance after them, the best play there, and a mark for grave ones."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from batllm_arcade.analysis.chance import Fit, fit_for
from batllm_arcade.analysis.judgement import LEAST_TURN, Swings
from batllm_arcade.analysis.lookahead import likely_plays
from batllm_arcade.analysis.position import DEPTH, Position
from batllm_arcade.brains.bot_view import BotView
from batllm_arcade.core.commands import Rotate
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import knocked_out
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted

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
    """Return how many plays a game can still have after this one."""
    return 2 * rules.turns_per_round * (rules.total_rounds - play.round + 1) - play.number


def _with_next(records: Iterable[Record]) -> Iterator[tuple[Record, Next | None]]:
    """Yield the records, a play with what comes after it."""
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
    """Return a bot's chance after the first play, the most promising ones and all that are no turns."""
    likely = sorted(afters, key=lambda arena: _chance(arena, bot, then, rules, fit, 1), reverse=True)
    others = (arena for arena, token in afters.items() if token[:1] not in "CA")
    closer = dict.fromkeys((next(iter(afters)), *likely[:_CLOSER], *others))
    return {arena: _chance(arena, bot, then, rules, fit) for arena in closer}


def _chance(arena: Arena, bot: int, then: Next, rules: Rules, fit: Fit, depth: int | None = None) -> float:
    """Return a bot's chance in the position that a play leads to."""
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
