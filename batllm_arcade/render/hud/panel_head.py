"""The head of a panel: name, health, charge."""

from __future__ import annotations

import math
from collections.abc import Hashable

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match.series import distinct
from batllm_arcade.render.hud.panels import Panel
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


class PanelHead(Panel):
    """Paints one seat's head; in a tall window it is a panel of its own with less in it.

    Its three parts are painted separately: the name, health, and shield and charge, each from its `tops` on, in pixels
    below the head's top.
    """

    label_size, tells_brain = _LABEL, True
    """The size of what stands above the name, and whether the level stands beside it and the brain below it."""
    shield_up, shield_down = "SHIELD UP", "shield down"
    chip_size, chip_room, cartridge = 16, 26, 17
    """The size of the shield's label, how much wider its chip is, and a cartridge's height."""

    def __init__(
        self, seat: int, text: TextRenderer, icons: Icons, scale: float, display: DisplayOptions, *, tall: bool
    ) -> None:
        super().__init__(seat, text, icons, scale)
        self._display, self._tall, self._charge = display, tall, self.charge_row()
        name, label = text.height("title", _NAME), text.height("label", self.label_size)
        info = text.height("mono", _INFO) if self.tells_brain and not tall else 0
        self._name_top = self.px(9) + (0 if tall else label - self.px(2))
        self._info_top = self._name_top + name - self.px(3)
        below = self._info_top + info + self.px(2 if tall else 5)
        self._bar_height = max(text.height("title", _HEALTH_NUMBER) - self.px(4), self.px(22))
        self.tops = 0, below, below + self._bar_height + self.px(5)
        self._chip_height = text.height("label", self.chip_size) + self.px(4)
        words = (self.shield_up, self.shield_down)
        self._chip_width = max(text.measure(each, "label", self.chip_size) for each in words) + self.px(self.chip_room)
        self.mark_width = self.px(30 * display.ui_scale)

    def charge_row(self) -> ChargeRow:
        """Return what paints the cartridges."""
        return ChargeRow(self.seat, self.text, self.scale)

    @property
    def height(self) -> int:
        """Return the head's height in pixels."""
        return self.tops[-1] + self._chip_height + self.px(8)

    def keys(self, scene: Scene) -> tuple[Hashable, Hashable, Hashable]:
        """Return values that are equal for scenes with the same pictures of the three parts."""
        pose, activity = scene.bots[self.seat], self.activity(scene)
        full = scene.board.rules.initial_health[self.seat], scene.board.rules.bullet_damage[1 - self.seat]
        health = _stepped(pose.health), _stepped(pose.ghost), self._is_flashing(pose, scene.t), pose.points, full
        chips = _stepped(pose.shield, _SHIELD_STEPS), pose.alive, pose.charge, self._is_alarmed(scene)
        if self._tall:
            return scene.board.seats, health, (chips, activity)
        return (scene.board.seats, activity), health, chips

    def paint(self, part: int, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the part with this number; the surface's top left is that part's."""
        pose = scene.bots[self.seat]
        if part == 0:
            self.paint_upper(surface, scene)
        elif part == 1:
            self._paint_health(surface, scene, pose)
        else:
            self._paint_shield(surface, pose)
            used = self._paint_charge(surface, scene, pose)
            if self._tall:
                self._paint_activity(surface, scene, used)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; the surface's top left is the head's."""
        self.paint_name(surface, scene.board.seats)
        if not self._tall:
            words = self.label(scene.board.seats[self.seat], surface)
            self._paint_activity(surface, scene, self.mark_width + self.text.measure(words, "label", self.label_size))

    def _paint_charge(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> int:
        """Paint the cartridges beside the shield's label, if there is a battery; return how wide both are."""
        used, rules = self._chip_width, scene.board.rules
        if not rules.battery or not pose.alive:
            return used
        left, high = self.pad + used + self.px(8 if self._tall else 12), self.px(self.cartridge)
        room = surface.get_width() - left - self.pad
        if self._tall:  # beside what the seat is doing
            room = min(self.px(104), room - self.text.measure("ACTS", "title", self.chip_size))
        area = pygame.Rect(left, (self._chip_height - high) // 2, room, high)
        return self._charge.paint(surface, area, rules, pose.charge, alarm=self._is_alarmed(scene)) - self.pad

    def _is_alarmed(self, scene: Scene) -> bool:
        """Return whether the empty cartridges stand out, because a play was just refused for want of charge."""
        return any(
            effect.kind == "uncharged"
            and effect.bot == self.seat
            and (self._display.reduced_motion or (scene.t - effect.start) % 0.3 < 0.18)
            for effect in scene.effects
        )

    def _paint_activity(self, surface: pygame.Surface, scene: Scene, used: int) -> None:
        """Paint the longest form that fits beside the seat's label, or (tall) beside its shield: the `used` width."""
        (forms, color), size = self.activity(scene), self.chip_size if self._tall else self.label_size
        room = surface.get_width() - 2 * self.pad - used - self.px(10)
        words = next((form for form in forms if self.text.measure(form, "title", size) <= room), forms[-1])
        corner = surface.get_width() - self.pad, self.px(2 if self._tall else 10)
        self.text.put(surface, words, "title", size, color, room, topright=corner)

    def label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        """Return what stands above the name."""
        return SEATS[self.seat].upper()

    def paint_name(
        self, surface: pygame.Surface, seats: tuple[SeatInfo, SeatInfo], above: tuple[str, Color] | None = None
    ) -> None:
        """Paint the seat's icon, its name, with the seat where both read the same, and (wide) its brain.

        What stands `above` is the label, unless it is given.
        """
        info, called = seats[self.seat], distinct((seats[0].name, seats[1].name))[self.seat]
        text, pad, width = self.text, self.pad, max(1, surface.get_width() - 2 * self.pad)
        size = self.px(17 * self._display.ui_scale)
        mark, left = self.icons.seat(self.seat, size), pad + size + self.px(7)
        middle = self._name_top + text.height("title", _NAME) // 2
        if self._tall:
            surface.blit(mark, mark.get_rect(midleft=(pad, middle)))
            room = width - size - self.px(8)
            text.put(surface, called, "title", _NAME, theme.TEXT, room, midleft=(left, middle))
            return
        words, color = above or (self.label(info, surface), self.color)
        room, corner = width - self.mark_width, (left, self.px(10))
        area = text.put(surface, words, "label", self.label_size, color, room, cut=True, topleft=corner)
        surface.blit(mark, mark.get_rect(midleft=(pad, area.centery)))
        area = text.put(surface, called, "title", _NAME, theme.TEXT, width, midleft=(pad, middle))
        if not self.tells_brain:
            return
        level, after = level_of(info), area.right + self.px(10)
        if level and after + text.measure(level, "label", _LEVEL) <= width + pad:
            text.put(surface, level, "label", _LEVEL, self.color, midleft=(after, middle + self.px(2)))
        self._paint_brain(surface, info, level, width)

    def _paint_brain(self, surface: pygame.Surface, info: SeatInfo, level: str, width: int) -> None:
        """Paint the brain, its level and as many parts of its model's name as fit."""
        model = info.model if info.model not in info.brain else ""

        def fits(words: str) -> bool:
            return self.text.measure(clean(words), "mono", _INFO) <= width

        while "-" in model and not fits(f"{info.brain}  {model}"):
            model = model.rpartition("-")[0]  # its last parts tell least: how it was trained, made smaller and packed
        brain = "  ".join(part for part in (info.brain, level, model) if part)
        if level and not fits(brain):
            brain = f"{info.brain}  {level}"  # of a cut model little would be left
        corner = self.pad, self._info_top
        self.text.put(surface, brain, "mono", _INFO, theme.SOFT, width, cut=True, topleft=corner)

    def activity(self, scene: Scene) -> tuple[tuple[str, ...], Color]:
        """Return what the seat is doing, in longer and shorter forms, and its colour."""
        thinking = scene.thinking
        if thinking is None or thinking.bot != self.seat:
            return ("ACTS" if scene.acting == self.seat else "",), self.color
        if thinking.human:
            left = "" if thinking.left is None else f"  {thinking.left:.0f} s"
            return (f"YOUR TURN{left}", f"YOU{left}"), theme.GOLD
        seconds = f"{thinking.seconds:.0f} s" if self._display.reduced_motion else f"{thinking.seconds:.1f} s"
        return (f"THINKING  {seconds}", f"THINKS {seconds}", seconds), theme.GOLD

    def _is_flashing(self, pose: BotPose, t: float) -> bool:
        return 0 < pose.health <= _LOW_HEALTH and (self._display.reduced_motion or t % 0.8 < 0.4)

    def _paint_health(self, surface: pygame.Surface, scene: Scene, pose: BotPose) -> None:
        rules, right, high = scene.board.rules, surface.get_width() - self.pad, self.px(20)
        top = (self._bar_height - high) // 2
        at = right, top + high // 2
        number = self.text.put(surface, f"{pose.points:g}", "title", _HEALTH_NUMBER, theme.TEXT, midright=at)
        room = max(number.width, self.text.measure("100", "title", _HEALTH_NUMBER))
        bar = pygame.Rect(self.pad, top, right - self.pad - room - self.px(10), high)
        color = theme.DANGER if self._is_flashing(pose, scene.t) else self.color
        hits = rules.initial_health[self.seat] / max(rules.bullet_damage[1 - self.seat], 1e-9)
        shares = _stepped(pose.ghost), _stepped(pose.health)
        paint_health_bar(surface, bar, shares, color, radius=self.px(5), edge=self.px(1), hits=hits, tick=self.px(2))

    def _paint_shield(self, surface: pygame.Surface, pose: BotPose) -> None:
        shield = _stepped(pose.shield, _SHIELD_STEPS)
        up = shield > 0.5
        words, color = (self.shield_up, theme.TEXT) if up else (self.shield_down, theme.SOFT)
        if not pose.alive:
            up, words, color = False, "KNOCKED OUT", theme.DANGER
        line = self.text.line(words, "label", self.chip_size, color)
        width = max(line.get_width() + self.px(20), self._chip_width)
        fill = mixed(theme.PANEL, self.color, 0.2 + 0.22 * shield) if up else None
        edge = self.color if up else color if not pose.alive else theme.PANEL_EDGE
        chip = self.icons.chip(width, self._chip_height, edge, max(1, self.px(2)), fill)
        area = surface.blit(chip, (self.pad, 0))
        surface.blit(line, line.get_rect(center=area.center))


def _stepped(share: float, steps: int = 400) -> float:
    """Return a share rounded to steps, so that a picture never depends on the ones painted before it."""
    return round(share * steps) / steps
