"""How a player kept to its orders: where what it did shows that beyond doubt, else counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from batllm_arcade.core.events import BotMoved
from batllm_arcade.core.model import BotState, Rules
from batllm_arcade.match.account import Account, Accounts
from batllm_arcade.match.counted_words import times_in_digits
from batllm_arcade.match.records import Play

_OWN_SHIELD = re.compile(
    r"\b(behind|raise|use|keep|hold)\s+((a|the|your|up)\s+)*shield\b|\bshield up\b|\bshield first\b"
)
_NO_SHIELD = re.compile(
    r"\b(no|never|not|without|don'?t|avoid|instead|rarely|hardly)\b[^.;,:]*\bshield"
    r"|\bshield (is )?down\b|\b(his|its|their) shield"
)
"""What orders say that ask for the own shield, and of those what may mean something else."""
_CLAUSE = re.compile(r"[.;:,!?]| and | but | then ")
_FIRE = re.compile(r"\b(fire|shoot|snipe|attack|strike)\b(?! back)")
_NO_FIRE = re.compile(r"\b(never|don'?t|do not) (fire|shoot|attack)\b|\bhold (your )?fire\b")
_MOVE = re.compile(r"\b(rush|circle|chase|approach|advance|walk|run|dodge)\b|\bcharge (in|at|straight|it|him|them)\b")
_ALWAYS_MOVE = re.compile(
    r"\b(never|don'?t|do not) (stop moving|stop running|stand still)\b|\b(always|keep) (moving|walking)\b"
)
_STILL = re.compile(r"\b(never|don'?t|do not) move\b|\b(stand|stay|keep|sit) still\b")
_GROUND = re.compile(r"\b(stand|hold|keep) (your|its|the) ground\b|\bstay put\b")
_WHOLLY = re.compile(
    r"(please|just|at all|ever|at|him|her|it|them|anyone|anybody|the|other|enemy|a|single|shot|you|\s)*"
)
"""What may stand beside words that forbid something without a limit to that."""
_BOUNCE = re.compile(r"\b(bounce|ricochet|rebound)\b|\b(shots?|bullets?|shoot|fire)\b.*\boff (the |a )?walls?\b")
_DODGE = re.compile(
    r"\b(dodge|evade|avoid)\b.*\b(everything|all|every|shots?|bullets?|hits?|fire)\b"
    r"|\b(don'?t|never) (get|be) hit\b|^dodge$"
)
_BESIDE = re.compile(
    r"\bfrom (the side|behind)\b|\b(in|at|shoot|hit|strike|attack) (the|its|his|her|their) (back|side)\b"
    r"|\bget behind\b|\b(sneak|come|go) (up )?behind (it|him|her|them)\b|\bnever from the front\b"
)
_AWAY = re.compile(r"\b(looks|turns|is looking) away\b")
_SURVIVE = re.compile(r"\bsurvive\b|\bstay alive\b")
_PERHAPS = re.compile(
    r"\b(no|never|not|don'?t|without|avoid|instead|rarely|hardly|stop|unless|until|only|if|when|whenever|once|wait|after"
    r"|before|as|or)\b"
)
"""Words that may forbid what follows, or ask for it at some times alone."""
_AT_TIMES = re.compile(r"\b(no|instead|rarely|hardly|unless|until|only|if|when|or)\b")
"""Those of them that limit orders to dodge, which "never" and "don't" do not ("don't get hit")."""
_FIGHT = re.compile(r"\b(fir(e|ing)|shoot(ing)?|snip(e|ing)|attack(ing)?|aggressive|strike|hammer|kill)\b(?! back)")
_FAR = re.compile(
    r"\b(stay|keep|hold|be)\b.*\b(away|far|distance|distant|back|off)\b|\bfrom (far|afar|a distance)\b|\bsnip(e|ing)\b"
)
_NEAR = re.compile(r"\b(close|near)\b|\bpoint.blank\b")
_RUSH = re.compile(r"\b(chase|charge|rush|ram|hunt|follow|approach|advance)\b")
_CORNER = re.compile(r"\bcorner\b(?! (him|her|it|them|the|your)\b)|\bcamp\b")
_ITS_BACK = re.compile(r"\b(his|its|their|the|your) back\b|\bcharge (up|your)\b|\bcomes? (close|near)\b")
_COMES = re.compile(r"\b(comes?|gets|walks|is|are) (close|near)(r|by)?\b")
_BREAK = re.compile(r"\bbreak\b.*\bshield")
_WALK = re.compile(r"\b(hunt|follow|(get|stay) (as )?close|(run|get|keep|stay) away)\b")
_FORBIDS = re.compile(
    r"\b(no|never|not|don'?t|without|avoid|instead|rarely|hardly|(?<!never )(?<!not )stop)\b"
    r"(?! stop| mercy| pause| rest)"
)
"""Orders that are counted (to fight, to keep away, to be near, to get nearer, to be in a corner, to break shields, to
walk), and what forbids them.

