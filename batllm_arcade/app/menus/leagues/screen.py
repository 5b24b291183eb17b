"""The leagues: their tables, live while they run, their games to watch; one can be stopped, go on and grow here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning
from batllm_arcade.app.kit.address_dialog import AddressDialog
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import grid, place, rows
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.menus.leagues import league_table
from batllm_arcade.app.menus.leagues.league_games import GameChooser
from batllm_arcade.app.menus.leagues.league_rows import LeagueRow, PairingRow
from batllm_arcade.app.services.leagues.league_list import LeagueEntry, LeagueList
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.summary import counted
from batllm_arcade.league.folders import leagues_folder
from batllm_arcade.league.output import words
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

_ROW, _PAIRING, _LIST = 66.0, 40.0, 330.0
_BUTTON, _SAID = 46.0, 28.0
_ABOUT = (
    "In a league players meet many times, from the same starts on both sides.",
    "Its table tells who is better, and how sure that is.",
)


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
        self.games = GameChooser(self, go, services)
        self._list, self._scroll = Scroll(), Scroll()
        self._table_box = Box(0, 0, 0, 0)
        self.new_button = Button("NEW LEAGUE", go.new_league, hint="Let players meet many times, and see who is better")
        self.play_button = Button("GO ON", self.play)
        self.back_button = Button("BACK", self.back)
        self._buttons = (self.new_button, self.play_button, self.back_button)
        for button in self._buttons:
            button.group = "buttons"
        self._shown: list[LeagueEntry] | None = None
        self._awaited = services.league_jobs.last
        """The league that was begun here last, to be selected as soon as it is listed."""
        self._place_pairings()

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
        self.games.update()
        self._ask_for_a_strange_server()
        self._follow_the_one_that_is_played()

    def _ask_for_a_strange_server(self) -> None:
        jobs = self.services.league_jobs
        if jobs.folder is not None or not jobs.strange:
            return
        address, jobs.strange = jobs.strange, ""

        def yes() -> None:
            self.go.pop()
            jobs.allow(address)

        self.go.push(AddressDialog(self.ui, address, yes, self.go.pop))

    def _follow_the_one_that_is_played(self) -> None:
        """Show of the league that this window plays what its process says, and what can be done about the selected."""
        jobs, entry = self.services.league_jobs, self.entry
        for row in self.rows:
            if row.entry.path == jobs.last:
                row.entry = replace(row.entry, running=jobs.folder is not None, total=jobs.total or row.entry.total)
        button = self.play_button
        button.enabled = entry is not None and not entry.problem
        if entry is not None and entry.path == jobs.folder:
            button.text, button.hint = "STOP", "It pauses, and can go on at any time"
            button.enabled = not jobs.stopping
        elif entry is not None and entry.state == "complete":
            button.text, button.hint = "PLAY MORE", "As many games again; more games make a table surer"
        else:
            button.text, button.hint = "GO ON", "Play what is still to be played"

    def play(self) -> None:
        """Stop the selected league if it is played here; else go on with it, or play more if it is complete."""
        jobs, entry = self.services.league_jobs, self.entry
        if entry is None:
            return
        if entry.path == jobs.folder:
            jobs.stop()
        elif jobs.folder is not None:
            self.complain("Another league is being played; stop it first, or wait for its end")
        else:
            jobs.go_on(entry.path, 2 * entry.pairs_each if entry.state == "complete" else None)

    def _place(self, entries: list[LeagueEntry]) -> None:
        """Show a row for each league; the selection and the focus stay where they are."""
        first, self._shown = self._shown is None, entries
        rows = {row.entry.path: row for row in self.rows}
        self.rows = [rows.get(entry.path) or LeagueRow(entry, self._choose) for entry in entries]
        for row, entry in zip(self.rows, entries, strict=True):
            row.entry = entry
        awaited = next((row for row in self.rows if row.entry.path == self._awaited), None)
        if awaited is not None or self.selected not in self.rows:
            self._select(awaited or (self.rows[0] if self.rows else None))
        self._awaited = None if awaited is not None else self._awaited
        self._place_pairings()
        if self.selected is not None and (first or awaited is not None):
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
        buttons = [each for each in self._buttons if each is not self.play_button or self.rows]
        self.form.place([*listed, *((button, None) for button in buttons)])

    def _select(self, row: LeagueRow | None) -> None:
        for each in (self.selected, row):
            if each is not None:
                each.selected = each is row
        if row is not self.selected:
            self.games.give_up()
        self.selected = row

    def _choose(self, row: LeagueRow, opens: bool) -> None:
        if row is not self.selected:
            self._select(row)
            self._place_pairings()
        if opens and self.pairings:
            self.form.set_focus(self.pairings[0])

    def watch(self, row: PairingRow) -> None:
        """Let a person choose a game of this pairing."""
        if self.entry is not None:
            self.games.watch(self.entry.path, row.names)

    def back(self) -> None:
        """Give up what is looked for, else go to the title."""
        if not self.games.give_up():
            self.go.title()

    def leave(self) -> None:
        """Look for nothing more."""
        super().leave()
        self.games.give_up()
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
        confirm = "watch games" if isinstance(self.form.focus, PairingRow) else "choose"
        pairs = [(label("confirm"), confirm), (label("next"), "leagues / pairings"), (label("back"), "back")]
        return [*pairs, (label("help"), "help")]

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """Lay out the list, a column for the selected league, and the buttons below them."""
        margin, low = canvas.margin, canvas.height - BOTTOM - 8
        wide = canvas.width - 2 * margin
        foot = Box(margin, low - _BUTTON, wide, _BUTTON)
        high = foot.y - TOP - 14
        if canvas.narrow:
            self._list.box = Box(margin, TOP + 4, wide, high * 0.24)
            column = Box(margin, TOP + 16 + high * 0.24, wide, high * 0.76 - 12)
            place(self._buttons, grid(foot, 3, 3, _BUTTON, 10))
        else:
            listed = min(_LIST, canvas.width * 0.3)
            self._list.box = Box(margin, TOP + 4, listed, high)
            column = Box(margin + listed + 24, TOP + 4, wide - listed - 24, high)
            boxes = (
                foot._replace(w=listed),
                Box(column.x, foot.y, 190, _BUTTON),
                Box(foot.right - 140, foot.y, 140, _BUTTON),
            )
            place(self._buttons, boxes)
        self._column = column
        self.new_button.big = self.league_list.entries == []
        if self.new_button.big:
            self.new_button.box = Box(canvas.width / 2 - 150, canvas.height / 2 + 70, 300, 60)
        entry = self.entry
        most = column.h - _SAID - 3 * _PAIRING
        table = league_table.height(entry, most, narrow=canvas.narrow) if entry is not None else 0.0
        self._table_box = column._replace(h=table)
        top = column.y + table + 10
        self._scroll.box = column._replace(y=top, h=max(_PAIRING, column.bottom - _SAID - top))
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
            league_table.paint(canvas, self._table_box, self.entry, self._left())
        said, tint = self._said()
        canvas.words((self._column.x, self._column.bottom - 20), said, "label", 16, tint, width=self._column.w)
        if entries == []:
            self._paint_none(canvas)

    def _left(self) -> str:
        """Return how far the selected league is that is played here, and how long it still takes; "" of any other."""
        jobs, entry = self.services.league_jobs, self.entry
        if entry is None or entry.path != jobs.folder:
            return ""
        if jobs.stopping:
            return "stopping ..."
        left = "starting ..." if jobs.left_s is None else f"{words.duration(jobs.left_s)} left"
        return f"{max(jobs.pairs, entry.pairs):,} of {entry.total:,} pairs, {left}"

    def _said(self) -> tuple[str, Color]:
        """Return what is being looked for, or what became of the league that was played here last."""
        if self.games.words:
            return self.games.words, theme.GOLD
        jobs = self.services.league_jobs
        if jobs.folder is not None and self._awaited is not None:
            return "The new league begins ...", theme.GOLD
        return jobs.words[:1].upper() + jobs.words[1:], theme.SOFT if jobs.stopping else theme.GOLD

    def _paint_none(self, canvas: Canvas) -> None:
        x, y, wide = canvas.width / 2, canvas.height / 2 - 50, canvas.width - 2 * canvas.margin
        canvas.words((x, y), "No league has been played yet.", "title", 28, theme.SOFT, width=wide, side="middle")
        for line, text in enumerate(_ABOUT):
            at = (x, y + 42 + 26 * line)
            canvas.words(at, text, "label", 17, theme.DIM, width=wide, side="middle")
