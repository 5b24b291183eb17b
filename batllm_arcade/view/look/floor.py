"""What the arena's floor is painted of; lengths are shares of the arena's width unless something else is said."""

from __future__ import annotations

import random

from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

CELLS = 10
"""Plates in each direction."""
SEAM: Color = mixed(theme.NIGHT, theme.GRID, 0.35)
MARK: Color = mixed(theme.GRID, theme.WALL, 0.42)
RIM: Color = mixed(theme.FLOOR, theme.WALL, 0.55)
"""The lit edge within the walls."""
RINGS = (0.30, 0.12)
"""The circles around the middle, as shares of the arena's height; the first has `TICKS` marks inside."""
TICKS = 48
CORNER = 0.04
"""The length of the marks in the corners."""
SIDE_LIGHT, MIDDLE_LIGHT = (0.8, 0.17), (0.62, 0.34)
"""Reach and strength of the lights: in a seat's colour at its wall, and in the walls' colour in the middle."""
HOME, HOME_AT = 0.035, (0.09, 0.91)
"""The size of a seat's icon on the floor, and where it is."""
CHEVRONS = (0.34, 0.25, 0.16)
"""How bright the chevrons beside an icon are, the nearest first."""
HALO, HALO_STEP, HALO_LIGHT = 14, 1.2, 0.30
"""The glow around the walls: its steps, their width in pixels at 1280 x 720, and its strength at the wall."""


def plates() -> list[tuple[Color, Color]]:
    """Return each plate's colour and that of its lit edges, column by column; the same ones every time."""
    random_numbers, found = random.Random(9), []
    for _ in range(CELLS * CELLS):
        tone = random_numbers.random()
        plate = mixed(mixed(theme.FLOOR, theme.NIGHT, 0.34), mixed(theme.FLOOR, theme.WALL, 0.10), tone)
        found.append((plate, mixed(plate, theme.WALL, 0.20)))
    return found


def home(seat: int) -> Color:
    """Return the paint of a seat's icon on the floor."""
    return mixed(theme.FLOOR, theme.SEAT_COLORS[seat], 0.36)


def chevron(seat: int, number: int) -> Color:
    """Return the paint of a chevron, number 0 next to the icon."""
    return mixed(theme.FLOOR, theme.SEAT_COLORS[seat], CHEVRONS[number])


def darkness(across: float, down: float) -> float:
    """Return how dark the walls' shadow is (0 to 1) at a point given from the middle, -1 to 1 in both directions."""
    across, down = abs(across), abs(down)
    return min(0.75, 0.62 * max(across, down) ** 9 + 0.20 * (across * down) ** 2)
