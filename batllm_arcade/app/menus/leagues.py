"""Leagues."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.dialog import AddressDialog
from batllm_arcade.app.kit.menu_screen import ListScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, ListEntry, Pressable, columns, grid, place, rows
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.leagues import KeptGame, LeagueEntry, LeagueList, find_dramatic, kept_games
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.summary import counted
from batllm_arcade.league.output import words
from batllm_arcade.league.output.words import verdict
from batllm_arcade.league.plan_file import leagues_folder
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, TableRow
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

# -- One league in the list of all

_STATES: Mapping[str, Color] = {
    "complete": theme.GOOD,
    "running": theme.GOLD,
    "paused": theme.SOFT,
    "cannot be read": theme.DANGER,
}


class LeagueRow(ListEntry[LeagueEntry]):
    """A league in the list."""

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        entry = self.entry
        super().draw(canvas, box, focused, now)
        x, width = box.x + 16, box.w - 32
        canvas.words((x, box.y + 7), entry.title, "title", 19, theme.TEXT, width=width)
        state = canvas.words((box.right - 16, box.y + 35), entry.state, "label", 15, _STATES[entry.state], side="right")
        moment = datetime.fromtimestamp(entry.begun)
        when = f"{entry.config}, " * (not entry.problem) + f"{moment.day} {moment:%b, %H:%M}"
        canvas.words((x, box.y + 35), when, "label", 15, theme.DIM, width=width - state - 12)


class PairingRow(Pressable):
    """Two players of a league and how they did against each other; `opened(row)` is called to watch a game."""

    def __init__(self, pairing: Pairing, opened: Callable[[PairingRow], None]) -> None:
        super().__init__("", lambda: opened(self))
        self.show(pairing)

    def show(self, pairing: Pairing) -> None:
        """Show how the two did against each other."""
        self.pairing, (one, other) = pairing, pairing.players
        gap = "" if pairing.difference is None else f"{one} against {other}: {words.interval(pairing)} Elo; "
        self.hint = f"{gap}watch their games"

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        canvas.box(box, mixed(theme.PANEL, theme.PANEL_EDGE, 0.4 if focused else 0.0), None, radius=6)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=6)
        one, other = self.pairing.players
        middle, room = box.x + box.w / 2, box.w / 2 - 34
        canvas.words((box.x + 12, box.y + 4), one, "label", 16, theme.SEAT_COLORS[0], width=room)
        canvas.words((box.right - 12, box.y + 4), other, "label", 16, theme.SEAT_COLORS[1], width=room, side="right")
        score = self.pairing.score
        shown = "-" if score is None else f"{score:.0%}"
        canvas.words((middle, box.y + 13), shown, "bold", 15, theme.TEXT, side="middle")
        track = Box(box.x + 12, box.bottom - 8, box.w - 24, 4)
        canvas.box(track, theme.SEAT_COLORS[1] if score is not None else theme.SUNKEN, None, radius=2)
        if score is not None and score * track.w > 3:
            canvas.box(track._replace(w=score * track.w), theme.SEAT_COLORS[0], None, radius=2)


# -- The picture of a league's table

_HEAD, _PLAYER = 84.0, 27.0
"""What the heading and a player take, logical units."""
_INTERVALS = 480.0
"""From this width on a table has room for the intervals of its ratings."""


def paint_table(canvas: Canvas, box: Box, entry: LeagueEntry, left_over: str = "") -> None:
    """Draw the league's heading and as many of its players as there is room for; `left_over` is how far it is now."""
    canvas.panel(box, theme.PANEL_EDGE)
    left, right = box.x + 18, box.right - 18
    state = left_over or (f"{entry.pairs:,} of {entry.total:,} pairs" if entry.total else "")
    tint = theme.GOLD if left_over else theme.SOFT
    used = canvas.words((right, box.y + 14), state, "label", 16, tint, side="right")
    canvas.words((left, box.y + 10), entry.title, "title", 22, theme.TEXT, width=box.w - used - 56)
    if entry.table is None:
        tint, problem = (theme.DANGER if entry.problem else theme.DIM), entry.problem or "No pair has been played yet."
        canvas.block((left, box.y + _HEAD), problem, "label", 16, tint, box.w - 36, 3)
        return
    said = "   ".join(_said(entry.table)[: 1 if canvas.narrow else None])
    canvas.block((left, box.y + 37), said, "label", 14, theme.DIM, box.w - 36, 2)
    room = int((box.h - _HEAD - 8) / _PLAYER) - 1
    _paint_players(canvas, Box(left, box.y + _HEAD, right - left, box.h - _HEAD), entry.table.players, room)