`_ITS_BACK` is what words of distance stand for otherwise.
"""
NEAR, FAR = 0.25, 0.45
"""From centre to centre, in widths of the arena: up to which a bot is close up, and from which on far off.

Up to the first from two walls it is in a corner.
"""
_SOME, _FEW = 2, 3
"""Shots or hits from which on what they have in common is told, and from which on it shows how far orders were kept."""
_SELDOM = 0.2
"""The share of a bot's turns up to which the other one's shield is up too seldom to be broken."""


class Deeds(NamedTuple):
    """How often a player fired, raised its shield and walked in its `turns`; whether a bullet of its may `bounce`.

    It landed so many `hits`, of which those in the side or the back (`beside`, `behind`: in the back) cost more if
    there is `armour`; it fired so many shots `off_walls`, `shot_near` the other one and `shot_far` from it. The other
    one `fired_at` it so often, of which it took `taken`, and `dodged` met nothing. After so many turns its shield was
    up (`covered`), the other one's was (`faced`), and it stood `near` that one or `far` from it, or in a corner
    (`cornered`). So many of its steps led `nearer`. It `broke` so many shields.
    """

    shots: int
    raised: int
    steps: int
    bounce: bool = False
    hits: int = 0
    beside: int = 0
    armour: bool = False
    fired_at: int = 0
    taken: int = 0
    dodged: int = 0
    behind: int = 0
    off_walls: int = 0
    covered: int = 0
    turns: int = 0
    near: int = 0
    far: int = 0
    shot_near: int = 0
    shot_far: int = 0
    broke: int = 0
    faced: int = 0
    cornered: int = 0
    nearer: int = 0


def deeds(plays: Sequence[Play], bot: int, both: Accounts, rules: Rules) -> Deeds:
    """Return what a bot did in some games' plays, of which `both` are the accounts."""
    mine: Account = both[bot]
    its, own = both[1 - bot], [play for play in plays if play.bot == bot]
    shots = [play for play in own if play.is_shot]
    steps = [play for play in own if any(isinstance(event, BotMoved) for event in play.events)]
    near, far = NEAR * rules.arena_width, FAR * rules.arena_width
    return Deeds(
        shots=mine.shots,
        raised=mine.raised,
        steps=len(steps),
        bounce=bool(rules.ricochet),
        hits=mine.hits,
        beside=mine.hits - mine.parts["front"],
        armour=rules.has_armour,
        fired_at=its.shots,
        taken=its.hits,
        dodged=its.missed,
        behind=mine.behind,
        off_walls=sum(play.came_off_a_wall for play in own),
        covered=sum(play.after.bot(bot).shield for play in own),
        turns=len(own),
        near=sum(play.after.apart <= near for play in own),
        far=sum(play.after.apart >= far for play in own),
        shot_near=sum(play.after.apart <= near for play in shots),
        shot_far=sum(play.after.apart >= far for play in shots),
        broke=mine.broken,
        faced=sum(play.after.bot(1 - bot).shield for play in own),
        cornered=sum(_in_a_corner(play.after.bot(bot), rules) for play in own),
        nearer=sum(play.after.apart < play.before.apart for play in steps),
    )


