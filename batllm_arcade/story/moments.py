"""What of a game is worth seeing: where it tipped, what turns it, and each play with a score and a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from batllm_arcade.analysis.game import Judgement, analyse_game, as_json, judgements, rounded, swings
from batllm_arcade.analysis.tipping import doubtful, first_to_know, tipped
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.events import BotHit, BotKnockedOut, ShieldBroke, ShieldFaded, ShotBlocked
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match.records import Play, Record
from batllm_arcade.story.games import BEHIND, Game, behind_words, called, games_of, lead, next_hit_wins
from batllm_arcade.story.sentences import say, score

# Where a game tipped

_AWAY, _FACES, _HARDLY = 60.0, 30.0, 5.0
"""Degrees from a bot's direction to the other bot from which on it has turned away, up to which it faces it, and by
which that has to change to be told."""


_SHOWS_NOTHING = ("faces its foe", "hardly turns", "turns")
"""Deeds in which who watches sees nothing wrong unless it is told what came of them."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where a game tipped: the `play` of who gave it away, and the `hit` behind it that shows it, None if none does.

    They are the same where the winner acted twice in a row, or first. `plays` are those of its game.
    """

    play: Play
    hit: Play | None
    plays: tuple[Play, ...] = ()
    who: str = ""
    """Who made the play, where another one played that seat at the game's end."""

    @property
    def index(self) -> int:
        """Return which play of its game it is, counted from 0."""
        return self.plays.index(self.play)

    @property
    def shows(self) -> bool:
        """Return whether who watches sees it: a hit that is neither the first nor the last one of its game, and after
        which no other took more from the same bot."""
        hit = self.hit
        first = next((play for play in self.plays if play.is_hit), None)
        if hit is None or hit is first or hit.knocks_out:
            return False
        later = self.plays[self.plays.index(hit) + 1 :]
        return all(_taken(play) <= _taken(hit) for play in later if play.bot == hit.bot)

    def is_at(self, play: object) -> bool:
        """Return whether a record is the play."""
        return isinstance(play, Play) and play.key == self.play.key

    def ribbon(self, names: tuple[str, str]) -> str:
        """Return what a film says when the hit is seen."""
        did = "acts twice in a row" if self.play is self.hit else f"{deed(self.play)} and is hit"
        return say("turning", when="", who=self.who or called(names)[self.play.bot], did=did)

    def sentence(self, names: tuple[str, str]) -> str:
        """Return what is said of it afterwards, with when it was."""
        play, first = self.play, "acts twice" if self.index else "acts first"
        did = first if play is self.hit else deed(play)
        if did in _SHOWS_NOTHING and self.hit is not None:
            did = "turns, is hit"
        when = f" (round {play.round}, turn {play.turn})"
        return say("turning", when=when, who=self.who or called(names)[play.bot], did=did)


def turnings(records: Iterable[Record]) -> Iterator[TurningPoint]:
    """Yield where each game tipped that was played out and won, if who watches sees it."""
    for game in games_of(records):
        found = turning(game) if game.played_out else None
        if found is not None and found.shows:
            yield found


def turning(game: Game, judged: Sequence[Judgement] | None = None) -> TurningPoint | None:
    """Return where a game tipped, as `analyse` finds it; None where nobody is ahead at its end, or left it to others.

    Without what was found of each play (`judged`) this is looked up only where it matters, in a part of the time.
    """
    plays = game.plays
    if not plays or (game.result is not None and game.result.reason == "forfeit"):
        return None
    found = _judged(game, plays, game.rules) if judged is None else judged
    tip = tipped(plays, found, game.rules)
    if tip is None or (tip.hit is None and deed(plays[tip.play]) in _SHOWS_NOTHING):
        return None
    play = plays[tip.play]
    seat = game.seat_at(play).name
    who = "" if seat == game.seats[play.bot].name else seat
    return TurningPoint(play, None if tip.hit is None else plays[tip.hit], plays, who)


def deed(play: Play) -> str:
    """Return what a play does, as who watches sees it, in at most three words: `lowers the shield`, `turns away`."""
    command, before, after = play.command, play.before.bot(play.bot), play.after.bot(play.bot)
    match command:
        case Rotate():
            return _turned(play)
        case Fire():
            return "fires" if play.is_shot else "cannot fire"
        case StepBack():
            return "steps back"
        case Move():
            return "walks"
        case Shield() if any(isinstance(event, ShieldFaded) for event in play.events):
            return "empties its shield"
        case Shield() if before.shield == after.shield:
            return f"stays {'shielded' if after.shield else 'unshielded'}"
        case Shield():
            return f"{'raises' if after.shield else 'lowers'} the shield"
        case Nothing():
            return "rests to load" if after.charge > before.charge else "stands still"


def degrees_off(arena: Arena, bot: int) -> float:
    """Return the degrees from a bot's direction to the other bot, positive clockwise."""
    me, foe = arena.bot(bot), arena.bot(1 - bot)
    return turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))


def _turned(play: Play) -> str:
    """Return how a bot turns, as who watches sees it: not by how many degrees, but to the other one or away."""
    before, after = (abs(degrees_off(arena, play.bot)) for arena in (play.before, play.after))
    if abs(after - before) < _HARDLY:
        return "hardly turns"
    if after > max(_AWAY, before):
        return "turns away"
    return "faces its foe" if after < _FACES else "turns"


def _taken(play: Play) -> float:
    foe = 1 - play.bot
    return play.before.bot(foe).health - play.after.bot(foe).health


