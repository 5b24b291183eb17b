"""The selected session beside the list: its decisive moment, what is known of it, and the film being made."""

from __future__ import annotations

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.menus.session_picture import SessionPicture
from batllm_arcade.app.services.session_list import SessionEntry
from batllm_arcade.app.services.session_loader import SessionPreview
from batllm_arcade.app.shell import Services
from batllm_arcade.history.summary import counted
from batllm_arcade.view import theme

REST_S = 0.15
"""Seconds that a session must stay selected before it is loaded for its picture."""
_HIGHEST = 270.0  # of the picture, logical units
_COMPACT = 420.0  # a lower column (a large UI scale) says less
_BUTTONS = 128.0  # below the text


class SessionDetails:
    """A column; the selected session is loaded on a thread, at once by `load` or once it has been selected a while."""

    def __init__(self, ui: Ui, services: Services) -> None:
        self._ui, self._services = ui, services
        self._entry: SessionEntry | None = None
        self._selected_at: float | None = None
        self._preview: SessionPreview | None = None
        self._picture = SessionPicture()
        self._column = self._picture_box = Box(0, 0, 0, 0)
        self._picture_height = 0  # pixels, known once it has been laid out

    @property
    def preview(self) -> SessionPreview | None:
        """Return the selected session once it has been loaded, or could not be."""
        return self._preview if self._preview is not None and self._preview.done else None

    def select(self, entry: SessionEntry | None) -> None:
        """Show this session from now on."""
        self.close()
        self._entry, self._selected_at = entry, None

    def load(self) -> None:
        """Load the selected session now."""
        if self._entry is not None and self._preview is None:
            self._preview = SessionPreview(self._entry.path, self._ui.settings.display)

    def close(self) -> None:
        """Give up what is being loaded."""
        if self._preview is not None:
            self._preview.cancel()
            self._services.wait_at_end(self._preview)
        self._preview = None

    def update(self, now: float) -> None:
        """Begin to load and to paint what is selected."""
        self._selected_at = now if self._selected_at is None else self._selected_at
        readable = self._entry is not None and self._entry.summary is not None
        if readable and now - self._selected_at > REST_S:
            self.load()
        if self.preview is not None and self.preview.result is not None and self._picture_height > 0:
            self._picture.update(self.preview.result, self._picture_height, self._ui.settings.display)

    # -- picture --------------------------------------------------------------------------------

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
        box, preview = self._picture_box, self._preview
        canvas.box(box.inset(-2), theme.SUNKEN, theme.PANEL_EDGE, radius=8)
        loaded = preview.result if preview is not None else None
        surface = self._picture.surface(loaded, self._picture_height) if loaded is not None else None
        if surface is not None:
            canvas.target.blit(surface, surface.get_rect(center=canvas.rect(box.inset(6)).center))
        else:
            canvas.words(box.middle, self._progress(entry), "label", 16, theme.DIM, side="middle")

    def _progress(self, entry: SessionEntry) -> str:
        preview = self._preview
        if (preview is None and entry.problem) or (preview is not None and preview.error is not None):
            return "no picture"
        return (preview.progress if preview is not None else "") or "looking ..."

    def _paint_text(self, canvas: Canvas, entry: SessionEntry) -> None:
        x, y, width = self._column.x, self._picture_box.bottom + 14, self._column.w
        for seat, line in enumerate(entry.summary.brains if entry.summary is not None and not self._compact else ()):
            canvas.words((x, y), line, "label", 15, theme.SEAT_COLORS[seat], width=width)
            y += 21
        for line in _facts(entry)[: 1 if self._compact else 2]:
            canvas.words((x, y), line, "label", 15, theme.SOFT, width=width)
            y += 21
        if not self._compact:
            canvas.words((x, y), entry.path.name, "mono", 12, theme.DIM, width=width)
        self._paint_film(canvas, self._column.bottom - _BUTTONS + 12)

    def _paint_film(self, canvas: Canvas, bottom: float) -> None:
        films, x, width = self._services.films, self._column.x, self._column.w
        if films.words:
            canvas.block((x, bottom - 50), films.words, "label", 14, theme.GOLD, width, 2)
        if films.share is not None:
            track = Box(x, bottom - 4, width, 5)
            canvas.box(track, theme.SUNKEN, None, radius=2)
            canvas.box(track._replace(w=max(3.0, width * films.share)), theme.GOLD, None, radius=2)


def _facts(entry: SessionEntry) -> list[str]:
    summary = entry.summary
    if summary is None:
        return []
    size = f"{entry.bytes / 1e6:.1f} MB" if entry.bytes >= 100_000 else f"{max(1, round(entry.bytes / 1e3))} kB"
    thought = f"{summary.seconds:.0f} s" if summary.seconds < 120 else f"{summary.seconds / 60:.0f} min"
    facts = [f"{counted(summary.plays, 'play')}, {thought} of thinking, {size}"]
    if summary.forked_from is not None:
        origin = summary.forked_from
        facts.append(f"played on from round {origin.round}, turn {origin.turn} of another session")
    return facts if summary.ended else [*facts, "it was broken off"]