class Kept(NamedTuple):
    """What is told of how a player kept to its orders, and how far it did: 0 to 1, None where that is not said.

    `also` is told besides where there is room: how often it fired, if they ask for that, too.
    """

    words: str = ""
    share: float | None = None
    also: str = ""


def orders_kept(orders: str, did: Deeds) -> Kept:
    """Return how a player kept to its orders, else how often it did what they speak of; no words if nothing is told."""
    found = kept(orders, did)
    found = found if found.words else counted(orders, did)
    fights = did.shots and _asks(_FIGHT, _allowed(orders)) and not re.search(r"\b(shots?|fired|hits?)\b", found.words)
    return found._replace(also=f"fired {times_in_digits(did.shots)}") if found.words and fights else found


def kept(orders: str, did: Deeds) -> Kept:
    """Return what a player never did although its orders ask for it, or did although they forbid it, or how it kept to
    them; no words if none of these is beyond doubt.

    Orders that ask for something at some times alone, or may mean something else, are not judged.
    """
    said = orders.lower()
    clauses = [clause.strip() for clause in _CLAUSE.split(said)]
    plain = [clause for clause in clauses if not _PERHAPS.search(clause)]
    peaceful = any(_is_whole(_NO_FIRE, clause) for clause in clauses)
    if _OWN_SHIELD.search(said) and not _NO_SHIELD.search(said) and not did.raised:
        return Kept("never raised its shield", 0.0)
    if did.shots and peaceful:
        return Kept(f"fired {times_in_digits(did.shots)} all the same", 0.0)
    if not did.shots and _asks(_FIRE, plain):
        return Kept("never fired", 0.0)
    still = any(_is_whole(_STILL, clause) for clause in clauses)
    if still and did.steps:
        return Kept("walked all the same", 0.0)
    if (still or _GROUND.search(said)) and did.turns and not did.steps:
        return Kept("never walked, as told", 1.0)
    if not did.steps and (_ALWAYS_MOVE.search(said) or _asks(_MOVE, plain)):
        return Kept("never took a step", 0.0)
    if not did.bounce and _asks(_BOUNCE, plain):
        return Kept("walls stop bullets here")
    if did.armour and did.hits >= _SOME and not did.beside and _BESIDE.search(said):
        return _all_in_front(did)
    if did.fired_at >= _SOME and _asks(_DODGE, (clause for clause in clauses if not _AT_TIMES.search(clause))):
        return Kept(f"dodged {did.dodged} of {did.fired_at} shots", did.dodged / did.fired_at)
    if not did.shots and peaceful:
        return Kept("never fired, as told", 1.0)
    return Kept("never hit, as told", 1.0) if did.fired_at and not did.taken and _SURVIVE.search(said) else Kept()


