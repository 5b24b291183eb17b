"""What is heard when: the sounds of a stretch of the timeline, the same for a window, a replay and a film."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from batllm_arcade.core.events import BotHit, BotMoved, BotTurned, ShieldLowered, ShieldRaised
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import Segment, Timeline

RATE = 48000
"""Samples a second of everything that is heard."""
LATEST_S = 2.0
"""Seconds after a segment's end at which one of its sounds may still begin."""

DUCKING = ((0.0, 1.0), (0.06, 0.2), (1.2, 0.2), (3.0, 1.0))
"""Seconds since a knock-out and the music's share of its volume; straight lines between them."""

_WIDTH = 0.75
"""How far to the side the arena's wall sounds; 1 would leave the other ear empty."""
_SEAT_PAN = 0.5
_BELL_S = 1.0
_DANGER = 0.25
"""The share of health below which a bot's alarm is heard."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A sound to be heard at `at` seconds: a file's stem, gain from 0 to 1, pan from -1 (left) to 1 (right)."""

    at: float
    sound: str
    gain: float = 1.0
    pan: float = 0.0


def cues(timeline: Timeline, start: float, end: float) -> list[Cue]:
    """The cues with `start <= at < end`, in order; those of adjoining stretches add up to those of the whole."""
    segments = timeline.segments
    index = bisect_left(segments, end, key=attrgetter("start"))
    found: list[list[Cue]] = []
    while index > 0 and segments[index - 1].end + LATEST_S >= start:
        index -= 1
        before = segments[index - 1] if index else None
        found.append([cue for cue in _heard(segments[index], before) if start <= cue.at < end])
    return sorted((cue for those in reversed(found) for cue in those), key=attrgetter("at"))


def stereo(cue: Cue) -> tuple[float, float]:
    """The cue's gain on the left and on the right; equally loud wherever it comes from."""
    angle = (max(-1.0, min(1.0, cue.pan)) + 1) * math.pi / 4
    return cue.gain * math.cos(angle), cue.gain * math.sin(angle)


def ducking(since: float) -> float:
    """The music's share of its volume so many seconds after a knock-out began."""
    before, share_before = DUCKING[0]
    if since < before:
        return 1.0
    for at, share in DUCKING[1:]:
        if since < at:
            return share_before + (share - share_before) * (since - before) / (at - before)
        before, share_before = at, share
    return 1.0


def _heard(segment: Segment, before: Segment | None) -> Iterator[Cue]:
    record, start = segment.record, segment.start
    rules = segment.board.rules
    for effect in segment.effects:
        yield from _of_effect(effect, rules)
    if isinstance(record, Play):
        yield from _of_play(segment, record)
    elif isinstance(record, GameStarted):
        yield Cue(start, "start")
    elif isinstance(record, RoundStarted) and not _just_ended(before, start):
        yield Cue(start, "bell")
    elif isinstance(record, RoundEnded) and record.ended == "complete":
        yield Cue(start, "bell_end")
    elif isinstance(record, SeatSwapped):
        yield Cue(start, "wheel" if record.why == "wheel" else "swap", pan=(_SEAT_PAN if record.bot else -_SEAT_PAN))
    elif isinstance(record, GameEnded) and record.result.reason != "aborted":
        yield Cue(start, "draw" if record.result.winner is None else "win")


def _just_ended(before: Segment | None, start: float) -> bool:
    """Whether the last round's bell is still ringing; it rings the next one in, too."""
    return before is not None and isinstance(before.record, RoundEnded) and start - before.start < _BELL_S


def _of_effect(effect: Effect, rules: Rules) -> Iterator[Cue]:
    name: str = effect.kind
    gain, pan = 1.0, _pan(effect.at[0], rules)
    if name in ("muzzle", "speech"):
        name = f"{'fire' if name == 'muzzle' else name}_{SEATS[effect.bot]}"
    elif name == "hit":
        gain = 0.7 + 0.3 * min(1.0, 4 * effect.amount / rules.initial_health[effect.bot])
    elif name == "fumble" and not effect.amount:
        return  # it chose to do nothing
    elif name not in ("wall", "block", "knockout", "refused", "fumble"):
        return  # seen and not heard
    yield Cue(effect.start, name, gain, pan)


def _of_play(segment: Segment, play: Play) -> Iterator[Cue]:
    start, rules = segment.start, segment.board.rules
    pan = _pan(play.before.bot(play.bot).x, rules)
    for event in play.events:
        if isinstance(event, BotTurned) and event.degrees:
            yield Cue(start, "turn", 0.5 + 0.5 * min(1.0, abs(event.degrees) / 90), pan)
        elif isinstance(event, BotMoved):
            yield from _of_move(event, start, rules)
        elif isinstance(event, (ShieldRaised, ShieldLowered)):
            yield Cue(start, "shield_up" if isinstance(event, ShieldRaised) else "shield_down", 1.0, pan)
        elif isinstance(event, BotHit) and _now_in_danger(event, rules):
            impact = next((effect.start for effect in segment.effects if effect.kind == "hit"), segment.end)
            yield Cue(impact + 0.15, "danger", 1.0, _SEAT_PAN if event.bot else -_SEAT_PAN)


def _of_move(event: BotMoved, start: float, rules: Rules) -> Iterator[Cue]:
    share = math.dist(event.start, event.end) / rules.step_length
    if share > 0.01:
        yield Cue(start, "move", 0.5 + 0.5 * min(1.0, share), _pan((event.start[0] + event.end[0]) / 2, rules))
    if event.stopped_by:
        yield Cue(start + 0.8 * theme.MOVE_S * min(1.0, share), "bump", 1.0, _pan(event.end[0], rules))


def _now_in_danger(event: BotHit, rules: Rules) -> bool:
    limit = _DANGER * rules.initial_health[event.bot]
    return 0 < event.health <= limit < event.health + event.damage


def _pan(x: float, rules: Rules) -> float:
    """Where the arena's x is heard."""
    return max(-1.0, min(1.0, 2 * x / rules.arena_width - 1)) * _WIDTH
