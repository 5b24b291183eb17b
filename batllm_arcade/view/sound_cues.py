"""Which sound when, and how loud."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter

from batllm_arcade.core.events import BotBumped, BotHit, BotMoved, BotTurned, ShieldLowered, ShieldRaised
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view import theme
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import Timeline

# How loud sounds are

LOUDNESS = {
    "knockout": -10.4, "hit_back": -10.4, "hit": -11.3, "hit_side": -13.9, "win": -15.0, "shield_break": -15.9,
    "thud": -15.8, "start": -16.0, "fire_left": -16.0, "fire_right": -16.0, "block": -16.5, "draw": -16.9,
    "bell": -18.0, "bell_end": -18.0, "wall": -18.5, "swap": -19.0, "wheel": -19.0, "refused": -19.5, "bump": -19.8,
    "fumble": -20.0, "bounce": -20.9, "shield_up": -20.9, "danger": -22.0, "shield_down": -22.0, "full": -23.0,
}  # fmt: skip
"""The loudest tenth of a second of the files, in dB below full scale; sounds not named are quieter than these."""
QUIET = -24.0
"""What counts as the loudness of a sound that is not named, and from where on sounds are held back at night."""
SHOT = -16.0
"""As loud as a shot: what is louder is held back by half, so that a hit startles nobody whom the shot did not."""
NIGHT_DB, NIGHT_HOLD, NIGHT_MUSIC = -6.0, 0.6, 0.5
"""What everything is quieter at night, the share of a sound's loudness above `QUIET` that goes, the music's factor."""

LOUDNESS_LUFS = -14.0
"""How loud films are by ITU-R BS.1770 unless somebody says otherwise: as loud as what phones and platforms play."""

Curve = tuple[tuple[float, float], ...]
_DEEP: Curve = ((0.0, 1.0), (0.06, 0.2), (1.2, 0.2), (3.0, 1.0))
_HIT: Curve = ((0.0, 1.0), (0.03, 0.4), (0.3, 0.4), (1.0, 1.0))
_VOICE: Curve = ((0.0, 1.0), (0.05, 0.5), (0.4, 0.5), (1.1, 1.0))
DUCKING: dict[str, Curve] = {
    "knockout": _DEEP, "win": _DEEP, "draw": _DEEP, "hit": _HIT, "hit_side": _HIT, "hit_back": _HIT,
    "shield_break": _HIT, "block": _HIT, "danger": _VOICE, "speech_left": _VOICE, "speech_right": _VOICE,
}  # fmt: skip
"""Sounds that the music steps back for: seconds since and the factor for its volume, linear in between."""


def factor(decibels: float) -> float:
    """Return decibels as a factor of the amplitude."""
    return float(10 ** (decibels / 20))


def trim(sound: str) -> float:
    """Return the factor that holds a loud sound back, 1 for the others."""
    return factor(-max(0.0, LOUDNESS.get(sound, QUIET) - SHOT) / 2)


def night(sound: str) -> float:
    """Return the factor for a sound, on top of `trim`, for headphones at night."""
    loud = LOUDNESS.get(sound, QUIET) - max(0.0, LOUDNESS.get(sound, QUIET) - SHOT) / 2
    return factor(NIGHT_DB - NIGHT_HOLD * max(0.0, loud - QUIET))


def ducking(since: float, sound: str = "knockout") -> float:
    """Return the factor for the music's volume `since` seconds after a sound."""
    curve = DUCKING.get(sound)
    if curve is None or since < 0:
        return 1.0
    before, share_before = curve[0]
    for at, share in curve[1:]:
        if since < at:
            return share_before + (share - share_before) * (since - before) / (at - before)
        before, share_before = at, share
    return 1.0


RATE = 48000
"""Sample rate of all sound, in samples per second."""
LATEST_S = 2.0
"""A segment's sounds start at most so many seconds after its end."""

_SOUNDS = {"uncharged": "empty", "bump": "thud", "break": "shield_break", "fade": "shield_down"}
_HITS = {"side": "hit_side", "back": "hit_back"}
"""What is heard of a hit where it matters which part was struck; else, and in front, it is `hit`."""
_WIDTH = 0.75
"""Pan of a sound at the arena's side walls; 1 would silence the other channel."""
_SEAT_PAN = 0.5
_BELL_S = 1.0
_LOADING_S = 0.1
"""Seconds before a play's animation ends at which what it loaded is heard."""
_DANGER = 0.25
"""The share of health at or below which the alarm sounds."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A sound to play at `at` seconds: the file's stem, gain from 0 to 1, pan from -1 (left) to 1 (right)."""

    at: float
    sound: str
    gain: float = 1.0
    pan: float = 0.0


def cues(timeline: Timeline, start: float, end: float) -> list[Cue]:
    """Return the cues with `start <= at < end` in order; adjacent ranges give each cue exactly once."""
    segments = timeline.segments
    index = bisect_left(segments, end, key=attrgetter("start"))
    by_segment: list[list[Cue]] = []
    while index > 0 and segments[index - 1].end + LATEST_S >= start:
        index -= 1
        before = segments[index - 1] if index else None
        by_segment.append([_trimmed(cue) for cue in _segment_cues(segments[index], before) if start <= cue.at < end])
    return sorted((cue for those in reversed(by_segment) for cue in those), key=attrgetter("at"))


