"""A row that has a model server fetch a model: what there is to do, how far it is, what went wrong."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Pressable
from batllm_arcade.app.services.server_work import Pull
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed


class PullRow(Pressable):
    """Fetches `model` on confirm and on a click, and gives that up on another one; `pull` is what is under way."""

    def __init__(self, model: str, start: Callable[[], Pull], pull: Pull | None) -> None:
        super().__init__(f"Pull {model}", self._press)
        self.model, self._start, self.pull = model, start, pull
        self.group = ""

    @property
    def hint(self) -> str:
        """Return what the row is about, or all of what went wrong."""
        failed = self.pull is not None and self.pull.failure
        return failed or "Its server loads the model down; that goes on while you do something else"

    @hint.setter
    def hint(self, _: str) -> None: ...

    @property
    def pulling(self) -> bool:
        """Return whether the model is being fetched."""
        return self.pull is not None and not self.pull.done and not self.pull.given_up

    @property
    def words(self) -> tuple[str, str]:
        """Return what a press does, and how it stands."""
        pull = self.pull
        if pull is None:
            return f"Pull {self.model}", "its server fetches it"
        if self.pulling:
            share = f"{pull.share * 100:.0f} %  " if pull.share else ""
            return "Stop pulling", f"{share}{pull.words}"
        if pull.failure:  # all of it stands below the rows while this one has the focus
            return "Pull again", pull.failure.rpartition(f"could not fetch {self.model!r}: ")[2]
        return ("Go on pulling", "stopped; what has come is kept") if pull.given_up else (f"Pull {self.model}", "")

    def _press(self) -> None:
        if self.pulling and self.pull is not None:
            self.pull.cancel()
        else:
            self.pull = self._start()

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the row, filled as far as the model has come."""
        pull = self.pull
        canvas.box(box, mixed(theme.PANEL, theme.GOLD, 0.3 if focused else 0.1), theme.GOLD, width=1, radius=7)
        if self.pulling and pull is not None:
            wide = max(8.0, (box.w - 4) * pull.share)
            canvas.box(Box(box.x + 2, box.y + 2, wide, box.h - 4), mixed(theme.PANEL, theme.GOLD, 0.45), None, radius=6)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        does, stands = self.words
        y = box.y + box.h / 2 - 10
        used = canvas.words((box.x + 16, y), does, "label", 17, theme.TEXT, width=box.w * 0.45)
        color = theme.DANGER if pull is not None and pull.failure else theme.SOFT
        room = box.w - used - 46
        canvas.words((box.right - 14, y + 1), stands, "label", 15, color, width=room, side="right")
