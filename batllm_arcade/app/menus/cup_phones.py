"""Phones come to a cup: one address and one code for all, and who is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, place, rows
from batllm_arcade.app.menus.phones import NOTE, CodePictures
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.view import theme

if TYPE_CHECKING:
    from batllm_arcade.serve.club import Club


class CupPhonesScreen(MenuScreen):
    """Lies over what phones are wanted for; `come` is called once all names are there that are `awaited`, if any."""

    heading = "PHONES"

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, awaited: Sequence[str], come: Callable[[], None]
    ) -> None:
        super().__init__(ui)
        self.go, self.services, self.awaited, self._come = go, services, tuple(awaited), come
        self._opening: BackgroundTask[list[Club]] | None = None
        self._codes = CodePictures()
        near = "Opens the pages to the network that this computer is on"
        self._doors = [
            Button("LET PHONES IN", partial(self._open, lan=True), big=True, hint=near),
            Button("This computer only", partial(self._open, lan=False), hint="Browsers on this computer"),
        ]
        self._done = Button("DONE", self.back, big=True, hint="Back to the cup; phones may still come")
        self._place()

    def _place(self) -> None:
        buttons = self._doors if self.services.night.club is None else [self._done]
        self.form.place((button, None) for button in buttons)

    def _open(self, *, lan: bool) -> None:
        if self._opening is None:
            night, user = self.services.night, self.services
            self._opening = BackgroundTask("opening the pages", lambda report: night.let_in(user, lan=lan))

    def back(self) -> None:
        self.go.pop()

    def keys(self) -> Sequence[tuple[str, str]]:
        label = self.ui.controls.label
        return [(label("confirm"), "choose"), (label("back"), "back")]

    def update(self, now: float) -> None:
        super().update(now)
        task = self._opening
        if task is not None and task.done:
            self._opening = None
            if task.error is not None:
                self.complain(str(task.error))
            self._place()
        if self.awaited and all(here for _, here in self.names):
            self.awaited = ()
            self.go.pop()
            self._come()

    @property
    def names(self) -> list[tuple[str, bool]]:
        """Return who is awaited, else who has come, and whether their pages are there."""
        club = self.services.night.club
        members = dict(club.members) if club is not None else {}
        return [(name, name in members and members[name].page is not None) for name in self.awaited or members]

    def arrange(self, canvas: Canvas) -> None:
        area = self.area(canvas)
        if self.services.night.club is None:
            wide = min(520.0, area.w)
            column = Box((canvas.width - wide) / 2, area.y + area.h * 0.24, wide, 0)
            place(self._doors, rows(column, [64.0, 50.0], 12))
            return
        self._card, foot = rows(area, (None, 66), 10)
        wide = min(320.0, area.w)
        self._done.box = Box((canvas.width - wide) / 2, foot.y + 4, wide, 56)

    def paint(self, canvas: Canvas, now: float) -> None:
        from batllm_arcade.serve.seat import addresses, open_server

        server, middle = open_server(), canvas.width / 2
        if server is None or server.club is None:
            wanted = (
                f"{' and '.join(self.awaited)} play{'s' * (len(self.awaited) == 1)} by phone" if self.awaited else ""
            )
            said = "opening ..." if self._opening is not None else wanted
            canvas.words((middle, canvas.height * 0.24), said, "label", 20, theme.SOFT, side="middle")
            return
        canvas.card(self._card, theme.GOLD)
        inner = self._card.inset(20)
        door, names = (rows if canvas.narrow else columns)(inner, [None, None], 20)
        page, _, code = addresses(server)["class"].partition("#")
        x, side = door.middle[0], min(door.w - 20, door.h - 100)
        picture = Box(x - side / 2, door.y, side, side)
        self._codes.draw(canvas, picture, f"{page}#{code}")
        y = picture.bottom + 30
        canvas.words((x, y), code, "mono", 36, theme.GOLD, side="middle")
        canvas.words((x, y + 36), page.rpartition("/")[0], "mono", 17, theme.TEXT, width=door.w, side="middle")
        canvas.block((names.x, names.bottom - 56), NOTE[server.lan], "label", 14, theme.DIM, names.w, 3)
        self._paint_names(canvas, names._replace(h=names.h - 70))

    def _paint_names(self, canvas: Canvas, box: Box) -> None:
        names = self.names
        if not names:
            words = "Scan this, or open the address and type the code; then type your name."
            canvas.block((box.x, box.y + 10), words, "label", 20, theme.SOFT, box.w, 4)
        step = min(44.0, box.h / max(1, len(names)))
        for number, (name, here) in enumerate(names):
            y = box.y + step * number + 8
            said = canvas.words((box.right, y + 4), "is there" if here else "is awaited", "label", 16,
                                theme.GOOD if here else theme.SOFT, side="right")  # fmt: skip
            canvas.words((box.x, y), name, "title", min(24.0, step * 0.7), theme.TEXT, width=box.w - said - 12)