def _trimmed(cue: Cue) -> Cue:
    held = trim(cue.sound)
    return cue if held == 1.0 else Cue(cue.at, cue.sound, cue.gain * held, cue.pan)


def stereo(cue: Cue) -> tuple[float, float]:
    """Return the gains of the left and the right channel, with constant power whatever the pan."""
    angle = (max(-1.0, min(1.0, cue.pan)) + 1) * math.pi / 4
    return cue.gain * math.cos(angle), cue.gain * math.sin(angle)


def _segment_cues(segment: Segment, before: Segment | None) -> Iterator[Cue]:
    record, start = segment.record, segment.start
    rules = segment.board.rules
    for effect in segment.effects:
        yield from _effect_cues(effect, rules)
    if isinstance(record, Play):
        yield from _play_cues(segment, record)
    elif isinstance(record, GameStarted):
        yield Cue(start, "start")
    elif isinstance(record, RoundStarted) and not _bell_still_rings(before, start):
        yield Cue(start, "bell")
    elif isinstance(record, RoundEnded) and record.ended == "complete":
        yield Cue(start, "bell_end")
    elif isinstance(record, SeatSwapped):
        yield Cue(start, "wheel" if record.why == "wheel" else "swap", pan=(_SEAT_PAN if record.bot else -_SEAT_PAN))
    elif isinstance(record, GameEnded) and record.result.reason != "aborted":
        yield Cue(start, "draw" if record.result.winner is None else "win")


def _bell_still_rings(before: Segment | None, start: float) -> bool:
    return before is not None and isinstance(before.record, RoundEnded) and start - before.start < _BELL_S


def _effect_cues(effect: Effect, rules: Rules) -> Iterator[Cue]:
    name: str = effect.kind
    gain, pan = 1.0, _pan(effect.at[0], rules)
    if name in ("muzzle", "speech"):
        name = f"{'fire' if name == 'muzzle' else name}_{SEATS[effect.bot]}"
    elif name == "hit":
        name = _HITS.get(effect.text, name)
        gain = 0.7 + 0.3 * min(1.0, 4 * effect.amount / rules.initial_health[effect.bot])
    elif name == "fumble" and not effect.amount:
        return  # a deliberate pause
    elif name in _SOUNDS:
        name = _SOUNDS[name]
    elif name not in ("wall", "bounce", "block", "knockout", "refused", "fumble"):
        return  # a silent effect
    yield Cue(effect.start + (effect.held if effect.kind == "break" else 0.0), name, gain, pan)


def _play_cues(segment: Segment, play: Play) -> Iterator[Cue]:
    start, rules = segment.acts, segment.board.rules
    pan = _pan(play.before.bot(play.bot).x, rules)
    for event in play.events:
        if isinstance(event, BotTurned) and event.degrees:
            yield Cue(start, "turn", 0.5 + 0.5 * min(1.0, abs(event.degrees) / 90), pan)
        elif isinstance(event, BotMoved):
            yield from _move_cues(event, start, rules, shoves=BotBumped in map(type, play.events))
        elif isinstance(event, (ShieldRaised, ShieldLowered)):
            yield Cue(start, "shield_up" if isinstance(event, ShieldRaised) else "shield_down", 1.0, pan)
        elif isinstance(event, BotHit) and _reaches_danger(event, rules):
            impact = next((effect.start for effect in segment.effects if effect.kind == "hit"), segment.end)
            yield Cue(impact + 0.15, "danger", 1.0, _SEAT_PAN if event.bot else -_SEAT_PAN)
    yield from _load_cues(segment, play, rules)


def _load_cues(segment: Segment, play: Play, rules: Rules) -> Iterator[Cue]:
    """The battery that a play loads, at the play's end so that a step is over: softer for less, or that it is full."""
    before, after = play.before.bot(play.bot).charge, play.after.bot(play.bot).charge
    if not rules.battery or after <= before:
        return
    at, pan = max(segment.acts, segment.end - theme.PAUSE_S - _LOADING_S), _pan(play.after.bot(play.bot).x, rules)
    if after == rules.battery:
        yield Cue(at, "full", 1.0, pan)
    else:
        share = (after - before) / max(rules.step_charge, rules.rest_charge)
        yield Cue(at, "load", 0.4 + 0.6 * share, pan)


def _move_cues(event: BotMoved, start: float, rules: Rules, *, shoves: bool) -> Iterator[Cue]:
    share = math.dist(event.start, event.end) / rules.step_length
    if share > 0.01:
        yield Cue(start, "move", 0.5 + 0.5 * min(1.0, share), _pan((event.start[0] + event.end[0]) / 2, rules))
    if event.stopped_by and not shoves:  # which is heard where they meet
        yield Cue(start + 0.8 * theme.MOVE_S * min(1.0, share), "bump", 1.0, _pan(event.end[0], rules))


def _reaches_danger(event: BotHit, rules: Rules) -> bool:
    limit = _DANGER * rules.initial_health[event.bot]
    return 0 < event.health <= limit < event.health + event.damage


def _pan(x: float, rules: Rules) -> float:
    return max(-1.0, min(1.0, 2 * x / rules.arena_width - 1)) * _WIDTH
