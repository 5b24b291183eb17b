"""Effects and particles."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, Union

from batllm_arcade.view import theme
from batllm_arcade.view.look.motion import Curve, fade, ramp, slowing
from batllm_arcade.view.scene import Effect, EffectKind
from batllm_arcade.view.theme import Color, mixed

# What each effect is drawn of

Tint = Union[Color, Literal["seat", "pale"]]
"""A colour, or that of the effect's bot, as it is or nearly white."""

FIRE: Color = (255, 176, 96)
DUST: Color = (120, 136, 186)
SMOKE: Color = (70, 74, 88)
SCORCH: Color = (4, 6, 12)
FLASH: Color = (90, 84, 70)
"""Added to the whole arena as a knock-out begins."""
MUZZLE = 1.05
"""Where a muzzle flash is, in front of the bot's middle."""
PAST_THE_SHIELD = "past the shield"
"""What a hit says where the target's shield was up on another side, and no part of a bot counts more."""
GREATER: dict[str, tuple[str, ...]] = {
    "hit": ("knockout",),
    "block": ("break",),
    "refused": ("fade",),
    "fumble": ("knockout",),
    "uncharged": ("knockout",),
}
"""Effects whose words are left out while those of a greater one are shown at the same bot."""
SHOTS = "hit", "block", "break"
"""What becomes of shots: only the last one's words are shown, for both numbers might be read as one."""


class GlowLayer(NamedTuple):
    """A light whose strength follows `light`, `hurry` times faster than the effect ages."""

    color: Tint
    reach: float
    light: Curve = fade()
    hurry: float = 1.0


class RingLayer(NamedTuple):
    """A ring of light that grows."""

    color: Tint
    reach: Curve
    light: Curve = fade(2)


class SparkLayer(NamedTuple):
    """Streaks around the effect's direction plus `turn`; without a `spread` over the shield's arc."""

    color: Tint
    number: int
    reach: float
    spread: float | None
    turn: float = 0.0
    hurry: float = 1.0


class SplinterLayer(NamedTuple):
    """Pieces of the hull that fly off around the effect's direction plus `turn`; not if motion is reduced."""

    number: int
    reach: float
    spread: float
    turn: float = 0.0


class WaveLayer(NamedTuple):
    """A shock wave that starts at age `delay` and takes `lasts` of the effect's time, turning into the floor's colour.

    It is `wide` pixels wide at 1280 x 720, at least `least` pixels.
    """

    color: Tint
    delay: float
    lasts: float = 0.5
    reach: Curve = ramp(0.6, 5.5)
    wide: int = 5
    least: int = 2


class SmokeLayer(NamedTuple):
    """Clouds of smoke that rise; not if motion is reduced."""

    number: int


Layer = Union[GlowLayer, RingLayer, SparkLayer, SplinterLayer, WaveLayer, SmokeLayer]

LAYERS: dict[EffectKind, tuple[Layer, ...]] = {
    "muzzle": (GlowLayer("seat", 1.1), GlowLayer(theme.WHITE, 0.55), SparkLayer("seat", 7, 1.1, 46)),
    "hit": (
        GlowLayer(FIRE, 2.0, fade(2)),
        GlowLayer(theme.WHITE, 1.0, hurry=4),
        RingLayer(FIRE, ramp(0.3, 1.8)),
        SparkLayer(FIRE, 20, 2.6, 150, 180),
        SplinterLayer(6, 1.6, 160, 180),
    ),
    "block": (GlowLayer("pale", 1.2, fade(2)), RingLayer("seat", ramp(0.25, 1.2)), SparkLayer("pale", 14, 2.0, 100)),
    "break": (RingLayer("pale", slowing(1.2, 1.2, 3)), SparkLayer("pale", 22, 3.0, None)),
    "wall": (GlowLayer(theme.SOFT, 0.8, fade(2)), SparkLayer(theme.SOFT, 9, 1.3, 110)),
    "bump": (GlowLayer(FIRE, 1.2, fade(2)), RingLayer("pale", ramp(0.2, 1.1)), SparkLayer(FIRE, 16, 1.9, 150)),
    "bounce": (GlowLayer("pale", 1.0, fade(2)), RingLayer("seat", ramp(0.2, 0.9)), SparkLayer("pale", 11, 1.7, 140)),
    "knockout": (
        GlowLayer((255, 214, 140), 4.5, hurry=2.2),
        GlowLayer(theme.WHITE, 2.2, hurry=6),
        WaveLayer(theme.WHITE, 0.0),
        WaveLayer(theme.GOLD, 0.07),
        WaveLayer("seat", 0.14),
        SmokeLayer(9),
        SplinterLayer(18, 4.2, 360),
        SparkLayer(theme.GOLD, 40, 5.5, 360, 0, 1.3),
        SparkLayer("seat", 22, 3.6, 360, 40),
    ),
}
"""What is drawn above the bots, in this order; sparks and splinters of a knock-out fly around +x."""


