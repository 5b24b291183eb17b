"""The seats: who plays, and by which rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from batllm_arcade.app.menus.seat_card import SeatCard
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.form import Scroll
from batllm_arcade.app.ui.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.text_area import Field
from batllm_arcade.app.ui.widgets import ROW, Button, Choice, Widget
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.config import Config
from batllm_arcade.view import theme

STAND_IN = Spec("scripted", "sharpshooter")
"""Who sits in for a shipped choice that cannot play here."""
_ROUNDS = (1, 2, 3, 4, 5, 7, 9)
_TURNS = (4, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40)
_CLOCKS = (0, 10, 15, 20, 30, 45, 60)
_ABOUT = {
    "default": "a large arena and patient bots",
    "couch": "quick and spectacular, for a person against a model",
    "classic": "the original game's figures",
}
_OWN = "as given"
_GAP = 6.0
_LEAST_CORNER, _TALLEST = 96.0, 640.0  # of a bot's corner, and of a card in a tall window
_WIDE = 1080.0
"""From this width on there are three columns."""


class SetupScreen(MenuScreen):
    """A card for each seat, the rules between them."""

    heading = "WHO FIGHTS?"

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        super().__init__(shell)
        self._plan = plan
        self._availability = shell.availability
        self._availability.look()
        self._base, own = _base_of(plan.config)
        self._names = [*configuration.SHIPPED, *([_OWN] if own == _OWN else [])]
        self._bases = {own: self._base}
        self._rounds, self._turns = plan.config.rules.total_rounds, plan.config.rules.turns_per_round
        self._seed = plan.seed
        self._fresh = [spec == Spec("embedded") for spec in plan.seats]
        self._warned: tuple[str, ...] = ()
        kinds = shell.plugins.kinds
        strengths = [_strength(plan.config.rules, self._base.rules, seat) for seat in (0, 1)]
        left, right = (
            SeatCard(seat, plan.seats[seat], kinds, self._availability, self.pick, strengths[seat]) for seat in (0, 1)
        )
        self.cards = (left, right)
        self._go = Button("NEXT", self.go_on, big=True)
        self._match_rows = self._rows(own)
        for row in (self._go, *self._match_rows):
            row.group = "match"
        self._scrolls = (Scroll(), Scroll(), Scroll())
        self._place(wide=True)
        self.form.focus = self._go

    def _rows(self, own: str) -> list[Widget]:
        clock = round(self.shell.settings.turn_clock_s)
        clocks = sorted({*_CLOCKS, clock})
        rounds, turns = sorted({*_ROUNDS, self._rounds}), sorted({*_TURNS, self._turns})
        self._config_row = Choice("Rules", self._names, self._names.index(own), self._configure)
        self._turns_row = Choice("Turns", [str(n) for n in turns], turns.index(self._turns), self._set_turns)
        self._turns_row.hint = "Turns a round: in each, both bots act once"
        self._rounds_row = Choice("Rounds", [str(n) for n in rounds], rounds.index(self._rounds), self._set_rounds)
        self._rounds_row.hint = "Rounds a game; between them the players may write new orders"
        shown = [f"{seconds} s" if seconds else "off" for seconds in clocks]
        clock_row = Choice(
            "Turn clock", shown, clocks.index(clock), lambda n: self._set_clock(clocks[n]),
            hint="How long a person may take for a turn",
        )  # fmt: skip
        self._seed_row = Field(
            "Seed", str(self._seed), self._set_seed, allowed="0123456789", most=18,
            hint="The same seed and the same answers give the same games",
        )  # fmt: skip
        fresh = Button("New seed", self._new_seed, hint="Another random beginning")
        return [self._config_row, self._rounds_row, self._turns_row, clock_row, self._seed_row, fresh]

    # -- choices --------------------------------------------------------------------------------

    def _configure(self, index: int) -> None:
        name = self._names[index]
        if name not in self._bases:
            self._bases[name] = configuration.load(name)
        self._base = self._bases[name]
        self._rounds, self._turns = self._base.rules.total_rounds, self._base.rules.turns_per_round
        for row, value in ((self._rounds_row, self._rounds), (self._turns_row, self._turns)):
            if str(value) not in row.options:
                row.options = tuple(sorted((*row.options, str(value)), key=int))
            row.chosen = row.options.index(str(value))

    def _set_rounds(self, index: int) -> None:
        self._rounds = int(self._rounds_row.options[index])

    def _set_turns(self, index: int) -> None:
        self._turns = int(self._turns_row.options[index])

    def _set_clock(self, seconds: int) -> None:
        self.shell.apply(settings.changed(self.shell.settings, "turn_clock_s", float(seconds)))

    def _set_seed(self, text: str) -> None:
        self._seed = int(text) if text else 0

    def _new_seed(self) -> None:
        self._seed = new_seed()
        self._seed_row.editor.set(str(self._seed))

    def plan(self) -> SessionPlan:
        """The match that is set up now; the prompts are kept."""
        left, right = self.cards
        rules = replace(
            self._base.rules,
            total_rounds=self._rounds,
            turns_per_round=self._turns,
            initial_health=_scaled(self._base.rules.initial_health, (left.health, right.health)),
            bullet_damage=_scaled(self._base.rules.bullet_damage, (left.damage, right.damage)),
        )
        mine = self._plan.config
        config = replace(
            mine, rules=rules, style=self._base.style, gamepad=self._base.gamepad,
            header_template=self._base.header_template,
        )  # fmt: skip
        return replace(
            self._plan, config=config, seats=(left.spec, right.spec), seed=self._seed,
            turn_clock_s=self.shell.settings.turn_clock_s,
        )  # fmt: skip

    def go_on(self) -> None:
        """To the prompts, or to the match where nobody takes any; what cannot play is named first."""
        problems = tuple(f"{SEATS[card.seat]} is not ready: {card.problem}" for card in self.cards if card.problem)
        if problems and problems != self._warned:
            self._warned = problems
            self.complain(f"{problems[0]}; {self.shell.controls.label('confirm')} again tries it all the same")
            return
        try:
            if any(card.prompted for card in self.cards):
                self.shell.prompts(self.plan())
            else:
                self.shell.start(self.plan(), self.complain)
        except ArcadeError as error:
            self.complain(str(error))

    def back(self) -> None:
        """To the title, which remembers the choices."""
        self.shell.remember(self.plan())
        self.shell.title()

    def keys(self) -> Sequence[tuple[str, str]]:
        """Choosing, and the cards."""
        label = self.shell.controls.label
        sides = f"{label('left')} {label('right')}" if self.shell.controls.device == "keyboard" else "D-PAD"
        return [
            (sides, "change"), (label("confirm"), "choose"), (label("next"), "next card"), (label("back"), "title"),
        ]  # fmt: skip

    # -- picture --------------------------------------------------------------------------------

    def _sit_in(self) -> None:
        """A shipped choice that cannot play here gives its seat to a scripted one, and the card says so."""
        for card in self.cards:
            if self._fresh[card.seat] and not card.touched and card.problem:
                card.stand_in(STAND_IN, f"It sits in for {card.spec.name}, which is not ready here.")
                self._fresh[card.seat] = False

    def _place(self, wide: bool) -> None:
        columns = (self.cards[0].widgets(), self._match_rows, self.cards[1].widgets())
        scrolls = self._scrolls if wide else self._scrolls[:1] * 3
        rows = [(row, scroll) for column, scroll in zip(columns, scrolls, strict=True) for row in column]
        self.form.place([(self._go, None), *rows])

    def arrange(self, canvas: Canvas) -> None:
        """Three columns, or one below the other where there is no room for that."""
        self._sit_in()
        wide = canvas.width >= _WIDE
        self._place(wide)
        prompted = any(card.prompted for card in self.cards)
        self._go.text, self._go.hint = ("NEXT", "On to the orders") if prompted else ("FIGHT!", "Start the match")
        name = self._config_row.options[self._config_row.chosen]
        self._config_row.hint = f"The rules: {_ABOUT.get(name, 'those of your configuration')}"
        margin, gap = 40.0, 18.0
        low = canvas.height - BOTTOM - 8
        if wide:
            middle = min(320.0, canvas.width * 0.25)
            self._wide(canvas, margin, gap, middle, min(low, TOP + _TALLEST))
        else:
            self._narrow(canvas, margin * 0.6, gap * 0.7, low)

    def _wide(self, canvas: Canvas, margin: float, gap: float, middle: float, low: float) -> None:
        side = (canvas.width - 2 * margin - 2 * gap - middle) / 2
        lefts = (margin, margin + side + gap, margin + side + middle + 2 * gap)
        self._cards = (Box(lefts[0], TOP, side, low - TOP), Box(lefts[2], TOP, side, low - TOP))
        self._column = Box(lefts[1], TOP, middle, low - TOP - 78)
        self._go.box = Box(lefts[1], low - 64, middle, 60)
        for scroll, left, wide, card in zip(
            (self._scrolls[0], self._scrolls[2]), (lefts[0], lefts[2]), (side, side), self.cards, strict=True
        ):
            scroll.box = Box(left, TOP, wide, low - TOP)
            scroll.height = card.arrange(left, 0.0, wide)
        self._scrolls[1].box = self._column
        self._scrolls[1].height = self._put_rows(lefts[1] + 12, 46.0, middle - 24, 1)

    def _narrow(self, canvas: Canvas, margin: float, gap: float, low: float) -> None:
        """The cards side by side and the rules below them scroll together; the button stays."""
        side = (canvas.width - 2 * margin - gap) / 2
        wide = min(280.0, canvas.width * 0.4)
        self._go.box = Box(canvas.width - margin - wide, 18, wide, 56)
        view = Box(margin, TOP, canvas.width - 2 * margin, low - TOP)
        tall = max(card.arrange(margin + card.seat * (side + gap), 0.0, side - 4) for card in self.cards)
        total = self._put_rows(margin + 12, tall + 46 + gap, view.w - 30, 2)
        self._scrolls[0].box, self._scrolls[0].height = view, total
        top = view.y - self._scrolls[0].offset
        self._cards = (Box(margin, top, side - 4, tall), Box(margin + side + gap, top, side - 4, tall))
        self._column = Box(margin, top + tall + gap, view.w - 8, total - tall - gap)

    def _put_rows(self, left: float, top: float, width: float, columns: int) -> float:
        each = (width - (columns - 1) * 12) / columns
        for index, row in enumerate(self._match_rows):
            x, y = left + (index % columns) * (each + 12), top + (index // columns) * (ROW + _GAP)
            row.box = Box(x, y, each, ROW)
            if isinstance(row, (Choice, Field)):
                row.label_share = 0.42
        return top + -(-len(self._match_rows) // columns) * (ROW + _GAP) + 8

    def paint(self, canvas: Canvas, now: float) -> None:
        """The cards and the rules' box."""
        self._tell_strength()
        corner = self._corner() if canvas.width >= _WIDE else 0.0
        view = Box(0, TOP - 1, canvas.width, canvas.height - BOTTOM - TOP - 6)
        with canvas.clipped(view):
            for card, box, scroll in zip(self.cards, self._cards, (self._scrolls[0], self._scrolls[2]), strict=True):
                shift = -scroll.offset if canvas.width >= _WIDE else 0.0
                whole = Box(box.x, box.y + shift, box.w, max(box.h, scroll.height if shift else box.h))
                card.paint(canvas, whole, now, self.still, corner if card.room(box) >= corner else 0.0)
            canvas.box(self._column, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=235)
            canvas.words((self._column.x + 16, self._column.y + 13), "THE MATCH", "label", 14, theme.GOLD)
            if canvas.width >= _WIDE:
                self._paint_versus(canvas, self._column.y + self._scrolls[1].height - self._scrolls[1].offset)

    def _corner(self) -> float:
        """How high the bots' corners are: the same on both cards, or only one where the other has no room for it."""
        rooms = [card.room(box) for card, box in zip(self.cards, self._cards, strict=True)]
        fits = [room for room in rooms if room >= _LEAST_CORNER]
        return min(fits, default=0.0)

    def _tell_strength(self) -> None:
        """What the handicaps come to: each bot's health, what its bullets take, and how many hits it stands."""
        rules = self.plan().config.rules
        for card in self.cards:
            health, mine = rules.initial_health[card.seat], rules.bullet_damage[card.seat]
            theirs = rules.bullet_damage[1 - card.seat]
            falls = f"{math.ceil(health / theirs)} hits" if theirs else "no hit"
            orders = "yours" if card.prompted else "by hand" if card.kind and card.kind.human else "none"
            card.facts = (
                ("health", f"{health:g}"), ("a hit takes", f"{mine:g}"), ("falls after", falls), ("orders", orders),
            )  # fmt: skip

    def _paint_versus(self, canvas: Canvas, top: float) -> None:
        """Two words where the rules leave room for them."""
        column = self._column
        if column.bottom - top < 100:
            return
        x, y = column.middle[0], (top + column.bottom) / 2
        canvas.words((x, y - 12), "VS", "title", 62, theme.GOLD, side="middle")
        length = f"{self._rounds} round{'s' * (self._rounds != 1)} of {self._turns} turns"
        canvas.words((x, y + 34), length, "label", 16, theme.SOFT, side="middle", width=column.w - 24)


def _base_of(config: Config) -> tuple[Config, str]:
    """The configuration without lengths and handicaps, and what it is called: a shipped one, or the player's own."""
    for name in configuration.SHIPPED:
        shipped = configuration.load(name)
        alike = replace(
            config.rules,
            total_rounds=shipped.rules.total_rounds,
            turns_per_round=shipped.rules.turns_per_round,
            initial_health=shipped.rules.initial_health,
            bullet_damage=shipped.rules.bullet_damage,
        )
        if alike == shipped.rules and config.style == shipped.style and config.gamepad == shipped.gamepad:
            return replace(shipped, header_template=config.header_template), name
    return config, _OWN


def _strength(now: Rules, base: Rules, seat: int) -> tuple[float, float]:
    return (
        round(now.initial_health[seat] / base.initial_health[seat], 3),
        round(now.bullet_damage[seat] / base.bullet_damage[seat], 3) if base.bullet_damage[seat] else 1.0,
    )


def _scaled(pair: tuple[float, float], shares: tuple[float, float]) -> tuple[float, float]:
    return pair[0] * shares[0], pair[1] * shares[1]
