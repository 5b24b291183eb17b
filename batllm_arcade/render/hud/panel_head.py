"""The head of a panel: name, health, charge."""

from __future__ import annotations

import math
from collections.abc import Hashable

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match.series import distinct
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.look.shapes import cartridges, filled, is_loaded
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import BotPose, Scene
from batllm_arcade.view.theme import Color, mixed

_WIDE, _NARROW, _NARROWEST, _GAP = 30, 20, 12, 5
_NUMBER = 16
_MOST_TICKS = 9


class ChargeRow:
    """Paints one seat's cartridges; lengths in pixels, `scale` is pixels per logical pixel.

    With a `name`, in a type of so many pixels, that stands before them in place of the number behind them.
    """

    def __init__(self, seat: int, text_renderer: TextRenderer, scale: float, name: str = "", size: int = 0) -> None:
        self._color, self._text_renderer, self._scale = theme.SEAT_COLORS[seat], text_renderer, scale
        self._name, self._size = name, size

    def paint(self, surface: pygame.Surface, area: pygame.Rect, rules: Rules, charge: int, *, alarm: bool) -> int:
        """Paint the cartridges from the left of an area, and the number behind them if there is room.

        With `alarm` the empty ones stand out; without room for them there is the number alone. Return where they end.
        """
        if self._name:
            name = self._text_renderer.line(self._name, "label", self._size, theme.SOFT)
            used = surface.blit(name, name.get_rect(midleft=area.midleft)).width + self._px(_GAP)
            area = pygame.Rect(area.left + used, area.top, max(1, area.width - used), area.height)
        sizes = cartridges(rules)
        number = "" if self._name else f"{charge}/{rules.battery}"
        words = self._text_renderer.line(number, "title", _NUMBER, theme.TEXT)
        left, gap = area.left, self._px(_GAP)
        room = area.width - gap * len(sizes)
        numbered = bool(number) and room - words.get_width() >= self._px(_NARROW) * len(sizes)
        room -= words.get_width() if numbered else 0
        wide = min(self._px(_WIDE), room // len(sizes))
        if len(sizes) == 1:
            wide = max(wide, room)
        if wide < self._px(_NARROWEST):  # no room for pictures
            tint = theme.GOLD if is_loaded(rules, charge) else theme.TEXT
            words = self._text_renderer.fitted(f"{charge}/{rules.battery}", "title", _NUMBER, tint, area.width)
            return surface.blit(words, words.get_rect(midleft=area.midleft)).right + gap
        for size, full in zip(sizes, filled(rules, charge), strict=True):
            whole = rules.shot_charge or rules.battery
            cartridge = pygame.Rect(left, area.top, max(self._px(7), round(wide * min(1.0, size / whole))), area.height)
            if len(sizes) == 1:
                cartridge.width = wide
            loaded = is_loaded(rules, charge) and full == size >= rules.shot_charge
            self._paint_cartridge(surface, cartridge, size, full, loaded=loaded, alarm=alarm)
            left = cartridge.right + gap
        if numbered:
            surface.blit(words, words.get_rect(midleft=(left + gap // 2, area.centery)))
            left += words.get_width() + gap
        return left

    def _paint_cartridge(
        self, surface: pygame.Surface, area: pygame.Rect, size: int, full: int, *, loaded: bool, alarm: bool
    ) -> None:
        line, round_tip = max(1, self._px(1.5)), max(1, area.height // 2)
        shape = {"border_top_right_radius": round_tip, "border_bottom_right_radius": round_tip}
        shape |= {"border_top_left_radius": self._px(2), "border_bottom_left_radius": self._px(2)}
        pygame.draw.rect(surface, theme.SUNKEN, area, **shape)
        tint = theme.GOLD if loaded else mixed(self._color, theme.SUNKEN, 0.15)
        lit = pygame.Rect(area.left, area.top, round(area.width * full / size), area.height)
        clip = surface.get_clip()
        surface.set_clip(lit)
        pygame.draw.rect(surface, tint, area, **shape)
        surface.set_clip(clip)
        for tick in range(1, size if size <= _MOST_TICKS else 0):
            x = area.left + area.width * tick / size
            pygame.draw.line(surface, theme.PANEL, (x, area.top), (x, area.bottom - 1), max(1, self._px(2)))
        edge: Color = theme.WHITE if loaded else theme.DANGER if alarm else theme.PANEL_EDGE
        pygame.draw.rect(surface, edge, area, line if not (alarm and not loaded) else 2 * line, **shape)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))


def paint_health_bar(
    surface: pygame.Surface, bar: pygame.Rect, shares: tuple[float, ...], color: Color,
    *, radius: int, edge: int, hits: float = 0, tick: int = 1,
) -> None:  # fmt: skip
    """Paint a bar of health; `shares` are that with what was just lost of it, and that without.

    Ticks so wide are where each of so many `hits` would leave it, if they are few.
    """
    pygame.draw.rect(surface, theme.SUNKEN, bar, border_radius=radius)
    for share, tint in zip(shares, (mixed(theme.WHITE, theme.SUNKEN, 0.25), color), strict=True):
        part = pygame.Rect(bar.left, bar.top, round(bar.width * min(1.0, max(0.0, share))), bar.height)
        if part.width:
            pygame.draw.rect(surface, tint, part, border_radius=radius)
    for hit in range(1, math.ceil(hits) if hits <= _MOST_HITS else 0):
        x = bar.left + bar.width * hit / hits
        pygame.draw.line(surface, theme.PANEL, (x, bar.top), (x, bar.bottom - 1), tick)
    pygame.draw.rect(surface, theme.PANEL_EDGE, bar, edge, border_radius=radius)


_LOW_HEALTH, _MOST_HITS = 0.25, 25
_NAME, _LEVEL, _LABEL, _INFO, _HEALTH_NUMBER = 30, 22, 16, 14, 28
_SHIELD_STEPS = 8  # brightness levels of the shield's label


class PanelHead:
    """Paints one seat's head; in a tall window it is a panel of its own with less in it.

    Its three parts are painted separately: the name, health, and shield and charge, each from its `tops` on, in pixels
    below the head's top.
    """

    _label_size, _tells_brain = _LABEL, True
    """The size of what stands above the name, and whether the level stands beside it and the brain below it."""
    _shield, _no_shield = "SHIELD UP", "shield down"
    _chip_size, _chip_room, _cartridge = 16, 26, 17
    """The size of the shield's label, how much wider its chip is, and a cartridge's height."""

    def __init__(
        self, seat: int, text_renderer: TextRenderer, icons: Icons, scale: float, display: DisplayOptions, *, tall: bool
    ) -> None:
        self._seat, self._text_renderer, self._icons, self._scale = seat, text_renderer, icons, scale
        self._display, self._tall, self._color = display, tall, theme.SEAT_COLORS[seat]
        self._pad, self._charge = self._px(12), self._charge_row(seat)
        name, label = text_renderer.height("title", _NAME), text_renderer.height("label", self._label_size)
        info = text_renderer.height("mono", _INFO) if self._tells_brain and not tall else 0
        self._name_top = self._px(9) + (0 if tall else label - self._px(2))
        self._info_top = self._name_top + name - self._px(3)
        below = self._info_top + info + self._px(2 if tall else 5)
        self._bar_height = max(text_renderer.height("title", _HEALTH_NUMBER) - self._px(4), self._px(22))
        self.tops = 0, below, below + self._bar_height + self._px(5)
        self._chip_height = text_renderer.height("label", self._chip_size) + self._px(4)

    def _charge_row(self, seat: int) -> ChargeRow:
        return ChargeRow(seat, self._text_renderer, self._scale)

    @property
    def height(self) -> int:
        """Return the head's height in pixels."""
        return self.tops[-1] + self._chip_height + self._px(8)

    def keys(self, scene: Scene) -> tuple[Hashable, Hashable, Hashable]:
        """Return values that are equal for scenes with the same pictures of the three parts."""
        pose, activity = scene.bots[self._seat], self._activity(scene)
        full = scene.board.rules.initial_health[self._seat], scene.board.rules.bullet_damage[1 - self._seat]
        health = _stepped(pose.health), _stepped(pose.ghost), self._is_flashing(pose, scene.t), pose.points, full
        chips = _stepped(pose.shield, _SHIELD_STEPS), pose.alive, pose.charge, self._is_alarmed(scene)
        if self._tall:
            return scene.board.seats, health, (chips, activity)
        return (scene.board.seats, activity), health, chips

    def paint(self, part: int, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the part with this number; the surface's top left is that part's."""
        pose = scene.bots[self._seat]
        if part == 0:
            self.paint_upper(surface, scene)
        elif part == 1:
            self._paint_health(surface, scene, pose)
        else:
            self._paint_shield(surface, pose)
            used = self._paint_charge(surface, scene, pose)
            if self._tall:
                self._paint_activity(surface, *self._activity(scene), used=used)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; the surface's top left is the head's."""
        self.paint_name(surface, scene.board.seats)
        if not self._tall:
            info = scene.board.seats[self._seat]
            used = self._mark_width + self._text_renderer.measure(self._label(info, surface), "label", self._label_size)
            self._paint_activity(surface, *self._activity(scene), used=used)

    def _paint_charge(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> int:
        used, rules = self._chip_width(), scene.board.rules
        if not rules.battery or not pose.alive:
            return used
        left, high = self._pad + used + self._px(8 if self._tall else 12), self._px(self._cartridge)
        room = surface.get_width() - left - self._pad
        if self._tall:  # beside what the seat is doing
            room = min(self._px(104), room - self._text_renderer.measure("ACTS", "title", self._chip_size))
        area = pygame.Rect(left, (self._chip_height - high) // 2, room, high)
        end = self._charge.paint(surface, area, rules, pose.charge, alarm=self._is_alarmed(scene))
        return end - self._pad

    def _is_alarmed(self, scene: Scene) -> bool:
        return any(
            effect.kind == "uncharged"
            and effect.bot == self._seat
            and (self._display.reduced_motion or (scene.t - effect.start) % 0.3 < 0.18)
            for effect in scene.effects
        )

    def _paint_activity(self, surface: pygame.Surface, forms: tuple[str, ...], color: Color, used: int) -> None:
        """Paint the longest form that fits beside the seat's label, or (tall) beside its shield: the `used` width."""
        text_renderer, size = self._text_renderer, self._chip_size if self._tall else self._label_size
        room = surface.get_width() - 2 * self._pad - used - self._px(10)
        text = next((form for form in forms if text_renderer.measure(form, "title", size) <= room), forms[-1])
        line = text_renderer.fitted(text, "title", size, color, room)
        top = self._px(2 if self._tall else 10)
        surface.blit(line, line.get_rect(topright=(surface.get_width() - self._pad, top)))

    @property
    def _mark_width(self) -> int:
        return self._px(30 * self._display.ui_scale)

    def _label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        return SEATS[self._seat].upper()

    def paint_name(
        self, surface: pygame.Surface, seats: tuple[SeatInfo, SeatInfo], above: tuple[str, Color] | None = None
    ) -> None:
        """Paint the seat's icon, its name, with the seat where both read the same, and (wide) its brain.

        What stands `above` is the label, unless it is given.
        """
        info, called = seats[self._seat], distinct((seats[0].name, seats[1].name))[self._seat]
        text_renderer, width = self._text_renderer, max(1, surface.get_width() - 2 * self._pad)
        size = self._px(17 * self._display.ui_scale)
        mark, left = self._icons.seat(self._seat, size), self._pad + size + self._px(7)
        if self._tall:
            name = text_renderer.fitted(called, "title", _NAME, theme.TEXT, width - size - self._px(8))
            middle = self._name_top + text_renderer.height("title", _NAME) // 2
            surface.blit(mark, mark.get_rect(midleft=(self._pad, middle)))
            surface.blit(name, name.get_rect(midleft=(left, middle)))
            return
        words, color = above or (self._label(info, surface), self._color)
        label = text_renderer.line(words, "label", self._label_size, color, width - self._mark_width)
        area = label.get_rect(topleft=(left, self._px(10)))
        surface.blit(mark, mark.get_rect(midleft=(self._pad, area.centery)))
        surface.blit(label, area)
        name = text_renderer.fitted(called, "title", _NAME, theme.TEXT, width)
        middle = self._name_top + text_renderer.height("title", _NAME) // 2
        area = surface.blit(name, name.get_rect(midleft=(self._pad, middle)))
        if not self._tells_brain:
            return
        level = level_of(info)
        if level and area.right + self._px(10) + text_renderer.measure(level, "label", _LEVEL) <= width + self._pad:
            line = text_renderer.line(level, "label", _LEVEL, self._color)
            surface.blit(line, line.get_rect(midleft=(area.right + self._px(10), middle + self._px(2))))
        self._paint_brain(surface, info, level, width)

    def _paint_brain(self, surface: pygame.Surface, info: SeatInfo, level: str, width: int) -> None:
        text_renderer, model = self._text_renderer, info.model if info.model not in info.brain else ""
        while "-" in model and text_renderer.measure(clean(f"{info.brain}  {model}"), "mono", _INFO) > width:
            model = model.rpartition("-")[0]  # its last parts tell least: how it was trained, made smaller and packed
        brain = "  ".join(part for part in (info.brain, level, model) if part)
        if level and text_renderer.measure(clean(brain), "mono", _INFO) > width:
            brain = f"{info.brain}  {level}"  # of a cut model little would be left
        surface.blit(text_renderer.line(brain, "mono", _INFO, theme.SOFT, width), (self._pad, self._info_top))

    def _activity(self, scene: Scene) -> tuple[tuple[str, ...], Color]:
        thinking = scene.thinking
        if thinking is None or thinking.bot != self._seat:
            return ("ACTS" if scene.acting == self._seat else "",), self._color
        if thinking.human:
            left = "" if thinking.left is None else f"  {thinking.left:.0f} s"
            return (f"YOUR TURN{left}", f"YOU{left}"), theme.GOLD
        seconds = f"{thinking.seconds:.0f} s" if self._display.reduced_motion else f"{thinking.seconds:.1f} s"
        return (f"THINKING  {seconds}", f"THINKS {seconds}", seconds), theme.GOLD

    def _is_flashing(self, pose: BotPose, t: float) -> bool:
        return 0 < pose.health <= _LOW_HEALTH and (self._display.reduced_motion or t % 0.8 < 0.4)

    def _paint_health(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> None:
        text_renderer, rules = self._text_renderer, scene.board.rules
        number = text_renderer.line(f"{pose.points:g}", "title", _HEALTH_NUMBER, theme.TEXT)
        room = max(number.get_width(), text_renderer.measure("100", "title", _HEALTH_NUMBER))
        high = self._px(20)
        top = (self._bar_height - high) // 2
        bar = pygame.Rect(self._pad, top, surface.get_width() - 2 * self._pad - room - self._px(10), high)
        right = surface.get_width() - self._pad
        surface.blit(number, number.get_rect(midright=(right, bar.centery)))
        color = theme.DANGER if self._is_flashing(pose, scene.t) else self._color
        hits = rules.initial_health[self._seat] / max(rules.bullet_damage[1 - self._seat], 1e-9)
        shares = _stepped(pose.ghost), _stepped(pose.health)
        paint_health_bar(surface, bar, shares, color, radius=self._px(5), edge=self._px(1), hits=hits, tick=self._px(2))

    def _paint_shield(self, surface: pygame.Surface, pose: BotPose) -> None:
        shield = _stepped(pose.shield, _SHIELD_STEPS)
        up = shield > 0.5
        text, color = (self._shield, theme.TEXT) if up else (self._no_shield, theme.SOFT)
        if not pose.alive:
            up, text, color = False, "KNOCKED OUT", theme.DANGER
        line = self._text_renderer.line(text, "label", self._chip_size, color)
        width = max(line.get_width() + self._px(20), self._chip_width())
        fill = mixed(theme.PANEL, self._color, 0.2 + 0.22 * shield) if up else None
        edge = self._color if up else color if not pose.alive else theme.PANEL_EDGE
        chip = self._icons.chip(width, self._chip_height, edge, max(1, self._px(2)), fill)
        area = surface.blit(chip, (self._pad, 0))
        surface.blit(line, line.get_rect(center=area.center))

    def _chip_width(self) -> int:
        words = (self._shield, self._no_shield)
        wide = max(self._text_renderer.measure(each, "label", self._chip_size) for each in words)
        return wide + self._px(self._chip_room)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))


def _stepped(share: float, steps: int = 400) -> float:
    """Return a share rounded to steps, so that a picture never depends on the ones painted before it."""
    return round(share * steps) / steps