def counted(orders: str, did: Deeds) -> Kept:
    """Return how often a player did what its orders speak of, whether or not they ask for it at some times alone.

    No words if it never did, or if they forbid it or speak of nothing that can be counted.
    """
    said, clauses = orders.lower(), _allowed(orders)
    if did.off_walls and _asks(_BOUNCE, clauses):
        return _among(did.off_walls, did.shots, "shot", "off a wall")
    if did.armour and did.hits >= _SOME and _BESIDE.search(said):
        part, hits = ("side", did.beside - did.behind) if "side" in said else ("back", did.behind)
        return _among(hits, did.hits, "hit", f"in the {part}")
    if did.armour and did.shots and not did.beside and _BESIDE.search(said):
        return Kept("no hit in the side or back")
    if _OWN_SHIELD.search(said) and not _NO_SHIELD.search(said) and did.covered:
        return _turns("shield up", did.covered, did.turns)
    if _BREAK.search(said) and not _AT_TIMES.search(said):
        return _broke(did)
    if did.steps and _GROUND.search(said):
        return _turns("stood still", did.turns - did.steps, did.turns)
    if did.steps and _ALWAYS_MOVE.search(said):
        return Kept(f"walked in {did.steps} of {did.turns} turns", did.steps / did.turns)
    fights = bool(did.shots) and _asks(_FIGHT, clauses)
    if did.turns and _asks(_CORNER, clauses):
        return _turns("in a corner", did.cornered, did.turns)
    if did.armour and did.hits >= _SOME and _AWAY.search(said):
        aside = _among(did.beside, did.hits, "hit", "in side or back")
        return aside if did.beside else _all_in_front(did)
    if fights and _COMES.search(said):
        return _shots(did.shot_near, did.shots, "close up")
    for words, shots, turns, afar, off in (
        (_FAR, did.shot_far, did.far, "from afar", "far off"),
        (_NEAR, did.shot_near, did.near, "close up", "close up"),
    ):
        if did.turns and not _ITS_BACK.search(said) and _asks(words, clauses):
            return _shots(shots, did.shots, afar) if fights else _turns(off, turns, did.turns)
    if did.steps and not _ITS_BACK.search(said) and _asks(_RUSH, clauses):
        return _of(did.nearer, did.steps, f"step{'s' * (did.steps > 1)} led nearer")
    if fights:
        return Kept(f"fired in {did.shots} of {did.turns} turns")
    walks = did.steps and (_asks(_MOVE, clauses) or _asks(_WALK, clauses))
    return Kept(f"walked in {did.steps} of {did.turns} turns") if walks else Kept()


def _broke(did: Deeds) -> Kept:
    """Return how many shields it broke; where it broke none and hardly met one, how often it met one."""
    if did.broke or did.faced > _SELDOM * did.turns:
        return Kept(f"broke {did.broke or 'no'} shield{'s' * (did.broke != 1)}", float(did.broke > 0))
    return Kept(f"met a shield in {did.faced} of {did.turns} turns" if did.faced else "met no raised shield")


def _allowed(orders: str) -> list[str]:
    """Return the clauses of orders that forbid nothing."""
    return [clause for clause in _CLAUSE.split(orders.lower()) if not _FORBIDS.search(clause)]


def _all_in_front(did: Deeds) -> Kept:
    return Kept(f"all {did.hits} hits in the front", 0.0)


def _shots(some: int, shots: int, how: str) -> Kept:
    """Return how many of the shots were fired so: `5 shots, 2 close up`."""
    if shots == 1:
        return Kept(f"its one shot {'' if some else 'not '}{how}")
    return _among(some, shots, "shot", how)


def _among(some: int, many: int, what: str, how: str) -> Kept:
    """Return how many shots or hits were so, not to be read as how many of them hit: `5 shots, none from afar`."""
    number = "all" if some == many > 1 else some or "none"
    return Kept(f"{many} {what}{'s' * (many != 1)}, {number} {how}", _of(some, many, "").share)


def _of(some: int, many: int, what: str) -> Kept:
    return Kept(f"{some or 'none'} of {many} {what}", None if many < _FEW else some / many)


def _turns(what: str, some: int, turns: int) -> Kept:
    """Return in how many of its turns that was so: `shield up 4 of 27 turns`."""
    return Kept(f"{what} {some} of {turns} turns", some / turns)


def _in_a_corner(bot: BotState, rules: Rules) -> bool:
    """Return whether a bot is near two walls."""
    aside = min(bot.x, rules.arena_width - bot.x), min(bot.y, rules.arena_height - bot.y)
    return max(aside) <= NEAR * rules.arena_width


def _asks(words: re.Pattern[str], clauses: Iterable[str]) -> bool:
    """Return whether one of these clauses has such words."""
    return any(words.search(clause) for clause in clauses)


def _is_whole(words: re.Pattern[str], clause: str) -> bool:
    """Return whether a clause forbids what these words do without a limit."""
    found = words.search(clause)
    return found is not None and bool(_WHOLLY.fullmatch(f"{clause[: found.start()]} {clause[found.end() :]}"))
