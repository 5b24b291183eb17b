"""The seats: a brain and orders for each, a demo match in the arena between them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

import pygame

from batllm_arcade import readiness
from batllm_arcade.arcade import clipboard
from batllm_arcade.arcade.demo import Demo
from batllm_arcade.arcade.editor import Editor
from batllm_arcade.arcade.screen import Shell
from batllm_arcade.brains import BrainKind, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError
from batllm_arcade.session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.hud import keys_of
from batllm_arcade.view.sprites import blit_centred
from batllm_arcade.view.text import wrap

_PAD = 14
_BRAIN = pygame.Rect(_PAD - 4, 40, theme.PANEL_WIDTH - 2 * _PAD + 8, 52)
_TEXT = pygame.Rect(_PAD - 4, 276, theme.PANEL_WIDTH - 2 * _PAD + 8, 262)
_LIBRARY = pygame.Rect(_PAD - 4, 548, theme.PANEL_WIDTH - 2 * _PAD + 8, 34)
_START = pygame.Rect(theme.WIDTH // 2 - 170, 586, 340, 64)
_MONO = 14


class Card:
    """One seat's choices: its brain among all there are, its orders."""

    def __init__(self, seat: int, spec: Spec, kinds: Mapping[str, BrainKind], prompt: str) -> None:
        self.seat = seat
        self.choices = _choices(kinds)
        if spec not in self.choices:
            alike = next((n for n, choice in enumerate(self.choices) if choice.short == spec.short), None)
            if alike is None or spec.options:
                self.choices.insert(0 if alike is None else alike, spec)
            else:
                spec = self.choices[alike]
        self.chosen = self.choices.index(spec)
        self.editor = Editor()
        self.editor.insert(prompt)
        self.kinds = kinds

    @property
    def spec(self) -> Spec:
        """The brain chosen now."""
        return self.choices[self.chosen]

    @property
    def kind(self) -> BrainKind | None:
        """What is known about it; None for a brain that does not exist."""
        return self.kinds.get(self.spec.name)

    @property
    def prompted(self) -> bool:
        """Whether orders make a difference to it."""
        return self.kind is not None and self.kind.prompted

    @property
    def prompt(self) -> str:
        """The orders written for it, none for a brain that takes none."""
        return self.editor.text.strip() if self.prompted else ""

    def turn(self, by: int) -> None:
        """Choose the next or the previous brain."""
        self.chosen = (self.chosen + by) % len(self.choices)


def _choices(kinds: Mapping[str, BrainKind]) -> list[Spec]:
    ordered = sorted(kinds.values(), key=lambda kind: (not kind.human, not kind.prompted, kind.name))
    chosen = []
    for kind in ordered:
        chosen += [Spec(kind.name, variant) for variant in kind.variants] if kind.variants else [Spec(kind.name)]
    return chosen