def _said(table: LeagueTable) -> list[str]:
    found = [words.test_words(table) or verdict(table), *words.marked(table)[:1]]
    for side, name in ((table.left, "left"), (table.first, "first to act")):
        if side.share is not None:
            found.append(f"{name} wins {side.share:.1%}")
    return found


def _paint_players(canvas: Canvas, box: Box, players: Sequence[TableRow], room: int) -> None:
    figures = 338.0 if box.w > _INTERVALS else 160.0
    names = box.w - 38 - figures

    def row(y: float, elo: str, interval: str, score: str, size: int, color: Color) -> None:
        canvas.words((box.right, y), score, "label", size, color, side="right")
        if box.w > _INTERVALS:
            canvas.words((box.right - 68, y), interval, "label", size, color, side="right", width=170)
        canvas.words((box.right - figures + 92, y), elo, "bold", size, color, side="right")

    row(box.y + 2, "Elo", "95%", "score", 13, theme.DIM)
    shown = players if len(players) <= room else players[: max(0, room - 1)]
    for line, each in enumerate(shown, 1):
        y = box.y + _PLAYER * line + 3
        canvas.words((box.x + 16, y), str(each.rank), "label", 16, theme.DIM, side="right")
        canvas.words((box.x + 30, y), each.name, "label", 17, theme.TEXT, width=names)
        elo = f"{words.signed(each.rating)}{words.mark(each)}"
        row(y, elo, words.interval(each), words.percent(each.score), 16, theme.SOFT)
    if len(shown) < len(players):
        y, more = box.y + _PLAYER * (len(shown) + 1) + 3, f"and {len(players) - len(shown)} more"
        canvas.words((box.x + 30, y), more, "label", 15, theme.DIM)


# -- The leagues

_DRAMA = ("The most dramatic game", "Of those that were closest the one with the best moments")
_PAIRING, _LIST = 40.0, 330.0
_BUTTON, _SAID = 46.0, 28.0
_ABOUT = (
    "In a league players meet many times, from the same starts on both sides.",
    "Its table tells who is better, and how sure that is.",
)


