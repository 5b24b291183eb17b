"""The play at which a game tipped, as `analysis/tipping.py` finds it, and what is said of a play as it is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from batllm_arcade.analysis.game import Judgement, analyse_game, as_json, judgements, rounded, swings
from batllm_arcade.analysis.tipping import doubtful, first_to_know, tipped
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.events import ShieldFaded
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match.records import Play, Record
from batllm_arcade.story.games import Game, called, games_of
from batllm_arcade.story.sentences import say

_AWAY, _FACES, _HARDLY = 60.0, 30.0, 5.0
"""Degrees from a bot's direction to the other bot from which on it has turned away, up to which it faces it, and by
which that has to change to be told."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where a game tipped: the `play` of who gave it away, and the `hit` behind it that shows it, None if none does.

    They are the same where the winner acted twice in a row, or first. `plays` are those of its game.
    """

    play: Play
    hit: Play | None
    plays: tuple[Play, ...] = ()

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
        return say("turning", who=called(names)[self.play.bot], did=did)

    def sentence(self, names: tuple[str, str]) -> str:
        """Return what is said of it afterwards, with when it was."""
        play, first = self.play, "acts twice" if self.index else "acts first"
        did = first if play is self.hit else deed(play)
        when = {"round": f"{play.round}", "turn": f"{play.turn}"}
        return say("turning at", who=called(names)[play.bot], did=did, **when)


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
    return None if tip is None else TurningPoint(plays[tip.play], None if tip.hit is None else plays[tip.hit], plays)


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
