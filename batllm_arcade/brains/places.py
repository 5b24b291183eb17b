"""Places that orders name ("left wall", "top right corner", "middle"), looked up word by word, no model needed."""

from __future__ import annotations

import re
from math import hypot
from typing import NamedTuple

from batllm_arcade.brains.bot_view import BotView
from batllm_arcade.brains.wording.glossary import in_english

SIDES = {
    "left": "left west links linken linke gauche izquierda izquierdo sinistra",
    "right": "right east rechts rechten rechte droite derecha derecho destra",
    "top": "top upper up north oben obere oberen haut arriba alto",
    "bottom": "bottom lower down south unten untere unteren bas abajo basso",
    "middle": "middle center centre mid mitte milieu centro",
    "wall": "wall walls edge edges border side wand rand mur pared muro",
    "corner": "corner corners nook ecke coin esquina angolo",
}
"""The words for each part of a place, in some languages."""
_PART = {word: part for part, words in SIDES.items() for word in words.split()}
_NOT = re.compile(r"\b(?:not|never|don't|dont|avoid|leave|no)\s+(?:[\w']+\s+){0,3}?(?:the\s+)?([\w']+)")

_SHIELD = re.compile(
    r"\b(?:shields?|guard|gun)\b(?:'s| is| are| stays?| goes| comes)? (?:up|down)\b"
    r"|\b(?:up|down|lower) (?:with )?(?:(?:the|your|his|its|her|their) )?(?:shields?|guard|gun)\b"
)
"""Words of a place that say where a shield is."""


class Spot(NamedTuple):
    """A point where a bot's centre can be, and what it is called."""

    x: float
    y: float
    name: str


def place_named(orders: str, me: BotView, foe: BotView) -> Spot:
    """Return the place the orders name that is nearest to `me`, the nearest corner if they name none.

    A place the other bot stands on is only taken if there is no other.
    """
    parts = _parts(orders)
    places = _places(me, parts)
    blocked = 2.2 * me.rules.bot_radius

    def cost(place: Spot) -> tuple[bool, float]:
        taken = hypot(place.x - foe.x, place.y - foe.y) < blocked
        return taken, hypot(place.x - me.x, place.y - me.y)

    return min(places, key=cost)


def _parts(orders: str) -> set[str]:
    """Return the parts of a place that are named, without those that are to be avoided."""
    text = _SHIELD.sub(" ", in_english(orders.lower()))
    words = re.findall(r"[\w']+", text)
    named = {_PART[word] for word in words if word in _PART}
    if any(word in ("northeast", "northwest", "southeast", "southwest") for word in words):
        named |= {"top" if "north" in text else "bottom", "right" if "east" in text else "left"}
    avoided = {_PART[word] for word in _NOT.findall(text) if word in _PART}
    # "Don't leave the corner" means the corner: only the open is ever avoided.
    return named - (avoided & {"middle"})


def _places(me: BotView, parts: set[str]) -> list[Spot]:
    radius, rules = me.rules.bot_radius, me.rules
    right, bottom = rules.arena_width - radius, rules.arena_height - radius
    across = {"left": radius, "right": right}
    along = {"top": radius, "bottom": bottom}
    chosen_x = {side: at for side, at in across.items() if side in parts}
    chosen_y = {side: at for side, at in along.items() if side in parts}
    if "middle" in parts and not (chosen_x or chosen_y):
        return [Spot(rules.arena_width / 2, rules.arena_height / 2, "in the middle")]
    corners = [
        Spot(x, y, f"in the {v} {h} corner" if chosen_x or chosen_y else "in the corner")
        for v, y in (chosen_y or along).items()
        for h, x in (chosen_x or across).items()
    ]
    if "corner" in parts or (chosen_x and chosen_y) or not parts & {*across, *along, "wall"}:
        return corners
    xs, ys = (chosen_x, chosen_y) if chosen_x or chosen_y else (across, along)
    by_sides = [Spot(x, me.y, f"at the {side} wall") for side, x in xs.items()]
    return by_sides + [Spot(me.x, y, f"at the {side} wall") for side, y in ys.items()]
