"""Looks as data of a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, get_args

from batllm_arcade.core.model import SEATS, Rules, plain
from batllm_arcade.view import theme
from batllm_arcade.view.look import effects, motion, shapes
from batllm_arcade.view.look.shapes import BotShape, cartridges, filled
from batllm_arcade.view.theme import Color, mixed
from batllm_arcade.view.timeline import Kind, mark


def short(value: float, digits: int) -> float:
    """Return a number with at most so many decimals, a whole one without a point."""
    return plain(round(value, digits) + 0.0)


def seconds(value: float) -> float:
    """Return a time in seconds, to the millisecond."""
    return short(value, 3)


def hexadecimal(color: Color) -> str:
    """Return a colour as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def utf16(text: str, index: int) -> int:
    """Return where a browser counts the character at this index of a text: beyond the first plane they count twice."""
    return index if text.isascii() else index + sum(character > "\uffff" for character in text[:index])


def trimmed(values: Sequence[Any]) -> list[Any]:
    """Return a list without the zeros and empty values at its end."""
    kept = list(values)
    while kept and not kept[-1]:
        kept.pop()
    return kept


# The figures of the look for a page

_MOST_GAUGES = 60  # pictures of a charge; a larger battery is shown in steps
_KINDS = {"disc": "d", "polygon": "p", "box": "r", "line": "l", "band": "b"}
_SAMPLES = 16  # of a light from its middle to its edge


def colors() -> dict[str, str]:
    """Return the theme's colours by name, as `#rrggbb`."""
    names = ("night", "floor", "grid", "wall", "panel", "panel_edge", "sunken", "text", "soft", "dim", "gold", "good",
             "danger", "white")  # fmt: skip
    named = {name: hexadecimal(getattr(theme, name.upper())) for name in names}
    named |= {seat: hexadecimal(color) for seat, color in zip(SEATS, theme.SEAT_COLORS, strict=True)}
    named["box"] = hexadecimal(mixed(theme.SUNKEN, theme.NIGHT, 0.3))
    return named


class LookExport:
    """Collects what a page draws with; a shape that several pictures share is exported once."""

    def __init__(self) -> None:
        self._shapes: dict[tuple[Any, ...], int] = {}
        self.rules: list[dict[str, Any]] = []
        self._known: list[Rules] = []
        self._always: dict[str, Any] = {}

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
            "alive": self._pictures(lambda seat: shapes.body(seat, rules, alive=True)),
            "dead": self._pictures(lambda seat: shapes.body(seat, rules, alive=False)),
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
                self._pictures(lambda seat, charge=charge: shapes.gauge(rules, charge, theme.SEAT_COLORS[seat]))
                for charge in charges
            ],
        }

    def figures(self) -> dict[str, Any]:
        """Return everything a page draws with; call it when all rules are known."""
        self._always = self._always or self._of_any_rules()
        return {"rules": self.rules, **self._always, "shapes": list(self._shapes)}

    def _of_any_rules(self) -> dict[str, Any]:
        moods = {mood: self._pictures(lambda seat, mood=mood: shapes.head(seat, mood)) for mood in shapes.MOODS}
        pupils = self._pictures(shapes.pupil)
        kinds: tuple[Kind, ...] = get_args(Kind)
        drawn = {kind: [self._picture(mark(kind, bot)) for bot in (0, 1)] for kind in kinds}
        return {
            "colors": colors(),
            "heads": moods,
            "pupils": pupils,
            "marks": drawn,
            "star": {"points": shapes.STAR, "reach": shapes.STAR_REACH, "muzzle": shapes.MUZZLE},
            "gaze": shapes.GAZE,
            "breath": shapes.BREATH,
            "shield": _shield(),
            "effects": _effects(),
            "motion": _motion(),
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
            for inner, outer, light, alpha in shapes.SHIELD
        ]
        for color in theme.SEAT_COLORS
    ]
    glint = [hexadecimal(mixed(color, theme.WHITE, 0.55)) for color in theme.SEAT_COLORS]
    return {
        "bands": bands, "pieces": shapes.PIECES, "piece": shapes.PIECE, "middle": shapes.SHIELD_MIDDLE,
        "faintest": shapes.FAINTEST, "glint": glint,
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
        "flash": hexadecimal(effects.FLASH),
        "muzzle": effects.MUZZLE,
        "greater": effects.GREATER,
        "shots": effects.SHOTS,
        "shards": [hexadecimal(effects.shard_color(seat)) for seat in (0, 1)],
        "splinters": _splinters(),
    }


def _splinters() -> list[dict[str, Any]]:
    """Return the splinters of a hull by their shape: corners in shares of the size, and the colour of each seat's."""
    return [
        {
            "points": [[short(x, 4), short(y, 4)] for x, y in shapes.splinter(shape)],
            "size": size,
            "colors": [hexadecimal(shapes.splinter_color(seat, shape)) for seat in (0, 1)],
        }
        for shape, size in enumerate(shapes.SPLINTER_SIZES)
    ]


def _layer(layer: effects.Layer, seat: int) -> list[Any]:
    figures = _named(layer)
    if "color" in figures:
        figures["color"] = hexadecimal(effects.tinted(layer.color, seat))  # type: ignore[union-attr]
    return [type(layer).__name__.removesuffix("Layer").lower(), figures]


def _motion() -> dict[str, Any]:
    constants = vars(motion)
    return {name.lower(): _named(value) for name, value in constants.items() if name.isupper()}


def _named(value: Any) -> Any:
    """Return a value in which every record has become a table of its figures by name."""
    if hasattr(value, "_asdict"):
        return {name: _named(each) for name, each in value._asdict().items()}
    if isinstance(value, dict):
        return {name: _named(each) for name, each in value.items()}
    return [_named(each) for each in value] if isinstance(value, tuple) else value


def _floor() -> dict[str, Any]:
    return {
        "cells": shapes.CELLS,
        "plates": [[hexadecimal(plate), hexadecimal(lit)] for plate, lit in shapes.plates()],
        "seam": hexadecimal(shapes.SEAM),
        "mark": hexadecimal(shapes.MARK),
        "rim": hexadecimal(shapes.RIM),
        "rings": shapes.RINGS,
        "ticks": shapes.TICKS,
        "corner": shapes.CORNER,
        "side": shapes.SIDE_LIGHT,
        "middle": shapes.MIDDLE_LIGHT,
        "home": [shapes.HOME, shapes.HOME_AT, [hexadecimal(shapes.home(seat)) for seat in (0, 1)]],
        "chevrons": [
            [hexadecimal(shapes.chevron(seat, number)) for number in range(len(shapes.CHEVRONS))] for seat in (0, 1)
        ],
        "shade": [[short(shapes.darkness(x / 16, y / 16), 3) for x in range(17)] for y in range(17)],
    }


def _times() -> dict[str, Any]:
    return {
        "shield": theme.SHIELD_S, "health": theme.HEALTH_S, "ghost": theme.GHOST_S, "charge": theme.CHARGE_S,
        "entrance": theme.ENTRANCE_S, "later": theme.LATER_S, "tail": theme.BULLET_TAIL, "move": theme.MOVE_S,
        "speech": theme.SPEECH_S, "read": [theme.READ_CHARACTER_S, *theme.READ_S],
    }  # fmt: skip
