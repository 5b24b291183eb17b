"""A match is set up: who plays, by which rules, with which orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import (
    ROW,
    Button,
    Choice,
    Pressable,
    Row,
    Toggle,
    Widget,
    columns,
    grid,
    place,
    rows,
)
from batllm_arcade.app.menus.seat_card import NotReadyDialog, SeatCard, SeatsScreen
from batllm_arcade.app.orders import ELSEWHERE, PromptEditor, PromptEditors, lively
from batllm_arcade.app.pictures import draw_rules
from batllm_arcade.app.services.brain_list import BrainList, RecordedModels, for_newcomers
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.match.series import LENGTHS, Series
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.store import UNNAMED, given, named, people
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- A card for each set of rules

HIGH = 54.0
OWN = "your own"
_SHOWN = {
    "couch": ("Couch", "Short, and walking loads", "Short games; good for a first match"),
    "arena": (
        "Arena",
        "Bounces and bumps",
        "As Couch; bullets bounce once, a turn is a quarter at most, a bump spins the other bot",
    ),
    "default": ("Default", "Long games, much room", "Small bots far from each other; guns are always loaded"),
    "classic": ("Classic", "As in the original game", "The rules of BatLLM, with shields up at the start"),
    OWN: ("Your own", "The rules of your file", "The rules of the configuration that was given"),
}
"""What each is called, in a sentence, and what is said at the bottom of the screen."""
ORDER = tuple(name for name in _SHOWN if name in configuration.SHIPPED)


class RulesChoice(Pressable):
    """The card of the configuration `name`."""

    def __init__(self, name: str, choose: Callable[[str], None]) -> None:
        shown, self.sentence, hint = _SHOWN[name]
        super().__init__(shown, lambda: choose(name), hint)
        self.name, self.chosen = name, False

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        edge = theme.GOLD if self.chosen else theme.PANEL_EDGE
        share = 0.16 if self.chosen else 0.75 if focused else 0.0
        fill = mixed(theme.PANEL, theme.GOLD if self.chosen else theme.PANEL_EDGE, share)
        canvas.box(box, fill, edge, width=2 if self.chosen else 1, radius=7)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        picture = Box(box.x + 5, box.y + 5, (box.h - 10) * 1.7, box.h - 10)
        draw_rules(canvas, picture, self.name)
        x, wide = picture.right + 10, box.right - picture.right - 18
        canvas.words((x, box.y + 5), self.text, "title", 20, theme.GOLD if self.chosen else theme.TEXT, width=wide)
        if canvas.measure(self.sentence, "label", 14) <= wide:
            canvas.words((x, box.y + box.h - 24), self.sentence, "label", 14, theme.SOFT)


# -- The rules of the match to be set up

_ROUNDS = (1, 2, 3, 4, 5, 7, 9)
_TURNS = (4, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40)
_CLOCKS = (0, 10, 15, 20, 30, 45, 60)
_GAP = 6.0
_TWO_CARDS = 560.0  # from this width on two cards of rules are beside each other
Pair = tuple[float, float]


class RulesCard:
    """Rows for the rules; `plan(...)` is the plan they were made for, with what is chosen in them.

    `changed` is called when other rows are to be seen.
    """

    def __init__(self, ui: Ui, plan: SessionPlan, changed: Callable[[bool], None] = lambda on: None) -> None:
        self._ui, self._plan = ui, plan
        self._base, name = _base_of(plan.config)
        self._bases = {name: self._base}
        names = (*ORDER, *([OWN] if name == OWN else []))
        self.choices = [RulesChoice(choice, self._configure) for choice in names]
        self._seed, self.series = plan.seed, plan.series or Series()
        self._shown, self._hidden = self._make_rows(plan)
        self.more = Toggle("More options", False, changed, hint="What few need: the seed")
        self._mark(name)

    @property
    def widgets(self) -> list[Widget]:
        """All that can be chosen now."""
        return [*self.choices, *self._rows]

    @property
    def _rows(self) -> list[Row | Button]:
        return [*self._shown, self.more, *(self._hidden if self.more.on else ())]

    def _make_rows(self, plan: SessionPlan) -> tuple[list[Row], list[Row | Button]]:
        rules, clock = plan.config.rules, round(self._ui.settings.turn_clock_s)
        self._turns = _number("Turns", _TURNS, rules.turns_per_round)
        self._turns.hint = "How long a round is: in each turn both bots act once"
        self._rounds = _number("Rounds", _ROUNDS, rules.total_rounds)
        self._rounds.hint = "How long a game is; new orders can be given between rounds"
        best_of = Choice.among(
            "Best of", LENGTHS, self.series.best_of, self._set_series,
            lambda length: "endless" if length is None else str(length),
            hint="How many games decide who wins; a drawn game is played again",
        )  # fmt: skip
        turn_clock = Choice.among(
            "Turn clock", sorted({*_CLOCKS, clock}), clock, self._set_clock,
            lambda seconds: f"{seconds} s" if seconds else "off", hint="How long you may take for a turn",
        )  # fmt: skip
        self._seed_row = Field(
            "Seed", str(self._seed), self._set_seed, takes="0123456789".__contains__, most=18,
            hint="Where the bots start and who acts first; the same number gives the same beginning",
        )  # fmt: skip
        seed_button = Button("New seed", self._new_seed, hint="Start from other places")
        return [self._rounds, self._turns, best_of, turn_clock], [self._seed_row, seed_button]

    def _set_series(self, best_of: int | None) -> None:
        before = self._plan.series or Series()
        self.series = before if before.best_of == best_of else Series(best_of)

    def _set_clock(self, seconds: int) -> None:
        self._ui.apply(settings.changed(self._ui.settings, "turn_clock_s", float(seconds)))

    def _set_seed(self, text: str) -> None:
        self._seed = int(text) if text else 0

    def _new_seed(self) -> None:
        self._seed = new_seed()
        self._seed_row.editor.set(str(self._seed))

    def _configure(self, name: str) -> None:
        if name not in self._bases:
            self._bases[name] = configuration.load(name)
        self._base = self._bases[name]
        rules = self._base.rules
        for row, number in ((self._rounds, rules.total_rounds), (self._turns, rules.turns_per_round)):
            row.options = tuple(sorted({*row.options, str(number)}, key=int))
            row.chosen = row.options.index(str(number))
        self._mark(name)

    def _mark(self, name: str) -> None:
        for choice in self.choices:
            choice.chosen = choice.name == name

    def strength(self, seat: int) -> Pair:
        """Return a bot's health and damage in the plan, as shares of what its configuration says."""
        now, base = self._plan.config.rules, self._base.rules
        return (
            round(now.initial_health[seat] / base.initial_health[seat], 3),
            round(now.bullet_damage[seat] / base.bullet_damage[seat], 3) if base.bullet_damage[seat] else 1.0,
        )

    def rules(self, health: Pair, damage: Pair) -> Rules:
        """Return the rules that are chosen, with handicaps as shares of health and damage, left first."""
        return replace(
            self._base.rules,
            total_rounds=int(self._rounds.shown),
            turns_per_round=int(self._turns.shown),
            initial_health=_scaled(self._base.rules.initial_health, health),
            bullet_damage=_scaled(self._base.rules.bullet_damage, damage),
        )

    def plan(self, rules: Rules) -> SessionPlan:
        """Return the plan with these rules and all else that is chosen; its prompts are kept."""
        base = self._base
        config = replace(
            self._plan.config, rules=rules, style=base.style, gamepad=base.gamepad, header_template=base.header_template
        )
        clock = self._ui.settings.turn_clock_s
        return replace(self._plan, series=self.series, config=config, seed=self._seed, turn_clock_s=clock)

    def arrange(self, card: Box, across: int) -> Box:
        """Lay the cards of rules and the rows, so many beside each other, out in a card; return it as high as it is."""
        area = Box(card.x + 12, card.y + 46, card.w - 24, 0)
        boxes = grid(area, len(self.choices), 2 if area.w >= _TWO_CARDS else 1, HIGH, 8, _GAP)
        place(self.choices, boxes)
        place(self._rows, grid(area._replace(y=boxes[-1].bottom + 10), len(self._rows), across, ROW, 12, _GAP))
        for row in self._rows:
            if isinstance(row, Row):
                row.label_share = 0.42
        return card._replace(h=self._rows[-1].box.bottom + _GAP + 8 - card.y)

    def paint(self, canvas: Canvas, box: Box, series: Series) -> None:
        """Draw the card that the rows lie on, and what becomes of a series that has been begun."""
        canvas.card(box)
        canvas.words((box.x + 16, box.y + 13), "THE MATCH", "label", 14, theme.GOLD)
        before = self._plan.series
        if before is not None and before.wins != (0, 0):
            words = f"{series.wins[0]} : {series.wins[1]} goes on" if series.wins == before.wins else "a new series"
            canvas.words((box.right - 16, box.y + 13), words, "label", 14, theme.SOFT, side="right")