class LeaguesScreen(ListScreen[LeagueRow]):
    """The leagues at the left; the selected one's table and its pairings at the right."""

    heading = "LEAGUES"

    def __init__(self, ui: Ui, go: Navigation, services: Services) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self.league_list = LeagueList(leagues_folder())
        self.pairings: list[PairingRow] = []
        self._scroll = Scroll()
        self._table_box = Box(0, 0, 0, 0)
        self.new_button = Button("NEW LEAGUE", go.new_league, hint="Let players meet many times, and see who is better")
        self.play_button = Button("GO ON", self.play)
        self.back_button = Button("BACK", self.back)
        self._buttons = (self.new_button, self.play_button, self.back_button)
        self._shown: list[LeagueEntry] | None = None
        self._awaited = services.league_jobs.last
        """The league that was begun here last, to be selected as soon as it is listed."""
        self._place_pairings()

    @property
    def entry(self) -> LeagueEntry | None:
        """Return the league that is selected, as it stands now."""
        return self.selected.entry if self.selected is not None else None

    def update(self, now: float) -> None:
        super().update(now)
        self.league_list.update(now)
        entries = self.league_list.entries
        if entries is not None and entries is not self._shown:
            self._place(entries)
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
        first, self._shown = self._shown is None, entries
        self.list_entries(entries, LeagueRow)
        awaited = next((row for row in self.rows if row.entry.path == self._awaited), None)
        if awaited is not None:
            self.select(awaited)
            self._awaited = None
        self._place_pairings()
        if self.selected is not None and (first or awaited is not None):
            self.form.set_focus(self.selected)

    def _place_pairings(self) -> None:
        table = self.entry.table if self.entry is not None else None
        before = {tuple(row.pairing.players): row for row in self.pairings}
        self.pairings = []
        for pairing in table.matrix if table is not None else ():
            row = before.get(tuple(pairing.players)) or PairingRow(pairing, self.watch)
            row.show(pairing)
            self.pairings.append(row)
        self._arrange_rows()
        buttons = [button for button in self._buttons if button is not self.play_button or self.rows]
        leagues, pairings = ("list", self.rows, self.list_scroll), ("pairings", self.pairings, self._scroll)
        self.form.place(leagues, pairings, ("buttons", buttons, None))

    def choose(self, row: LeagueRow, opens: bool) -> None:
        """Select a league, and go to its pairings if `opens`."""
        if row is not self.selected:
            self.select(row)
            self._place_pairings()
        if opens and self.pairings:
            self.form.set_focus(self.pairings[0])

    def watch(self, row: PairingRow) -> None:
        """Let a person choose among the games of this pairing that were kept."""
        if self.entry is None:
            return
        folder, names = self.entry.path, row.pairing.players

        def listed(games: list[KeptGame]) -> None:
            self.go.pop()
            self._offer(folder, names, games)

        task = BackgroundTask("listing a league's games", lambda report: [*kept_games(folder, names)])
        self.go.wait_for("Looking for their games", task, listed, self.complain)

    def _offer(self, folder: Path, names: Sequence[str], games: list[KeptGame]) -> None:
        if not games:
            self.complain(f"No game of {' against '.join(names)} was kept")
            return

        def found(path: Path) -> None:
            self.go.pop()
            self.go.open_session(path, None, self.complain)

        def chosen(index: int) -> None:
            if index:
                self.go.open_session(games[index - 1].path, None, self.complain)
                return
            task = BackgroundTask("drama search", partial(find_dramatic, folder, names, self.ui.settings.display))
            self.go.wait_for("Looking for the most dramatic game", task, found, self.complain)

        items = [_DRAMA, *((game.title, game.about) for game in games)]
        self.pick(" - ".join(names), items, 0, chosen, counted(len(games), "game"))

    def back(self) -> None:
        self.go.title()

    def leave(self) -> None:
        super().leave()
        self.league_list.close()
        if self.league_list.task is not None:
            self.services.wait_at_end(self.league_list.task)

    def keys(self) -> Sequence[tuple[str, str]]:
        confirm = "watch games" if isinstance(self.form.focus, PairingRow) else "choose"
        pairs = [("confirm", confirm), ("next", "leagues / pairings"), ("back", "back")]
        return [*pairs, ("help", "help")]

    def arrange(self, canvas: Canvas) -> None:
        _, area, _, foot = rows(self.area(canvas), (4, None, 10, _BUTTON))
        if canvas.narrow:
            self.list_scroll.box, self._column = rows(area, (area.h * 0.24, None), 12)
            place(self._buttons, columns(foot, (None, None, None), 10))
        else:
            wide = min(_LIST, canvas.width * 0.3)
            self.list_scroll.box, self._column = columns(area, (wide, None), 24)
            new, rest = columns(foot, (wide, None), 24)
            play, _, back = columns(rest, (190, None, 140))
            place(self._buttons, (new, play, back))
        self.new_button.big = self.league_list.entries == []
        if self.new_button.big:
            self.new_button.box = Box(canvas.width / 2 - 150, canvas.height / 2 + 70, 300, 60)
        table = 0.0
        if self.entry is not None:
            players = len(self.entry.table.players) if self.entry.table is not None else 2
            table = _HEAD + _PLAYER * (players + 1) + 8
        table = min(table, self._column.h - _SAID - 3 * _PAIRING)
        self._table_box, pairings, _ = rows(self._column, (table, None, _SAID - 10), 10)
        self._scroll.box = pairings._replace(h=max(_PAIRING, pairings.h))
        self._arrange_rows()

    def _arrange_rows(self) -> None:
        self.arrange_list()
        box = self._scroll.box
        across = 2 if box.w > 560 else 1
        area = Box(box.x, 2, box.w - 14, 0)
        place(self.pairings, grid(area, len(self.pairings), across, _PAIRING - 4, 10, 4))
        self._scroll.height = -(-len(self.pairings) // across) * _PAIRING

    def paint(self, canvas: Canvas, now: float) -> None:
        entries = self.league_list.entries
        count = "" if entries is None else counted(len(entries), "league")
        self.paint_folder(canvas, count, self.league_list.folder)
        if self.entry is not None:
            paint_table(canvas, self._table_box, self.entry, self._left())
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
        jobs = self.services.league_jobs
        return jobs.words[:1].upper() + jobs.words[1:], theme.SOFT if jobs.stopping else theme.GOLD

    def _paint_none(self, canvas: Canvas) -> None:
        x, y, wide = canvas.width / 2, canvas.height / 2 - 50, canvas.width - 2 * canvas.margin
        canvas.words((x, y), "No league has been played yet.", "title", 28, theme.SOFT, width=wide, side="middle")
        for line, text in enumerate(_ABOUT):
            at = (x, y + 42 + 26 * line)
            canvas.words(at, text, "label", 17, theme.DIM, width=wide, side="middle")
