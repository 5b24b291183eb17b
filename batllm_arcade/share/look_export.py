"""The figures of the look for a page: colours, shapes and durations, as the view has them at this moment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.share.numbers import hexadecimal, short
from batllm_arcade.view import theme
from batllm_arcade.view.charge import cartridges, filled
from batllm_arcade.view.look import armour, effects, floor, marks, shapes
from batllm_arcade.view.look.shapes import BotShape
from batllm_arcade.view.theme import mixed
from batllm_arcade.view.timeline_index import Kind

_MOST_GAUGES = 60  # pictures of a charge; a larger battery is shown in steps
_KINDS = {"disc": "d", "polygon": "p", "box": "r", "line": "l", "band": "b"}
_SAMPLES = 16  # of a light from its middle to its edge


def colors() -> dict[str, str]:
    """Return the theme's colours by name, as `#rrggbb`."""
    names = ("night", "floor", "grid", "wall", "panel", "panel_edge", "sunken", "text", "soft", "dim", "gold", "good",
             "danger", "white")  # fmt: skip
    found = {name: hexadecimal(getattr(theme, name.upper())) for name in names}
    found |= {seat: hexadecimal(color) for seat, color in zip(SEATS, theme.SEAT_COLORS, strict=True)}
    found["box"] = hexadecimal(mixed(theme.SUNKEN, theme.NIGHT, 0.3))
    return found


class LookExport:
    """Collects what a page draws with; a shape that several pictures share is exported once."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Any, ...], int] = {}
        self.rules: list[dict[str, Any]] = []
        self._known: list[Rules] = []

    def index_of(self, rules: Rules) -> int:
        """Return the number of the look of games with these rules, exported once."""
        if rules not in self._known:
            self._known.append(rules)
            self.rules.append(self._look(rules))
        return self._known.index(rules)

    def _picture(self, parts: Iterable[BotShape]) -> list[int]:
        return [self._shapes.setdefault(_shape(part), len(self._shapes)) for part in parts]

    def _pictures(self, of_seat: Any) -> list[list[int]]:
        return [self._picture(of_seat(seat)) for seat in (0, 1)]

    def _look(self, rules: Rules) -> dict[str, Any]:
        hits = [full / max(damage, 1e-9) for full, damage in zip(rules.initial_health, rules.bullet_damage[::-1])]  # noqa: B905
        return {
            "width": rules.arena_width,
            "height": rules.arena_height,
            "radius": rules.bot_radius,
            "shield": rules.shield_degrees,
            "health": rules.initial_health,
            "hits": [short(each, 3) if each <= 25 else 0 for each in hits],
            "rounds": rules.total_rounds,
            "turns": rules.turns_per_round,
            "alive": self._pictures(lambda seat: armour.body(seat, rules, alive=True)),
            "dead": self._pictures(lambda seat: armour.body(seat, rules, alive=False)),
            **(self._charge(rules) if rules.battery else {"battery": 0}),
        }

    def _charge(self, rules: Rules) -> dict[str, Any]:
        steps = min(rules.battery, _MOST_GAUGES)
        charges = [step * rules.battery // steps for step in range(steps + 1)]
        return {
            "battery": rules.battery,
            "loaded": rules.shot_charge,
            "weak": max(rules.block_charge, rules.shield_charge),
            "cells": cartridges(rules),
            "whole": rules.shot_charge or rules.battery,
            "filled": [filled(rules, charge) for charge in charges],
            "gauges": [
                self._pictures(lambda seat, charge=charge: armour.gauge(rules, charge, theme.SEAT_COLORS[seat]))
                for charge in charges
            ],
        }

    def figures(self) -> dict[str, Any]:
        """Return everything a page draws with; call it when all rules are known."""
        moods = {mood: self._pictures(lambda seat, mood=mood: shapes.head(seat, mood)) for mood in shapes.MOODS}
        pupils = self._pictures(shapes.pupil)
        kinds: tuple[Kind, ...] = get_args(Kind)
        drawn = {kind: [self._picture(marks.mark(kind, bot)) for bot in (0, 1)] for kind in kinds}
        return {
            "colors": colors(),
            "rules": self.rules,
            "heads": moods,
            "pupils": pupils,
            "marks": drawn,
            "shapes": list(self._shapes),
            "star": {"points": shapes.STAR, "reach": shapes.STAR_REACH, "at": shapes.MUZZLE},
            "gaze": shapes.GAZE,
            "breath": [shapes.BREATHS, shapes.BREATH],
            "shield": _shield(),
            "effects": _effects(),
            "floor": _floor(),
            "times": _times(),
        }


def _shape(part: BotShape) -> tuple[Any, ...]:
    numbers = (short(number, 4) for number in part.numbers)
    return _KINDS[part.kind], hexadecimal(part.color), part.alpha, short(part.width, 4), *numbers


def _shield() -> dict[str, Any]:
    bands = [
        [
            [inner, outer, hexadecimal(mixed(color, theme.WHITE, light)), alpha]
            for inner, outer, light, alpha in armour.SHIELD
        ]
        for color in theme.SEAT_COLORS
    ]
    glint = [hexadecimal(mixed(color, theme.WHITE, 0.55)) for color in theme.SEAT_COLORS]
    return {
        "bands": bands, "pieces": armour.PIECES, "piece": armour.PIECE, "middle": armour.SHIELD_MIDDLE,
        "faintest": armour.FAINTEST, "glint": glint,
    }  # fmt: skip


def _effects() -> dict[str, Any]:
    layers = [
        {kind: [_layer(layer, seat) for layer in each] for kind, each in effects.LAYERS.items()} for seat in (0, 1)
    ]
    lights = {
        name: [short(profile(step / _SAMPLES), 3) for step in range(_SAMPLES + 1)]
        for name, profile in (
            ("glow", effects.glow_light), ("ring", effects.ring_light), ("puff", effects.puff_opacity),
        )
    }  # fmt: skip
    return {
        "layers": layers,
        "lights": lights,
        "dust": hexadecimal(effects.DUST),
        "smoke": hexadecimal(effects.SMOKE),
        "scorch": hexadecimal(effects.SCORCH),
        "flash": [hexadecimal(effects.FLASH), effects.FLASH_AGE],
        "muzzle": effects.MUZZLE,
        "shake": effects.SHAKE,
        "recoil": effects.RECOIL,
        "hurt": effects.HURT_AGE,
        "greater": effects.GREATER,
        "shards": [hexadecimal(mixed(color, theme.WHITE, 0.75)) for color in theme.SEAT_COLORS],
    }


def _layer(layer: effects.Layer, seat: int) -> list[Any]:
    """Return a layer's kind and its figures by name."""
    figures = layer._asdict()
    if "color" in figures:
        figures["color"] = hexadecimal(effects.tinted(figures["color"], seat))
    return [type(layer).__name__.removesuffix("Layer").lower(), figures]


