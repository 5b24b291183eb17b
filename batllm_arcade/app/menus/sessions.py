"""Recorded sessions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import ROW, ListScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, ListEntry, columns, place, rows
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.film_jobs import film_of, share_page
from batllm_arcade.app.services.sessions import SessionEntry, SessionList, decisive_scene, open_timeline
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.history.summary import Summary, counted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.session.live_session import LiveSession
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme

# -- The picture of a session's decisive moment

_ARENA_SHARE = 0.86  # of a picture's height that its arena takes, about


def decisive_picture(path: Path, display: DisplayOptions, height: int, report: Report) -> pygame.Surface:
    """Return the arena at a session's decisive moment, so many pixels high.

    Raise UsageError if the session cannot be read or holds no game.
    """
    scene, whole = decisive_scene(open_timeline(path, display, report)), round(height / _ARENA_SHARE)
    report("")
    picture = pygame.Surface((round(whole * theme.WIDTH / theme.HEIGHT), whole))
    renderer = Renderer(picture.get_size(), scene.board.rules, display)
    renderer.draw(picture, scene)
    arena = picture.subsurface(renderer.arena.clip(picture.get_rect()))
    return pygame.transform.smoothscale_by(arena, height / arena.get_height())


# -- The selected session beside the list

REST_S = 0.15
"""Seconds that a session must stay selected before it is read for its picture."""
_HIGHEST = 270.0  # of the picture, logical units
_COMPACT = 420.0  # a lower column (a large UI scale) says less
_BUTTONS = 128.0  # below the text


class SessionDetails:
    """A column; once a session has been selected a while its picture is painted on a thread.

    `live` is the file that the window's own session is kept in, None for none.
    """

    def __init__(self, ui: Ui, services: Services, live: Path | None) -> None:
        self._ui, self._services, self._live = ui, services, live
        self._entry: SessionEntry | None = None
        self._selected_at: float | None = None
        self._picture: BackgroundTask[pygame.Surface] | None = None
        self._column = self._picture_box = Box(0, 0, 0, 0)
        self._picture_height = 0  # pixels, known once it has been laid out

    def select(self, entry: SessionEntry | None) -> None:
        """Show this session from now on, and give up what is being painted."""
        if self._picture is not None:
            self._picture.cancel()
            self._services.wait_at_end(self._picture)
        self._entry, self._selected_at, self._picture = entry, None, None

    def update(self, now: float) -> None:
        """Begin to paint what is selected."""
        self._selected_at = now if self._selected_at is None else self._selected_at
        entry, height = self._entry, self._picture_height
        if entry is None or entry.summary is None or self._picture is not None or height == 0:
            return
        if now - self._selected_at > REST_S:
            paint = partial(decisive_picture, entry.path, self._ui.settings.display, height)
            self._picture = BackgroundTask("session picture", paint)

    def arrange(self, canvas: Canvas, column: Box) -> None:
        """Lay it out in a column whose bottom the buttons take."""
        self._column = column
        self._compact = column.h < _COMPACT
        below = _BUTTONS + (28 if self._compact else 126) + (54 if self._services.films.words else 0)
        high = max(40.0, min(_HIGHEST, column.h - below))
        self._picture_box = Box(column.x, column.y, column.w, high)
        self._picture_height = canvas.rect(self._picture_box.inset(6)).height

    def paint(self, canvas: Canvas) -> None:
        """Draw the picture and the text of the selected session, if there is one."""
        if self._entry is not None:
            self._paint_picture(canvas, self._entry)
            self._paint_text(canvas, self._entry)

    def _paint_picture(self, canvas: Canvas, entry: SessionEntry) -> None:
        box, task = self._picture_box, self._picture
        canvas.box(box.inset(-2), theme.SUNKEN, theme.PANEL_EDGE, radius=8)
        if task is not None and task.done and task.result is not None:
            picture = pygame.transform.smoothscale_by(task.result, self._picture_height / task.result.get_height())
            canvas.target.blit(picture, picture.get_rect(center=canvas.rect(box.inset(6)).center))
            return
        failed = task is not None and task.error is not None
        words = (task.progress if task is not None else "") or "looking ..."
        canvas.words(
            box.middle, "no picture" if entry.problem or failed else words, "label", 16, theme.DIM, side="middle"
        )

    def _paint_text(self, canvas: Canvas, entry: SessionEntry) -> None:
        x, y, width = self._column.x, self._picture_box.bottom + 14, self._column.w
        for seat, line in enumerate(entry.summary.brains if entry.summary is not None and not self._compact else ()):
            canvas.words((x, y), line, "label", 15, theme.SEAT_COLORS[seat], width=width)
            y += 21
        for line in _facts(entry, self._live)[: 1 if self._compact else 2]:
            canvas.words((x, y), line, "label", 15, theme.SOFT, width=width)
            y += 21
        if not self._compact:
            canvas.words((x, y), entry.path.name, "mono", 12, theme.DIM, width=width)
        canvas.block(
            (x, self._column.bottom - _BUTTONS - 38), self._services.films.news, "label", 14, theme.GOLD, width, 2
        )


def _facts(entry: SessionEntry, live: Path | None) -> list[str]:
    summary = entry.summary
    if summary is None:
        return []
    size = f"{entry.bytes / 1e6:.1f} MB" if entry.bytes >= 100_000 else f"{max(1, round(entry.bytes / 1e3))} kB"
    thought = f"{summary.seconds:.0f} s" if summary.seconds < 120 else f"{summary.seconds / 60:.0f} min"
    facts = [f"{counted(summary.plays, 'play')}, {thought} of thinking, {size}"]
    if summary.forked_from is not None:
        origin = summary.forked_from
        facts.append(f"played on from round {origin.round}, turn {origin.turn} of another session")
    open_ = "this window goes on with it" if entry.session_file == live else "it was broken off"
    return facts if summary.ended else [*facts, open_]


class SessionRow(ListEntry[SessionEntry]):
    """A session in the list."""

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        entry = self.entry
        super().draw(canvas, box, focused, now)
        right, when = box.right - 18, entry.when()
        canvas.words((right, box.y + 10), when, "label", 15, theme.SOFT, side="right")
        width = box.w - 60 - canvas.measure(when, "label", 15)
        if entry.summary is not None:
            self._draw_summary(canvas, box, entry.summary, width)
        else:
            canvas.words((box.x + 18, box.y + 8), entry.path.name, "label", 19, theme.SOFT, width=width)
            words, color = (entry.problem, theme.DANGER) if entry.problem else ("reading ...", theme.DIM)
            canvas.words((box.x + 18, box.y + 35), words, "label", 15, color, width=box.w - 36)

    def _draw_summary(self, canvas: Canvas, box: Box, summary: Summary, width: float) -> None:
        x, y = box.x + 18, box.y + 7
        names = [name or "nobody" for name in summary.names]
        wide = [canvas.measure(name, "title", 20) for name in names]
        room = width - 40
        for seat, name in enumerate(names):
            most = max(room / 2, room - wide[1 - seat])
            x += canvas.words((x, y), name, "title", 20, theme.SEAT_COLORS[seat], width=most) + 9
            if seat == 0:
                x += canvas.words((x, y + 4), "vs", "label", 15, theme.DIM) + 9
        color = theme.SOFT if summary.winner is None else theme.TEXT
        length, result = f"{counted(summary.games, 'game')}, {counted(summary.turns, 'turn')}", summary.result
        if summary.pairings > 1:
            length, result = f"{counted(summary.pairings, 'pairing')}, {length}", f"Last: {result}"
        used = canvas.words((box.right - 18, y + 29), length, "label", 15, theme.DIM, side="right")
        origin = summary.forked_from
        start = box.x + 18
        if origin is not None:
            words = f"played on from {origin.round}.{origin.turn}:"
            start += canvas.words((start, y + 28), words, "label", 16, theme.GOLD, width=box.w - 60 - used) + 8
        canvas.words((start, y + 28), result, "label", 16, color, width=box.right - 42 - used - start)


# -- The recorded sessions

_SIDE = 400.0


class SessionsScreen(ListScreen[SessionRow]):
    """The list at the left, the selected session and what can be done with it at the right."""

    heading = "SESSIONS"

    def __init__(self, ui: Ui, go: Navigation, services: Services, session: LiveSession | None) -> None:
        super().__init__(ui)
        self.go, self.services, self._session = go, services, session
        self.session_list = SessionList(sessions_folder(), services.wait_at_end)
        open_ = session is not None and session.observers is not None
        self._details = SessionDetails(ui, services, session.plan.history if session and open_ else None)
        self.watch_button = Button("WATCH", self.watch, big=True, hint="see it again, at any speed, in both directions")
        self.film_button = Button("FILM", self.film, hint="an mp4 of the whole session, made while you go on")
        self.share_button = Button("SHARE", self.share, hint="one web page that plays it in any browser")
        self.delete_button = Button(
            "DELETE", self.ask_to_delete, color=theme.DANGER, hint="the file is removed for good"
        )
        self.back_button = Button("BACK", self.back)
        self._small = (self.film_button, self.share_button, self.delete_button, self.back_button)
        self._buttons = (self.watch_button, *self._small)
        self._found = False  # the folder has been looked through
        self.form.place(("buttons", self._buttons, None))

    def _place_rows(self, entries: Sequence[SessionEntry]) -> None:
        on_list = self.form.focus not in self._buttons or not self._found
        self._found = True
        self.list_entries(entries, SessionRow)
        self.form.place(("list", self.rows, self.list_scroll), ("buttons", self._buttons, None))
        if on_list:
            self.form.set_focus(self.selected or self.back_button)

    def select(self, row: SessionRow | None) -> None:
        """Select a session, and show its details."""
        if row is not self.selected:
            super().select(row)
            self._details.select(row.entry if row is not None else None)

    def choose(self, row: SessionRow, opens: bool) -> None:
        """Select a session, and watch it if `opens`."""
        self.select(row)
        if opens:
            self.watch()

    def update(self, now: float) -> None:
        super().update(now)
        self.session_list.update()
        entries = self.session_list.entries
        if entries is not None and (not self._found or entries != [row.entry for row in self.rows]):
            self._place_rows(entries)
        films, chosen = self.services.films, self.selected.entry.path if self.selected is not None else None
        self.film_button.text = (
            "STOP" if films.share is not None else "SHOW FILM" if chosen and films.made_of(chosen) else "FILM"
        )
        for button in self._buttons[:-1]:
            button.enabled = self.selected is not None
        self._details.update(now)

    def watch(self) -> None:
        """Open the selected session in the replay."""
        if self.selected is not None:
            self.go.open_session(self.selected.entry.path, None, self.complain)

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

    def ask_to_delete(self) -> None:
        """Ask first: what is deleted does not come back."""
        if self.selected is None:
            return
        entry = self.selected.entry
        live = self._session
        if live is not None and live.observers is not None and live.plan.history == entry.session_file:
            self.complain("this session is still being played; it can be deleted when the arcade has been closed")
            return
        answers = [("Keep it", ""), ("Delete it for good", entry.path.name)]
        self.pick("DELETE THIS SESSION?", answers, 0, lambda answer: self._delete(entry) if answer else None)

    def _delete(self, entry: SessionEntry) -> None:
        try:
            self.session_list.delete(entry)
        except UsageError as error:
            self.complain(str(error))

    def back(self) -> None:
        self.go.title()

    def leave(self) -> None:
        super().leave()
        self.select(None)
        self.session_list.close()

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_DELETE:
            self.ask_to_delete()
        elif event.key == pygame.K_v:
            self.film()
        elif event.key in (pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP, pygame.K_PAGEDOWN) and self.rows:
            self._leap(event.key)
        else:
            return False
        return True

    def _leap(self, key: int) -> None:
        at, page = self.place_of_selected, max(1, int(self.list_scroll.box.h // ROW) - 1)
        to = {pygame.K_HOME: 0, pygame.K_END: len(self.rows) - 1, pygame.K_PAGEUP: at - page}.get(key, at + page)
        self.form.set_focus(self.rows[max(0, min(len(self.rows) - 1, to))])

    def keys(self) -> Sequence[tuple[str, str]]:
        own = [("confirm", "watch"), ("V", "film"), ("DEL", "delete")]
        return [*own, ("next", "list / buttons"), ("back", "back"), ("help", "help")]

    def arrange(self, canvas: Canvas) -> None:
        _, area = rows(self.area(canvas), (4, None))
        if canvas.narrow:
            self.list_scroll.box, column = rows(area, (area.h * 0.4, None), 12)
        else:
            self.list_scroll.box, column = columns(area, (None, min(_SIDE, canvas.width * 0.36)), 24)
        self.arrange_list()
        _, large, small = rows(column, (None, 54, 42), 8)
        self.watch_button.box = large
        place(self._small, columns(small, [None] * len(self._small), 8))
        self._details.arrange(canvas, column)

    def paint(self, canvas: Canvas, now: float) -> None:
        entries, read = self.session_list.entries, self.session_list.read
        reading = "" if entries is None or read == len(entries) else f", {read} read"
        count = "" if entries is None else counted(len(entries), "session") + reading
        self.paint_folder(canvas, count, self.session_list.folder)
        self._details.paint(canvas)
        if entries == []:
            at = self.list_scroll.box.middle
            canvas.words(at, "Nothing has been recorded yet.", "title", 26, theme.SOFT, side="middle")
            words = "Every match is kept here: play one, and come back."
            canvas.words((at[0], at[1] + 34), words, "label", 17, theme.DIM, side="middle")
