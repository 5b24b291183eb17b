"""The lower part of a seat's panel: its thought, its last play, the raw reply and the prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pygame

from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.hud.panel_boxes import LABEL, THOUGHT, PanelBoxes
from batllm_arcade.render.hud.panel_play import PlaySection
from batllm_arcade.render.hud.panel_reply import REPLY, ReplySection
from batllm_arcade.render.hud.panel_thought import ThoughtSection
from batllm_arcade.render.text import MOST_CHARACTERS, TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import Color

_PROMPT = 15  # font size
_FOLLOWS = 0.6  # of what a thought is larger, the share by which the reply is
_REPLY_LINES, _PROMPT_LINES, _MIN_THOUGHT_LINES = 3, 2, 3


@dataclass(frozen=True, slots=True)
class _Heights:
    """Heights of the boxes in pixels and in lines; a `reply` of 0 pixels is left out, as is a prompt without room."""

    thought: int
    thought_lines: int
    reply: int
    reply_lines: int
    prompt: bool


class _Identity:
    """Equal to another only if both hold the same object: comparing plays field by field would be slow."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self._value is other._value

    __hash__ = None  # type: ignore[assignment]


class PanelBody:
    """Paints one seat's body; if there is too little room the prompt is left out first."""

    _plays: type[PlaySection] = PlaySection
    _label_size: float = LABEL

    def __init__(
        self, seat: int, text_renderer: TextRenderer, icons: Icons, scale: float, *, tall: bool, text: float = THOUGHT
    ) -> None:
        """`text` is the font size of what is thought; where that is larger, the reply is a little larger, too."""
        self._seat, self._text_renderer, self._boxes = (
            seat,
            text_renderer,
            PanelBoxes(text_renderer, scale, text, self._label_size),
        )
        self._thought = ThoughtSection(seat, self._boxes)
        self._play = self._plays(seat, self._boxes, icons)
        self._reply = ReplySection(self._boxes, REPLY * (1 + _FOLLOWS * (text / THOUGHT - 1)))
        self._top = self._boxes.px(10 if tall else 2)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return a value that is equal for scenes with the same picture of this body."""
        board, seat = scene.board, self._seat
        thinking = self._thought.thinking(scene)
        text = None if thinking is None else (thinking.human, thinking.text[-MOST_CHARACTERS:])
        known, play = scene.t >= board.known_at[seat], _Identity(board.plays[seat])
        return text, known, play, board.seats[seat], scene.keys[seat], _orders(scene, seat), board.tallies[seat]

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel."""
        heights, boxes, top = self._heights(surface.get_height(), self._has_no_reply(scene)), self._boxes, self._top
        self._thought.paint(surface, scene, top, heights.thought, heights.thought_lines)
        top += boxes.label_height + heights.thought + boxes.px(4)
        self._play.paint(surface, scene, top)
        top += self._play.height
        if heights.reply:
            self._reply.paint(surface, scene.board.plays[self._seat], top, heights.reply, heights.reply_lines)
            top += boxes.label_height + heights.reply + boxes.px(6)
        if heights.prompt:
            self._paint_prompt(surface, scene, top)

    def paint_prompt(self, surface: pygame.Surface, prompt: str, *, human: bool) -> None:
        """Paint the prompt alone, with as many lines as there is room for."""
        boxes = self._boxes
        height = surface.get_height() - self._top - boxes.label_height - boxes.px(12)
        if height < boxes.line_height + boxes.px(12):
            return
        boxes.label(surface, "ORDERS", self._top)
        area = boxes.sunken(surface, self._top + boxes.label_height, height)
        text, color = _prompt_text(prompt, human=human)
        boxes.block(surface, area, text, color, max(1, area.height // boxes.line_height))

    def _paint_prompt(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        self._boxes.label(surface, "ORDERS", top)
        orders = _orders(scene, self._seat)
        if orders is None:
            return
        text, color = _prompt_text(orders, human=scene.board.seats[self._seat].human)
        width = max(1, surface.get_width() - 2 * self._boxes.pad)
        block = self._text_renderer.block(text, "label", _PROMPT, color, width, _PROMPT_LINES)
        surface.blit(block, (self._boxes.pad, top + self._boxes.label_height))

    def _has_no_reply(self, scene: Scene) -> bool:
        """Return whether this seat writes nothing but commands: then there is no reply worth showing."""
        info, play = scene.board.seats[self._seat], scene.board.plays[self._seat]
        if info.human:
            return True
        if info.model or play is None:
            return not info.model
        return play.decision.raw.strip() in ("", str(play.decision.command or "")) and play.decision.queued_from is None

    def _heights(self, height: int, no_reply: bool) -> _Heights:
        """Divide the panel's height: the play gets all it needs, then thought and reply share, then the prompt."""
        text_renderer, label, box = self._text_renderer, self._boxes.label_height, self._boxes.px(12)
        reply, thought = text_renderer.height("mono", REPLY), self._boxes.line_height
        room = height - self._boxes.px(20) - self._play.height - 2 * (label + box)
        prompt = label + _PROMPT_LINES * text_renderer.height("label", _PROMPT) + self._boxes.px(8)
        with_prompt = room - prompt - _REPLY_LINES * reply >= _MIN_THOUGHT_LINES * thought
        if with_prompt:
            room -= prompt
        fitting = (
            count for count in range(_REPLY_LINES, 1, -1) if room - count * reply >= _MIN_THOUGHT_LINES * thought
        )
        reply_lines = next(fitting, 1)
        rest = max(room - reply_lines * reply, thought)
        heights = _Heights(rest + box, rest // thought, reply_lines * reply + box, reply_lines, with_prompt)
        if no_reply or room - reply_lines * reply < thought:  # the thought's box takes the reply's room
            whole = max(room + label + box, thought)
            return replace(heights, thought=whole + box, thought_lines=whole // thought, reply=0)
        return heights


def _orders(scene: Scene, seat: int) -> str | None:
    """Return a seat's orders; None before the first round, which brings them."""
    return scene.board.prompts[seat] if scene.board.round else None


def _prompt_text(prompt: str, *, human: bool) -> tuple[str, Color]:
    """Return the text shown for a prompt and its colour."""
    text = "played by hand" if human else prompt or "none"
    return text, theme.SOFT if prompt and not human else theme.DIM
