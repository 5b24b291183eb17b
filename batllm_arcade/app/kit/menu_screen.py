"""Screens of menus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import pygame

from batllm_arcade.app.input.controls import PAD, Intent, Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.form import Form, Picker
from batllm_arcade.app.kit.keycaps import CornerButton, HintBar
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.kit.widgets import ListEntry, place, rows
from batllm_arcade.render.draw_list import wash
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

# -- What lies behind the menus

DIMMED = (74, 76, 84)
"""How much of the light, of 255, is left of what lies behind a panel."""
_DUST = 34
_GOLDEN = 0.6180339887


def draw_backdrop(canvas: Canvas, now: float, *, still: bool) -> None:
    """Fill the whole canvas; only the dust moves, and it holds still where motion is reduced."""
    width, height = size = canvas.size
    canvas.target.blit(_painted(size, pygame.display.get_surface() is not None), (0, 0))
    t = 0.0 if still else now
    for mote in range(_DUST):
        depth = 0.35 + 0.65 * ((mote * _GOLDEN * 3) % 1)
        x = ((mote * _GOLDEN + t * 0.010 * depth) % 1) * width
        y = (((mote * 0.371 - t * 0.014 * depth) % 1) * 1.1 - 0.05) * height
        shine = depth * (0.35 + 0.25 * math.sin(1.3 * t + mote))
        side = theme.SEAT_COLORS[0] if x < width / 2 else theme.SEAT_COLORS[1]
        reach = max(1, round(2.2 * depth * height / 720))
        pygame.draw.rect(canvas.target, mixed(theme.NIGHT, side, shine * 0.7), (x, y, reach, reach))


@lru_cache(maxsize=1)  # all menus of a window share it
def _painted(size: tuple[int, int], converted: bool) -> pygame.Surface:
    """Return what does not move, `converted` to the pixels of the window if there is one."""
    width, height = size
    surface = pygame.Surface(size)
    surface.fill(theme.NIGHT)
    horizon = height * 0.60
    grid = mixed(theme.NIGHT, theme.WALL, 0.20)
    for line in range(1, 12):
        y = horizon + (height - horizon) * (line / 11) ** 2.2
        pygame.draw.line(surface, mixed(theme.NIGHT, grid, 0.25 + 0.75 * line / 11), (0, y), (width, y))
    for line in range(-16, 17):
        x = width / 2 + line * width * 0.035
        end = width / 2 + line * width * 0.16
        pygame.draw.aaline(surface, mixed(theme.NIGHT, grid, 0.55), (x, horizon), (end, height))
    for side, color in enumerate(theme.SEAT_COLORS):
        _add_light(surface, (width * side, height * 0.58), width * 0.52, color, 0.17)
    _add_light(surface, (width / 2, height * 0.58), width * 0.45, theme.WALL, 0.16)
    return surface.convert() if converted else surface


def _add_light(surface: pygame.Surface, at: tuple[float, float], radius: float, color: Color, strength: float) -> None:
    small = 48
    light = pygame.Surface((2 * small, 2 * small))
    for ring in range(small, 0, -1):
        share = (1 - ring / small) ** 2 * strength
        pygame.draw.circle(light, mixed((0, 0, 0), color, share), (small, small), ring)
    wide = round(2 * radius)
    light = pygame.transform.smoothscale(light, (wide, wide))
    surface.blit(light, (round(at[0] - radius), round(at[1] - radius)), special_flags=pygame.BLEND_RGB_ADD)


# -- What all menus share

TOP, BOTTOM = 92.0, 64.0
"""What a menu's heading and its hints take, logical units."""
_DOUBLE_S = 0.35


