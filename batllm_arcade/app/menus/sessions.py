"""The recorded sessions: looked through, watched, filmed, deleted."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.app.input.controls import PAD, Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import columns, place, rows
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.menus.session_details import SessionDetails
from batllm_arcade.app.menus.session_row import SessionRow
from batllm_arcade.app.replay.comparison import ComparisonScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.films.film_jobs import film_of
from batllm_arcade.app.services.films.page_job import share_page
from batllm_arcade.app.services.session_list import ORIGIN, SessionEntry, SessionList, related_first
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.summary import counted
from batllm_arcade.session.live_session import LiveSession, sessions_folder
from batllm_arcade.view import theme

_ROW, _SIDE = 66.0, 400.0


class SessionsScreen(MenuScreen):
    """The list at the left, the selected session and what can be done with it at the right."""

    heading = "SESSIONS"

    def __init__(self, ui: Ui, go: Navigation, services: Services, session: LiveSession | None) -> None:
        super().__init__(ui)
        self.go, self.services, self._session = go, services, session
        self.session_list = SessionList(sessions_folder())
        self.selected: SessionRow | None = None
        self.rows: list[SessionRow] = []
        self._details = SessionDetails(ui, services)
        self._scroll = Scroll()
        self._watches = False  # the selected session is shown as soon as it has been loaded
        self.watch_button = Button("WATCH", self.watch, big=True, hint="see it again, at any speed, in both directions")
        self.compare_button = Button("COMPARE", self.compare, hint="with another one: where do the two part?")
        self.film_button = Button("FILM", self.film, hint="an mp4 of the whole session, made while you go on")
        self.share_button = Button("SHARE", self.share, hint="one web page that plays it in any browser")
        self.delete_button = Button(
            "DELETE", self.ask_to_delete, color=theme.DANGER, hint="the file is removed for good"
        )
        self.back_button = Button("BACK", self.back)
        self._small = (self.film_button, self.share_button, self.delete_button, self.back_button)
        self._buttons = (self.watch_button, self.compare_button, *self._small)
        for button in self._buttons:
            button.group = "buttons"
        self._found = False  # the folder has been looked through
        self.form.place((button, None) for button in self._buttons)

    def _place_rows(self, entries: Sequence[SessionEntry]) -> None:
        """Show a row for each entry; the selection stays, or moves to the row in its place."""
        at = self.rows.index(self.selected) if self.selected in self.rows else 0
        rows = {row.entry: row for row in self.rows}
        self.rows = [rows.get(entry) or SessionRow(entry, self._choose) for entry in entries]
        self._arrange_rows()
        listed = self.form.focus not in self._buttons or not self._found
        self._found = True
        self.form.place([*((row, self._scroll) for row in self.rows), *((button, None) for button in self._buttons)])
        if self.selected not in self.rows:
            self._select(self.rows[min(at, len(self.rows) - 1)] if self.rows else None)
        if listed:
            self.form.set_focus(self.selected or self.back_button)

    def _select(self, row: SessionRow | None) -> None:
        if row is self.selected:
            return
        for each in (self.selected, row):
            if each is not None:
                each.selected = each is row
        self.selected, self._watches = row, False
        self._details.select(row.entry if row is not None else None)

    def _choose(self, row: SessionRow, opens: bool) -> None:
        self._select(row)
        if opens:
            self.watch()

    def update(self, now: float) -> None:
        """Take over what has been found, read, deleted or loaded meanwhile."""
        super().update(now)
        self.session_list.update()
        entries = self.session_list.entries
        if entries is not None and (not self._found or entries != [row.entry for row in self.rows]):
            self._place_rows(entries)
        if self.session_list.problem:
            self.complain(self.session_list.problem)
            self.session_list.problem = ""
        films, chosen = self.services.films, self.selected.entry.path if self.selected is not None else None
        self.film_button.text = (
            "STOP" if films.share is not None else "SHOW FILM" if chosen and films.made_of(chosen) else "FILM"
        )
        for button in self._buttons[:-1]:
            button.enabled = self.selected is not None
        self._details.update(now)
        if self._watches and self._details.preview is not None:
            self._show_replay()

    def _show_replay(self) -> None:
        self._watches = False
        preview = self._details.preview
        if preview is not None and preview.result is not None:
            replay = ReplayScreen(self.ui, self.go, self.services, preview.result.timeline, preview.path)
            replay.advisor.start(asked=False)
            self.go.push(replay)
        elif preview is not None:
            self.complain(str(preview.error))

    # -- what can be done -----------------------------------------------------------------------

    def watch(self) -> None:
        """Open the selected session in the replay as soon as it has been loaded."""
        if self.selected is not None:
            self._watches = True
            self._details.load()

    def film(self) -> None:
        """Make a film of the selected session, stop the one being made, or show the one just made."""
        films = self.services.films
        if films.share is not None:
            films.stop()
        elif self.selected is not None and films.made_of(self.selected.entry.path):
            self.services.show_films()
        elif self.selected is not None:
            films.start(self.selected.entry.path, film_of(self.selected.entry.path))

    def share(self) -> None:
        """Write a page of the selected session, and show where it is."""
        if self.selected is not None:
            self.services.wait_at_end(share_page(self.services.films, self.selected.entry.path))

    def compare(self) -> None:
        """Ask for another session, related ones first, and show where the two part."""
        if self.selected is None:
            return
        entry = self.selected.entry
        others = related_first(entry, [row.entry for row in self.rows if row is not self.selected])
        if not others:
            self.complain("there is no other session to compare this one with")
            return
        items = [(_named(each), how or each.path.name) for each, how in others]
        self.pick("COMPARE IT WITH", items, 0, lambda at: self._compare(entry, *others[at]))

    def _compare(self, entry: SessionEntry, other: SessionEntry, how: str) -> None:
        pair = (other.path, entry.path) if how == ORIGIN else (entry.path, other.path)
        self.go.push(ComparisonScreen(self.ui, self.go, self.services, pair))

    def ask_to_delete(self) -> None:
        """Ask first: what is deleted does not come back."""
        if self.selected is None:
            return
        entry = self.selected.entry
        if self._is_being_written(entry):
            self.complain("this session is still being played; it can be deleted when the arcade has been closed")
            return
        answers = [("Keep it", ""), ("Delete it for good", entry.path.name)]
        self.pick(
            "DELETE THIS SESSION?", answers, 0, lambda answer: self.session_list.delete(entry) if answer else None
        )

    def _is_being_written(self, entry: SessionEntry) -> bool:
        session = self._session
        return session is not None and session.observers is not None and session.plan.history == entry.session_file

    def back(self) -> None:
        """Go to the title."""
        self.go.title()

    def leave(self) -> None:
        """Read no more; what is still going on is waited for when the window closes."""
        super().leave()
        self._select(None)
        self.session_list.close()
        for task in self.session_list.tasks:
            self.services.wait_at_end(task)

    # -- events ---------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Select the row that keys and buttons move to; the mouse selects by clicks alone."""
        super().handle(event, meaning, now)
        if event.type in (pygame.KEYDOWN, PAD) and isinstance(self.form.focus, SessionRow):
            self._select(self.form.focus)

    def key(self, event: pygame.event.Event) -> bool:
        """Take delete, V for the film, C to compare, home and end, and page up and down."""
        if event.key == pygame.K_DELETE:
            self.ask_to_delete()
        elif event.key == pygame.K_v:
            self.film()
        elif event.key == pygame.K_c:
            self.compare()
        elif event.key in (pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN) and self.rows:
            self._leap(event.key)
        else:
            return False
        return True

    def _leap(self, key: int) -> None:
        at = self.rows.index(self.selected) if self.selected in self.rows else 0
        page = max(1, int(self._scroll.box.h // _ROW) - 1)
        to = {pygame.K_HOME: 0, pygame.K_END: len(self.rows) - 1, pygame.K_PAGEUP: at - page}.get(key, at + page)
        self.form.set_focus(self.rows[max(0, min(len(self.rows) - 1, to))])

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys of this screen."""
        label = self.ui.controls.label
        pairs = [(label("confirm"), "watch"), (label("next"), "list / buttons"), (label("back"), "back")]
        if self.ui.controls.device == "keyboard":
            pairs[1:1] = [("V", "film"), ("C", "compare"), ("DEL", "delete")]
        return [*pairs, (label("help"), "help")]

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """Lay out the list, and a column for the selected session."""
        margin, gap, high = canvas.margin, 8.0, canvas.height - TOP - BOTTOM - 12
        if canvas.narrow:
            side, listed = canvas.width - 2 * margin, high * 0.4
            self._scroll.box = Box(margin, TOP + 4, side, listed)
            column = Box(margin, TOP + 16 + listed, side, high - listed - 12)
        else:
            side = min(_SIDE, canvas.width * 0.36)
            self._scroll.box = Box(margin, TOP + 4, canvas.width - side - 104, high)
            column = Box(self._scroll.box.right + 24, self._scroll.box.y, side, high)
        self._arrange_rows()
        self.watch_button.box = Box(column.x, column.bottom - 104, side * 0.68 - gap, 54)
        self.compare_button.box = Box(column.x + side * 0.68, column.bottom - 104, side * 0.32, 54)
        place(self._small, columns(Box(column.x, column.bottom - 42, side, 42), len(self._small), gap))
        self._details.arrange(canvas, column)

    def _arrange_rows(self) -> None:
        listed = self._scroll.box
        place(self.rows, rows(Box(listed.x, 3, listed.w - 14, 0), len(self.rows), _ROW - 6, 6))
        self._scroll.height = len(self.rows) * _ROW

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw how many there are and where, and the selected one."""
        entries, read = self.session_list.entries, self.session_list.read
        right = canvas.width - canvas.margin
        if entries is not None:
            reading = "" if read == len(entries) else f", {read} read"
            canvas.words((right, 34), counted(len(entries), "session") + reading, "label", 17, theme.SOFT, side="right")
        folder = str(self.session_list.folder)
        canvas.words((right, 60), folder, "mono", 12, theme.DIM, width=canvas.width - 280 - canvas.margin, side="right")
        self._details.paint(canvas)
        if entries == []:
            at = self._scroll.box.middle
            canvas.words(at, "Nothing has been recorded yet.", "title", 26, theme.SOFT, side="middle")
            words = "Every match is kept here: play one, and come back."
            canvas.words((at[0], at[1] + 34), words, "label", 17, theme.DIM, side="middle")


def _named(entry: SessionEntry) -> str:
    """Return who played whom and what came of it, the file's name as long as that is not known."""
    known = entry.summary
    return entry.path.name if known is None else f"{known.names[0]} vs {known.names[1]}: {known.result}"
