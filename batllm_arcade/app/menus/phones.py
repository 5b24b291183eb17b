"""Phones come in: addresses, codes and QR codes of the seats, and who is there already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Widget, columns, rows
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme

if TYPE_CHECKING:
    from batllm_arcade.serve.server import Server

Wanted = tuple[str, str]
"""What a phone does for each seat, left first: `seat` plays it, `orders` writes its orders, "" nothing."""
_PHONE = Spec("browser")
_KEYS = Spec("keyboard")
NOTE = {
    True: "Everybody on this network can open these addresses; a seat needs its code. What is sent is not encrypted",
    False: "Browsers on this computer alone can open these addresses",
}


class CodePictures:
    """Draws the QR codes of addresses, each of which is worked out once."""

    def __init__(self) -> None:
        self._made: dict[str, pygame.Surface] = {}

    def draw(self, canvas: Canvas, box: Box, address: str) -> None:
        """Draw the code of an address, dark on white as all phones read it."""
        small = self._made.get(address)
        if small is None:
            from batllm_arcade.serve.invitation import qr_code

            cells = qr_code(address)
            small = self._made[address] = pygame.Surface((len(cells), len(cells)))
            for y, row in enumerate(cells):
                for x, dark in enumerate(row):
                    small.set_at((x, y), theme.NIGHT if dark else theme.WHITE)
        rect = canvas.rect(box)
        size = max(1, rect.width // small.get_width()) * small.get_width()
        picture = pygame.transform.scale(small, (size, size))
        canvas.target.blit(picture, (rect.centerx - size // 2, rect.centery - size // 2))


class PhonesScreen(MenuScreen):
    """Opens the pages when somebody says who may come in; the match begins when every phone that is wanted is there."""

    heading = "PHONES"

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan, wanted: Wanted) -> None:
        super().__init__(ui)
        self.go, self.services, self._plan, self._wanted = go, services, plan, list(wanted)
        self._brains = BrainList(services.plugins.kinds, services.availability)
        self._opening: BackgroundTask[Server] | None = None
        self._server: Server | None = None
        self._orders: BackgroundTask[dict[int, str]] | None = None
        self._codes = CodePictures()
        self._started = False
        self._choices = [self._choice(seat) for seat in (0, 1)]
        near = "Opens the pages to the network that this computer is on"
        self._doors = [
            Button("LET PHONES IN", partial(self._open, lan=True), big=True, hint=near),
            Button("This computer only", partial(self._open, lan=False), hint="Browsers on this computer"),
        ]
        self._fight = Button("FIGHT!", self.go_on, big=True, hint="Start when every phone is there")
        self._place()

    def _choice(self, seat: int) -> Choice:
        spec = self._plan.seats[seat]
        kind = self._brains.kind(spec)
        own = self._brains.called(_KEYS if kind is not None and kind.remote else spec)
        ways = ["seat", ""] + (["orders"] if kind is not None and kind.prompted else [])
        words = {"seat": "A phone plays", "": f"{own}, here", "orders": f"{own}, orders by phone"}
        return Choice.among(
            SEATS[seat].capitalize(), ways, self._wanted[seat], partial(self._want, seat), words.__getitem__,
            hint="What a phone does for this seat",
        )  # fmt: skip

    def _want(self, seat: int, what: str) -> None:
        self._wanted[seat] = what

    def _place(self) -> None:
        opened = self._server is not None
        widgets: list[Widget] = [self._fight] if opened else [*self._doors, *self._choices]
        self.form.place((widget, None) for widget in widgets)

    def _open(self, *, lan: bool) -> None:
        """Open the pages, to the network or to this computer."""
        if self._opening is not None:
            return
        from batllm_arcade.serve.seat import close_pages, open_pages

        services = self.services

        def opened() -> Server:
            close_pages(None)
            return open_pages(services, lan=lan)

        self._opening = BackgroundTask("opening the pages", lambda report: opened())

    def leave(self) -> None:
        super().leave()
        if not self._started:
            self.services.close_pages()

    def back(self) -> None:
        self.go.seats(self._plan)

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        return [(label("confirm"), "choose"), (label("back"), "back")]

    @property
    def _ready(self) -> bool:
        if self._server is None or not any(self._wanted):
            return False
        if self._orders is not None and not self._orders.done:
            return False
        places = self._server.lobby.places
        return all(places[seat].page is not None for seat in (0, 1) if self._wanted[seat] == "seat")

    def update(self, now: float) -> None:
        super().update(now)
        task = self._opening
        if task is not None and task.done:
            self._opening = None
            if task.result is not None:
                self._server = task.result
                self._invite(task.result)
            elif task.error is not None:
                self.complain(str(task.error))
            self._place()
        self._fight.text = "FIGHT!" if self._ready else "WAITING"
        if self._ready and not self._started:
            self.go_on()

    def _invite(self, server: Server) -> None:
        """Say which seats phones may take, and wait on a thread for the orders that they write."""
        lobby, writers = server.lobby, [seat for seat in (0, 1) if self._wanted[seat] == "orders"]
        lobby.invited = True
        for seat in (0, 1):
            if self._wanted[seat] == "seat":
                lobby.expect(seat)
        for seat in writers:
            reader = self._brains.orders_reader(self._plan.seats[seat])
            lobby.want_orders(seat, self._plan.config.prompts[seat], reader() if reader is not None else None)
        self._orders = self.services.orders_by_phone(1)

    def go_on(self) -> None:
        """Begin the match; the orders of a model that has no phone are written first."""
        if not self._ready:
            return
        self._started = True
        seats, prompts = [], list(self._plan.config.prompts)
        for seat, spec in enumerate(self._plan.seats):
            kind = self._brains.kind(spec)
            here = _KEYS if kind is not None and kind.remote else spec
            seats.append(_PHONE if self._wanted[seat] == "seat" else here)
        for seat, text in (self._orders.result if self._orders is not None and self._orders.result else {}).items():
            prompts[seat] = text
        config = replace(self._plan.config, prompts=(prompts[0], prompts[1]))
        plan = replace(self._plan, seats=(seats[0], seats[1]), config=config)
        kinds = [self._brains.kind(spec) for spec in plan.seats]
        written = [bool(kind and kind.prompted) and self._wanted[seat] != "orders" for seat, kind in enumerate(kinds)]
        try:
            self.go.prompts(plan) if any(written) else self.go.start(plan, self.complain)
        except ArcadeError as error:
            self.complain(str(error))

    def arrange(self, canvas: Canvas) -> None:
        area = self.area(canvas)
        if self._server is None:
            wide = min(520.0, area.w)
            for choice in self._choices:
                choice.label_share = 0.2
            column = Box((canvas.width - wide) / 2, area.y + max(0.0, area.h * 0.16), wide, 0)
            boxes = rows(column, [64.0, 50.0, 24.0, ROW, ROW], 12)
            for widget, box in zip((*self._doors, *self._choices), (*boxes[:2], *boxes[3:]), strict=True):
                widget.box = box
            return
        self._cards, foot = rows(area, (None, 66), 10)
        wide = min(320.0, area.w)
        self._fight.box = Box((canvas.width - wide) / 2, foot.y + 4, wide, 56)

    def paint(self, canvas: Canvas, now: float) -> None:
        server = self._server
        if server is None:
            if self._opening is not None:
                canvas.words(
                    (canvas.width / 2, canvas.height - 110), "opening ...", "label", 18, theme.SOFT, side="middle"
                )
            return
        from batllm_arcade.serve.seat import addresses

        found, shown = addresses(server), [seat for seat in (0, 1) if self._wanted[seat]]
        split = rows if canvas.narrow else columns
        for seat, box in zip(shown, split(self._cards, [None] * len(shown), 18), strict=True):
            self._paint_seat(canvas, box, seat, found[SEATS[seat]], server)
        watch = found["watch"] if server.lan else found["watch"].partition("#")[0]
        right = canvas.width - canvas.margin
        canvas.words((right, 34), f"watch: {watch}", "mono", 14, theme.SOFT, width=canvas.width * 0.6, side="right")
        canvas.words((right, 60), NOTE[server.lan], "label", 14, theme.DIM, width=canvas.width * 0.7, side="right")

    def _paint_seat(self, canvas: Canvas, box: Box, seat: int, address: str, server: Server) -> None:
        color, place = theme.SEAT_COLORS[seat], server.lobby.places[seat]
        canvas.card(box, color)
        page, _, code = address.partition("#")
        here = place.page is not None
        state = f"{place.name or 'a phone'} is there" if here else "scan, or open the address and type the code"
        if here and self._wanted[seat] == "orders":
            state = f"{place.name or 'a phone'} {'is ready' if place.ready else 'writes the orders'}"
        x, y = box.middle[0], box.y + 26
        canvas.words((x, y), SEATS[seat].upper(), "label", 16, color, side="middle")
        side = min(box.w - 60, box.h - 190)
        picture = Box(x - side / 2, y + 22, side, side)
        if side > 60:
            self._codes.draw(canvas, picture, address)
        y = picture.bottom + 34
        canvas.words((x, y), code, "mono", 40, theme.GOLD, side="middle")
        canvas.words((x, y + 40), page.rpartition("/")[0], "mono", 17, theme.TEXT, width=box.w - 24, side="middle")
        canvas.words(
            (x, y + 68), state, "label", 16, theme.GOOD if here else theme.SOFT, width=box.w - 24, side="middle"
        )
