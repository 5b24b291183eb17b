"""The seats: who plays, and by which rules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.menus.rules_card import RulesCard
from batllm_arcade.app.menus.seat_card import NotReadyDialog, SeatCard
from batllm_arcade.app.orders import lively
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.app.services.brain_list import BrainList, RecordedModels, for_newcomers
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.series import Series
from batllm_arcade.session.live_session import SessionPlan, sessions_folder
from batllm_arcade.settings.store import UNNAMED, given, named, people

SUBSTITUTE = Spec("scripted", "sharpshooter")
"""Who plays instead of a shipped choice that cannot play here."""
_LEAST_CORNER, _TALLEST = 96.0, 640.0  # of a bot's corner, and of a card in a tall window
_WIDE = 1080.0
"""From this width on there are three columns."""


class SetupScreen(MenuScreen):
    """A card for each seat, the rules between them."""

    heading = "WHO FIGHTS?"

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        services.availability.look()
        self._replaceable = [spec.name == "embedded" and not spec.text("model") for spec in plan.seats]
        self._accepted: tuple[str, ...] = ()
        self._rules_card = RulesCard(ui, plan)
        self._recorded = RecordedModels(services.plugins.kinds, sessions_folder(), services.wait_at_end)
        brains = self._brains()
        brains.check_stand_ins()
        self._names = (ui.settings.left_name, ui.settings.right_name)
        seats = self._first_seats(plan)
        self._players, self._asked_names = [*map(_player, seats)], False
        left, right = (SeatCard(seat, seats[seat], brains, self, self._rules_card.strength(seat)) for seat in (0, 1))
        self.cards = (left, right)
        for card, name in zip(self.cards, self._names, strict=True):
            card.person = name
        self._go = Button("NEXT", self.go_on, big=True)
        for row in (self._go, *self._rules_card.widgets):
            row.group = "match"
        self._scrolls, self._is_wide = (Scroll(), Scroll(), Scroll()), True
        self._place()
        self.form.focus = self._go

    def _brains(self) -> BrainList:
        """Return all players there are now, the player's own servers among them."""
        kinds, known, own = self.services.plugins.kinds, self.services.availability, self.ui.settings
        return BrainList(kinds, known, files=own.bots, servers=own.servers, recorded=self._recorded.offered)

    def open_server(self, seat: int, *, new: bool) -> None:
        """Show the server that plays a seat, or a `new` one, to be set up; it then plays there."""
        card = self.cards[seat]
        spec = None if new else card.spec
        saved = str(card.chosen) if not new and str(card.chosen) in self.ui.settings.servers else ""

        def used(spec: Spec) -> None:
            self._replaceable[seat] = False
            brains = self._brains()
            for each in self.cards:
                each.take(spec if each is card else each.spec, brains)
            self._place()
            self.form.set_focus(self._go)

        self.go.push(ServerScreen(self.ui, self.go, self.services, used, spec, saved, seat))

    def _first_seats(self, plan: SessionPlan) -> tuple[Spec, Spec]:
        """Return the plan's seats, people by their names; against a first player brains play at the lowest level."""
        seats = plan.seats
        if any(self._names):
            kinds, kept = self.services.plugins.kinds, self._names
            human, known = people(seats, kinds), named(seats, kinds, kept)
            seats = (known[0] if human[0] and kept[0] else seats[0], known[1] if human[1] and kept[1] else seats[1])
        if self.ui.settings.played or not any(people(seats, self.services.plugins.kinds)):
            return seats
        return for_newcomers(seats, self.services.plugins.kinds)

    def plan(self) -> SessionPlan:
        """Return the match as it is set up now; the prompts are kept."""
        seats = (self.cards[0].spec, self.cards[1].spec)
        return self._recorded.applied(replace(self._rules_card.plan(self._rules()), seats=seats, series=self._series()))

    def _series(self) -> Series:
        """Return the series: the one before goes on, at whatever level, unless others play or its length changed."""
        series, seats = self._rules_card.series, (self.cards[0].spec, self.cards[1].spec)
        return series if [*map(_player, seats)] == self._players else series.anew()

    def _rules(self) -> Rules:
        left, right = self.cards
        return self._rules_card.rules((left.health, right.health), (left.damage, right.damage))

    def go_on(self) -> None:
        """Go to the prompts, or to the match if nobody takes any; what cannot play is named first."""
        missing = [card for card in self.cards if card.problem]
        problems = tuple(f"{card.seat} {card.spec}: {card.problem}" for card in missing)
        if problems and problems != self._accepted:
            self._ask_about(missing[0], problems)
            return
        if self._asks_for_names():
            return
        plan = self.plan()
        prompts = lively(plan.config.prompts, [card.prompted for card in self.cards])
        plan = replace(plan, config=replace(plan.config, prompts=prompts))
        try:
            if any(card.prompted for card in self.cards):
                self.go.prompts(plan)
            else:
                self.go.start(self.plan(), self.complain)
        except ArcadeError as error:
            self.complain(str(error))

    def _ask_about(self, card: SeatCard, problems: tuple[str, ...]) -> None:
        """Say why a player cannot play, and offer what can be done about it."""

        def anyway() -> None:
            self._accepted = problems
            self.go_on()

        def other() -> None:
            self.form.set_focus(card.widgets[0])
            card.pick_brain()

        self.ui.sound("error")
        dialog = NotReadyDialog(
            self.ui, self.go, self, card, go_on=self.go_on, other=other, anyway=anyway,
            server=lambda: self.open_server(card.seat, new=False),
        )  # fmt: skip
        self.go.push(dialog)

    def _asks_for_names(self) -> bool:
        """Ask two people once what they are called, and keep what people are called here; return whether to wait."""
        kinds = self.services.plugins.kinds
        seats = (self.cards[0].spec, self.cards[1].spec)
        both = all(people(seats, kinds))
        nameless = [card for card in self.cards if not card.spec.text("name")]
        if both and nameless and not self._asked_names and not all(self._names):
            self._asked_names = True
            self.form.set_focus(nameless[0].name_row)
            again = self.ui.controls.mention("menu", self._go.text)
            self.complain(f"Two people play: type your names here; {again} plays as {' and '.join(UNNAMED)}")
            return True
        names = given(named(seats, kinds, self._names) if both else seats, kinds, self._names)
        if names != self._names:
            self._names = names
            self.ui.apply(replace(self.ui.settings, left_name=names[0], right_name=names[1]))
        return False

    def back(self) -> None:
        """Go to the title, which remembers the choices."""
        self.go.title(self.plan())

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys for choosing, and for going from card to card."""
        label = self.ui.controls.label
        sides = f"{label('left')} {label('right')}" if self.ui.controls.device == "keyboard" else "D-PAD"
        return [
            (sides, "change"), (label("confirm"), "choose"), (label("next"), "next card"), (label("back"), "title"),
        ]  # fmt: skip

    # -- what becomes known meanwhile -----------------------------------------------------------

    def update(self, now: float) -> None:
        """Show what has become known about the brains, and what the choices lead to."""
        super().update(now)
        self._substitute()
        offered = self._recorded.update()
        for card in self.cards:
            if offered:
                card.take(card.spec, self._brains(), chosen=False)
            card.update(now)
        self._place()
        prompted = any(card.prompted for card in self.cards)
        self._go.text, self._go.hint = ("NEXT", "On to the orders") if prompted else ("FIGHT!", "Start the match")
        self._describe_strength()

    def _substitute(self) -> None:
        """Let a scripted brain play instead of a shipped choice that cannot play here; the card says so."""
        for card in self.cards:
            if self._replaceable[card.seat] and not card.touched and card.problem:
                card.replace_with(SUBSTITUTE, f"It stands in for {card.spec.name}, which is not ready here.")
                self._replaceable[card.seat] = False

    def _place(self) -> None:
        columns = (self.cards[0].widgets, self._rules_card.widgets, self.cards[1].widgets)
        scrolls = self._scrolls if self._is_wide else self._scrolls[:1] * 3
        rows = [(row, scroll) for column, scroll in zip(columns, scrolls, strict=True) for row in column]
        self.form.place([(self._go, None), *rows])

    def _describe_strength(self) -> None:
        """Show what the handicaps come to: each bot's health, what its bullets take, and how many hits it stands."""
        rules = self._rules()
        for card in self.cards:
            health, mine = rules.initial_health[card.seat], rules.bullet_damage[card.seat]
            theirs = rules.bullet_damage[1 - card.seat]
            falls = f"{math.ceil(health / theirs)} {'in front' if rules.has_armour else 'hits'}" if theirs else "never"
            orders = "yours" if card.prompted else "by hand" if card.kind and card.kind.human else "none"
            card.facts = (
                ("health", f"{health:g}"), ("a hit takes", f"{mine:g}"), ("falls after", falls), ("orders", orders),
            )  # fmt: skip

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """Lay out three columns, or one below the other if there is no room for that."""
        if self._is_wide != (canvas.width >= _WIDE):
            self._is_wide = not self._is_wide
            self._place()
        margin, gap = 40.0, 18.0
        low = canvas.height - BOTTOM - 8
        if self._is_wide:
            middle = min(320.0, canvas.width * 0.25)
            self._arrange_wide(canvas, margin, gap, middle, min(low, TOP + _TALLEST))
        elif canvas.narrow:
            self._arrange_column(canvas, canvas.margin, gap * 0.7, low)
        else:
            self._arrange_narrow(canvas, margin * 0.6, gap * 0.7, low)

    def _arrange_wide(self, canvas: Canvas, margin: float, gap: float, middle: float, low: float) -> None:
        side = (canvas.width - 2 * margin - 2 * gap - middle) / 2
        lefts = (margin, margin + side + gap, margin + side + middle + 2 * gap)
        self._boxes = (Box(lefts[0], TOP, side, low - TOP), Box(lefts[2], TOP, side, low - TOP))
        self._column = Box(lefts[1], TOP, middle, low - TOP - 78)
        self._go.box = Box(lefts[1], low - 64, middle, 60)
        for card, box, scroll in zip(self.cards, self._boxes, (self._scrolls[0], self._scrolls[2]), strict=True):
            scroll.box = box
            scroll.height = card.arrange(box.x, 0.0, side)
        self._scrolls[1].box = self._column
        self._scrolls[1].height = self._rules_card.arrange(lefts[1] + 12, 46.0, middle - 24, 1)

    def _arrange_narrow(self, canvas: Canvas, margin: float, gap: float, low: float) -> None:
        """Let the cards side by side and the rules below them scroll together; the button stays."""
        side = (canvas.width - 2 * margin - gap) / 2
        wide = min(280.0, canvas.width * 0.4)
        self._go.box = Box(canvas.width - margin - wide, 18, wide, 56)
        view = Box(margin, TOP, canvas.width - 2 * margin, low - TOP)
        tall = max(card.arrange(margin + card.seat * (side + gap), 0.0, side - 4) for card in self.cards)
        total = self._rules_card.arrange(margin + 12, tall + 46 + gap, view.w - 30, 2)
        self._scrolls[0].box, self._scrolls[0].height = view, total
        top = view.y - self._scrolls[0].offset
        self._boxes = (Box(margin, top, side - 4, tall), Box(margin + side + gap, top, side - 4, tall))
        self._column = Box(margin, top + tall + gap, view.w - 8, total - tall - gap)

    def _arrange_column(self, canvas: Canvas, margin: float, gap: float, low: float) -> None:
        """Let everything scroll in one column, the button below it in the thumb's reach."""
        self._go.box = Box(margin, low - 62, canvas.width - 2 * margin, 56)
        view = Box(margin, TOP, canvas.width - 2 * margin, low - TOP - 72)
        first = self.cards[0].arrange(margin, 0.0, view.w - 10)
        second = self.cards[1].arrange(margin, first + gap, view.w - 10)
        rules = first + second + 2 * gap
        total = self._rules_card.arrange(margin + 12, rules + 46, view.w - 34, 1)
        self._scrolls[0].box, self._scrolls[0].height = view, total
        top = view.y - self._scrolls[0].offset
        self._boxes = (Box(margin, top, view.w - 10, first), Box(margin, top + first + gap, view.w - 10, second))
        self._column = Box(margin, top + rules, view.w - 10, total - rules)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw the cards."""
        corner = self._corner() if self._is_wide else 0.0
        view = Box(0, TOP - 1, canvas.width, canvas.height - BOTTOM - TOP - 6)
        if canvas.narrow:
            view = self._scrolls[0].box.inset(-4, -1)
        with canvas.clipped(view):
            for card, box, scroll in zip(self.cards, self._boxes, (self._scrolls[0], self._scrolls[2]), strict=True):
                shift = -scroll.offset if self._is_wide else 0.0
                whole = Box(box.x, box.y + shift, box.w, max(box.h, scroll.height if shift else box.h))
                card.paint(canvas, whole, now, self.still, corner if card.room(box) >= corner else 0.0)
            self._rules_card.paint(canvas, self._column, self._series())
            if self._is_wide:
                end = self._column.y + self._scrolls[1].height - self._scrolls[1].offset
                self._rules_card.paint_versus(canvas, self._column, end)

    def _corner(self) -> float:
        """Return how high the bots' corners are: alike on both cards, or only on one if the other has no room."""
        rooms = [card.room(box) for card, box in zip(self.cards, self._boxes, strict=True)]
        fits = [room for room in rooms if room >= _LEAST_CORNER]
        return min(fits, default=0.0)


def _player(spec: Spec) -> tuple[str, ...]:
    """Return what makes a brain the same player, whatever its level and its time."""
    return spec.name, spec.variant, spec.text("model"), spec.text("name")
