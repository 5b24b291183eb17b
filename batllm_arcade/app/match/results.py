"""The results of a match."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, grid, place
from batllm_arcade.app.match.menu import MatchActions
from batllm_arcade.app.pictures import results as stat_card
from batllm_arcade.app.pictures.results import HealthChartView, draw_confetti
from batllm_arcade.app.services.session_loader import SessionAnalysis
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import Record
from batllm_arcade.match.series import turns_text, winner_text
from batllm_arcade.story.games import last_game
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint, turning
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics
from batllm_arcade.view.theme import Color

_ROW = 46.0
_COLUMN_ROW = 50.0  # of a narrow window's buttons, which fingers press


@dataclass(frozen=True, slots=True)
class ResultsLayout:
    """Boxes in logical units: the seats' cards left first, the words above the chart, the chart, the buttons."""

    cards: tuple[Box, Box]
    head: Box
    chart: Box
    buttons: tuple[Box, ...]
    title: float
    """The type size of who won."""


def arranged(canvas: Canvas, buttons: int) -> ResultsLayout:
    """Return the layout for this canvas and so many buttons."""
    return _column(canvas, buttons) if canvas.narrow else _beside(canvas, buttons)


def _beside(canvas: Canvas, buttons: int) -> ResultsLayout:
    low, side, tight = canvas.height - 68, min(300.0, canvas.width * 0.235), canvas.height < 600
    cards = (Box(20, 66, side, low - 66), Box(canvas.width - 20 - side, 66, side, low - 66))
    middle = Box(side + 40, 24, canvas.width - 2 * side - 80, low - 24)
    rows = math.ceil(buttons / 2)
    step = min(_ROW + 8, canvas.height * 0.30 / max(1, rows))
    top = low - rows * step + 8
    above = 120.0 if tight else 140.0
    chart = Box(middle.x, middle.y + above, middle.w, top - middle.y - above - 34)
    head = Box(middle.x, middle.y, middle.w, 72.0 if tight else 92.0)
    return ResultsLayout(cards, head, chart, _grid(middle, top, step, buttons), 40 if tight else 56)


def _column(canvas: Canvas, buttons: int) -> ResultsLayout:
    margin, gap, low = canvas.margin, 12.0, canvas.height - 78
    wide = canvas.width - 2 * margin
    head = Box(margin, 30, wide, 66)
    rows = math.ceil(buttons / 2)
    step = min(_COLUMN_ROW + 8, canvas.height * 0.28 / max(1, rows))
    top = low - rows * step + 8
    room = top - (head.bottom + 64) - gap
    cards = min(360.0, max(room - 190.0, room * 0.6))
    chart = Box(margin, head.bottom + 64, wide, room - cards - 40)
    left, right = columns(Box(margin, top - gap - cards, wide, cards), 2, gap)
    return ResultsLayout((left, right), head, chart, _grid(Box(margin, 0, wide, 0), top, step, buttons), 40)


def _grid(column: Box, top: float, step: float, buttons: int) -> tuple[Box, ...]:
    return tuple(grid(column._replace(y=top), buttons, 2, step - 8, 10, 8))


_NOT_YET = "It is still being worked out where the game tipped. Try again in a moment."
MOST = 400
"""Plays up to which a game is looked at."""


class Tipping:
    """Looks for the play at which a game tipped; `path` is the session in which its `records` are kept."""

    def __init__(self, go: Navigation, match: MatchActions, path: Path, records: Sequence[Record]) -> None:
        game = last_game(records)
        assert game is not None
        self.game, self._played = game.number, game
        self._go, self._match, self._path = go, match, path
        self._task = SessionAnalysis(path, game.number)
        self._found: tuple[TurningPoint | None] | None = None
        self.button = Button("Where it tipped", self.show, hint="The play that decided it, in the replay")

    @property
    def sentence(self) -> str:
        """The sentence, "" as long as it is not known."""
        found = self._tipped()
        if found is None:
            return ""
        return f"{found[0].sentence(self._played.names) if found[0] is not None else say('no turning')}."

    def show(self) -> None:
        """Open the replay where that play begins, or say why not."""
        found = self._tipped()
        if found is None:
            self._match.complain(str(self._task.error or _NOT_YET))
        elif found[0] is None:
            self._match.complain(f"{say('no turning')}.")
        else:
            self._go.open_session(self._path, self.game, self._match.complain, play=found[0].index)

    def leave(self, services: Services) -> None:
        """Give it up, if it is still being worked out."""
        self._task.cancel()
        services.wait_at_end(self._task)

    def _tipped(self) -> tuple[TurningPoint | None] | None:
        """Return where it tipped in a tuple, None as long as that is not known."""
        if self._found is None and self._task.result is not None:
            judged = self._task.result[self.game]
            played = replace(self._played, plays=self._played.plays[: len(judged)])
            self._found = (turning(played, judged[: len(played.plays)]),)
        return self._found


