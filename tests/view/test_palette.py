"""The palette keeps its promises, measured: seats apart for everybody, words readable on their ground."""

from __future__ import annotations

import math

import pytest

from batllm_arcade.view import theme

# Machado, Oliveira & Fernandes (2009), severity 1.0, on linear RGB
KINDS = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(color):
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (value / 255 for value in color)]


def seen(color, kind):
    """The colour in linear RGB as somebody with this sight sees it."""
    light = linear(color)
    return [min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in KINDS[kind]]


def luminance(light):
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def lab(light):
    """CIE L*a*b* (D65) of linear RGB."""
    r, g, b = light
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        luminance(light),
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in xyz)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("kind", KINDS)
def test_the_seats_stay_apart_from_each_other_and_from_gold_for_every_kind_of_sight(kind):
    left, right, gold = (lab(seen(color, kind)) for color in (*theme.SEAT_COLORS, theme.GOLD))
    assert math.dist(left, right) > 40
    assert math.dist(left, gold) > 30


@pytest.mark.parametrize("ground", ["NIGHT", "PANEL", "SUNKEN", "FLOOR"])
@pytest.mark.parametrize("words", ["TEXT", "SOFT", "DIM", "GOLD", "DANGER", "LEFT", "RIGHT"])
def test_words_stand_out_from_their_ground(words, ground):
    color = theme.SEAT_COLORS[words == "RIGHT"] if words in ("LEFT", "RIGHT") else getattr(theme, words)
    light, dark = (luminance(linear(c)) for c in (color, getattr(theme, ground)))
    assert (light + 0.05) / (dark + 0.05) >= 4.5
