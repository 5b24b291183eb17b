"""What of a game is worth seeing: what turns it, and each play that is, with a score and a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShieldBroke, ShotBlocked
from batllm_arcade.core.geometry import bearing
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.story.games import Game, called
from batllm_arcade.story.result import BEHIND, behind_words, lead, next_hit_wins
from batllm_arcade.story.sentences import say, score
from batllm_arcade.story.turning import TurningPoint, deed

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
