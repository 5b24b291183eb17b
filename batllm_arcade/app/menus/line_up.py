"""Who takes part in what is set up, a league or a cup: all players, and the card of one of them."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import ROW, Button, Pressable, Widget, columns, grid, place, rows
from batllm_arcade.app.menus.seat_card import SeatCard, SeatsScreen
from batllm_arcade.app.menus.setup import HIGH as RULES_HIGH
from batllm_arcade.app.menus.setup import ORDER, RulesChoice
from batllm_arcade.app.orders import OrdersCard
from batllm_arcade.app.services.leagues import Draft, Entrant
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.errors import ArcadeError
from batllm_arcade.view import theme

# -- One player

_ORDERS_LEAST = 250.0


class PlayerScreen(SeatsScreen):
    """The card at the left, the orders at the right, of the player at a place of a line-up."""

    def __init__(self, line_up: LineUpScreen, place: int) -> None:
        super().__init__(line_up.ui, line_up.go, line_up.services)
        self.people, self.heading = line_up.people, f"PLAYER {place + 1}"
        self._line_up, self._place, entrant = line_up, place, line_up.draft.entrants[place]
        self.card = SeatCard(place % 2, entrant.spec, self.brains(), self, None, self.heading)
        self.cards = [self.card]
        self.orders = OrdersCard(self, entrant.orders, theme.SEAT_COLORS[place % 2])
        self._read_by = ""
        self._go_button = Button("DONE", self.go_on, big=True, hint="Back, with this player as it is now")
        self._copy = Button("COPY", self._copy_player, hint="One more player like this one, to be given other orders")
        self._remove = Button("TAKE OUT", self._take_out, hint="This player does not take part", color=theme.DANGER)
        self._remove.enabled = len(line_up.players) > 2
        self._buttons = (self._go_button, self._copy, self._remove)
        self._scroll, self._narrow = Scroll(), False
        self.place_widgets()
        self.form.focus = self.card.widgets[0]

    @property
    def entrant(self) -> Entrant:
        """Return the player as it is set up now; orders are kept while another brain is looked at."""
        return Entrant(self.card.spec, self.orders.text if self.card.prompted else "")

    def go_on(self) -> None:
        self._line_up.put(self._place, self.entrant)
        self.go.pop()

    def back(self) -> None:
        if self.form.focus is not None and self.form.focus.takes_text:
            self.form.set_focus(self._go_button)
        else:
            self.go_on()

    def leave_screen(self) -> None:
        self.go_on()

    def _copy_player(self) -> None:
        self._line_up.insert(self.entrant)
        self.go_on()

    def _take_out(self) -> None:
        self._line_up.take_out(self._place)
        self.go.pop()

    def leave(self) -> None:
        super().leave()
        self.orders.close(self.services.wait_at_end)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_F2 and self.card.prompted:
            self.orders.library()
            return True
        return False

    def keys(self) -> Sequence[tuple[str, str]]:
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("next", "next"), ("F2", "ready-made"), ("CTRL Z", "undo"), ("menu", "done")]
        return [("left right", "change"), ("confirm", "choose"), ("next", "orders"), ("back", "done")]

    def update(self, now: float) -> None:
        super().update(now)
        self.card.update(now)
        if str(self.card.spec) != self._read_by:
            self._read_by = str(self.card.spec)
            self.orders.close(self.services.wait_at_end)
            self.orders.read_by(self.brains().orders_reader(self.card.spec))
        self.orders.update(now)
        self.place_widgets()

    def place_widgets(self) -> None:
        """Give the form the rows of the card, the orders where it takes some, and the buttons."""
        orders = self.orders.widgets if self.card.prompted else ()
        within = self._scroll if self._narrow else None
        card = ("card", self.card.widgets, self._scroll)
        self.form.place(card, ("orders", orders, within), ("buttons", self._buttons, None))

    def arrange(self, canvas: Canvas) -> None:
        if self._narrow != canvas.narrow:
            self._narrow = canvas.narrow
            self.place_widgets()
        view, foot = rows(self.area(canvas), (None, 60), 14)
        wide = min(260.0, foot.w * 0.4)
        small = min(150.0, (foot.w - wide - 24) / 2)
        self._remove.box, self._copy.box, _, go_on = columns(foot._replace(h=56), (small, small, None, wide), 12)
        self._remove.box, self._copy.box = (button.box.inset(0, 7).moved(0, 1) for button in (self._remove, self._copy))
        self._go_button.box = go_on
        if self._narrow:
            high = self.card.arrange(view.x, 0.0, view.w - 10)
            self._card_box = Box(view.x, 0, view.w - 10, high)
            orders = Box(view.x, high + 14, view.w - 10, max(_ORDERS_LEAST, view.h - high - 14))
            self._scroll.height = orders.bottom if self.card.prompted else high
        else:
            view, orders = columns(view, (min(560.0, view.w * 0.46), None), 14)
            self._scroll.height = self.card.arrange(view.x, 0.0, view.w - 10)
            self._card_box = Box(view.x, 0, view.w - 10, max(view.h, self._scroll.height))
        self._scroll.box, self._orders_box = view, orders
        self.orders.arrange(canvas, orders)

    def paint(self, canvas: Canvas, now: float) -> None:
        view = self._scroll.box.inset(-4, -1)
        with canvas.clipped(view):
            self.card.paint(canvas, self._scroll.shown(self._card_box), now, self.still)
        orders = self._scroll.shown(self._orders_box) if self._narrow else self._orders_box
        with canvas.clipped(view if self._narrow else orders.inset(-2)):
            if self.card.prompted or not self._narrow:
                self.orders.paint_alone(canvas, orders, prompted=self.card.prompted)


# -- All players

GAP = 6.0
_HEAD, _PAD = 40.0, 14.0


class LineUpScreen(SeatsScreen):
    """The players at the left, what they play at the right; in a tall window both in one scroll.

    A subclass has `adds`, which add players, and `settings`; once it has them it calls `fill`.
    """

    title = ""
    """What stands over the rules."""
    share = 0.5
    """How much of a wide window the players take."""
    most = 0
    """Players there may be."""
    adds: Sequence[Pressable] = ()
    adds_scroll = True
    """Whether these scroll with the players, as they do in a tall window in any case."""
    players: Sequence[Widget] = ()

    def __init__(self, ui: Ui, go: Navigation, services: Services, draft: Draft, hint: str) -> None:
        super().__init__(ui, go, services)
        services.availability.look()
        self.draft = draft
        self.rules = [RulesChoice(name, self.configure) for name in ORDER]
        self.start = Button("START", self.go_on, big=True, hint=hint)
        self.scrolls, self.narrow = (Scroll(), Scroll()), False
        self.configure(draft.config)

    @property
    def settings(self) -> tuple[Sequence[Widget], Sequence[Widget]]:
        """The rows above the rules, and those below them."""
        raise NotImplementedError

    @property
    def names(self) -> Sequence[str]:
        """What the players are called."""
        raise NotImplementedError

    def row(self, place: int, name: str, entrant: Entrant) -> Widget:
        """Return the row of a player."""
        raise NotImplementedError

    def named(self, entrant: Entrant) -> Entrant:
        """Return a player with the name that it gets here."""
        return entrant

    def begin(self) -> None:
        """Begin what was set up; raise ArcadeError if it cannot be."""
        raise NotImplementedError

    def count(self) -> tuple[str, str]:
        """Return what comes of these choices, in figures."""
        raise NotImplementedError

    def configure(self, name: str) -> None:
        """Choose rules."""
        self.draft.config = name
        for choice in self.rules:
            choice.chosen = choice.name == name

    def fill(self, focus: int | None = None) -> None:
        """Make the rows of all players anew, with the focus on this one, or on the last if there are fewer."""
        self.brain_list = self.brains()
        for each in self.draft.entrants:
            self.brain_list.availability.check(each.spec)
        players = zip(self.names, self.draft.entrants, strict=True)
        self.players = [self.row(place, name, each) for place, (name, each) in enumerate(players)]
        for button in self.adds:
            button.enabled = len(self.players) < self.most
        self.place_widgets()
        if focus is not None:
            self.form.set_focus(self.players[min(focus, len(self.players) - 1)])

    def open(self, place: int) -> None:
        """Show the card of a player."""
        self.go.push(PlayerScreen(self, place))

    def put(self, place: int, entrant: Entrant) -> None:
        """Let a player be as it was set up on its card."""
        del self.draft.entrants[place]
        self.draft.entrants.insert(place, self.named(entrant))
        self.fill(place)

    def insert(self, entrant: Entrant) -> None:
        """Add a player, if there is room for one more."""
        if len(self.players) < self.most:
            self.draft.entrants.append(self.named(entrant))
            self.fill()

    def take_out(self, place: int) -> None:
        """Take a player out."""
        del self.draft.entrants[place]
        self.fill(place)

    def go_on(self) -> None:
        """Begin, unless somebody cannot play."""
        for row, name, each in zip(self.players, self.names, self.draft.entrants, strict=True):
            if problem := self.brain_list.problem(each.spec):
                self.form.set_focus(row)
                self.complain(f"{name} cannot play: {problem}")
                return
        try:
            self.begin()
        except ArcadeError as error:
            self.complain(str(error))

    def place_widgets(self) -> None:
        """Give the form all rows."""
        left, right = self.scrolls[:1] * 2 if self.narrow else self.scrolls
        adds = left if self.narrow or self.adds_scroll else None
        above, below = self.settings
        self.form.place(
            ("players", self.players, left), ("players" if self.adds_scroll else "add", self.adds, adds),
            ("settings", [*above, *self.rules, *below], right), ("settings", [self.start], None),
        )  # fmt: skip

    def arrange_players(self, area: Box) -> float:
        """Lay players and the ways to add one out from an area's top; return where they end."""
        raise NotImplementedError

    def arrange(self, canvas: Canvas) -> None:
        if self.narrow != canvas.narrow:
            self.narrow = canvas.narrow
            self.place_widgets()
        view, self._foot = rows(self.area(canvas), (None, 62), 12)
        left, right = self.scrolls
        if self.narrow:
            left.box, inner = view, Box(view.x, 4, view.w - 10, 0)
            self._card = self._arrange_settings(canvas, inner._replace(y=self.arrange_players(inner) + 14))
            left.height = self._card.bottom
        else:
            left.box, right.box = columns(view, (view.w * self.share, None), 12)
            left.height = self.arrange_players(Box(view.x, 4, left.box.w - 14, 0))
            self._card = self._arrange_settings(canvas, right.box._replace(y=0))
            right.height = self._card.h
        wide = self._foot.w - 170 if self.narrow else min(300.0, self._foot.w * 0.3)
        self.start.box = Box(self._foot.right - wide, self._foot.y, wide, 58)

    def _arrange_settings(self, canvas: Canvas, card: Box) -> Box:
        """Lay the rows out in the card; return it as high as it is."""
        inner = Box(card.x + _PAD, card.y + _HEAD, card.w - 2 * _PAD, 0)
        above, below = self.settings
        across = 2 if inner.w >= 480 * canvas.type_size(14) / 14 else 1
        place(above, boxes := rows(inner, [ROW] * len(above), GAP))
        inner = inner._replace(y=boxes[-1].bottom + 10)
        place(self.rules, boxes := grid(inner, len(self.rules), across, RULES_HIGH, 8, GAP))
        place(below, low := rows(inner._replace(y=boxes[-1].bottom + 10), [ROW] * len(below), GAP))
        return card._replace(h=[*boxes, *low][-1].bottom + _PAD - card.y)

    def paint(self, canvas: Canvas, now: float) -> None:
        scroll = self.scrolls[0 if self.narrow else 1]
        with canvas.clipped(scroll.box.inset(-4, -1)):
            card = scroll.shown(self._card)
            canvas.card(card)
            canvas.words((card.x + 18, card.y + 13), self.title, "label", 14, theme.GOLD)
        x, y, wide = self._foot.x + 2, self._foot.y, self.start.box.x - self._foot.x - 18
        large, small = self.count()
        canvas.words((x, y + 4), large, "title", 26, theme.TEXT, width=wide)
        canvas.words((x, y + 34), small, "label", 15, theme.SOFT, width=wide)
