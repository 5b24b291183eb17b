"""What each bot did in a game, counted once from its plays: the figures that reasons and cards are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from batllm_arcade.core.events import BotHit, ShotBlocked, ShotMissed
from batllm_arcade.core.model import Arena, Part, Rules
from batllm_arcade.match.records import Play

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


def is_loaded(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether there is the charge for a shot, as there always is without a battery."""
    return not rules.battery or arena.bot(bot).charge >= rules.shot_charge


def next_hit_wins(arena: Arena, rules: Rules) -> bool:
    """Return whether each bot falls with the next bullet that strikes its front."""
    return all(0 < arena.bot(bot).health <= rules.bullet_damage[1 - bot] for bot in (0, 1))


def lead(arena: Arena, bot: int, rules: Rules) -> float:
    """Return by how much of its health, in percent of a full bot's, a bot is ahead of the other one."""
    mine, other = (100 * arena.bot(each).health / rules.initial_health[each] for each in (bot, 1 - bot))
    return mine - other


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
