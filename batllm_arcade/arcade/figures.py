"""A seat's figures in its panel: the same look between rounds and after the game."""

from __future__ import annotations

import pygame

from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.report import Report, SeatReport
from batllm_arcade.view.theme import mixed

PAD = 14
Figure = tuple[str, str]


def round_figures(seat: SeatReport) -> list[Figure]:
    """What one round's figures are called, and what they are."""
    return [
        ("damage dealt", f"{seat.damage:g}"),
        ("hits", _hits(seat)),
        ("shots blocked", f"{seat.blocks}"),
        ("steps walked", f"{seat.steps:.1f}".removesuffix(".0")),
        ("fumbles", f"{seat.fumbles}"),
    ]


def game_figures(seat: SeatReport) -> list[Figure]:
    """What a whole game's figures are called, and what they are; tokens only where a model counts them."""
    rows = round_figures(seat)
    if not seat.seat.human and seat.usual_s is not None and seat.slowest_s is not None:
        rows += [("usual answer", seconds(seat.usual_s)), ("slowest answer", seconds(seat.slowest_s))]
    for key, words in (("prompt", "tokens read"), ("completion", "tokens written")):
        if key in seat.tokens:
            rows.append((words, f"{seat.tokens[key]:,}"))
    return rows


def _hits(seat: SeatReport) -> str:
    share = "" if seat.accuracy is None else f"  {seat.accuracy:.0%}"
    return f"{seat.hits} of {seat.shots}{share}"


def seconds(value: float) -> str:
    """A time as short as it can be said."""
    return f"{value * 1000:.0f} ms" if value < 0.995 else f"{value:.1f} s"


def panel_left(seat: int) -> int:
    """Where a seat's panel begins, in logical pixels."""
    return theme.WIDTH - theme.MARGIN - theme.PANEL_WIDTH if seat else theme.MARGIN


def draw_head(target: pygame.Surface, picture: Picture, seat: int, told: Report, chip: str = "") -> None:
    """Who sits there, what is left of its health, and a chip such as `winner`."""
    info, color = told.seats[seat].seat, theme.SEAT_COLORS[seat]
    left, line = panel_left(seat), picture.letters.line
    width = (theme.PANEL_WIDTH - 2 * PAD) * picture.scale

    def put(surface: pygame.Surface, x: float, y: float) -> None:
        target.blit(surface, picture.pixel(left + x, theme.ARENA_TOP + y))

    put(line(SEATS[seat].upper(), "label", 14, color), PAD, 14)
    put(line(info.name, "title", 28, theme.TEXT, width), PAD, 30)
    put(line(f"{info.brain}  {info.model}".strip(), "mono", 12, theme.SOFT, width), PAD, 66)
    if chip:
        words = line(chip, "label", 14, theme.NIGHT)
        rect = words.get_rect().inflate(round(18 * picture.scale), round(6 * picture.scale))
        rect.topright = picture.pixel(left + theme.PANEL_WIDTH - PAD, theme.ARENA_TOP + 11)
        pygame.draw.rect(target, theme.GOLD, rect, border_radius=rect.height // 2)
        target.blit(words, words.get_rect(center=rect.center))
    _draw_health(target, picture, seat, told)


def _draw_health(target: pygame.Surface, picture: Picture, seat: int, told: Report) -> None:
    scale, share = picture.scale, told.seats[seat].health
    color = theme.SEAT_COLORS[seat]
    words = picture.letters.line(f"{share * told.rules.initial_health[seat]:g}", "title", 24, theme.TEXT)
    right = picture.pixel(panel_left(seat) + theme.PANEL_WIDTH - PAD, theme.ARENA_TOP + 104)
    target.blit(words, words.get_rect(midright=right))
    left, top = picture.pixel(panel_left(seat) + PAD, theme.ARENA_TOP + 96)
    bar = pygame.Rect(left, top, round((theme.PANEL_WIDTH - 2 * PAD - 56) * scale), round(16 * scale))
    pygame.draw.rect(target, theme.SUNKEN, bar, border_radius=round(5 * scale))
    if share > 0:
        bar.width = max(round(6 * scale), round(bar.width * min(1.0, share)))
        low = theme.DANGER if share <= 0.25 else color
        pygame.draw.rect(target, low, bar, border_radius=round(5 * scale))


def draw_figures(
    target: pygame.Surface, picture: Picture, seat: int, rows: list[Figure], top: float, step: float = 25
) -> float:
    """Draw the rows from the logical height `top` within the panel; the height below them."""
    left, scale = panel_left(seat), picture.scale
    for row, (name, value) in enumerate(rows):
        y = theme.ARENA_TOP + top + row * step
        words = picture.letters.line(name, "label", 16, theme.SOFT)
        figure = picture.letters.line(value, "bold", 15, theme.TEXT)
        target.blit(words, picture.pixel(left + PAD, y))
        target.blit(figure, figure.get_rect(topright=picture.pixel(left + theme.PANEL_WIDTH - PAD, y)))
        if row:
            start, end = (picture.pixel(left + x, y - 3) for x in (PAD, theme.PANEL_WIDTH - PAD))
            pygame.draw.line(target, mixed(theme.PANEL, theme.PANEL_EDGE, 0.6), start, end, max(1, round(scale)))
    return top + len(rows) * step


def draw_best(target: pygame.Surface, picture: Picture, seat: int, told: Report, top: float) -> float:
    """The moment worth telling, where there is one; the height below it."""
    best, width = told.seats[seat].best, (theme.PANEL_WIDTH - 2 * PAD) * picture.scale
    if not best:
        return top
    left = panel_left(seat)
    heading = picture.letters.line("BEST MOMENT", "label", 14, theme.DIM)
    target.blit(heading, picture.pixel(left + PAD, theme.ARENA_TOP + top))
    block = picture.letters.block(best, "label", 17, theme.GOLD, width, 2)
    target.blit(block, picture.pixel(left + PAD, theme.ARENA_TOP + top + 20))
    return top + 24 + block.get_height() / picture.scale