def _judged(game: Game, plays: Sequence[Play], rules: Rules) -> list[Judgement]:
    """Return judgements that know what a play has lost only where that matters."""
    first = first_to_know(plays, rules)
    after = [0.5] * first + [rounded(left) for _, left in swings(game.records, first).values()]
    found = [
        Judgement(play.bot, play.command.token, left, "", left, 0.0, "")
        for play, left in zip(plays, after, strict=True)
    ]
    judged: set[int] = set()
    while (at := doubtful(plays, found, rules, judged)) is not None:
        analysed = analyse_game(game.records, (at,))
        found[at], *_ = judgements({"plays": [as_json(each) for each in analysed]})
        judged.add(at)
    return found


# What turns it, and each play worth seeing

KNOCKOUT = 100.0
"""The score of a knock-out."""
LAST_DEGREES = 6.0
"""A block so near to the shield's edge, in degrees, counts as one at the last degree."""
_BOTH = 26  # characters of two names that fit on a ribbon with some words
_SAVED = 20.0
"""How much more a shield is worth that broke and stopped what would have been the end."""
TwistKind = Literal["lead", "next", "comeback", "turning"]
MomentKind = Literal["knockout", "hit", "block", "break", "fumble"]


class GameTwist(NamedTuple):
    """What turns a game: `text` names it, in the colour of `bot`; it is seen in the `play`, None: in its result."""

    kind: TwistKind
    text: str
    bot: int | None
    play: Play | None


class PlayMoment(NamedTuple):
    """A play worth seeing, the more so the higher its score; `text` says what happens, `bot` whose doing it is."""

    kind: MomentKind
    score: float
    text: str
    bot: int


def twists(game: Game, names: tuple[str, str], point: TurningPoint | None = None) -> Iterator[GameTwist]:
    """Yield what turns a game, and at last where it tipped if its turning `point` is known."""
    leader: int | None = None
    most, tense, names = [0.0, 0.0], False, called(names)
    for play in game.plays:
        if not play.is_hit:
            continue
        ahead = lead(play.after, 0, game.rules)
        most = [max(most[0], -ahead), max(most[1], ahead)]
        now = None if abs(ahead) < 1e-9 else int(ahead < 0)
        if not tense and next_hit_wins(play.after, game.rules):
            tense = True
            yield GameTwist("next", say("next hit"), None, play)
        elif leader is not None and now not in (None, leader) and not play.knocks_out:
            yield GameTwist("lead", say("lead", who=names[int(ahead < 0)]), int(ahead < 0), play)
        leader = leader if now is None else now
    winner = game.result.winner if game.result is not None else None
    if winner is not None and most[winner] >= BEHIND:
        behind = behind_words(most[winner], game.rules)
        yield GameTwist("comeback", say("comeback", winner=names[winner], n=behind), winner, None)
    if point is not None:
        yield GameTwist("turning", point.ribbon(names), point.play.bot, point.hit)


def moment(play: Play, before: object, rules: Rules, names: tuple[str, str]) -> PlayMoment | None:
    """Return what of a play is worth seeing, None if nothing; of a knock-out it tells what came `before`."""
    names = called(names)
    events = {type(event): event for event in play.events}
    hit, block = events.get(BotHit), events.get(ShotBlocked)
    if BotKnockedOut in events:
        return _knocked_out(play, before, names)
    if isinstance(hit, BotHit):
        return _hit(play, hit, rules, names)
    if isinstance(block, ShotBlocked):
        return _block(play, block, rules, names, broken=ShieldBroke in events)
    if play.status != "ok":
        return PlayMoment("fumble", 12.0, say("does", who=names[play.bot], did="gives no command"), play.bot)
    return None


def _knocked_out(play: Play, before: object, names: tuple[str, str]) -> PlayMoment:
    """Return what led to a knock-out, and whose doing that was; of one in an exchange of shots whose it was."""
    if isinstance(before, Play) and before.bot != play.bot and not before.is_shot:
        told = say("does", who=names[before.bot], did=f"{deed(before)} and is hit")
        return PlayMoment("knockout", KNOCKOUT, told, before.bot)
    me, foe = names[play.bot], names[1 - play.bot]
    foe = foe if len(me) + len(foe) <= _BOTH else "its foe"
    return PlayMoment("knockout", KNOCKOUT, say("knocks out", who=me, foe=foe), play.bot)


def _hit(play: Play, hit: BotHit, rules: Rules, names: tuple[str, str]) -> PlayMoment:
    full, wall = rules.initial_health[hit.bot], play.came_off_a_wall
    past = bool(play.before.bot(hit.bot).shield) and not wall
    where = " off the wall" if wall else " beside the shield" if past else ""
    if rules.has_armour and hit.part != "front" and not wall and not past:
        where = f" the {hit.part}"
    stands = score(play.after.left.health, play.after.right.health)
    text = say("hit", who=names[play.bot], where=where, stands=stands)
    special = past or where == " the back"
    return PlayMoment("hit", 30 + 40 * hit.damage / full + 15 * (1 - hit.health / full) + 15 * special, text, play.bot)


def _block(play: Play, block: ShotBlocked, rules: Rules, names: tuple[str, str], *, broken: bool) -> PlayMoment:
    if broken:
        saved = play.before.bot(block.bot).health <= rules.bullet_damage[play.bot]
        return PlayMoment("break", 42.0 + _SAVED * saved, say("breaks", who=names[play.bot]), play.bot)
    foe = play.before.bot(block.bot)
    away = bearing(block.at[0] - foe.x, block.at[1] - foe.y) - foe.rot
    spare = rules.shield_degrees - abs(math.remainder(away, 360.0))
    near = spare <= LAST_DEGREES
    text = say("blocks", who=names[block.bot], where=" at the last degree" if near else "")
    return PlayMoment("block", 45 - 2 * max(0.0, spare) if near else 8.0, text, block.bot)
