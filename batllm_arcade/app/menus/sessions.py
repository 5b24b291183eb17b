"""The recorded sessions: looked through, watched, filmed, deleted."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.app.input.controls import PAD
from batllm_arcade.app.menus.session_row import SessionRow
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.film_jobs import film_of
from batllm_arcade.app.services.session_list import SessionEntry, SessionList, SessionPreview
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.form import Scroll
from batllm_arcade.app.ui.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.widgets import Button
from batllm_arcade.history.summary import counted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.session.live_session import sessions_folder
from batllm_arcade.view import theme

_ROW, _SIDE = 66.0, 400.0
_STILL = 270.0  # how high the picture of the decisive moment is at most
_COMPACT = 420.0  # a lower column (a large UI scale) says less
_ARENA_SHARE = 0.86  # of a picture's height that its arena takes, about
_RESTS_S = 0.15
"""Seconds that a session is to stay selected before it is read for its picture."""


class SessionsScreen(MenuScreen):
    """The list at the left, the selected one's picture and what can be done with it at the right."""

    heading = "SESSIONS"

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.session_list = SessionList(sessions_folder())
        self.selected: SessionRow | None = None
        self._selected_at = -1.0
        self._scroll = Scroll()
        self._opening: SessionPreview | None = None
        self._wants_in = False  # it is shown as soon as it has been read
        self._still: tuple[SessionPreview, pygame.Surface] | None = None
        self._picture: Renderer | None = None
        self._column = self._still_box = Box(0, 0, 0, 0)
        self._words_end, self._compact = 0.0, False
        self._buttons = [
            Button("WATCH", self.watch, big=True, hint="see it again, at any speed and in both directions"),
            Button("FILM", self.film, hint="an mp4 of the whole session, made while you go on"),
            Button("DELETE", self.ask_to_delete, color=theme.DANGER, hint="the file is removed for good"),
            Button("BACK", self.back),
        ]
        for button in self._buttons:
            button.group = "buttons"
        self.rows: list[SessionRow] = []
        self._fill()

    def _fill(self) -> None:
        """A row for every entry; the first one is selected."""
        self.rows = [SessionRow(entry, self._choose) for entry in self.session_list.entries]
        self.form.place([*((row, self._scroll) for row in self.rows), *((button, None) for button in self._buttons)])
        self.form.set_focus(self.rows[0] if self.rows else self._buttons[-1])
        self._select(self.rows[0] if self.rows else None)

    def _select(self, row: SessionRow | None) -> None:
        if row is self.selected:
            return
        for each in (self.selected, row):
            if each is not None:
                each.selected = each is row
        self.selected, self._selected_at = row, -1.0
        self._wants_in = False

    def _choose(self, row: SessionRow, opens: bool) -> None:
        self._select(row)
        if opens:
            self.watch()

    # -- what can be done -----------------------------------------------------------------------

    def watch(self) -> None:
        """Open the selected session in the replay as soon as it has been read."""
        if self.selected is not None:
            self._wants_in = True
            self._open(self.selected.entry)

    def _open(self, entry: SessionEntry) -> None:
        if self._opening is None or self._opening.path != entry.path:
            self._opening = SessionPreview(entry.path, self.shell.settings.display).begin()

    def film(self) -> None:
        """Make a film of the selected session, or stop the one being made."""
        films = self.shell.films
        if films.share is not None:
            films.stop()
        elif self.selected is not None:
            films.start(self.selected.entry.path, film_of(self.selected.entry.path))

    def ask_to_delete(self) -> None:
        """A question first: what is deleted does not come back."""
        if self.selected is None:
            return
        entry = self.selected.entry
        if self._is_being_written(entry):
            self.complain("this session is still being played; it can be deleted when the arcade has been closed")
            return
        answers = [("Keep it", ""), ("Delete it for good", entry.path.name)]
        self.pick("DELETE THIS SESSION?", answers, 0, lambda answer: self._delete(entry) if answer else None)

    def _is_being_written(self, entry: SessionEntry) -> bool:
        session = getattr(self.shell, "session", None)
        return session is not None and session.observers is not None and session.plan.history == entry.session_file

    def _delete(self, entry: SessionEntry) -> None:
        at = self.rows.index(self.selected) if self.selected in self.rows else 0
        try:
            self.session_list.remove(entry)
        except OSError as error:
            self.complain(f"{entry.path.name!r} cannot be deleted: {error.strerror}")
            return
        self.selected = self._opening = self._still = None
        self._fill()
        if self.rows:
            row = self.rows[min(at, len(self.rows) - 1)]
            self.form.set_focus(row)
            self._select(row)

    def back(self) -> None:
        """To the title."""
        self.shell.title()

    def leave(self) -> None:
        """Read no more."""
        super().leave()
        self.session_list.leave()

    # -- events ---------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """What the keys and buttons move to is selected; the mouse selects by clicks alone."""
        super().handle(event, now)
        if event.type in (pygame.KEYDOWN, PAD) and isinstance(self.form.focus, SessionRow):
            self._select(self.form.focus)

    def key(self, event: pygame.event.Event) -> bool:
        """Delete, V for the film, home and end, and a page of rows at a time."""
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
        at = self.rows.index(self.selected) if self.selected in self.rows else 0
        page = max(1, int(self._scroll.box.h // _ROW) - 1)
        to = {pygame.K_HOME: 0, pygame.K_END: len(self.rows) - 1, pygame.K_PAGEUP: at - page}.get(key, at + page)
        self.form.set_focus(self.rows[max(0, min(len(self.rows) - 1, to))])

    def keys(self) -> Sequence[tuple[str, str]]:
        """The keys of this screen."""
        label = self.shell.controls.label
        pairs = [(label("confirm"), "watch"), (label("next"), "list / buttons"), (label("back"), "back")]
        if self.shell.controls.device == "keyboard":
            pairs[1:1] = [("V", "film"), ("DEL", "delete")]
        return [*pairs, (label("help"), "help")]

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, canvas: Canvas) -> None:
        """The list, and a column for the selected one."""
        side = min(_SIDE, canvas.width * 0.36)
        listed = Box(40, TOP + 4, canvas.width - side - 104, canvas.height - TOP - BOTTOM - 12)
        self._scroll.box = listed
        for number, row in enumerate(self.rows):
            row.box = Box(listed.x, number * _ROW + 3, listed.w - 14, _ROW - 6)
        self._scroll.height = len(self.rows) * _ROW
        self._column = Box(listed.right + 24, listed.y, side, listed.h)
        self._compact = self._column.h < _COMPACT
        below = 128 + (28 if self._compact else 126) + (54 if self.shell.films.words else 0)
        high = min(_STILL, self._column.h - below)
        self._still_box = Box(self._column.x, self._column.y, side, max(40.0, high))
        column, gap = self._column, 8.0
        self._buttons[0].box = Box(column.x, column.bottom - 104, side, 54)
        third = (side - 2 * gap) / 3
        for number, button in enumerate(self._buttons[1:]):
            button.box = Box(column.x + number * (third + gap), column.bottom - 42, third, 42)
        self._words_end = column.bottom - 104 - 12
        self._buttons[1].text = "STOP" if self.shell.films.share is not None else "FILM"
        for button in self._buttons[:-1]:
            button.enabled = self.selected is not None

    def paint(self, canvas: Canvas, now: float) -> None:
        """How many there are and where; the selected one."""
        self._look_at_selected(now)
        many = counted(len(self.session_list.entries), "session")
        read = self.session_list.read
        reading = "" if read == len(self.session_list.entries) else f", {read} read"
        right = canvas.width - 40
        canvas.words((right, 34), many + reading, "label", 17, theme.SOFT, side="right")
        canvas.words(
            (right, 60), str(self.session_list.folder), "mono", 12, theme.DIM, width=canvas.width - 320, side="right"
        )
        if not self.rows:
            at = self._scroll.box.middle
            canvas.words(at, "Nothing has been recorded yet.", "title", 26, theme.SOFT, side="middle")
            words = "Every match is kept here: play one, and come back."
            canvas.words((at[0], at[1] + 34), words, "label", 17, theme.DIM, side="middle")
            return
        self._paint_still(canvas)
        self._paint_words(canvas)

    def _look_at_selected(self, now: float) -> None:
        """Read the selected session once it has been selected for a moment; go in where that was asked for."""
        if self.selected is None:
            return
        if self._selected_at < 0:
            self._selected_at = now
        entry, opening = self.selected.entry, self._opening
        small = entry.summary is not None
        if small and now - self._selected_at > _RESTS_S and (opening is None or opening.done):
            self._open(entry)
        if opening is None or not opening.done or opening.path != entry.path:
            return
        if self._wants_in:
            self._wants_in = False
            if opening.timeline is not None:
                self.shell.push(ReplayScreen(self.shell, opening.timeline, opening.path))
            else:
                self.complain(opening.problem)

    def _paint_still(self, canvas: Canvas) -> None:
        """The decisive moment, as soon as it is known."""
        box, opening = self._still_box, self._opening
        canvas.box(box.inset(-2), theme.SUNKEN, theme.PANEL_EDGE, radius=8)
        assert self.selected is not None
        fits = opening is not None and opening.done and opening.path == self.selected.entry.path
        if not fits or opening is None or opening.still is None:
            words = "no picture" if self.selected.entry.problem and not self._wants_in else "looking ..."
            canvas.words(box.middle, words, "label", 16, theme.DIM, side="middle")
            return
        rect = canvas.rect(box.inset(6))
        if self._still is None or self._still[0] is not opening or self._still[1].get_height() != rect.height:
            self._still = (opening, self._painted_still(opening, rect.height))
        canvas.target.blit(self._still[1], self._still[1].get_rect(center=rect.center))

    def _painted_still(self, opening: SessionPreview, high: int) -> pygame.Surface:
        """The arena at the decisive moment."""
        assert opening.still is not None
        size, display, kept = _size_for(high), self.shell.settings.display, self._picture
        if kept is None or (kept.size, kept.rules, kept.display) != (size, opening.rules, display):
            self._picture = kept = Renderer(size, opening.rules, display)
        whole = pygame.Surface(size)
        kept.draw(whole, opening.still)
        arena = whole.subsurface(kept.arena.clip(whole.get_rect()))
        wide = max(1, round(arena.get_width() * high / arena.get_height()))
        return pygame.transform.smoothscale(arena, (wide, max(1, high)))

    def _paint_words(self, canvas: Canvas) -> None:
        """What is known of the selected session, and of the film being made."""
        assert self.selected is not None
        entry, x, y = self.selected.entry, self._column.x, self._still_box.bottom + 14
        films, wide = self.shell.films, self._column.w
        for seat, line in enumerate([] if self._compact else _brains(entry)):
            canvas.words((x, y), line, "label", 15, theme.SEAT_COLORS[seat], width=wide)
            y += 21
        for line in _facts(entry)[: 1 if self._compact else 2]:
            canvas.words((x, y), line, "label", 15, theme.SOFT, width=wide)
            y += 21
        if not self._compact:
            canvas.words((x, y), entry.path.name, "mono", 12, theme.DIM, width=wide)
        if films.words:
            canvas.block((x, self._words_end - 50), films.words, "label", 14, theme.GOLD, wide, 2)
        if films.share is not None:
            track = Box(x, self._words_end - 4, wide, 5)
            canvas.box(track, theme.SUNKEN, None, radius=2)
            canvas.box(Box(x, track.y, max(3.0, wide * films.share), 5), theme.GOLD, None, radius=2)


def _size_for(high: int) -> tuple[int, int]:
    """The size of a picture whose arena is about so high."""
    height = round(high / _ARENA_SHARE)
    return round(height * theme.WIDTH / theme.HEIGHT), height


def _brains(entry: SessionEntry) -> list[str]:
    return list(entry.summary.brains) if entry.summary is not None else []


def _facts(entry: SessionEntry) -> list[str]:
    told = entry.summary
    if told is None:
        return []
    size = f"{entry.bytes / 1e6:.1f} MB" if entry.bytes >= 100_000 else f"{max(1, round(entry.bytes / 1e3))} kB"
    thought = f"{told.seconds:.0f} s" if told.seconds < 120 else f"{told.seconds / 60:.0f} min"
    facts = [f"{counted(told.plays, 'play')}, {thought} of thinking, {size}"]
    return facts if told.ended else [*facts, "the session never ended"]
