"""One player of a league: its card, as where a match is set up, and its orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Button, Widget
from batllm_arcade.app.menus.seats.seat_card import SeatCard
from batllm_arcade.app.orders.orders_card import OrdersCard
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.leagues.league_draft import Entrant
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.view import theme

_ORDERS_LEAST = 250.0


class PlayerScreen(MenuScreen):
    """The card at the left, the orders at the right; `done` gets what becomes of the player: None takes it out.

    `copied` gets a second player to begin with the same brain and orders.
    """

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, place: int, entrant: Entrant, *,
        done: Callable[[Entrant | None], None], copied: Callable[[Entrant], None], can_leave: bool,
    ) -> None:  # fmt: skip
        super().__init__(ui)
        self.heading = f"PLAYER {place + 1}"
        self.go, self.services = go, services
        self._done, self._copied = done, copied
        self.card = SeatCard(place % 2, entrant.spec, self._brains(), self, None, self.heading)
        self.orders = OrdersCard(self, entrant.orders, theme.SEAT_COLORS[place % 2], services.wait_at_end)
        self._read_by = ""
        self._go_button = Button("DONE", self.go_on, big=True, hint="Back to the league")
        self._copy = Button("COPY", self._copy_player, hint="One more player like this one, to be given other orders")
        self._remove = Button("TAKE OUT", self._take_out, hint="This player does not take part", color=theme.DANGER)
        self._remove.enabled = can_leave
        self._buttons = (self._go_button, self._copy, self._remove)
        for button in self._buttons:
            button.group = "buttons"
        self._scroll, self._whole = Scroll(), Scroll()
        self._narrow = False
        self._place()
        self.form.focus = self.card.widgets[0]

    def _brains(self) -> BrainList:
        kinds, settings = self.services.plugins.kinds, self.ui.settings
        return BrainList(kinds, self.services.availability, files=settings.bots, servers=settings.servers, people=False)

    @property
    def entrant(self) -> Entrant:
        """Return the player as it is set up now; orders are kept while another brain is looked at."""
        return Entrant(self.card.spec, self.orders.text if self.card.prompted else "")

    def open_server(self, seat: int, *, new: bool) -> None:
        """Show the server that plays, or a `new` one, to be set up; it then plays here."""
        spec = None if new else self.card.spec
        saved = str(self.card.chosen) if not new and str(self.card.chosen) in self.ui.settings.servers else ""

        def used(spec: Spec) -> None:
            self.card.take(spec, self._brains())
            self._place()

        self.go.push(ServerScreen(self.ui, self.go, self.services, used, spec, saved))

    # -- where it leads -------------------------------------------------------------------------

    def go_on(self) -> None:
        """Keep the player as it is, and go back to the league."""
        self._done(self.entrant)
        self.go.pop()

    def back(self) -> None:
        """Leave the orders first, then keep the player and go back to the league."""
        if self.form.focus is not None and self.form.focus.takes_text:
            self.form.set_focus(self._go_button)
        else:
            self.go_on()

    def leave_screen(self) -> None:
        """Keep the player, and go back to the league."""
        self.go_on()

    def _copy_player(self) -> None:
        self._copied(self.entrant)
        self.go_on()

    def _take_out(self) -> None:
        self._done(None)
        self.go.pop()

    def leave(self) -> None:
        """Stop taking text and reading orders."""
        super().leave()
        self.orders.close()

    # -- events ---------------------------------------------------------------------------------

    def key(self, event: pygame.event.Event) -> bool:
        """Take the key of the library."""
        if event.key == pygame.K_F2 and self.card.prompted:
            self.orders.library()
            return True
        return False

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take what every menu takes, and place what has changed by it."""
        super().handle(event, meaning, now)
        self._place()

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys for writing while somebody does, else those for choosing."""
        label = self.ui.controls.label
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("TAB", "next"), ("F2", "library"), ("CTRL Z", "undo"), ("CTRL ENTER", "done")]
        sides = f"{label('left')} {label('right')}" if self.ui.controls.device == "keyboard" else "D-PAD"
        return [(sides, "change"), (label("confirm"), "choose"), (label("next"), "orders"), (label("back"), "done")]

    def update(self, now: float) -> None:
        """Show what has become known of the brain."""
        super().update(now)
        self.card.update(now)
        if str(self.card.spec) != self._read_by:
            self._read_by = str(self.card.spec)
            self.orders.read_by(self._brains().orders_reader(self.card.spec))
        self.orders.update(now)
        self._place()

    def _place(self) -> None:
        card_scroll = self._whole if self._narrow else self._scroll
        orders: list[Widget] = list(self.orders.widgets) if self.card.prompted else []
        within = self._whole if self._narrow else None
        self.form.place(
            [*((row, card_scroll) for row in self.card.widgets), *((widget, within) for widget in orders),
             *((button, None) for button in self._buttons)]
        )  # fmt: skip

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """Lay out the card and the orders beside each other, in a narrow window one below the other."""
        margin, low = canvas.margin, canvas.height - BOTTOM - 8
        if self._narrow != canvas.narrow:
            self._narrow = canvas.narrow
            self._place()
        self._arrange_buttons(canvas, Box(margin, low - 60, canvas.width - 2 * margin, 56))
        view = Box(margin, TOP, canvas.width - 2 * margin, low - TOP - 74)
        if self._narrow:
            self._arrange_column(canvas, view)
            return
        side = min(560.0, view.w * 0.46)
        self._scroll.box = Box(view.x, view.y, side, view.h)
        self._scroll.height = self.card.arrange(view.x, 0.0, side - 10)
        self._card_box = Box(view.x, view.y, side - 10, view.h)
        self._orders_box = Box(view.x + side + 14, view.y, view.w - side - 14, view.h)
        self.orders.arrange(canvas, self._orders_box)

    def _arrange_column(self, canvas: Canvas, view: Box) -> None:
        tall = self.card.arrange(view.x, 0.0, view.w - 10)
        high = max(_ORDERS_LEAST, view.h - tall - 14)
        self._whole.box = view
        self._whole.height = tall + 14 + high if self.card.prompted else tall
        top = view.y - self._whole.offset
        self._card_box = Box(view.x, top, view.w - 10, tall)
        self._orders_box = Box(view.x, top + tall + 14, view.w - 10, high)
        self.orders.arrange(canvas, Box(view.x, tall + 14, view.w - 10, high))

    def _arrange_buttons(self, canvas: Canvas, row: Box) -> None:
        wide = min(260.0, row.w * 0.4)
        small = min(150.0, (row.w - wide - 24) / 2)
        self._remove.box = Box(row.x, row.y + 8, small, 42)
        self._copy.box = Box(row.x + small + 12, row.y + 8, small, 42)
        self._go_button.box = Box(row.right - wide, row.y, wide, 56)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw the cards."""
        scroll = self._whole if self._narrow else self._scroll
        with canvas.clipped(scroll.box.inset(-4, -1)):
            card = self._card_box
            if not self._narrow:
                card = Box(card.x, card.y - scroll.offset, card.w, max(card.h, scroll.height))
            self.card.paint(canvas, card, now, self.still, 0.0)
        with canvas.clipped(scroll.box.inset(-4, -1) if self._narrow else self._orders_box.inset(-2)):
            if self.card.prompted or not self._narrow:
                self.orders.paint(canvas, self._orders_box, prompted=self.card.prompted)
