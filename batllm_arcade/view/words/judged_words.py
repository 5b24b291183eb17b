"""What an analysis says of a play, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from batllm_arcade.analysis.judgement import LEAST, Judgement
from batllm_arcade.analysis.tipping import TurningPoint, swing, tipped
from batllm_arcade.core.commands import Fire, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotHit, ShieldFaded
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.match.account import is_loaded
from batllm_arcade.match.counted_words import number_word
from batllm_arcade.match.records import Play
from batllm_arcade.view.play_text import describe, past_the_shield, suggest
from batllm_arcade.view.words.deed_words import degrees_off

TURNING_POINT, LAST_SHOT = "Turning point", "Decided by the last shot"
_AWAY, _FACES, _HARDLY = 60.0, 30.0, 5.0
"""Degrees from a bot's direction to the other bot from which on it has turned away, up to which it faces it, and by
which that has to change to be told."""
_TWICE = 2  # up to which it is not told how often the same happened
NOBODY = "No single play decided it."


def judged(play: Play, found: Judgement, rules: Rules) -> str:
    """Return a marked play on one line: `?? left fires, 34 points lost; best: step back`."""
    did = f"{found.mark} {SEATS[play.bot]} {describe(play.command)}"
    if found.mark == "!":
        return f"{did}, the only good play"
    return f"{did}, {found.points} points lost; best: {suggest(read_command(found.best, rules))}"


def judged_shortly(play: Play, found: Judgement) -> str:
    """Return what is said of a marked play where its best play is drawn, too: `?? fires, 34 points lost`."""
    lost = "the only good play" if found.mark == "!" else f"{found.points} points lost"
    return f"{found.mark} {describe(play.command)}, {lost}"


def tipping_sentence(
    plays: Sequence[Play], found: Sequence[Judgement], names: tuple[str, str], rules: Rules
) -> tuple[str, int | None]:
    """Return where a game tipped, in one sentence, and the index of that play, None where no play decided it."""
    tip = tipped(plays, found, rules)
    if tip is None:
        return NOBODY, None
    play, better = plays[tip.play], _better(found[tip.play], rules)
    where = f"It tipped in round {play.round}, turn {play.turn}"
    if tip.hit is None:
        before, after = swing(found, tip.play)
        did = f"{names[play.bot]} {_did(play)}"
        return f"{where}: {did}, and its chance goes from {before:.0%} to {after:.0%}{better}.", tip.play
    hit = plays[tip.hit]
    score = f"{_score(hit.before)} becomes {_score(hit.after)}"
    if play is hit:
        first = "twice in a row" if tip.hit else "first"
        return f"{where}: {names[hit.bot]} acts {first} and hits{_struck(hit, rules)}: {score}.", tip.play
    ends = "knocked out" if hit.knocks_out else "hit"
    did = f"{names[play.bot]} {_did(play)}{_then(play)} {ends}{_struck(hit, rules)}"
    return f"{where}: {did}: {score}{better}.", tip.play


def turning_point_words(
    point: TurningPoint, names: tuple[str, str], rules: Rules, plays: Sequence[Play] = ()
) -> tuple[str, ...]:
    """Return what a film's end says of the play at which its last game tipped, and the same shorter and shorter.

    The longest says how often the same happened in the game's `plays`, else what became of the score.
    """
    did, hit = turning_play(point, names), point.hit
    knocked_out = hit.knocks_out
    begins = LAST_SHOT if knocked_out else TURNING_POINT
    where = f"{begins} in round {point.play.round}, {_turns(point)}"
    steady = point.play is not hit and not isinstance(point.play.command, Shield)
    if knocked_out and steady and next_hit_wins(hit.before, rules):  # whatever else the loser did
        where = f"{begins} in round {hit.round}, turn {hit.turn}"
        did = f"at {_score(hit.before)} {names[hit.bot]} fires first"
        if not is_loaded(point.play.before, point.play.bot, rules):
            did = f"at {_score(hit.before)} {names[1 - hit.bot]} has to load and {names[hit.bot]} fires"
    elif point.play is not hit and knocked_out and isinstance(point.play.command, Fire):
        did = f"{did}, {names[hit.bot]} knocks it out"
    elif point.play is not hit:
        did = f"{did}{_then(point.play)} {'knocked out' if knocked_out else f'hit{_struck(hit, rules)}'}"
    often = 0 if point.play is hit or knocked_out else _often(point, rules, plays)
    score = "" if knocked_out else f", {_score(hit.before)} becomes {_score(hit.after)}"  # which the card tells else
    place = _place(hit, rules)
    such = "hits there" if place.startswith(" in") else "such hits" if place else "times"
    more = f", one of {number_word(often)} {such}" if often > _TWICE else score
    near = f"{begins}, round {hit.round}, turn {hit.turn}"
    return f"{where}: {did}{more}.", f"{where}: {did}.", f"{near}: {did}.", f"{begins}: {did}.", f"{where}."


def next_hit_wins(arena: Arena, rules: Rules) -> bool:
    """Return whether each bot falls with the next bullet that strikes its front."""
    return all(0 < arena.bot(bot).health <= rules.bullet_damage[1 - bot] for bot in (0, 1))


def _often(point: TurningPoint, rules: Rules, plays: Sequence[Play]) -> int:
    """Return how often in these plays who gave the game away was hit in the same place.

    Where that is no place that matters only hits count before which it did the same.
    """
    pairs = ((before, play) for before, play in pairwise(plays) if play.bot == point.hit.bot)
    hits = [(before, play) for before, play in pairs if play.is_hit]
    if place := _place(point.hit, rules):
        return sum(_place(play, rules) == place for _, play in hits)
    same = point.play.bot, deed(point.play), ""
    return sum((before.bot, deed(before), _place(play, rules)) == same for before, play in hits)


def _turns(point: TurningPoint) -> str:
    """Return the turn of the play, and that of the hit behind it where it is a later one."""
    play, hit = point.play, point.hit
    return f"turns {play.turn} and {hit.turn}" if hit.turn > play.turn else f"turn {play.turn}"


def turning_play(point: TurningPoint, names: tuple[str, str]) -> str:
    """Return who did what at the play at which a game tipped: `Ann lowers the shield`."""
    who = names[point.play.bot]
    if point.play is point.hit:
        return f"{who} acts {'first' if point.first else 'twice in a row'} and hits"
    return f"{who} {deed(point.play)}"


def deed(play: Play) -> str:
    """Return what a play does as part of a sentence, as who watches sees it: `lowers the shield`, `turns away`."""
    return _turned(play) if isinstance(play.command, Rotate) else _did(play)


def _turned(play: Play) -> str:
    """Return how a bot turns, as who watches sees it: not by how many degrees, but to the other one or away."""
    before, after = (abs(degrees_off(arena, play.bot)) for arena in (play.before, play.after))
    if abs(after - before) < _HARDLY:
        return "hardly turns"
    if after > max(_AWAY, before):
        return "turns away"
    return "turns to face its foe" if after < _FACES else "turns"


def turning_ribbon(point: TurningPoint, names: tuple[str, str], rules: Rules) -> str:
    """Return that with what came of it: `Ann lowers the shield and is hit in the side`."""
    if point.play is point.hit:
        return turning_play(point, names)
    return played_and_hit(point.play, point.hit, names, rules)


def played_and_hit(play: Play, hit: Play, names: tuple[str, str], rules: Rules) -> str:
    """Return who did what in a play and was hit then: `Ann lowers the shield and is hit in the side`."""
    return f"{names[play.bot]} {deed(play)}{_then(play)} hit{_struck(hit, rules)}"


def _then(play: Play) -> str:
    """Return how what comes of a play goes on, so that nobody seems to be struck by its own shot."""
    return ", then is" if isinstance(play.command, Fire) else " and is"


def _did(play: Play) -> str:
    """Return what a play does as part of a sentence."""
    command, before, after = play.command, play.before.bot(play.bot), play.after.bot(play.bot)
    if isinstance(command, Shield):
        if any(isinstance(event, ShieldFaded) for event in play.events):
            return "runs its shield empty"
        if before.shield == after.shield:
            return f"keeps the shield {'up' if after.shield else 'down'}"
        return f"{'raises' if after.shield else 'lowers'} the shield"
    if isinstance(command, Nothing):
        return "rests to load" if after.charge > before.charge else "stands still"
    return describe(command)


def _struck(hit: Play, rules: Rules) -> str:
    """Return where a shot struck, where that matters, else that it was past the shield, and whether off a wall."""
    return f"{_place(hit, rules)}{' off a wall' if hit.came_off_a_wall else ''}"


def _place(hit: Play, rules: Rules) -> str:
    """Return where a shot struck, where that matters, else that it was past the shield."""
    part = next((event.part for event in hit.events if isinstance(event, BotHit)), "front")
    if rules.has_armour and part != "front":
        return f" in the {part}"
    return " past the shield" if past_the_shield(hit) else ""


def _score(arena: Arena) -> str:
    return f"{arena.left.health:g}:{arena.right.health:g}"


def _better(found: Judgement, rules: Rules) -> str:
    return f"; best was to {suggest(read_command(found.best, rules))}" if found.loss >= LEAST else ""
