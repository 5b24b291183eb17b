"""The results of a match, and what the screen between two rounds shows of them: cards, figures, the health chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, grid, place
from batllm_arcade.app.services.sessions import SessionAnalysis
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.kinds import money
from batllm_arcade.core.model import Part, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import Record
from batllm_arcade.match.series import SIDES, turns_text, winner_text
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.story.games import last_game
from batllm_arcade.story.moments import TurningPoint, turning
from batllm_arcade.story.sentences import say
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics, SeatStatistics
from batllm_arcade.view.theme import Color, mixed

_PIECES = 90
RAIN_S = 7.0
"""Seconds that it rains."""


def draw_confetti(canvas: Canvas, age: float, color: Color, words: Sequence[Box]) -> None:
    """Draw the paper in the winner's colours `age` seconds after the end, none where the words are.

    Where each piece is depends on the age alone.
    """
    if age > RAIN_S:
        return
    tints = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        spot, delay = (number * 0.61803) % 1.0, (number * 0.377) % 1.0 * 2.2
        fallen = (age - delay) * (150 + 110 * ((number * 0.733) % 1.0))
        if 0 < fallen < canvas.height + 40:
            x = spot * canvas.width + 26 * math.sin(2.2 * (age - delay) + number)
            high = max(2.0, 10 * abs(math.cos(5 * age + number)))
            piece = Box(x, fallen - 20, 7, high)
            if not any(
                piece.x < box.right and piece.right > box.x and piece.y < box.bottom and piece.bottom > box.y
                for box in words
            ):
                canvas.target.fill(tints[number % len(tints)], canvas.rect(piece))


class HealthChartView:
    """A report's plot, painted anew when its place changes."""

    def __init__(self, report: MatchStatistics) -> None:
        self._report = report
        self._plot: HealthChart | None = None
        self._key: object = None

    def draw(self, canvas: Canvas, box: Box, share: float) -> None:
        """Draw it into the box, the lines as far as `share` of the way."""
        rect = canvas.rect(box)
        if rect.width < 80 or rect.height < 60:
            return
        if self._plot is None or self._key != (canvas.text_renderer, rect.size):
            self._plot = HealthChart(self._report, canvas.text_renderer, canvas.scale, rect.size, canvas.type_size(11))
            self._key = (canvas.text_renderer, rect.size)
        self._plot.draw(canvas.target, rect.topleft, share)


PAD = 16.0  # of a seat's card
_INSTANT_S = 0.02  # a script: how fast it answers is nobody's interest
_PARTS: tuple[Part, ...] = ("front", "side", "back")
Figure = tuple[str, str]


def game_figures(seat: SeatStatistics, rules: Rules) -> list[Figure]:
    """Return all figures of a game: of armour and battery where the rules have them, times if there was a wait, tokens
    if they were counted, their cost if known."""
    share = "" if seat.accuracy is None else f"  {seat.accuracy:.0%}"
    rows = [("damage dealt", f"{seat.damage:g}"), ("hits", f"{seat.hits} of {seat.shots}{share}")]
    if rules.has_armour:
        rows.append(("front, side, back", ", ".join(f"{seat.parts[part]}" for part in _PARTS)))
    rows.append(("shots blocked", f"{seat.blocks}"))
    if rules.battery:
        rows += [("shields broken", f"{seat.broken}"), ("lacked charge", f"{seat.uncharged}")]
    rows += [("steps walked", f"{seat.steps:.1f}".removesuffix(".0")), ("fumbles", f"{seat.fumbles}")]
    usual, slowest = seat.median_s, seat.longest_s
    if usual is not None and slowest is not None and usual >= _INSTANT_S:
        rows += [("usual answer", seconds(usual)), ("slowest answer", seconds(slowest))]
    for key, words in (("prompt", "tokens read"), ("cached", "from a cache"), ("completion", "tokens written")):
        if key in seat.tokens:
            rows.append((words, f"{seat.tokens[key]:,}"))
    return rows if seat.cost is None else [*rows, ("cost", money(seat.cost))]