DRAWING_S = 1.4
"""Seconds until the plot is drawn to its end."""
CEREMONY_S = 0.7
"""Seconds in which nothing can be chosen yet: who still presses fire has not seen who won."""
_LEAST_CHART = 54.0  # logical units: a lower one tells nothing
_LEGEND = 26.0  # what the chart has in addition where words leave room for no legend
_MOST_ROWS, _LINE = 3, 24.0
Text = tuple[tuple[str, ...], float, Color]
"""Sentences, their type size and their colour."""


def headline(statistics: MatchStatistics) -> tuple[str, Color]:
    """Return who won, in words, and the colour to say it in."""
    result = statistics.result or Result(None, "aborted")
    left, right = (seat.seat.name for seat in statistics.seats)
    words = winner_text(result, (left, right))
    return (words, theme.TEXT) if result.winner is None else (f"{words}!", theme.SEAT_COLORS[result.winner])


class ResultsDialog(Dialog):
    """The whole window: figures at the sides, the plot and the choices between them."""

    def __init__(
        self,
        ui: Ui,
        go: Navigation,
        services: Services,
        statistics: MatchStatistics,
        buttons: Sequence[Button],
        now: float,
        score: str = "",
        tipping: Tipping | None = None,
    ) -> None:
        super().__init__(ui, backdrop=True)
        self.go, self.services = go, services
        self.statistics, self._since, self._score = statistics, now, score
        self._tipping = tipping
        self.now = now
        self.form.place((button, None) for button in buttons)
        self._plot = HealthChartView(statistics)

    def back(self) -> None:
        """Leave the match, after asking."""
        answers = [("Stay here", ""), ("Leave", "The game is kept; it can be watched again")]
        self.pick("Leave this match?", answers, 0, lambda answer: self.go.leave_match() if answer else None)

    @property
    def ready(self) -> bool:
        """Whether the winner has been seen for long enough to choose what comes next."""
        return self.now - self._since >= CEREMONY_S

    def keys(self) -> Sequence[tuple[str, str]]:
        """Choosing, and the way out."""
        label = self.ui.controls.label
        return [(label("confirm"), "choose"), (label("back"), "leave")]

    def arrange(self, canvas: Canvas) -> None:
        """Cards beside the chart, or below it in a narrow window; the buttons in two columns at the bottom."""
        self._layout = arranged(canvas, len(self.form.widgets))
        place(self.form.widgets, self._layout.buttons)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Everything there is to say about the game."""
        age, statistics = now - self._since, self.statistics
        winner = statistics.result.winner if statistics.result else None
        if winner is not None and not self.still:
            draw_confetti(canvas, age, theme.SEAT_COLORS[winner], self._word_boxes(canvas))
        for seat in (0, 1):
            box = self._layout.cards[seat]
            top = stat_card.draw_card(canvas, box, seat, statistics, "WINNER" if seat == winner else "")
            inner = Box(box.x + stat_card.PAD, top + 6, box.w - 2 * stat_card.PAD, box.bottom - top - 20)
            figures = stat_card.game_figures(statistics.seats[seat], statistics.rules)
            if canvas.narrow:
                figures = figures[: max(3, int(inner.h // 21))]
            below = stat_card.draw_figures(canvas, inner, figures, 23 if canvas.narrow else 36) + 18
            orders = Box(inner.x, below, inner.w, inner.bottom - below)
            stat_card.draw_orders(canvas, orders, statistics.prompts[seat])
        self._paint_middle(canvas, age)

    def _texts(self, canvas: Canvas) -> tuple[Text, ...]:
        small, usual = (15, 16) if canvas.narrow else (16, 19)
        tipped = (self._tipping.sentence,) if self._tipping is not None and self._tipping.sentence else ()
        return (
            (self.statistics.who_played, small, theme.SOFT),
            ((self.statistics.why,) if self.statistics.why else (), usual, theme.GOLD),
            (tipped, small, theme.TEXT),
        )

    def _word_boxes(self, canvas: Canvas) -> tuple[Box, Box]:
        head, chart = self._layout.head, self._layout.chart
        wide = canvas.measure(headline(self.statistics)[0], "title", self._layout.title) + 16
        title = Box(head.x + (head.w - wide) / 2, head.y + 34 - self._layout.title / 2, wide, self._layout.title)
        used = sum(_height(_rows(canvas, head, text)[0]) for text in self._texts(canvas))
        used += 30.0 if self._score else 0.0
        return title, Box(head.x, head.bottom - 16, head.w, chart.y + used - head.bottom + 16)

    def _paint_middle(self, canvas: Canvas, age: float) -> None:
        box, (words, color) = self._layout.head, headline(self.statistics)
        x, room = box.x + box.w / 2, self._layout.chart
        grown = 1.0 if self.still else min(1.0, 0.8 + age * 0.6)
        size = round(self._layout.title * grown)
        canvas.words((x, box.y + 34), words, "title", size, color, width=box.w - 10, side="middle")
        top = box.bottom
        words = self.statistics.how
        if canvas.narrow and canvas.measure(words, "label", 18) > box.w:
            top += canvas.block((box.x, top - 8), words, "label", 17, theme.TEXT, box.w, 2) - 22
        else:
            canvas.words((x, top), words, "label", 18, theme.TEXT, width=box.w, side="middle")
        game = self.statistics
        facts = f"game {game.game}    seed {game.seed}    {turns_text(game.turns)} in {_rounds(game)}"
        canvas.words((x, top + 28), facts, "mono", 13, theme.DIM, width=box.w, side="middle")
        used = 0.0
        if self._score:
            canvas.words((x, top + 58), self._score, "title", 22, theme.TEXT, width=box.w, side="middle")
            used = 30.0
        for text in self._texts(canvas):
            used += _paint_text(canvas, box, top + 44 + used, text)
        legend = room.h - used >= _LEAST_CHART
        room = Box(room.x, room.y + used, room.w, room.h - used + (0.0 if legend else _LEGEND))
        if room.h >= _LEAST_CHART:
            self._plot.draw(canvas, room, 1.0 if self.still else age / DRAWING_S)
        if legend:
            self._plot.draw_legend(canvas, (x, room.bottom + 14))

    def paint_foot(self, canvas: Canvas) -> None:
        """What went wrong, what has the focus, the keys; and what becomes of a film."""
        super().paint_foot(canvas)
        films = self.services.films
        if films.words:
            share = "" if films.share is None else f"  {films.share:.0%}"
            at = (canvas.width / 2, 12)
            canvas.words(at, films.words + share, "label", 15, theme.GOLD, width=canvas.width - 60, side="middle")


def _paint_text(canvas: Canvas, box: Box, top: float, text: Text) -> float:
    rows, size = _rows(canvas, box, text)
    for number, row in enumerate(rows):
        at = (box.x + box.w / 2, top + 12 + number * _LINE)
        canvas.words(at, row, "label", size, text[2], width=box.w, side="middle")
    return _height(rows)


def _rows(canvas: Canvas, box: Box, text: Text) -> tuple[Sequence[str], float]:
    """Return sentences in rows, and the type size that they have there."""
    sentences, size, _ = text
    if not sentences:
        return (), size
    words, wide = " ".join(sentences), (box.w - 20) * canvas.scale
    rows = canvas.text_renderer.rows(words, "label", size, wide, _MOST_ROWS)
    if len(rows) == _MOST_ROWS:  # a little smaller it may do without a third row
        size -= 2
        rows = canvas.text_renderer.rows(words, "label", size, wide, _MOST_ROWS)
    return rows, size


def _height(rows: Sequence[str]) -> float:
    return 6 + len(rows) * _LINE if rows else 0.0


def _rounds(statistics: MatchStatistics) -> str:
    return "one round" if statistics.rounds == 1 else f"{statistics.rounds} rounds"