class SeatsScreen:
    """Everything can be reached with the keyboard (tab, arrows, enter) and with the mouse."""

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        self._shell, self._plan = shell, plan
        kinds = shell.plugins.kinds
        prompts = plan.config.prompts
        left, right = (_default_variant(spec, kinds) for spec in plan.seats)
        self.cards = (Card(0, left, kinds, prompts[0]), Card(1, right, kinds, prompts[1]))
        self.focus = "start"
        self.problem = ""
        self._demo = Demo(shell.plugins, plan.config.rules)
        self._library = _prompt_library()
        self._shelf = [-1, -1]
        self._missing: dict[str, str] | None = None
        self._picture: Picture | None = None
        self._veil: pygame.Surface | None = None
        threading.Thread(target=self._look_around, daemon=True).start()
        shell.text_input(True)

    def _look_around(self) -> None:
        self._demo.play()
        self._missing = {kind.name: problem for kind, problem in readiness.missing(self._shell.plugins.kinds)}

    def leave(self) -> None:
        """Stop taking text."""
        self._shell.text_input(False)

    def cover(self, now: float) -> None:
        """Stop taking text."""
        self._shell.text_input(False)

    def uncover(self, now: float) -> None:
        """Take text again."""
        self._shell.text_input(True)

    def plan(self) -> SessionPlan:
        """The match that is set up now."""
        left, right = self.cards
        config = replace(self._plan.config, prompts=(left.prompt, right.prompt))
        return replace(self._plan, config=config, seats=(left.spec, right.spec))

    # -- events ---------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Keys go to what has the focus; a click moves it."""
        if event.type == pygame.KEYDOWN:
            self._handle_key(event)
        elif event.type == pygame.TEXTINPUT and self._editing:
            self._editing.insert(event.text)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._picture:
            self._handle_click(self._picture.logical(*event.pos))

    @property
    def _editing(self) -> Editor | None:
        kind, _, seat = self.focus.partition(" ")
        return self.cards[SEATS.index(seat)].editor if kind == "text" else None

    def _handle_key(self, event: pygame.event.Event) -> None:
        stops = ["start"]
        for card in self.cards:
            stops += [f"brain {SEATS[card.seat]}"] + [f"text {SEATS[card.seat]}"] * card.prompted
        if event.key == pygame.K_TAB:
            step = -1 if event.mod & pygame.KMOD_SHIFT else 1
            self.focus = stops[(stops.index(self.focus) + step) % len(stops)]
        elif event.key == pygame.K_F2:
            wanted = 0 if self.focus.endswith("left") else 1 if self.focus.endswith("right") else None
            prompted = [card.seat for card in self.cards if card.prompted and wanted in (None, card.seat)]
            if prompted:
                self._from_library(prompted[0])
        elif self._editing:
            self._edit(self._editing, event)
        elif event.key == pygame.K_ESCAPE and self.focus != "start":
            self.focus = "start"
        elif event.key == pygame.K_ESCAPE:
            self._shell.title()
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._start()
        elif self.focus.startswith("brain"):
            self._choose(event.key)
        elif event.key in (pygame.K_LEFT, pygame.K_UP):
            self.focus = "brain left"
        elif event.key in (pygame.K_RIGHT, pygame.K_DOWN):
            self.focus = "brain right"

    def _choose(self, key: int) -> None:
        card = self.cards[1 if self.focus == "brain right" else 0]
        if key in (pygame.K_LEFT, pygame.K_RIGHT):
            card.turn(-1 if key == pygame.K_LEFT else 1)
            self.problem = ""
        elif key == pygame.K_DOWN and card.prompted:
            self.focus = f"text {SEATS[card.seat]}"
        elif key == pygame.K_UP:
            self.focus = "start"

    def _edit(self, editor: Editor, event: pygame.event.Event) -> None:
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self._edit_shortcut(editor, event.key)
            return
        if event.key == pygame.K_ESCAPE:
            self.focus = "start"
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            editor.insert("\n")
        elif event.key == pygame.K_BACKSPACE:
            editor.backspace()
        elif event.key == pygame.K_DELETE:
            editor.delete()
        elif event.key in (pygame.K_LEFT, pygame.K_RIGHT):
            editor.step(-1 if event.key == pygame.K_LEFT else 1)
        elif event.key in (pygame.K_HOME, pygame.K_UP):
            editor.go(0)
        elif event.key in (pygame.K_END, pygame.K_DOWN):
            editor.go(len(editor.text))

    def _edit_shortcut(self, editor: Editor, key: int) -> None:
        if key == pygame.K_v:
            editor.insert(clipboard.paste())
        elif key in (pygame.K_c, pygame.K_x):
            clipboard.copy(editor.text)
            if key == pygame.K_x:
                editor.set("")
        elif key == pygame.K_z:
            editor.undo()
        elif key == pygame.K_a:
            editor.select_all()
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._start()

    def _handle_click(self, at: tuple[float, float]) -> None:
        if _START.collidepoint(at):
            self._start()
            return
        for card in self.cards:
            x, y = at[0] - _panel_left(card.seat), at[1] - theme.ARENA_TOP
            if _BRAIN.collidepoint(x, y):
                self.focus = f"brain {SEATS[card.seat]}"
                card.turn(-1 if x < _BRAIN.centerx else 1)
                self.problem = ""
            elif _TEXT.collidepoint(x, y) and card.prompted:
                self.focus = f"text {SEATS[card.seat]}"
            elif _LIBRARY.collidepoint(x, y) and card.prompted:
                self._from_library(card.seat)

    def _from_library(self, seat: int) -> None:
        if self._library:
            self._shelf[seat] = (self._shelf[seat] + 1) % len(self._library)
            self.cards[seat].editor.set(self._library[self._shelf[seat]][1])
            self.focus = f"text {SEATS[seat]}"

    def _start(self) -> None:
        try:
            self._shell.start(self.plan())
        except ArcadeError as error:
            self.problem = str(error)

    # -- picture --------------------------------------------------------------------------------

    def draw(self, target: pygame.Surface, now: float) -> None:
        """The demo match, the logo, the two cards, the start button."""
        size = target.get_size()
        if self._picture is None or self._picture.size != size:
            self._picture = Picture(size, self._plan.config.rules)
        picture = self._picture
        picture.draw_stage(target, self._demo.at(now))
        self._draw_logo(target, picture)
        self._draw_start(target, picture, now)
        for card in self.cards:
            self._draw_card(target, picture, card, now)

    def _draw_logo(self, target: pygame.Surface, picture: Picture) -> None:
        line = picture.letters.line
        corner = picture.pixel((theme.WIDTH - theme.ARENA_SIZE) / 2, theme.ARENA_TOP)
        wide = round(theme.ARENA_SIZE * picture.scale)
        if self._veil is None or self._veil.get_width() != wide:
            self._veil = _fading(wide, round(190 * picture.scale))
        target.blit(self._veil, corner)
        words = [line("BATLLM", "title", 72, theme.TEXT), line("ARCADE", "title", 72, theme.GOLD)]
        gap = 20 * picture.scale
        left = picture.pixel(theme.WIDTH / 2, 0)[0] - (words[0].get_width() + gap + words[1].get_width()) / 2
        top = picture.pixel(0, 96)[1]
        for word, x in zip(words, (left, left + words[0].get_width() + gap), strict=True):
            target.blit(word, (x, top))
        below = line("two bots, one arena, anything may think for them", "label", 20, theme.SOFT)
        blit_centred(target, below, picture.pixel(theme.WIDTH / 2, 196))

    def _draw_start(self, target: pygame.Surface, picture: Picture, now: float) -> None:
        rules, focused = self._plan.config.rules, self.focus == "start"
        rect = _scaled(picture, _START, 0, 0)
        glow = 0.5 + 0.5 * abs((now * 1.2) % 2 - 1)
        fill = theme.mixed(theme.PANEL, theme.GOLD, 0.75 + 0.25 * glow if focused else 0.25)
        pygame.draw.rect(target, fill, rect, border_radius=round(14 * picture.scale))
        color = theme.NIGHT if focused else theme.TEXT
        blit_centred(target, picture.letters.line("FIGHT!", "title", 38, color), rect.center)
        below = picture.pixel(theme.WIDTH / 2, _START.bottom + 26)
        lengths = f"{rules.total_rounds} rounds of {rules.turns_per_round} turns    seed {self._plan.seed}"
        problem = self.problem or next(iter(self._shell.plugins.problems[-1:]), "")
        words, tint = (problem, theme.DANGER) if problem else (lengths, theme.SOFT)
        blit_centred(target, picture.letters.line(words, "mono", 14, tint, theme.ARENA_SIZE * picture.scale), below)
        keys = "ENTER fight    TAB or mouse to choose    F2 prompt library    ESC quit"
        hint = picture.letters.line(keys, "mono", 13, theme.DIM)
        blit_centred(target, hint, picture.pixel(theme.WIDTH / 2, 710))

    def _draw_card(self, target: pygame.Surface, picture: Picture, card: Card, now: float) -> None:
        letters, left = picture.letters, _panel_left(card.seat)
        color, width = theme.SEAT_COLORS[card.seat], (theme.PANEL_WIDTH - 2 * _PAD) * picture.scale

        def put(surface: pygame.Surface, x: float, y: float) -> None:
            target.blit(surface, picture.pixel(left + x, theme.ARENA_TOP + y))

        put(letters.line(f"{SEATS[card.seat].upper()} IS PLAYED BY", "label", 15, color), _PAD, 14)
        self._draw_brain(target, picture, card, color)
        kind = card.kind
        summary = kind.about.get(card.spec.variant, kind.summary) if kind else "there is no such brain"
        about = letters.block(summary, "label", 17, theme.TEXT, width, 3)
        put(about, _PAD, 102)
        words, tint = self._state(card)
        put(letters.block(words, "mono", 12, tint, width, 5), _PAD, 110 + about.get_height() / picture.scale)
        if card.prompted:
            put(letters.line("ORDERS", "label", 15, color), _PAD, 252)
            self._draw_editor(target, picture, card, now)
            rect = _scaled(picture, _LIBRARY, left, theme.ARENA_TOP)
            pygame.draw.rect(target, theme.PANEL_EDGE, rect, border_radius=round(8 * picture.scale))
            shelf = self._shelf[card.seat]
            name = "prompt library" if shelf < 0 else f"library: {self._library[shelf][0]}"
            blit_centred(target, letters.line(f"F2  {name}", "label", 16, theme.TEXT), rect.center)
            put(
                letters.block("Ctrl+V paste, Ctrl+Z undo, Ctrl+Enter fight", "mono", 11, theme.DIM, width, 2), _PAD, 594
            )
        elif kind is not None and kind.human:
            put(letters.line("CONTROLS", "label", 15, color), _PAD, 252)
            both = all(other.kind is not None and other.kind.human for other in self.cards)
            for row, (key, words) in enumerate(keys_of(card.seat, both)):
                put(letters.line(key, "bold", 15, color), _PAD, 284 + 30 * row)
                put(letters.line(words, "mono", 15, theme.SOFT), _PAD + 112, 284 + 30 * row)

    def _state(self, card: Card) -> tuple[str, theme.Color]:
        if card.kind is None:
            return f"{card.spec.name!r} is not installed", theme.DANGER
        if self._missing is None:
            return "looking...", theme.DIM
        problem = self._missing.get(card.spec.name, "")
        return (problem, theme.GOLD) if problem else ("ready", theme.GOOD)

    def _draw_brain(self, target: pygame.Surface, picture: Picture, card: Card, color: theme.Color) -> None:
        focused = self.focus == f"brain {SEATS[card.seat]}"
        rect = _scaled(picture, _BRAIN, _panel_left(card.seat), theme.ARENA_TOP)
        pygame.draw.rect(target, theme.SUNKEN, rect, border_radius=round(8 * picture.scale))
        edge = theme.GOLD if focused else theme.PANEL_EDGE
        pygame.draw.rect(target, edge, rect, max(1, round(2 * picture.scale)), border_radius=round(8 * picture.scale))
        spec = card.spec
        name = picture.letters.line(spec.variant or spec.name, "title", 24, theme.TEXT, rect.width * 0.74)
        blit_centred(target, name, (rect.centerx, rect.centery - (9 if spec.variant else 0) * picture.scale))
        if spec.variant:
            family = picture.letters.line(spec.name, "mono", 12, theme.DIM)
            blit_centred(target, family, (rect.centerx, rect.centery + 15 * picture.scale))
        arm = 8 * picture.scale
        for x, side in ((rect.left + 2.2 * arm, -1), (rect.right - 2.2 * arm, 1)):
            tip = (x + side * arm * 0.8, rect.centery)
            corners = [tip, (x - side * arm * 0.5, rect.centery - arm), (x - side * arm * 0.5, rect.centery + arm)]
            pygame.draw.polygon(target, theme.GOLD if focused else color, corners)

    def _draw_editor(self, target: pygame.Surface, picture: Picture, card: Card, now: float) -> None:
        focused = self.focus == f"text {SEATS[card.seat]}"
        rect = _scaled(picture, _TEXT, _panel_left(card.seat), theme.ARENA_TOP)
        pygame.draw.rect(target, theme.SUNKEN, rect, border_radius=round(8 * picture.scale))
        edge = theme.GOLD if focused else theme.PANEL_EDGE
        pygame.draw.rect(target, edge, rect, max(1, round(2 * picture.scale)), border_radius=round(8 * picture.scale))
        font = picture.letters.font("mono", _MONO)
        pad, height = round(8 * picture.scale), font.get_linesize()
        inner = rect.width - 2 * pad
        editor = card.editor
        rows = _wrapped(editor.text, font, inner)
        row, column = _caret(rows, editor)
        visible = max(1, (rect.height - 2 * pad) // height)
        first = max(0, row - visible + 1)
        for number, words in enumerate(rows[first : first + visible]):
            top = rect.top + pad + number * height
            if editor.selected and focused:
                wide = max(4, font.size(words)[0])
                pygame.draw.rect(target, theme.PANEL_EDGE, (rect.left + pad, top, wide, height))
            target.blit(picture.letters.line(words, "mono", _MONO, theme.TEXT), (rect.left + pad, top))
        if not editor.text and not focused:
            hint = "Tell it how to fight, for example: rush the enemy and shoot"
            target.blit(
                picture.letters.block(hint, "mono", _MONO, theme.DIM, inner, 4), (rect.left + pad, rect.top + pad)
            )
        if focused and now % 1.0 < 0.6:
            x = rect.left + pad + font.size(rows[row][:column])[0]
            top = rect.top + pad + (row - first) * height
            pygame.draw.line(target, theme.GOLD, (x, top + 1), (x, top + height - 2), max(2, round(2 * picture.scale)))


@lru_cache(maxsize=8)
def _wrapped(text: str, font: pygame.font.Font, width: int) -> list[str]:
    """The text's lines, kept until it changes."""
    return wrap(text, lambda part: font.size(part)[0], width)


def _caret(rows: list[str], editor: Editor) -> tuple[int, int]:
    """The row and column of the cursor; wrapping swallows one space or line break between rows."""
    position = 0
    for row, words in enumerate(rows):
        if editor.cursor <= position + len(words) or row == len(rows) - 1:
            return row, max(0, min(len(words), editor.cursor - position))
        position += len(words)
        if editor.text[position : position + 1] in (" ", "\n"):
            position += 1
    return 0, 0


def _default_variant(spec: Spec, kinds: Mapping[str, BrainKind]) -> Spec:
    """A brain named without its variant is its first one."""
    kind = kinds.get(spec.name)
    return replace(spec, variant=kind.variants[0]) if kind and kind.variants and not spec.variant else spec


def _panel_left(seat: int) -> int:
    return theme.WIDTH - theme.MARGIN - theme.PANEL_WIDTH if seat else theme.MARGIN


def _scaled(picture: Picture, rect: pygame.Rect, dx: float, dy: float) -> pygame.Rect:
    left, top = picture.pixel(rect.left + dx, rect.top + dy)
    return pygame.Rect(left, top, round(rect.width * picture.scale), round(rect.height * picture.scale))


def _prompt_library() -> list[tuple[str, str]]:
    folder = files("batllm_arcade.assets") / "prompts"
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".txt")]
    return [
        (entry.name[:-4], entry.read_text("utf-8").strip()) for entry in sorted(found, key=lambda entry: entry.name)
    ]


def _fading(width: int, height: int) -> pygame.Surface:
    """Night at the top that clears downwards, so that the logo stands out from the match behind it."""
    veil = pygame.Surface((width, height), pygame.SRCALPHA)
    for row in range(height):
        pygame.draw.line(veil, (*theme.NIGHT, round(250 * (1 - (row / height) ** 4))), (0, row), (width, row))
    return veil
