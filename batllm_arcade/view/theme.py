"""Colours, sizes and durations of the design; lengths in pixels at 1280 x 720, times in seconds."""

from __future__ import annotations

Color = tuple[int, int, int]

WIDTH, HEIGHT = 1280, 720

NIGHT: Color = (9, 12, 22)
FLOOR: Color = (16, 22, 40)
GRID: Color = (25, 34, 60)
WALL: Color = (74, 92, 150)
PANEL: Color = (17, 24, 44)
PANEL_EDGE: Color = (40, 54, 92)
SUNKEN: Color = (11, 16, 31)
TEXT: Color = (236, 241, 255)
SOFT: Color = (168, 181, 220)
DIM: Color = (122, 137, 182)
GOLD: Color = (255, 212, 94)
GOOD: Color = (104, 232, 176)
DANGER: Color = (255, 84, 112)
BLACK: Color = (0, 0, 0)
WHITE: Color = (255, 255, 255)
KEY: Color = (0, 255, 0)
"""What editors take for nothing."""

# Sky blue and orange stay apart for every common kind of colour blindness; the bots differ in shape too.
SEAT_COLORS: tuple[Color, Color] = ((64, 196, 255), (255, 156, 64))

ARENA_SIZE = 632
ARENA_TOP = 68
MARGIN = 16

TURN_S = (0.16, 0.30)
"""Seconds for the smallest turn, and what a half turn takes on top."""
MOVE_S = 0.40
BUMP_S = (0.2, 0.45)
"""Seconds into a step when the other bot is shoved, and in which it slides and turns."""
SHIELD_S = 0.26
SHIELD_LOST_S = 1.1
HEALTH_S = 0.18
"""Seconds in which a health bar is seen to fall."""
GHOST_S = (0.45, 0.5)
"""Seconds for which the health just lost stays white, and in which it then goes."""
ENTRANCE_S = (0.15, 0.45)
"""Seconds until the left bot comes into the arena, and in which it grows; the right one comes `LATER_S` later."""
LATER_S = 0.2
BULLET_TAIL = 0.22
"""The share of its flight by which a bullet's tail is behind its head."""
CHARGE_S = 0.40
"""Seconds in which a charge is seen to change, as long as a step takes."""
UNCHARGED_S = 1.5
LONGEST_WORDS_S = 1.5
"""The longest that words which pop up at a bot stay."""
NOTHING_S = 0.45
WINDUP_S = 0.10
FLIGHT_S = (0.08, 0.22)
"""Seconds for the shortest flight, and what the arena's diagonal takes on top."""
LAST_SHOT = 2.8
"""How many times slower the bullet flies that decides a game."""
FREEZE_S = {"BotHit": 0.07, "BotKnockedOut": 0.18, "ShotBlocked": 0.03, "ShieldBroke": 0.10}
"""Seconds the world holds still when a bullet lands, by what it did."""
IMPACT_S = 0.42
KNOCKOUT_S = 1.3
PAUSE_S = 0.08
WORDS_FIRST_S = 0.6
"""For which a bot whose words are waited for waits itself before it acts."""
SPEECH_S = 3.2
READ_CHARACTER_S, READ_S = 0.045, (1.0, 8.0)
"""What a reader is given for a character of a thought on a page, and the least and the most for a thought."""
GAME_BANNER_S = 1.1
ROUND_BANNER_S = 1.0
SWAP_BANNER_S = 1.4
RESULT_S = 2.4


def mixed(a: Color, b: Color, share: float) -> Color:
    """Return the mix of two colours: a at `share` 0, b at 1."""
    share = min(1.0, max(0.0, share))
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )
