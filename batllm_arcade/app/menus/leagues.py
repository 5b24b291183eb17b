"""The leagues: their tables, live while they run, and the most dramatic game of every pairing."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import grid, place, rows
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.menus import league_table
from batllm_arcade.app.menus.league_rows import LeagueRow, PairingRow
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.league_drama import DramaSearch
from batllm_arcade.app.services.league_list import LeagueEntry, LeagueList
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.summary import counted
from batllm_arcade.league.folders import leagues_folder
from batllm_arcade.view import theme

_ROW, _PAIRING, _LIST = 66.0, 40.0, 330.0


class LeaguesScreen(MenuScreen):
    """The leagues at the left; the selected one's table and its pairings at the right."""

    heading = "LEAGUES"

    def __init__(self, ui: Ui, go: Navigation, services: Services) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self.league_list = LeagueList(leagues_folder())
        self.selected: LeagueRow | None = None
        self.rows: list[LeagueRow] = []
        self.pairings: list[PairingRow] = []
        self._search: DramaSearch | None = None
        self._list, self._scroll = Scroll(), Scroll()
        self._table_box = Box(0, 0, 0, 0)
        self.back_button = Button("BACK", self.back)
        self.back_button.group = "buttons"
        self._shown: list[LeagueEntry] | None = None
        self.form.place([(self.back_button, None)])

    @property
    def entry(self) -> LeagueEntry | None:
        """Return the league that is selected, as it stands now."""
        return self.selected.entry if self.selected is not None else None

    def update(self, now: float) -> None:
        """Take over what has been found or played meanwhile."""
        super().update(now)
        self.league_list.update(now)
        entries = self.league_list.entries
        if entries is not None and entries is not self._shown:
            self._place(entries)
        search = self._search
        if search is not None and search.done:
            self._search = None
            if search.result is not None:
                found = search.result
                self.go.push(ReplayScreen(self.ui, self.go, self.services, found.timeline, found.path))
            else:
                self.complain(str(search.error))

    def _place(self, entries: list[LeagueEntry]) -> None:
        """Show a row for each league; the selection and the focus stay where they are."""
        first, self._shown = self._shown is None, entries
        rows = {row.entry.path: row for row in self.rows}
        self.rows = [rows.get(entry.path) or LeagueRow(entry, self._choose) for entry in entries]
        for row, entry in zip(self.rows, entries, strict=True):
            row.entry = entry
        if self.selected not in self.rows:
            self._select(self.rows[0] if self.rows else None)
        self._place_pairings()
        if first and self.selected is not None:
            self.form.set_focus(self.selected)

    def _place_pairings(self) -> None:
        table = self.entry.table if self.entry is not None else None
        before = {row.names: row for row in self.pairings}
        self.pairings = []
        for pairing in table.matrix if table is not None else ():
            row = PairingRow(pairing, self.watch)
            row = before.get(row.names, row)
            row.pairing = pairing
            self.pairings.append(row)
        self._arrange_rows()
        listed = [*((row, self._list) for row in self.rows), *((row, self._scroll) for row in self.pairings)]
        self.form.place([*listed, (self.back_button, None)])

    def _select(self, row: LeagueRow | None) -> None:
        for each in (self.selected, row):
            if each is not None:
                each.selected = each is row
        if row is not self.selected:
            self._give_up()
        self.selected = row

    def _choose(self, row: LeagueRow, opens: bool) -> None:
        if row is not self.selected:
            self._select(row)
            self._place_pairings()
        if opens and self.pairings:
            self.form.set_focus(self.pairings[0])

    def watch(self, row: PairingRow) -> None:
        """Look for the pairing's most dramatic game, and open it when it has been found."""
        if self.entry is not None and self._search is None:
            self._search = DramaSearch(self.entry.path, row.names, self.ui.settings.display)

    def _give_up(self) -> None:
        if self._search is not None:
            self._search.cancel()
            self.services.wait_at_end(self._search)
            self._search = None

    def back(self) -> None:
        """Give up what is looked for, else go to the title."""
        if self._search is not None:
            self._give_up()
        else:
            self.go.title()

    def leave(self) -> None:
        """Look for nothing more."""
        super().leave()
        self._give_up()
        self.league_list.close()
        if self.league_list.task is not None:
            self.services.wait_at_end(self.league_list.task)

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Select the league that keys and buttons move to; the mouse selects by clicks alone."""
        super().handle(event, meaning, now)
        if event.type in (pygame.KEYDOWN, PAD) and isinstance(self.form.focus, LeagueRow):
            self._choose(self.form.focus, False)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys of this screen."""
        label = self.ui.controls.label
        confirm = "watch a game" if isinstance(self.form.focus, PairingRow) else "choose"
        pairs = [(label("confirm"), confirm), (label("next"), "leagues / pairings"), (label("back"), "back")]
        return [*pairs, (label("help"), "help")]

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """Lay out the list, and a column for the selected league."""
        margin, high = canvas.margin, canvas.height - TOP - BOTTOM - 12
        if canvas.narrow:
            wide = canvas.width - 2 * margin
            self._list.box = Box(margin, TOP + 4, wide, high * 0.24)
            column = Box(margin, TOP + 16 + high * 0.24, wide, high * 0.76 - 12)
        else:
            listed = min(_LIST, canvas.width * 0.3)
            self._list.box = Box(margin, TOP + 4, listed, high)
            column = Box(margin + listed + 24, TOP + 4, canvas.width - 2 * margin - listed - 24, high)
        self.back_button.box = Box(column.right - 140, column.bottom - 42, 140, 42)
        entry = self.entry
        table = league_table.height(entry, column.h - 52 - 3 * _PAIRING) if entry is not None else 0.0
        self._table_box = column._replace(h=table)
        top = column.y + table + 10
        self._scroll.box = column._replace(y=top, h=max(_PAIRING, column.bottom - 52 - top))
        self._arrange_rows()

    def _arrange_rows(self) -> None:
        listed = self._list.box
        place(self.rows, rows(Box(listed.x, 3, listed.w - 14, 0), len(self.rows), _ROW - 6, 6))
        self._list.height = len(self.rows) * _ROW
        box = self._scroll.box
        across = 2 if box.w > 560 else 1
        area = Box(box.x, 2, box.w - 14, 0)
        place(self.pairings, grid(area, len(self.pairings), across, _PAIRING - 4, 10, 4))
        self._scroll.height = -(-len(self.pairings) // across) * _PAIRING

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw how many leagues there are and where, the selected one's table, and what is being looked for."""
        entries, right = self.league_list.entries, canvas.width - canvas.margin
        if entries is not None:
            canvas.words((right, 34), counted(len(entries), "league"), "label", 17, theme.SOFT, side="right")
        folder = str(self.league_list.folder)
        canvas.words((right, 60), folder, "mono", 12, theme.DIM, width=canvas.width - 280 - canvas.margin, side="right")
        if self.entry is not None:
            league_table.paint(canvas, self._table_box, self.entry)
        if self._search is not None:
            at = (self._scroll.box.x, self.back_button.box.y + 10)
            words = f"{' against '.join(self._search.pairing)}: {self._search.progress}"
            canvas.words(at, words, "label", 16, theme.GOLD, width=self._scroll.box.w - 160)
        if entries == []:
            self._paint_none(canvas)

    @staticmethod
    def _paint_none(canvas: Canvas) -> None:
        x, y = canvas.width / 2, canvas.height / 2 - 30
        canvas.words((x, y), "No league has been played yet.", "title", 26, theme.SOFT, side="middle")
        canvas.words((x, y + 38), "Play one on the command line:", "label", 17, theme.DIM, side="middle")
        words, width = "batllm-arcade league scripted:dancer scripted:turtle", canvas.width - 24
        canvas.words((x, y + 66), words, "label", 17, theme.SOFT, width=width, side="middle")
