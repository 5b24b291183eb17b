"""What each bot did with its plays in one game, counted from the records: the facts a verdict is made of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace

from batllm_arcade.core.commands import Fire, Move, StepBack
from batllm_arcade.core.events import (
    BotHit,
    BotTurned,
    FireRefused,
    ShieldBroke,
    ShieldRefused,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.model import Arena, Part, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.match.records import Play

ARMOURED: tuple[Part, ...] = ("side", "back")
"""The parts at which a hit may do more than in front."""
_HARDLY = 5.0
"""Degrees up to which who turns seems to stand still."""


@dataclass(slots=True)
class Account:
    """One bot's plays; `damage` is what it did in all, `extra` how much more it did than hits in front would have."""

    parts: Counter[Part] = field(default_factory=Counter)
    """Its hits, by the part of the other bot that they struck."""
    bare: Counter[Part] = field(default_factory=Counter)
    """Those of them that did what a hit there does: not off a wall, where that is less."""
    damage: float = 0.0
    extra: defaultdict[Part, float] = field(default_factory=lambda: defaultdict(float))
    taken: defaultdict[Part, float] = field(default_factory=lambda: defaultdict(float))
    """The health that its hits took there: of the last one no more than was left."""
    off: int = 0
    """Its hits off a wall."""
    past: int = 0
    """Its hits on the other while that had its shield up: beside it, from behind or off a wall."""
    past_off: int = 0
    """Those of them off a wall."""
    blocked: int = 0
    """Its shots that the other's shield stopped."""
    broken: int = 0
    """Shields of the other that it broke."""
    missed: int = 0
    dry: int = 0
    """Its plays at whose beginning it had the other before its gun, open, and too little charge to fire."""
    held: int = 0
    """Its plays at whose beginning a shot would have hit, and it did something else."""
    stayed: int = 0
    """Hits it took, its shield down, after a play in which it neither fired nor left the other's line of fire."""
    walked: int = 0
    """Hits it took, its shield down, right after a step of its own into the other's line of fire."""
    bare_turning: int = 0
    """Hits it took in the side or back right after a turn of its own."""
    bare_walking: int = 0
    """Those it took there right after a step of its own."""
    opened: int = 0
    """Hits it took right after it had lowered its shield."""
    caught: int = 0
    """Its hits on the other while that had too little charge to fire."""
    raised: int = 0
    """How often it raised its shield."""
    shots: int = 0
    loaded: int = 0
    """Its plays at whose beginning it had the charge to fire."""
    refused: int = 0
    """Commands of its that the rules refused."""
    lost: int = 0
    """Its plays without a command: too late, failed or not understood."""

    @property
    def hits(self) -> int:
        """Return how often it hit."""
        return sum(self.parts.values())

    @property
    def behind(self) -> int:
        """Return how often it hit the other's back."""
        return self.parts["back"]


Accounts = tuple[Account, Account]


def together(several: Iterable[Account]) -> Account:
    """Return the account of several games."""
    whole = Account()
    for account in several:
        for name in _COUNTED:
            setattr(whole, name, getattr(whole, name) + getattr(account, name))
        for part, times in account.parts.items():
            whole.parts[part] += times
            whole.bare[part] += account.bare[part]
        for part, health in account.extra.items():
            whole.extra[part] += health
            whole.taken[part] += account.taken[part]
    return whole


_COUNTED = [each.name for each in fields(Account) if each.name not in ("parts", "bare", "extra", "taken")]


@dataclass(frozen=True, slots=True)
class Lead:
    """How the winner of a game came to lead, in shares of health."""

    always: bool
    """Whether nobody was ever ahead but the winner."""
    since: str
    """When it took the lead for good: `round 2, turn 4`; "" if it was never ahead."""
    play: Play | None
    """With which it took the lead after which it was never behind again, None if it was never ahead."""


def lead(plays: Iterable[Play], winner: int, rules: Rules) -> Lead:
    """Return how the winner came to lead."""
    always, since, ahead, taken = True, "", False, None
    for play in plays:
        left, right = (play.after.bot(bot).health / rules.initial_health[bot] for bot in (0, 1))
        more = right - left if winner else left - right
        always = always and more >= 0
        if more > 0 and not ahead:
            since = turn_in_words(play)
            taken = taken or play
        elif more < 0:
            taken = None
        ahead = more > 0
    return Lead(always, since, taken)


def turn_in_words(play: Play) -> str:
    """Return when a play was: `round 2, turn 4`."""
    return f"round {play.round}, turn {play.turn}"


def accounts(plays: Iterable[Play], rules: Rules) -> Accounts:
    """Return both bots' accounts of a game's plays, left first."""
    both, last = (Account(), Account()), None
    for play in plays:
        _add(both[play.bot], play, rules)
        hit = next((event for event in play.events if isinstance(event, BotHit)), None)
        if last is not None and last.bot != play.bot and hit is not None:
            _add_exposure(both[last.bot], last, hit, rules)
        last = play
    return both


def _add(mine: Account, play: Play, rules: Rules) -> None:
    mine.lost += play.status != "ok"
    capped = play.came_off_a_wall
    for event in play.events:
        if isinstance(event, BotHit):
            mine.parts[event.part] += 1
            mine.damage += event.damage
            mine.extra[event.part] += max(0.0, event.damage - rules.bullet_damage[play.bot])
            mine.taken[event.part] += play.before.bot(event.bot).health - event.health
            mine.bare[event.part] += not (capped and rules.bounce_cap)
            mine.off += capped
            past = bool(play.before.bot(event.bot).shield)
            mine.past += past
            mine.past_off += past and capped
            mine.caught += not is_loaded(play.before, event.bot, rules)
        mine.blocked += isinstance(event, ShotBlocked)
        mine.broken += isinstance(event, ShieldBroke)
        mine.missed += isinstance(event, ShotMissed)
        mine.refused += isinstance(event, (FireRefused, ShieldRefused))
    mine.raised += play.after.bot(play.bot).shield and not play.before.bot(play.bot).shield
    shot = play.is_shot
    mine.shots += shot
    mine.loaded += is_loaded(play.before, play.bot, rules)
    if not shot and _would_hit(play.before, play.bot, rules):
        mine.held += 1
    elif _is_dry(play.before, play.bot, rules):
        mine.dry += 1


def _add_exposure(mine: Account, play: Play, hit: BotHit, rules: Rules) -> None:
    """Count what a play did about the other's gun, where the other hit right after it."""
    if hit.part in ARMOURED:
        mine.bare_turning += any(isinstance(event, BotTurned) and abs(event.degrees) > _HARDLY for event in play.events)
        mine.bare_walking += isinstance(play.command, (Move, StepBack))
    mine.opened += play.before.bot(play.bot).shield and not play.after.bot(play.bot).shield
    if play.is_shot or play.after.bot(play.bot).shield:
        return
    if _would_hit(play.before, 1 - play.bot, rules):
        mine.stayed += 1
    elif isinstance(play.command, (Move, StepBack)):
        mine.walked += 1


def _would_hit(arena: Arena, bot: int, rules: Rules) -> bool:
    return any(isinstance(event, BotHit) for event in step(arena, bot, Fire(), rules)[1])


def is_loaded(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether there is the charge for a shot, as there always is without a battery."""
    return not rules.battery or arena.bot(bot).charge >= rules.shot_charge


def _is_dry(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether nothing but charge is missing for a hit."""
    if is_loaded(arena, bot, rules):
        return False
    loaded = replace(arena.bot(bot), charge=rules.battery)
    return _would_hit(Arena(arena.left, loaded) if bot else Arena(loaded, arena.right), bot, rules)