def tinted(color: Tint, seat: int) -> Color:
    """Return a layer's colour at an effect of this bot."""
    if isinstance(color, tuple):
        return color
    own = theme.SEAT_COLORS[seat]
    return own if color == "seat" else mixed(own, theme.WHITE, 0.6)


def shard_color(seat: int) -> Color:
    """Return the colour in which the splinters of a bot's shield fly off."""
    return mixed(theme.SEAT_COLORS[seat], theme.WHITE, 0.75)


class EffectWords(NamedTuple):
    """The words that pop up with an effect, their colour, and their size in pixels at 1280 x 720."""

    text: str
    color: Color
    size: float


BEFORE_RESULT_S = 0.35
"""Seconds for which nothing is said between a knock-out's words and the result."""
WORDED = frozenset({"hit", "block", "break", "fade", "refused", "uncharged", "fumble", "knockout"})
"""Effects that may have words."""


def words(effect: Effect) -> EffectWords | None:
    """Return the words that rise at an effect, None if it has none."""
    text, loud = effect.text, bool(effect.amount)
    match effect.kind:
        case "hit" if loud:
            return _hit_words(effect)
        case "knockout":
            return EffectWords("KNOCK-OUT!", theme.GOLD, 54)
        case "break":
            return EffectWords("SHIELD BROKEN", theme.GOLD, 28)
        case "fumble" if text:
            return EffectWords(text.upper() if loud else text, theme.GOLD, 26 if loud else 20)
        case "refused" | "uncharged" if text:
            return EffectWords(text, theme.GOLD, 20 if effect.kind == "refused" else 22)
        case "block" | "fade":
            pale = mixed(theme.SEAT_COLORS[effect.bot], theme.WHITE, 0.45)
            return EffectWords("BLOCKED" if effect.kind == "block" else "SHIELD EMPTY", pale, 22)
    return None


def words_seconds(effect: Effect) -> float:
    """Return how long an effect's words are shown: those of a knock-out end before the camera is out and the result is
    told."""
    return theme.KNOCKOUT_S - BEFORE_RESULT_S if effect.kind == "knockout" else effect.duration


def words_end(effect: Effect) -> float:
    """Return when an effect's words are gone, in seconds."""
    return effect.start + effect.held + words_seconds(effect)


def _hit_words(effect: Effect) -> EffectWords:
    color = theme.SEAT_COLORS[effect.bot]
    if effect.text in ("", "front"):
        return EffectWords(f"-{effect.amount:g}", mixed(color, theme.WHITE, 0.4), 34)
    if effect.text not in ("side", "back"):  # by the way it took
        return EffectWords(f"{effect.text.upper()} -{effect.amount:g}", mixed(color, theme.WHITE, 0.4), 32)
    return EffectWords(f"{effect.text.upper()} -{effect.amount:g}", color, 36 if effect.text == "side" else 44)


def glow_light(share: float) -> float:
    """Return the brightness of a glow at this share of its radius."""
    return float((1 - share) ** 2.1)


def ring_light(share: float) -> float:
    """Return the brightness of a ring of light, which is brightest at 0.8 of its radius."""
    return float(math.exp(-(((share - 0.8) / (0.05 if share > 0.8 else 0.12)) ** 2)))


def puff_opacity(share: float) -> float:
    """Return the opacity of a cloud at this share of its radius."""
    return float((1 - share) ** 1.3)
