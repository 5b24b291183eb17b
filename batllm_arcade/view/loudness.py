"""How loud sounds are, how far the music steps back for them, and what a night changes; in decibels, without sound."""

from __future__ import annotations

LOUDNESS = {
    "knockout": -10.4, "hit_back": -10.4, "hit": -11.3, "hit_side": -13.9, "win": -15.0, "shield_break": -15.9,
    "start": -16.0, "fire_left": -16.0, "fire_right": -16.0, "block": -16.5, "draw": -16.9, "bell": -18.0,
    "bell_end": -18.0, "wall": -18.5, "swap": -19.0, "wheel": -19.0, "refused": -19.5, "bump": -19.8, "fumble": -20.0,
    "bounce": -20.9, "shield_up": -20.9, "danger": -22.0, "shield_down": -22.0, "full": -23.0,
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