def _base_of(config: Config) -> tuple[Config, str]:
    """Return the configuration without lengths and handicaps, and its name: a shipped one's, or the player's own."""
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
    return config, OWN


def _scaled(pair: Pair, shares: Pair) -> Pair:
    return pair[0] * shares[0], pair[1] * shares[1]


def _number(label: str, numbers: Sequence[int], number: int) -> Choice:
    """Return the choice of a number, which is among the ones offered from the beginning."""
    return Choice.among(label, sorted({*numbers, number}), number, lambda _: None)


# -- The seats

SUBSTITUTE = Spec("scripted", "sharpshooter")
"""Who plays instead of a shipped choice that cannot play here."""
_TALLEST = 640.0  # of a card in a tall window
_BETWEEN = 12.6
_WIDE = 1080.0
"""From this width on there are three columns."""


class SetupScreen(SeatsScreen):
    """A card for each seat, the rules between them."""

    heading = "WHO FIGHTS?"
    has_phones = True

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan) -> None:
        super().__init__(ui, go, services)
        services.availability.look()
        self._accepted: tuple[str, ...] = ()
        self._rules_card = RulesCard(ui, plan, lambda on: self.place_widgets())
        self._recorded = RecordedModels(services.plugins.kinds, sessions_folder(), services.wait_at_end)
        brains = self.brains()
        brains.check_stand_ins()
        self._names = (ui.settings.left_name, ui.settings.right_name)
        seats = self._first_seats(plan)
        self._players, self._asked_names = [*map(_player, seats)], False
        self.cards = [SeatCard(seat, seats[seat], brains, self, self._rules_card.strength(seat)) for seat in (0, 1)]
        for card, name in zip(self.cards, self._names, strict=True):
            card.person = name
        self._go = Button("NEXT", self.go_on, big=True)
        self._scrolls, self._is_wide = (Scroll(), Scroll(), Scroll()), True
        self.place_widgets()
        self.form.focus = self._go

    def brains(self) -> BrainList:
        """Return all players there are now, people and recorded models too."""
        kinds, known, own = self.services.plugins.kinds, self.services.availability, self.ui.settings
        return BrainList(kinds, known, files=own.bots, servers=own.servers, recorded=self._recorded.offered)

    def use_server(self, card: SeatCard, spec: Spec) -> None:
        """Let a server that was set up play a card's seat; the next press goes on."""
        super().use_server(card, spec)
        self.form.set_focus(self._go)

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

    @property
    def _seats(self) -> tuple[Spec, Spec]:
        return self.cards[0].spec, self.cards[1].spec

    def plan(self) -> SessionPlan:
        """Return the match as it is set up now; the prompts are kept."""
        plan = replace(self._rules_card.plan(self._rules()), seats=self._seats, series=self._series())
        return self._recorded.applied(plan)

    def _series(self) -> Series:
        """Return the series: the one before goes on, at whatever level, unless others play or its length changed."""
        series = self._rules_card.series
        return series if [*map(_player, self._seats)] == self._players else series.anew()

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
        if any(card.kind is not None and card.kind.remote for card in self.cards):
            self.phones()
            return
        prompted = [card.prompted for card in self.cards]
        if any(prompted):
            prompts = lively(plan.config.prompts, prompted)
            self.go.prompts(replace(plan, config=replace(plan.config, prompts=prompts)))
        else:
            self.go.start(plan, self.complain)

    def phones(self, seat: int | None = None) -> None:
        """Let phones in: for the seats that they play, and for this one, whose orders they write if it takes some."""
        wanted = ["seat" if card.kind is not None and card.kind.remote else "" for card in self.cards]
        if seat is not None:
            wanted[seat] = "orders" if self.cards[seat].prompted else "seat"
        self.go.phones(self.plan(), (wanted[0], wanted[1]))

    def _ask_about(self, card: SeatCard, problems: tuple[str, ...]) -> None:
        """Say why a player cannot play, and offer what can be done about it."""

        def anyway() -> None:
            self._accepted = problems
            self.go_on()

        self.ui.sound("error")
        self.go.push(NotReadyDialog(self, card, self.go_on, anyway))

    def _asks_for_names(self) -> bool:
        """Ask two people once what they are called, and keep what people are called here; return whether to wait."""
        kinds, seats = self.services.plugins.kinds, self._seats
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
        self.go.title(self.plan())

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("left right", "change"), ("confirm", "choose"), ("next", "next card"), ("back", "title")]

    def update(self, now: float) -> None:
        super().update(now)
        self._substitute()
        offered = self._recorded.update()
        for card in self.cards:
            if offered:
                card.take(card.spec, self.brains(), chosen=False)
            card.update(now)
        self.place_widgets()
        prompted = any(card.prompted for card in self.cards)
        self._go.text, self._go.hint = ("NEXT", "On to the orders") if prompted else ("FIGHT!", "Start the match")

    def _substitute(self) -> None:
        """Let a scripted brain play instead of a shipped choice that cannot play here; the card says so."""
        for card in self.cards:
            spec = card.spec
            if spec.name == "embedded" and not spec.text("model") and not card.touched and card.problem:
                called = card.brains.called(spec)
                card.replace_with(SUBSTITUTE, f"It plays instead of {called}, which is not ready here.")

    def place_widgets(self) -> None:
        """Give the form the rows of all cards; in a window that is not wide they scroll together."""
        (left, right), (first, middle, last) = self.cards, self._scrolls if self._is_wide else self._scrolls[:1] * 3
        self.form.place(
            ("match", [self._go], None), ("left", left.widgets, first), ("match", self._rules_card.widgets, middle),
            ("right", right.widgets, last),
        )  # fmt: skip

    def arrange(self, canvas: Canvas) -> None:
        if self._is_wide != (canvas.width >= _WIDE):
            self._is_wide = not self._is_wide
            self.place_widgets()
        margin = canvas.margin if self._is_wide or canvas.narrow else 24.0
        area = self.area(canvas)._replace(x=margin, w=canvas.width - 2 * margin)
        if self._is_wide:
            self._arrange_wide(area._replace(h=min(area.h, _TALLEST)), min(320.0, canvas.width * 0.25))
            return
        if canvas.narrow:  # the button in the thumb's reach
            area, foot = rows(area, (None, 62), 10)
            self._go.box = foot._replace(h=56)
        else:
            button = min(280.0, canvas.width * 0.4)
            self._go.box = Box(area.right - button, 18, button, 56)
        self._arrange_together(area, 1 if canvas.narrow else 2)

    def _arrange_wide(self, area: Box, middle: float) -> None:
        left, rules, right = columns(area, (None, middle, None), 18)
        self._rules_box, foot = rows(rules, (None, 64), 14)
        self._go.box = foot._replace(h=60)
        self._boxes = []
        for card, box, scroll in zip(self.cards, (left, right), self._scrolls[::2], strict=True):
            scroll.box = box
            scroll.height = card.arrange(box.x, 0.0, box.w)
            self._boxes.append(Box(box.x, 0, box.w, max(box.h, scroll.height if scroll.offset else 0)))
        self._scrolls[1].box = self._rules_box
        self._scrolls[1].height = self._rules_card.arrange(self._rules_box._replace(y=0), 1).h

    def _arrange_together(self, area: Box, across: int) -> None:
        """Let the cards, so many beside each other, and the rules below them scroll together."""
        self._scrolls[0].box, self._boxes = area, []
        sides, top = columns(area._replace(y=0, w=area.w - 10), [None] * across, _BETWEEN), 0.0
        for card, side in zip(self.cards, [*sides, *sides][:2], strict=True):
            self._boxes.append(side._replace(y=top, h=card.arrange(side.x, top, side.w)))
            top = self._boxes[-1].bottom + _BETWEEN if across == 1 else 0.0
        top = max(box.bottom for box in self._boxes)
        if across > 1:
            self._boxes = [box._replace(h=top) for box in self._boxes]
        self._rules_box = self._rules_card.arrange(Box(area.x, top + _BETWEEN, area.w - 10, 0), across)
        self._scrolls[0].height = self._rules_box.bottom

    def paint(self, canvas: Canvas, now: float) -> None:
        scrolls = self._scrolls if self._is_wide else self._scrolls[:1] * 3
        view = Box(0, TOP - 1, canvas.width, canvas.height - BOTTOM - TOP - 6)
        with canvas.clipped(scrolls[0].box.inset(-4, -1) if canvas.narrow else view):
            for card, box, scroll in zip(self.cards, self._boxes, scrolls[::2], strict=True):
                card.paint(canvas, scroll.shown(box), now, self.still)
            rules = self._rules_box if self._is_wide else scrolls[0].shown(self._rules_box)
            self._rules_card.paint(canvas, rules, self._series())


