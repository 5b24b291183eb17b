"""Phones come in: addresses, codes and QR codes of the seats, and who is there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Widget, columns, place, rows
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme

if TYPE_CHECKING:
    from batllm_arcade.serve.server import Server

Wanted = tuple[str, str]
"""What a phone does for each seat, left first: `seat` plays it, `orders` writes its orders, "" nothing."""
_PHONE = Spec("browser")
_KEYS = Spec("keyboard")
_NOTE = {
    True: "Everybody on this network can open these addresses; a seat needs its code. What is sent is not encrypted",
    False: "Browsers on this computer alone can open these addresses",
}


class DoorScreen(MenuScreen):
    """Opens the pages when somebody says who may come in, and shows their codes from then on.

    Before that `choices` lie below the ways to open them; after it there is the button `go`.
    """

    heading = "PHONES"
    choices: Sequence[Choice] = ()
    wanted = ""
    """What phones are wanted for, in a sentence."""

    def __init__(self, ui: Ui, go: Navigation, services: Services, done: Button, server: Server | None = None) -> None:
        super().__init__(ui)
        self.go, self.services, self.done = go, services, done
        self.server = server
        """The server of the pages, None while they are not open."""
        self.opening: BackgroundTask[Server] | None = None
        self._codes: dict[str, pygame.Surface] = {}
        near = "Opens the pages to the network of this computer"
        self._doors = [
            Button("LET PHONES IN", partial(self.open, lan=True), big=True, hint=near),
            Button("This computer only", partial(self.open, lan=False), hint="Browsers on this computer"),
        ]
        self.place_widgets()

    def place_widgets(self) -> None:
        """Give the form the ways to open the pages, or what comes after that."""
        for choice in self.choices:
            choice.enabled = self.opening is None
        widgets: Sequence[Widget] = [self.done] if self.server is not None else [*self._doors, *self.choices]
        self.form.place(("", widgets, None))

    def open(self, *, lan: bool) -> None:
        """Open the pages, to the network or to this computer."""
        if self.opening is None:
            self.opening = BackgroundTask("opening the pages", lambda report: self.open_pages(lan=lan))
            self.place_widgets()

    def open_pages(self, *, lan: bool) -> Server:
        """Open the pages, called on a thread; raise UsageError if that cannot be."""
        raise NotImplementedError

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("confirm", "choose"), ("back", "back")]

    def update(self, now: float) -> None:
        super().update(now)
        task = self.opening
        if task is not None and task.done:
            self.opening = None
            self.server = task.result
            if task.error is not None:
                self.complain(str(task.error))
            self.place_widgets()

    def arrange(self, canvas: Canvas) -> None:
        area = self.area(canvas)
        if self.server is None:
            wide = min(520.0, area.w)
            column = Box((canvas.width - wide) / 2, area.y + area.h * 0.16, wide, 0)
            first, second, _, *others = rows(column, [64.0, 50.0, 24.0, *[ROW] * len(self.choices)], 12)
            place([*self._doors, *self.choices], [first, second, *others])
            return
        self.cards, self._note, foot = rows(area, (None, 50.0 * canvas.narrow, 66), 10)
        wide = min(320.0, area.w)
        self.done.box = Box((canvas.width - wide) / 2, foot.y + 4, wide, 56)

    def paint(self, canvas: Canvas, now: float) -> None:
        if (server := self.server) is None:
            said = "opening ..." if self.opening is not None else self.wanted
            at = canvas.width / 2, self._doors[0].box.y - 40
            canvas.words(at, said, "label", 20, theme.SOFT, width=canvas.width - 40, side="middle")
            return
        note, right = _NOTE[server.lan], canvas.width - canvas.margin
        if canvas.narrow:
            canvas.block((self._note.x, self._note.y), note, "label", 14, theme.DIM, self._note.w, 3)
        else:
            canvas.words((right, 60), note, "label", 14, theme.DIM, width=canvas.width * 0.7, side="right")
        self.paint_cards(canvas, server)

    def paint_cards(self, canvas: Canvas, server: Server) -> None:
        """Draw the codes, and who is there."""
        raise NotImplementedError

    def paint_door(self, canvas: Canvas, box: Box, address: str) -> float:
        """Draw the QR code of an address at a box's top, the code and where to type it; return where they end.

        It is dark on white, as all phones read it.
        """
        small = self._codes.get(address)
        if small is None:
            from batllm_arcade.serve.invitation import qr_code

            cells = qr_code(address)
            small = self._codes[address] = pygame.Surface((len(cells), len(cells)))
            for down, row in enumerate(cells):
                for across, dark in enumerate(row):
                    small.set_at((across, down), theme.NIGHT if dark else theme.WHITE)
        (page, _, code), x, side = address.partition("#"), box.middle[0], min(box.w, box.h - 96)
        rect = canvas.rect(Box(x - side / 2, box.y, side, side))
        size = max(1, rect.width // small.get_width()) * small.get_width()
        if side > 60:
            picture = pygame.transform.scale(small, (size, size))
            canvas.target.blit(picture, (rect.centerx - size // 2, rect.centery - size // 2))
        y = box.y + side + 34
        canvas.words((x, y), code, "mono", 40, theme.GOLD, side="middle")
        canvas.words((x, y + 40), page.rpartition("/")[0], "mono", 17, theme.TEXT, width=box.w + 36, side="middle")
        return y + 56


class PhonesScreen(DoorScreen):
    """Phones come to a match, which begins when every one that is wanted is there."""

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan, wanted: Wanted) -> None:
        self._plan, self._wanted = plan, list(wanted)
        self._brains = BrainList(services.plugins.kinds, services.availability)
        self._orders: BackgroundTask[dict[int, str]] | None = None
        self._started = False
        self.choices = [self._choice(seat) for seat in (0, 1)]
        fight = Button("FIGHT!", self.go_on, big=True, hint="Start when every phone is there")
        super().__init__(ui, go, services, fight)

    def _choice(self, seat: int) -> Choice:
        spec = self._plan.seats[seat]
        kind = self._brains.kind(spec)
        own = self._brains.called(_KEYS if kind is not None and kind.remote else spec)
        ways = ["seat", ""] + (["orders"] if kind is not None and kind.prompted else [])
        words = {"seat": "A phone plays", "": f"{own}, here", "orders": f"{own}, orders by phone"}
        choice = Choice.among(
            SEATS[seat].capitalize(), ways, self._wanted[seat], partial(self._wanted.__setitem__, seat),
            words.__getitem__, hint="What a phone does for this seat",
        )  # fmt: skip
        choice.label_share = 0.2
        return choice

    def leave(self) -> None:
        super().leave()
        if not self._started:
            self.services.close_pages()

    def back(self) -> None:
        self.go.before_phones(self._plan)

    @property
    def _ready(self) -> bool:
        if self.server is None or not any(self._wanted):
            return False
        if self._orders is not None and not self._orders.done:
            return False
        places = self.server.lobby.places
        return all(places[seat].page is not None for seat in (0, 1) if self._wanted[seat] == "seat")

    def update(self, now: float) -> None:
        super().update(now)
        self.done.text = "FIGHT!" if self._ready else "WAITING"
        if self._ready and not self._started:
            self.go_on()

    def open_pages(self, *, lan: bool) -> Server:
        """Say which seats phones may take, too, and wait on a thread for the orders that they write."""
        from batllm_arcade.serve.seat import close_pages, open_pages

        close_pages(None)
        server = open_pages(self.services, lan=lan)
        lobby, plan = server.lobby, self._plan
        lobby.invited = True
        for seat in (0, 1):
            if self._wanted[seat] == "seat":
                lobby.expect(seat)
            elif self._wanted[seat] == "orders":
                reader = self._brains.orders_reader(plan.seats[seat])
                lobby.want_orders(seat, plan.config.prompts[seat], reader() if reader is not None else None)
        self._orders = self.services.orders_by_phone(1)
        return server

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
        self.go.prompts(plan) if any(written) else self.go.start(plan, self.complain)

    def paint_cards(self, canvas: Canvas, server: Server) -> None:
        from batllm_arcade.serve.seat import addresses

        found, shown = addresses(server), [seat for seat in (0, 1) if self._wanted[seat]]
        split = rows if canvas.narrow else columns
        for seat, box in zip(shown, split(self.cards, [None] * len(shown), 18), strict=True):
            self._paint_seat(canvas, box, seat, found[SEATS[seat]], server)
        watch = found["watch"] if server.lan else found["watch"].partition("#")[0]
        right, y, said = canvas.width - canvas.margin, 34, f"watch: {watch}"
        if canvas.narrow:  # where it fits below the heading, and says itself what it is
            y, said = 63, watch
        canvas.words((right, y), said, "mono", 14, theme.SOFT, width=right - canvas.margin, side="right")

    def _paint_seat(self, canvas: Canvas, box: Box, seat: int, address: str, server: Server) -> None:
        color, place = theme.SEAT_COLORS[seat], server.lobby.places[seat]
        canvas.card(box, color)
        here, who = place.page is not None, place.name or "a phone"
        state = f"{who} is there" if here else "scan, or open the address and type the code"
        if here and self._wanted[seat] == "orders":
            state = f"{who} {'is ready' if place.ready else 'writes the orders'}"
        canvas.words((box.middle[0], box.y + 26), SEATS[seat].upper(), "label", 16, color, side="middle")
        y = self.paint_door(canvas, Box(box.x + 30, box.y + 48, box.w - 60, box.h - 94), address)
        tint = theme.GOOD if here else theme.SOFT
        canvas.words((box.middle[0], y + 12), state, "label", 16, tint, width=box.w - 24, side="middle")


class CupPhonesScreen(DoorScreen):
    """Phones come to a cup: one code for all, and who is there; over the screen that wants them.

    `come` is called once all names are there that are `awaited`, if any.
    """

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, awaited: Sequence[str], come: Callable[[], None]
    ) -> None:
        from batllm_arcade.serve.seat import open_server

        self.awaited, self._come, self._night = tuple(awaited), come, services.night
        self.wanted = f"{' and '.join(awaited)} play{'s' * (len(awaited) == 1)} by phone" if awaited else ""
        done = Button("DONE", self.back, big=True, hint="Back to the cup; phones may still come")
        super().__init__(ui, go, services, done, open_server() if services.night.club is not None else None)

    def open_pages(self, *, lan: bool) -> Server:
        return self._night.let_in(self.services, lan=lan)

    def back(self) -> None:
        self.go.pop()

    def update(self, now: float) -> None:
        super().update(now)
        if self.awaited and all(here for _, here in self.names):
            self.awaited = ()
            self.go.pop()
            self._come()

    @property
    def names(self) -> list[tuple[str, bool]]:
        """Return who is awaited, else who has come, and whether their pages are there."""
        club = self._night.club
        names = self.awaited or (tuple(club.members) if club is not None else ())
        return [(name, club is not None and club.has(name)) for name in names]

    def paint_cards(self, canvas: Canvas, server: Server) -> None:
        from batllm_arcade.serve.seat import addresses

        canvas.card(self.cards, theme.GOLD)
        door, box = (rows if canvas.narrow else columns)(self.cards.inset(20), [None, None], 20)
        self.paint_door(canvas, door, addresses(server)["class"])
        names = self.names
        if not names:
            words = "Scan this, or open the address and type the code; then type your name."
            canvas.block((box.x, box.y + 10), words, "label", 20, theme.SOFT, box.w, 4)
        step = min(44.0, box.h / max(1, len(names)))
        for number, (name, here) in enumerate(names):
            y, tint = box.y + step * number + 8, theme.GOOD if here else theme.SOFT
            at = box.right, y + 4
            said = canvas.words(at, "is there" if here else "is awaited", "label", 16, tint, side="right")
            canvas.words((box.x, y), name, "title", min(24.0, step * 0.7), theme.TEXT, width=box.w - said - 12)