def few_figures(seat: SeatStatistics, rules: Rules) -> list[Figure]:
    """Return the figures that tell how a game or a round went; the rest are on demand."""
    beside = seat.parts["side"] + seat.parts["back"]
    tells = ("in side or back", f"{beside}") if rules.has_armour else ("shots blocked", f"{seat.blocks}")
    return [("hits", f"{seat.hits} of {seat.shots}"), tells]


def seconds(value: float) -> str:
    """Return a time in the shortest form."""
    return f"{value * 1000:.0f} ms" if value < 0.995 else f"{value:.1f} s"


def draw_card(
    canvas: Canvas, box: Box, seat: int, statistics: MatchStatistics, chip: str = "", *, named: bool = True
) -> float:
    """Draw the seat's card: its name, a chip such as `winner`, and its health; return where the card's rest begins."""
    info, color = statistics.seats[seat].seat, theme.SEAT_COLORS[seat]
    canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10)
    canvas.box(Box(box.x, box.y, box.w, 5), color, None, radius=2.5)
    x, width = box.x + PAD, box.w - 2 * PAD
    canvas.words((x, box.y + 13), SIDES[seat].upper(), "label", 15, color)
    if not named:
        return _draw_health(canvas, Box(x, box.y + 36, width, 24), seat, statistics)
    canvas.words((x, box.y + 29), info.name, "title", 28, theme.TEXT, width=width)
    canvas.words((x, box.y + 66), f"{info.brain}  {info.model}".strip(), "mono", 12, theme.SOFT, width=width)
    if chip:
        wide = canvas.measure(chip, "label", 15) + 22
        badge = Box(box.right - PAD - wide, box.y + 12, wide, 24)
        canvas.box(badge, theme.GOLD, None, radius=12)
        canvas.words(badge.middle, chip, "label", 15, theme.NIGHT, side="middle")
    return _draw_health(canvas, Box(x, box.y + 88, width, 24), seat, statistics)


def _draw_health(canvas: Canvas, box: Box, seat: int, statistics: MatchStatistics) -> float:
    share, full = statistics.seats[seat].health, statistics.rules.initial_health[seat]
    canvas.words((box.right, box.y - 4), f"{share * full:g}", "title", 26, theme.TEXT, side="right")
    bar = Box(box.x, box.y + 4, box.w - 62, 16)
    canvas.box(bar, theme.SUNKEN, None, radius=5)
    if share > 0:
        color = theme.DANGER if share <= 0.25 else theme.SEAT_COLORS[seat]
        canvas.box(Box(bar.x, bar.y, max(8.0, bar.w * min(1.0, share)), 16), color, None, radius=5)
    return box.bottom + 10


def draw_figures(canvas: Canvas, box: Box, rows: list[Figure], most: float = 36.0) -> float:
    """Draw the rows into the box, at most `most` high each, less if there is little room; return where they end.

    If they would be too small to read, none is drawn.
    """
    if box.h < 15 * len(rows):
        return box.y
    step = min(most, box.h / max(1, len(rows)))
    size = min(19.0, step * 0.66)
    for row, (name, value) in enumerate(rows):
        y = box.y + row * step
        if row:
            canvas.box(Box(box.x, y, box.w, 1), mixed(theme.PANEL, theme.PANEL_EDGE, 0.6), None, radius=0)
        middle = y + step / 2 - size * 0.66
        canvas.words((box.x, middle), name, "label", size, theme.SOFT)
        canvas.words((box.right, middle), value, "title", size, theme.TEXT, side="right")
    return box.y + step * len(rows)


def draw_text(canvas: Canvas, box: Box, heading: str, text: str, size: float = 17, most: int = 6) -> None:
    """Draw a text of at most so many lines under its heading, if there is one and room for it."""
    line = canvas.text_renderer.height("label", canvas.type_size(size)) / canvas.scale
    lines = int((box.h - 20) / line)
    if text.strip() and lines >= 1:
        canvas.words((box.x, box.y), heading, "label", 14, theme.DIM)
        canvas.block((box.x, box.y + 20), text, "label", size, theme.SOFT, box.w, min(most, lines))


