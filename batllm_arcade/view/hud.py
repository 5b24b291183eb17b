"""The panels beside the arena and the bar above it: who plays, who thinks, what was said and done."""

from __future__ import annotations

import math

import pygame

from batllm_arcade.brains import SeatInfo
from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotMoved
from batllm_arcade.core.model import SEATS
from batllm_arcade.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.scene import BotPose, Scene
from batllm_arcade.view.text import Letters
from batllm_arcade.view.theme import Color, mixed

_PAD = 14
_TOP, _HEIGHT = theme.ARENA_TOP, theme.ARENA_SIZE
_THOUGHT, _PLAY, _REPLY, _ORDERS = 172, 352, 462, 556
"""Where a panel's sections begin, in pixels from its top at scale 1."""
_MONO = 13


class Hud:
    """Draws the panels at one scale; `origin` is the pixel of the logical (0, 0)."""

    def __init__(self, letters: Letters, scale: float, origin: tuple[float, float]) -> None:
        self._letters, self._scale, self._origin = letters, scale, origin

    def draw_panels(self, target: pygame.Surface) -> None:
        """The two empty panels."""
        for seat in (0, 1):
            panel = self._rect(seat, 0, 0, theme.PANEL_WIDTH, _HEIGHT)
            pygame.draw.rect(target, theme.PANEL, panel, border_radius=self._px(10))
            pygame.draw.rect(target, theme.PANEL_EDGE, panel, 1, border_radius=self._px(10))
            strip = self._rect(seat, 0, 0, theme.PANEL_WIDTH, 5)
            pygame.draw.rect(target, theme.SEAT_COLORS[seat], strip, border_radius=self._px(3))

    def draw_furniture(self, target: pygame.Surface) -> None:
        """What never changes in the panels during a match: boxes and headings."""
        for seat in (0, 1):
            for top, bottom in ((_THOUGHT + 24, _PLAY - 12), (_REPLY + 24, _ORDERS - 10)):
                box = self._rect(seat, _PAD - 4, top, theme.PANEL_WIDTH - 2 * _PAD + 8, bottom - top)
                pygame.draw.rect(target, theme.SUNKEN, box, border_radius=self._px(6))
            for top, words in ((_PLAY, "LAST PLAY"), (_REPLY, "RAW REPLY"), (_ORDERS, "ORDERS")):
                self._put(target, seat, self._label(words), _PAD, top)

    def draw(self, target: pygame.Surface, scene: Scene) -> None:
        """Draw both panels and the bar above."""
        self._draw_bar(target, scene)
        for seat in (0, 1):
            self._draw_head(target, seat, scene)
            self._draw_health(target, seat, scene)
            self._draw_thought(target, seat, scene)
            self._draw_play(target, seat, scene)

    def draw_names(self, target: pygame.Surface, seats: tuple[SeatInfo, SeatInfo]) -> None:
        """Only who plays, before there is anything else to say."""
        width = self._px(theme.PANEL_WIDTH - 2 * _PAD)
        for seat, info in enumerate(seats):
            self._put(
                target, seat, self._letters.line(SEATS[seat].upper(), "label", 14, theme.SEAT_COLORS[seat]), _PAD, 14
            )
            self._put(target, seat, self._letters.line(info.name, "title", 28, theme.TEXT, width), _PAD, 30)
            self._put(target, seat, self._letters.block(info.brain, "mono", 12, theme.SOFT, width, 2), _PAD, 66)

    def _draw_bar(self, target: pygame.Surface, scene: Scene) -> None:
        board, line = scene.board, self._letters.line
        logo = line("BATLLM", "title", 24, theme.TEXT)
        self._at(target, logo, theme.MARGIN, 16)
        self._at(target, line("ARCADE", "title", 24, theme.GOLD), theme.MARGIN + 8 + logo.get_width() / self._scale, 16)
        if board.round:
            words = f"ROUND {board.round}/{board.rules.total_rounds}    TURN {board.turn}/{board.rules.turns_per_round}"
        else:
            words = "GET READY"
        title = line(words, "title", 26, theme.TEXT)
        self._at(target, title, theme.WIDTH / 2 - title.get_width() / self._scale / 2, 14)
        facts = line(f"game {board.game}   seed {board.seed}", "mono", 14, theme.DIM)
        self._at(target, facts, theme.WIDTH - theme.MARGIN - facts.get_width() / self._scale, 22)

    def _draw_head(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        info, color = scene.board.seats[seat], theme.SEAT_COLORS[seat]
        width = self._px(theme.PANEL_WIDTH - 2 * _PAD)
        busy = scene.acting == seat or (scene.thinking is not None and scene.thinking.bot == seat)
        if busy:
            glow = 0.55 + 0.45 * math.sin(5 * scene.t)
            panel = self._rect(seat, 0, 0, theme.PANEL_WIDTH, _HEIGHT)
            edge = mixed(theme.PANEL_EDGE, color, 0.4 + 0.6 * glow)
            pygame.draw.rect(target, edge, panel, max(2, self._px(2)), border_radius=self._px(10))
        self._put(target, seat, self._letters.line(SEATS[seat].upper(), "label", 14, color), _PAD, 14)
        self._put(target, seat, self._letters.line(info.name, "title", 28, theme.TEXT, width), _PAD, 30)
        brain = f"{info.brain}  {info.model}" if info.model else info.brain
        self._put(target, seat, self._letters.line(brain, "mono", 12, theme.SOFT, width), _PAD, 66)

    def _draw_health(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        pose, board, t = scene.bots[seat], scene.board, scene.t
        color = theme.SEAT_COLORS[seat]
        points = self._letters.line(f"{pose.points:g}", "title", 24, theme.TEXT)
        self._put(target, seat, points, theme.PANEL_WIDTH - _PAD - points.get_width() / self._scale, 88)
        bar = self._rect(seat, _PAD, 96, theme.PANEL_WIDTH - 2 * _PAD - 56, 16)
        pygame.draw.rect(target, theme.SUNKEN, bar, border_radius=self._px(5))
        low = theme.DANGER if pose.health <= 0.25 and t % 0.8 < 0.4 else color
        for share, tint in ((pose.ghost, mixed(theme.DANGER, theme.SUNKEN, 0.3)), (pose.health, low)):
            part = bar.copy()
            part.width = round(bar.width * min(1.0, max(0.0, share)))
            if part.width:
                pygame.draw.rect(target, tint, part, border_radius=self._px(5))
        hits = board.rules.initial_health[seat] / max(board.rules.bullet_damage[1 - seat], 1e-9)
        for number in range(1, math.ceil(hits) if hits <= 25 else 0):
            x = bar.left + bar.width * number / hits
            pygame.draw.line(target, theme.PANEL, (x, bar.top), (x, bar.bottom - 1), max(1, self._px(2)))
        self._draw_shield(target, seat, pose, color)

    def _draw_shield(self, target: pygame.Surface, seat: int, pose: BotPose, color: Color) -> None:
        chip = self._rect(seat, _PAD, 126, 132, 26)
        up = pose.shield > 0.5
        if up:
            pygame.draw.rect(
                target, mixed(theme.PANEL, color, 0.30 + 0.7 * pose.shield * 0.3), chip, border_radius=self._px(13)
            )
        pygame.draw.rect(
            target, color if up else theme.PANEL_EDGE, chip, max(1, self._px(2)), border_radius=self._px(13)
        )
        words = self._letters.line("SHIELD UP" if up else "shield down", "label", 15, theme.TEXT if up else theme.DIM)
        target.blit(words, words.get_rect(center=chip.center))

    def _draw_thought(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        thinking = scene.thinking if scene.thinking is not None and scene.thinking.bot == seat else None
        width = self._px(theme.PANEL_WIDTH - 2 * _PAD)
        play = scene.board.plays[seat]
        text, color = (play.decision.thought if play else ""), theme.SOFT
        if play and not text and play.status != "ok":
            text, color = play.reason, theme.DANGER
        if thinking is None:
            self._put(target, seat, self._label("THOUGHT"), _PAD, _THOUGHT)
        elif thinking.human:
            self._put(target, seat, self._letters.line("YOUR TURN", "label", 15, theme.GOLD), _PAD, _THOUGHT)
            if thinking.left is not None:
                self._put_right(target, seat, f"{thinking.left:.0f} s left", _THOUGHT + 1)
        else:
            dots = "." * (1 + int(scene.t * 3) % 3)
            self._put(target, seat, self._letters.line("THINKING" + dots, "label", 15, theme.GOLD), _PAD, _THOUGHT)
            self._put_right(target, seat, f"{thinking.seconds:.1f} s", _THOUGHT + 1)
            text, color = (thinking.text, theme.TEXT) if thinking.text else (text, theme.DIM)
        if scene.board.seats[seat].human:
            text, color = "", theme.SOFT
            self._draw_keys(target, seat, scene)
        elif not text and thinking is None:
            self._draw_tally(target, seat, scene)
        block = self._letters.block(text, "mono", _MONO, color, width, 8, tail=thinking is not None)
        self._put(target, seat, block, _PAD + 4, _THOUGHT + 32)

    def _draw_tally(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        """What it has done so far, where somebody who never speaks would have thoughts."""
        tally = scene.board.tallies[seat]
        rows = (("shots", tally.shots), ("hits", tally.hits), ("blocks", tally.blocks), ("fumbles", tally.fumbles))
        for row, (name, count) in enumerate(rows):
            top = _THOUGHT + 34 + row * 24
            self._put(target, seat, self._letters.line(name, "mono", 13, theme.DIM), _PAD + 4, top)
            self._put(target, seat, self._letters.line(str(count), "bold", 13, theme.SOFT), _PAD + 92, top)

    def _draw_keys(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        """The controls, where a model's thoughts would be."""
        both = all(info.human for info in scene.board.seats)
        for row, (key, words) in enumerate(keys_of(seat, both)):
            top = _THOUGHT + 34 + row * 24
            self._put(target, seat, self._letters.line(key, "bold", 13, theme.SEAT_COLORS[seat]), _PAD + 4, top)
            self._put(target, seat, self._letters.line(words, "mono", 13, theme.SOFT), _PAD + 108, top)

    def _draw_play(self, target: pygame.Surface, seat: int, scene: Scene) -> None:
        play, board = scene.board.plays[seat], scene.board
        width = self._px(theme.PANEL_WIDTH - 2 * _PAD)
        orders = board.prompts[seat] or "none"
        if board.seats[seat].human:
            orders = "nobody orders a person about"
        block = self._letters.block(orders, "mono", 12, theme.SOFT if board.prompts[seat] else theme.DIM, width, 3)
        self._put(target, seat, block, _PAD, _ORDERS + 22)
        if play is None:
            return
        latency = self._letters.line(_seconds(play.latency_s), "mono", 13, theme.DIM)
        self._put(target, seat, latency, theme.PANEL_WIDTH - _PAD - latency.get_width() / self._scale, _PLAY + 1)
        trouble = play.status != "ok"
        token = self._letters.line(play.command.token, "bold", 30, theme.DANGER if trouble else theme.SEAT_COLORS[seat])
        self._put(target, seat, token, _PAD, _PLAY + 20)
        done = "speaks" if play.decision.say and isinstance(play.command, Nothing) else describe(play.command)
        words, color = (play.status, theme.DANGER) if trouble else (done, theme.TEXT)
        room = width - token.get_width() - self._px(14)
        line = self._letters.line(words, "label", 17, color, room)
        self._put(target, seat, line, _PAD + token.get_width() / self._scale + 14, _PLAY + 30)
        outcome, tint = _outcome(play) if scene.t >= board.known_at[seat] else ("", theme.SOFT)
        shown = "" if trouble and not play.decision.thought else play.reason if trouble else outcome
        self._put(target, seat, self._letters.block(shown, "mono", 12, tint, width, 2), _PAD, _PLAY + 64)
        self._draw_reply(target, seat, play, width)

    def _draw_reply(self, target: pygame.Surface, seat: int, play: Play, width: float) -> None:
        raw = play.decision.raw if play.decision.raw.strip() else "(no answer)" if play.status != "ok" else ""
        color = theme.GOOD if play.status == "ok" else theme.SOFT
        self._put(target, seat, self._letters.block(raw, "mono", 12, color, width, 3), _PAD + 4, _REPLY + 29)

    def _put_right(self, target: pygame.Surface, seat: int, words: str, y: float) -> None:
        clock = self._letters.line(words, "mono", 13, theme.GOLD)
        self._put(target, seat, clock, theme.PANEL_WIDTH - _PAD - clock.get_width() / self._scale, y)

    def _label(self, words: str) -> pygame.Surface:
        return self._letters.line(words, "label", 15, theme.DIM)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))

    def _left(self, seat: int) -> float:
        return theme.WIDTH - theme.MARGIN - theme.PANEL_WIDTH if seat else theme.MARGIN

    def _rect(self, seat: int, x: float, y: float, width: float, height: float) -> pygame.Rect:
        left, top = self._pixel(self._left(seat) + x, _TOP + y)
        return pygame.Rect(left, top, self._px(width), self._px(height))

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        return round(self._origin[0] + x * self._scale), round(self._origin[1] + y * self._scale)

    def _put(self, target: pygame.Surface, seat: int, surface: pygame.Surface, x: float, y: float) -> None:
        target.blit(surface, self._pixel(self._left(seat) + x, _TOP + y))

    def _at(self, target: pygame.Surface, surface: pygame.Surface, x: float, y: float) -> None:
        target.blit(surface, self._pixel(x, y))


def keys_of(seat: int, both: bool) -> tuple[tuple[str, str], ...]:
    """The keys of a person's seat and what they do; a person alone may use either set."""
    if both:
        sets = (("A D", "W", "SPACE", "S"), ("\u2190 \u2192", "\u2191", "ENTER", "\u2193"))[seat]
    else:
        sets = ("\u2190 \u2192  A D", "\u2191  W", "SPACE", "\u2193  S")
    return tuple(zip(sets, ("hold to aim", "move", "fire", "shield up/down"), strict=True))


def describe(command: Command) -> str:
    """A command in words."""
    match command:
        case Rotate(degrees=degrees):
            return f"turns {'right' if degrees >= 0 else 'left'} {abs(degrees):.0f}\u00b0"
        case Move(distance=distance):
            return "moves" if distance is None else f"moves {distance:g}"
        case Shield(up=up):
            return {True: "shield up", False: "shield down", None: "toggles shield"}[up]
        case Fire():
            return "fires"
        case Nothing():
            return "does nothing"


def _outcome(play: Play) -> tuple[str, Color]:
    names = {type(event).__name__ for event in play.events}
    if play.status != "ok":
        return "", theme.DANGER
    if "BotHit" in names:
        return "a hit!", theme.GOLD
    if "ShotBlocked" in names:
        return "blocked by the shield", theme.SOFT
    if "ShotMissed" in names:
        return "missed", theme.SOFT
    for event in play.events:
        if isinstance(event, BotMoved) and event.stopped_by:
            where = "the wall" if event.stopped_by == "wall" else "the other bot"
            return (f"blocked by {where}" if event.start == event.end else f"stopped at {where}"), theme.SOFT
    if "FireRefused" in names:
        return "its own shield is up: nothing happened", theme.GOLD
    return "", theme.SOFT


def _seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