def _floor() -> dict[str, Any]:
    return {
        "cells": floor.CELLS,
        "plates": [[hexadecimal(plate), hexadecimal(lit)] for plate, lit in floor.plates()],
        "seam": hexadecimal(floor.SEAM),
        "mark": hexadecimal(floor.MARK),
        "rim": hexadecimal(floor.RIM),
        "rings": floor.RINGS,
        "ticks": floor.TICKS,
        "corner": floor.CORNER,
        "side": floor.SIDE_LIGHT,
        "middle": floor.MIDDLE_LIGHT,
        "home": [floor.HOME, floor.HOME_AT, [hexadecimal(floor.home(seat)) for seat in (0, 1)]],
        "chevrons": [
            [hexadecimal(floor.chevron(seat, number)) for number in range(len(floor.CHEVRONS))] for seat in (0, 1)
        ],
        "shade": [[short(floor.darkness(x / 16, y / 16), 3) for x in range(17)] for y in range(17)],
    }


def _times() -> dict[str, Any]:
    return {
        "shield": theme.SHIELD_S, "health": theme.HEALTH_S, "ghost": theme.GHOST_S, "charge": theme.CHARGE_S,
        "entrance": theme.ENTRANCE_S, "later": theme.LATER_S, "tail": theme.BULLET_TAIL, "move": theme.MOVE_S,
        "speech": theme.SPEECH_S,
    }  # fmt: skip