NOT_YET = "It is still being worked out where the game tipped. Try again in a moment."
MOST = 400
"""Plays up to which a game is looked at."""


class Tipping:
    """Looks on a thread for the play at which the last game of these `records` tipped; `path` is their session."""

    def __init__(self, path: Path, records: Sequence[Record]) -> None:
        game = last_game(records)
        assert game is not None
        self.game = game
        self.task = SessionAnalysis(path, game.number)
        self._point: TurningPoint | None = None
        self._looked = False

    @property
    def known(self) -> bool:
        """Whether it is known if it tipped."""
        return self.task.result is not None

    @property
    def point(self) -> TurningPoint | None:
        """Where it tipped, None if it did not or nobody knows yet."""
        if not self._looked and self.task.result is not None:
            judged = self.task.result[self.game.number]
            played = replace(self.game, plays=self.game.plays[: len(judged)])
            self._point, self._looked = turning(played, judged[: len(played.plays)]), True
        return self._point

    @property
    def sentence(self) -> str:
        """Where it tipped in one sentence, "" as long as that is not known."""
        if not self.known:
            return ""
        return f"{self.point.sentence(self.game.names) if self.point is not None else say('no turning')}."


DRAWING_S = 1.4
"""Seconds until the plot is drawn to its end."""
CEREMONY_S = 0.7
"""Seconds in which nothing can be chosen yet: who still presses fire has not seen who won."""
_ROW, _COLUMN_ROW = 46.0, 50.0  # of buttons; those of a narrow window are pressed by fingers
_LEAST_CHART = 54.0  # logical units: a lower one tells nothing
_MOST_ROWS, _LINE, _FACTS = 3, 24.0, 20.0
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
        self, ui: Ui, go: Navigation, services: Services, statistics: MatchStatistics, buttons: Sequence[Button],
        now: float, score: str = "", tipping: Tipping | None = None,
    ) -> None:  # fmt: skip
        super().__init__(ui, backdrop=True)
        self.go, self.services = go, services
        self.statistics, self.now, self._since = statistics, now, now
        self._score, self._tipping = score, tipping
        self.form.place((button, None) for button in buttons)
        self._save = buttons[-2] if len(buttons) > 1 else None
        self._plot = HealthChartView(statistics)
        self.all_figures = False
        """Whether all figures are shown, not only those that tell how it went."""

    def back(self) -> None:
        if self.ready:
            self.go.leave_match(self.complain)

    @property
    def ready(self) -> bool:
        """Whether the winner has been seen for long enough to choose what comes next."""
        return self.now - self._since >= CEREMONY_S

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("confirm", "choose"), ("back", "leave")]

    def arrange(self, canvas: Canvas) -> None:
        buttons = len(self.form.widgets)
        if canvas.narrow:
            column, top, step = self._arrange_column(canvas, math.ceil(buttons / 2))
        else:
            column, top, step = self._arrange_beside(canvas, math.ceil(buttons / 2))
        boxes = grid(column._replace(y=top), buttons, 2, step - 8, 10, 8)
        place(self.form.widgets, [*boxes[:-1], boxes[-1]._replace(w=column.w) if buttons % 2 else boxes[-1]])

    def _arrange_beside(self, canvas: Canvas, rows: int) -> tuple[Box, float, float]:
        """Cards at the sides; return the middle's box for the buttons, their top, and the height of a row."""
        low, side, tight = canvas.height - 68, min(300.0, canvas.width * 0.235), canvas.height < 600
        self._cards = (Box(20, 66, side, low - 66), Box(canvas.width - 20 - side, 66, side, low - 66))
        middle = Box(side + 40, 24, canvas.width - 2 * side - 80, low - 24)
        step = min(_ROW + 8, canvas.height * 0.30 / max(1, rows))
        top = low - rows * step + 8
        above = 120.0 if tight else 140.0
        self._chart = Box(middle.x, middle.y + above, middle.w, top - middle.y - above - 8)
        self._head, self._title = Box(middle.x, middle.y, middle.w, 72.0 if tight else 92.0), 40 if tight else 56
        return middle, top, step

    def _arrange_column(self, canvas: Canvas, rows: int) -> tuple[Box, float, float]:
        """Who won, the chart, both cards beside each other; the same for the buttons below."""
        margin, gap, low = canvas.margin, 12.0, canvas.height - 78
        wide = canvas.width - 2 * margin
        self._head, self._title = Box(margin, 30, wide, 66), 40
        step = min(_COLUMN_ROW + 8, canvas.height * 0.28 / max(1, rows))
        top = low - rows * step + 8
        room = top - (self._head.bottom + 64) - gap
        cards = min(360.0, max(room - 190.0, room * 0.6))
        self._chart = Box(margin, self._head.bottom + 64, wide, room - cards - 14)
        left, right = columns(Box(margin, top - gap - cards, wide, cards), (None, None), gap)
        self._cards = left, right
        return Box(margin, 0, wide, 0), top, step

    def paint(self, canvas: Canvas, now: float) -> None:
        age, statistics = now - self._since, self.statistics
        winner = statistics.result.winner if statistics.result else None
        if winner is not None and not self.still:
            draw_confetti(canvas, age, theme.SEAT_COLORS[winner], self._word_boxes(canvas))
        for seat in (0, 1):
            box = self._cards[seat]
            top = draw_card(canvas, box, seat, statistics, "WINNER" if seat == winner else "")
            inner = Box(box.x + PAD, top + 6, box.w - 2 * PAD, box.bottom - top - 20)
            figures = (game_figures if self.all_figures else few_figures)(statistics.seats[seat], statistics.rules)
            if canvas.narrow:
                figures = figures[: max(3, int(inner.h // 21))]
            below = draw_figures(canvas, inner, figures, 23 if canvas.narrow else 36) + 18
            orders = Box(inner.x, below, inner.w, inner.bottom - below)
            draw_text(canvas, orders, "ORDERS", statistics.prompts[seat])
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
        head, chart = self._head, self._chart
        wide = canvas.measure(headline(self.statistics)[0], "title", self._title) + 16
        title = Box(head.x + (head.w - wide) / 2, head.y + 34 - self._title / 2, wide, self._title)
        used = sum(_height(_rows(canvas, head, text)[0]) for text in self._texts(canvas))
        used += 30.0 if self._score else 0.0
        return title, Box(head.x, head.bottom - 16, head.w, chart.y + used - head.bottom + 16)

    def _paint_middle(self, canvas: Canvas, age: float) -> None:
        box, (words, color) = self._head, headline(self.statistics)
        x, room = box.x + box.w / 2, self._chart
        grown = 1.0 if self.still else min(1.0, 0.8 + age * 0.6)
        size = round(self._title * grown)
        canvas.words((x, box.y + 34), words, "title", size, color, width=box.w - 10, side="middle")
        top = box.bottom
        words = self.statistics.how
        if canvas.narrow and canvas.measure(words, "label", 18) > box.w:
            top += canvas.block((box.x, top - 8), words, "label", 17, theme.TEXT, box.w, 2) - 22
        else:
            canvas.words((x, top), words, "label", 18, theme.TEXT, width=box.w, side="middle")
        game = self.statistics
        used = -_FACTS
        if self.all_figures:
            facts = f"game {game.game}    seed {game.seed}    {turns_text(game.turns)} in {_rounds(game)}"
            canvas.words((x, top + 28), facts, "mono", 13, theme.DIM, width=box.w, side="middle")
            used = 0.0
        if self._score:
            canvas.words((x, top + 58 + used), self._score, "title", 22, theme.TEXT, width=box.w, side="middle")
            used += 30.0
        for text in self._texts(canvas):
            used += _paint_text(canvas, box, top + 44 + used, text)
        room = Box(room.x, room.y + used, room.w, room.h - used)
        if room.h >= _LEAST_CHART:
            self._plot.draw(canvas, room, 1.0 if self.still else age / DRAWING_S)

    @property
    def news(self) -> str:
        films = self.services.films
        return films.news if films.share is not None or self.form.focus is self._save else ""


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