class MenuScreen:
    """A screen with a form; a subclass places widgets in `arrange` and paints around them in `paint`."""

    repeats = True
    """Whether a direction that is held comes again and again."""
    below: Screen | None = None
    """The screen that is seen behind this one, None for the backdrop."""
    heading = ""
    leads_back = True
    """Whether the button at the top left is there, which goes back."""

    def __init__(self, ui: Ui) -> None:
        self.ui = ui
        self.form = Form(self._moved)
        self.picker: Picker | None = None
        self.hint_bar, self.corner = HintBar(), CornerButton()
        self.problem = ""
        """One sentence in place of the hint, until something else is done."""
        self.types_anywhere = False
        """Whether letters are taken as text while a button has the focus, too."""
        self.before_update: list[Callable[[], None]] = []
        """Called first thing in `update`, for parts of the screen that keep a state of their own."""
        self._canvas: Canvas | None = None
        self.now = 0.0
        self._clicked: tuple[float, int, tuple[int, int]] = (-9.0, 0, (0, 0))

    def arrange(self, canvas: Canvas) -> None:
        """Give the widgets their boxes; called after every `update`."""

    def area(self, canvas: Canvas) -> Box:
        """Return the room between the heading and the hints."""
        margin = canvas.margin
        return Box(margin, TOP, canvas.width - 2 * margin, canvas.height - BOTTOM - 8 - TOP)

    def place_hints(self, canvas: Canvas) -> None:
        """Give the hints their places: at the bottom, in the middle."""
        self.hints_at(canvas, (canvas.width / 2, canvas.height - 22))

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw what lies below the widgets; change nothing."""

    def paint_over(self, canvas: Canvas, now: float) -> None:
        """Draw what lies above the widgets; change nothing."""

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the hints at the bottom: keys, or the intents and actions that they are bound to, and what they do."""
        return [("confirm", "choose"), ("back", "back"), ("help", "help")]

    @property
    def news(self) -> str:
        """What is said in place of the hint, "" if nothing is."""
        return ""

    def back(self) -> None:
        """Do what the intent of going back means here."""
        raise NotImplementedError

    def leave_screen(self) -> None:
        """Go back from wherever the focus is, as the button at the top left does."""
        self.back()

    def go_on(self) -> None:
        """Do what start on the gamepad, ctrl and enter on the keyboard mean here."""

    def key(self, event: pygame.event.Event) -> bool:
        """Take a key of this screen's own before it becomes an intent; return whether it was one."""
        return False

    def leave(self) -> None:
        """Stop taking text."""
        self.ui.text_input(False)

    def cover(self, now: float) -> None:
        """Stop taking text for now."""
        self.ui.text_input(False)

    def uncover(self, now: float) -> None:
        """Nothing: the next `update` takes text again."""

    @property
    def _form(self) -> Form:
        return self.picker.form if self.picker is not None else self.form

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Handle text first, then this screen's own keys, then intents; and the mouse."""
        form = self._form
        if event.type in (pygame.KEYDOWN, pygame.TEXTINPUT):
            if self.picker is not None and self.picker.key(event):
                return
            if form.focus is not None and form.focus.key(event):
                self.problem = ""
                return
            if self.picker is None and event.type == pygame.KEYDOWN and self.key(event):
                return
        if meaning.intent is not None:
            self._intend(meaning.intent)
        elif event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL):
            self._mouse(event, now)

    def _intend(self, intent: Intent) -> None:
        if intent == "back":
            self.ui.sound("back")
            if self.picker is not None:
                self.close_picker()
            else:
                self.back()
        elif intent == "menu" and self.picker is None:
            self.ui.sound("confirm")
            self.go_on()
        else:
            self.problem = ""
            focus = self._form.focus
            if self._form.take(intent) and focus is self._form.focus:
                self.ui.sound("confirm" if intent == "confirm" else "move")

    def _mouse(self, event: pygame.event.Event, now: float) -> None:
        canvas = self._canvas
        if canvas is None:
            return
        if event.type == pygame.MOUSEWHEEL:
            self._form.wheel(*canvas.logical(getattr(event, "pos", None) or pygame.mouse.get_pos()), event.y)
            return
        x, y = canvas.logical(event.pos)
        if event.type == pygame.MOUSEMOTION:
            self.hint_bar.hover(x, y)
            self.corner.hovered = self._on_corner(x, y)
            self._form.hover(x, y)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._form.release()
        elif event.button == 1:
            self.problem = ""
            self._click(x, y, event.pos, now)
        elif event.button == 3:
            self._intend("back")

    def _click(self, x: float, y: float, pos: tuple[int, int], now: float) -> None:
        at, clicks, where = self._clicked
        near = abs(where[0] - pos[0]) + abs(where[1] - pos[1]) < 8
        clicks = clicks + 1 if now - at < _DOUBLE_S and near else 1
        self._clicked = (now, clicks, pos)
        if self._on_corner(x, y):
            self.ui.sound("back")
            (self.close_picker if self.picker is not None else self.leave_screen)()
        elif self.hint_bar.press(x, y):
            pass  # its key is pressed with the next frame
        elif self.picker is not None and not self.picker.box.holds(x, y):
            self.close_picker()
        elif self._form.press(x, y, clicks):
            self.ui.sound("confirm")

    def _on_corner(self, x: float, y: float) -> bool:
        return self.leads_back and self.corner.BOX.holds(x, y)

    def complain(self, problem: str) -> None:
        """Show what is wrong at the bottom of the screen, one sentence."""
        self.problem = problem
        self.ui.sound("error")

    def pick(
        self, title: str, items: Sequence[tuple[str, str]], at: int, chosen: Callable[[int], None], note: str = "",
        *, searched: bool = False, free: Callable[[str], None] | None = None,
    ) -> None:  # fmt: skip
        """Put a list over the screen; a choice calls `chosen` with its index.

        One that is `searched` is narrowed by typing; what is typed can be chosen, too, where it is `free`.
        """
        self.picker = Picker(
            title, items, at, chosen, self.close_picker, self._moved, note=note, searched=searched, free=free
        )
        if self._canvas is not None:  # the chosen item is in view from the first frame on
            self.picker.arrange(self._canvas)
            self.picker.form.update()

    def _moved(self) -> None:
        self.ui.sound("move")

    def close_picker(self) -> None:
        """Take the list off the screen."""
        self.picker = None

    @property
    def picture(self) -> object:
        """What there is to draw, None: the backdrop moves."""
        return None

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the form's widgets, the list over it, and the hints; what lies below, too."""
        if self.below is not None:
            self.below.lay_out(size)
        scale = self.ui.settings.display.ui_scale
        canvas = self._canvas
        if canvas is None or (canvas.size, canvas.ui_scale) != (size, scale):
            self._canvas = canvas = Canvas(size, scale)
        self.arrange(canvas)
        self.place_hints(canvas)
        if self.picker is not None:
            self.picker.arrange(canvas)

    def lay_out_again(self) -> None:
        """Give new widgets their boxes before the next frame, so that the events until then find them."""
        if self._canvas is not None:
            self.arrange(self._canvas)

    @property
    def canvas(self) -> Canvas:
        """Return what it was laid out on; there is none before that."""
        assert self._canvas is not None, "it has not been laid out"
        return self._canvas

    def hints_at(self, canvas: Canvas, middle: tuple[float, float], width: float | None = None) -> None:
        """Place this screen's hints around a point, in a width if they are to have less than the canvas.

        Who points has them as buttons, and none for what a click on the thing itself does; who has a gamepad, none
        for keys that are no button there.
        """
        controls, pairs = self.ui.controls, self.keys()
        if controls.pointer:
            pairs = [pair for pair in pairs if pair[0] not in ("confirm", "next")]
        elif controls.device == "pad":
            pairs = [pair for pair in pairs if pair[0].islower()] or pairs
        pairs = [(self._label(key), words) for key, words in pairs]
        pad = controls.device == "pad"
        self.hint_bar.place(canvas, middle, pairs, pad=pad, width=width, caps=not controls.pointer)

    def _label(self, key: str) -> str:
        """Return what is printed on a key that hints name."""
        controls = self.ui.controls
        if key in ("left right", "up down"):
            return " ".join(map(controls.label, key.split())) if controls.device == "keyboard" else "D-PAD"
        return controls.label(key) if key.islower() else key

    @property
    def still(self) -> bool:
        """Return whether motion is to be reduced."""
        return self.ui.settings.display.reduced_motion

    def update(self, now: float) -> None:
        """Move on to this moment: scrolling, and whether typed text is taken."""
        self.now = now
        for update in self.before_update:
            update()
        self.form.update()
        if self.picker is not None:
            self.picker.form.update()
        focus = self._form.focus
        anywhere = self.types_anywhere if self.picker is None else self.picker.takes_text
        self.ui.text_input(anywhere or (focus is not None and focus.takes_text))

    def draw(self, target: pygame.Surface) -> None:
        """Draw the backdrop, the heading, the form, the hints, a list on top."""
        canvas, now = self.canvas, self.now
        canvas.target = target
        self.paint_back(canvas, now)
        self.paint(canvas, now)
        self.form.draw(canvas, now, active=self.picker is None)
        self.paint_over(canvas, now)
        self.paint_foot(canvas)
        if self.picker is not None:
            self.picker.draw(canvas, now)
        if self.leads_back:
            self.corner.draw(canvas)

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Draw the backdrop and the heading, or what lies below, darker."""
        if self.below is not None:
            self.below.draw(canvas.target)
            wash(canvas.target, DIMMED, pygame.BLEND_RGB_MULT)
            return
        draw_backdrop(canvas, now, still=self.still)
        if self.heading:
            canvas.words((70, 12), self.heading, "title", 38, theme.TEXT)
            canvas.box(Box(72, 60, 54, 4), theme.GOLD, None, radius=2)

    def paint_foot(self, canvas: Canvas) -> None:
        """Draw what is wrong, else the news, else a sentence on what has the focus; and the keys."""
        focus, news = self._form.focus, self.news
        words, color = (news, theme.GOLD) if news else (focus.hint if focus else "", theme.SOFT)
        words, color = (self.problem, theme.DANGER) if self.problem else (words, color)
        middle, width = canvas.width / 2, canvas.width - 2 * canvas.margin + 20
        if words and canvas.narrow and canvas.measure(words, "label", 15) > width:
            canvas.block((middle - width / 2, canvas.height - 76), words, "label", 15, color, width, 2)
        elif words:
            canvas.words((middle, canvas.height - 50), words, "label", 15, color, width=width, side="middle")
        self.hint_bar.draw(canvas)


ROW = 66.0
"""What an entry of a list takes, with the gap below it."""
Entry = TypeVar("Entry", bound=ListEntry[Any])


class ListScreen(MenuScreen, Generic[Entry]):
    """A menu with a list, of which one entry is selected: by the keys that move the focus, or by a click."""

    def __init__(self, ui: Ui) -> None:
        super().__init__(ui)
        self.selected: Entry | None = None
        self.rows: list[Entry] = []
        self.list_scroll = Scroll()

    def select(self, row: Entry | None) -> None:
        """Select an entry, or none."""
        for entry in (self.selected, row):
            if entry is not None:
                entry.selected = entry is row
        self.selected = row

    def choose(self, row: Entry, opens: bool) -> None:
        """Select an entry, and open it if `opens`."""
        raise NotImplementedError

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Select the entry that keys and buttons move to; the mouse selects by clicks alone."""
        super().handle(event, meaning, now)
        focused = next((row for row in self.rows if row is self.form.focus), None)
        if event.type in (pygame.KEYDOWN, PAD) and focused is not None:
            self.choose(focused, False)

    @property
    def place_of_selected(self) -> int:
        """Return where the selected entry is in the list, the first place for none."""
        return self.rows.index(self.selected) if self.selected in self.rows else 0

    def list_entries(self, entries: Sequence[Any], row: Callable[[Any, Callable[[Any, bool], None]], Entry]) -> None:
        """List these, each known by its path; the selection stays, or moves to what is in its place then."""
        at, known = self.place_of_selected, {row.entry.path: row for row in self.rows}
        self.rows = [known.get(entry.path) or row(entry, self.choose) for entry in entries]
        for each, entry in zip(self.rows, entries, strict=True):
            each.entry = entry
        self.arrange_list()
        if self.selected not in self.rows:
            self.select(self.rows[min(at, len(self.rows) - 1)] if self.rows else None)

    def arrange_list(self) -> None:
        """Lay the entries out below each other."""
        box = self.list_scroll.box
        place(self.rows, rows(Box(box.x, 3, box.w - 14, 0), [ROW - 6] * len(self.rows), 6))
        self.list_scroll.height = len(self.rows) * ROW

    def paint_folder(self, canvas: Canvas, count: str, folder: Path) -> None:
        """Draw beside the heading how many entries there are, and in which folder."""
        right, width = canvas.width - canvas.margin, canvas.width - 280 - canvas.margin
        canvas.words((right, 34), count, "label", 17, theme.SOFT, side="right")
        canvas.words((right, 60), str(folder), "mono", 12, theme.DIM, width=width, side="right")