def _player(spec: Spec) -> tuple[str, ...]:
    """Return what makes a brain the same player, whatever its level and its time."""
    return spec.name, spec.variant, spec.text("model"), spec.text("name")


# -- Both players' prompts


class PromptsScreen(MenuScreen):
    """Two editors and the button that starts the match."""

    heading = "ORDERS"

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self._plan = plan
        editors = (editor_for(services, plan, 0), editor_for(services, plan, 1))
        self.pair = PromptEditors(self, editors, plan.config.prompts, back=plan.config.rules.back_step > 0)
        self._fight = Button("FIGHT!", self.go_on, big=True, hint="Start the match; or just write on")
        self.types_anywhere = any(writer.prompted for writer in self.pair.writers)
        self._hide = Toggle(
            "Hide orders", ui.settings.hide_prompts, self.pair.hide,
            hint="Each player's orders stay covered while the other one can see the screen",
        )  # fmt: skip
        self.form.place(("fight", [self._fight, self._hide], None), *self.pair.parts())

    def leave(self) -> None:
        super().leave()
        self.pair.close(self.services.wait_at_end)

    def plan(self) -> SessionPlan:
        """Return the plan with the prompts as they are written now."""
        return replace(self._plan, config=replace(self._plan.config, prompts=self.pair.prompts))

    def go_on(self) -> None:
        self.go.start(self.plan(), self.complain)

    def back(self) -> None:
        if self.form.focus is not None and self.form.focus.takes_text:
            self.form.set_focus(self._fight)
        else:
            self.go.seats(self.plan())

    def leave_screen(self) -> None:
        self.go.seats(self.plan())

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take letters for the orders wherever the focus is, then what every menu takes."""
        if self.picker is not None or not self.pair.typed(event):
            super().handle(event, meaning, now)

    def key(self, event: pygame.event.Event) -> bool:
        return self.pair.key(event)

    def keys(self) -> Sequence[tuple[str, str]]:
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("next", "next"), ("F2", "ready-made"), ("CTRL Z", "undo"), ("F6", "hide"), ("menu", "fight")]
        does = "fight" if self.form.focus is self._fight else "choose"
        write = ("A\u2013Z", "write")
        return [("confirm", does), ("SPACE", does), write, ("next", "next player"), ("back", "seats")]

    def update(self, now: float) -> None:
        super().update(now)
        self._hide.on = self.ui.settings.hide_prompts

    def arrange(self, canvas: Canvas) -> None:
        cards, foot = rows(self.area(canvas), (None, 66), 14)
        self.pair.arrange(canvas, cards)
        foot = foot.inset(0, 4)
        if canvas.narrow:
            hide, self._fight.box = columns(foot, (236, None), 12)
        else:
            wide = min(300.0, canvas.width * 0.32)
            _, self._fight.box, side = columns(foot, (None, wide, None), 12)
            hide = side._replace(x=side.right - min(250.0, side.w), w=min(250.0, side.w))
        self._hide.box = Box(hide.x, foot.y + 9, hide.w, 40)

    def paint(self, canvas: Canvas, now: float) -> None:
        self.pair.paint(canvas, now, still=self.still)


def editor_for(services: Services, plan: SessionPlan, seat: int) -> PromptEditor:
    """Return who writes the prompt for a seat of a plan."""
    spec, brains = plan.seats[seat], BrainList(services.plugins.kinds, services.availability)
    kind = brains.kind(spec)
    name = spec.text("name") or spec.text("model") or brains.called(spec)
    if kind is None:
        return PromptEditor(name, spec.short, False)
    about = brains.about(spec).rstrip(".")
    why = ELSEWHERE if kind.remote else f"{about[:1].upper()}{about[1:]}. It plays by itself and takes no orders."
    here = kind.human and not kind.remote
    return PromptEditor(name, spec.short, kind.prompted, here, why, brains.orders_reader(spec))
