"""The results of a match, and what the screen between two rounds shows of them: cards, figures, the health chart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, grid, place
from batllm_arcade.app.services.sessions import SessionAnalysis
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.kinds import money
from batllm_arcade.core.model import Part, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.history.summary import counted
from batllm_arcade.match.records import Record
from batllm_arcade.match.series import SIDES, turns_text, winner_text
from batllm_arcade.render.fonts import Face
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.story.games import last_game
from batllm_arcade.story.moments import TurningPoint, turning
from batllm_arcade.story.sentences import say
from batllm_arcade.view import theme
from batllm_arcade.view.play_words import brain_words
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
    taken = [canvas.rect(box) for box in words]
    tints = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        spot, delay = (number * 0.61803) % 1.0, (number * 0.377) % 1.0 * 2.2
        fallen = (age - delay) * (150 + 110 * ((number * 0.733) % 1.0))
        if 0 < fallen < canvas.height + 40:
            x = spot * canvas.width + 26 * math.sin(2.2 * (age - delay) + number)
            high = max(2.0, 10 * abs(math.cos(5 * age + number)))
            piece = canvas.rect(Box(x, fallen - 20, 7, high))
            if piece.collidelist(taken) < 0:
                canvas.target.fill(tints[number % len(tints)], piece)


class HealthChartView:
    """A report's plot, painted anew when its place changes."""

    def __init__(self, report: MatchStatistics) -> None:
        self._made = lru_cache(maxsize=1)(partial(HealthChart, report))

    def draw(self, canvas: Canvas, box: Box, share: float) -> None:
        """Draw it into the box, the lines as far as `share` of the way."""
        rect = canvas.rect(box)
        if rect.width >= 80 and rect.height >= 60:
            plot = self._made(canvas.text_renderer, canvas.scale, rect.size, canvas.type_size(11))
            plot.draw(canvas.target, rect.topleft, share)


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
    brain = brain_words(info, "", lambda words: canvas.measure(words, "mono", 12) <= width)
    canvas.words((x, box.y + 66), brain, "mono", 12, theme.SOFT, width=width)
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
        if self.task.result is None:
            return ""
        return f"{self.point.sentence(self.game.names) if self.point is not None else say('no turning')}."


DRAWING_S = 1.4
"""Seconds until the plot is drawn to its end."""
CEREMONY_S = 0.7
"""Seconds in which nothing can be chosen yet: who still presses fire has not seen who won."""
_ROW, _COLUMN_ROW = 54.0, 58.0  # of buttons and the gap below; those of a narrow window are pressed by fingers
_LEAST_CHART = 54.0  # logical units: a lower one tells nothing
_MOST_ROWS, _LINE = 3, 24.0


class Text(NamedTuple):
    """A row of words, and where it is from above."""

    y: float
    words: str
    face: Face
    size: float
    color: Color


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
        self.form.place(("", buttons, None))
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
        """Cards at the sides, what happened and the buttons between them; in a narrow window all below each other."""
        buttons, narrow = self.form.widgets, canvas.narrow
        lines, low = math.ceil(len(buttons) / 2), canvas.height - (78 if narrow else 68)
        step = min(_COLUMN_ROW if narrow else _ROW, canvas.height * 0.3 / max(1, lines))
        top = low - lines * step + 8
        if narrow:
            column = Box(canvas.margin, 30, canvas.width - 2 * canvas.margin, 66)
            room = top - column.bottom - 76
            cards = min(360.0, max(room - 190.0, room * 0.6))
            left, right = columns(column._replace(y=top - 12 - cards, h=cards), (None, None), 12)
            self._head, self._title, self._bottom = column, 40, left.y - 12
        else:
            side, tight = min(300.0, canvas.width * 0.235), canvas.height < 600
            left = Box(20, 66, side, low - 66)
            right = left._replace(x=canvas.width - 20 - side)
            column = Box(side + 40, 24, canvas.width - 2 * side - 80, 72.0 if tight else 92.0)
            self._head, self._title, self._bottom = column, 40 if tight else 56, top - 8
        self._cards = left, right
        boxes = grid(column._replace(y=top), len(buttons), 2, step - 8, 10, 8)
        place(buttons, [*boxes[:-1], boxes[-1]._replace(w=column.w) if len(buttons) % 2 else boxes[-1]])
        self._rows = list(self._said(canvas))

    def _said(self, canvas: Canvas) -> Iterator[Text]:
        """Yield the rows below who won."""
        game, tipping = self.statistics, self._tipping
        small, usual = (15, 16) if canvas.narrow else (16, 19)
        facts = f"game {game.game}    seed {game.seed}    {turns_text(game.turns)} in {counted(game.rounds, 'round')}"
        said: list[tuple[str, Face, float, Color]] = [
            (game.how, "label", 18, theme.TEXT),
            (facts if self.all_figures else "", "mono", 13, theme.DIM),
            (self._score, "title", 22, theme.TEXT),
            (" ".join(game.who_played), "label", small, theme.SOFT),
            (game.why, "label", usual, theme.GOLD),
            (tipping.sentence if tipping is not None else "", "label", small, theme.TEXT),
        ]
        y = self._head.bottom + 10
        wide = (self._head.w - 20) * canvas.scale
        for words, face, size, color in (each for each in said if each[0]):
            for row in canvas.text_renderer.rows(words, face, canvas.type_size(size), wide, _MOST_ROWS):
                yield Text(y, row, face, size, color)
                y += _LINE
            y += 6

    def paint(self, canvas: Canvas, now: float) -> None:
        age, statistics = now - self._since, self.statistics
        winner = statistics.result.winner if statistics.result else None
        if winner is not None and not self.still:
            draw_confetti(canvas, age, theme.SEAT_COLORS[winner], self._covered(canvas))
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

    @property
    def _end(self) -> float:
        return max((row.y + _LINE for row in self._rows), default=self._head.bottom)

    def _covered(self, canvas: Canvas) -> tuple[Box, Box]:
        """Return where words are in the middle."""
        head, wide = self._head, canvas.measure(headline(self.statistics)[0], "title", self._title) + 16
        title = Box(head.x + (head.w - wide) / 2, head.y + 34 - self._title / 2, wide, self._title)
        return title, Box(head.x, head.bottom - 16, head.w, self._end - head.bottom + 16)

    def _paint_middle(self, canvas: Canvas, age: float) -> None:
        box, (words, color) = self._head, headline(self.statistics)
        x, grown = box.x + box.w / 2, 1.0 if self.still else min(1.0, 0.8 + age * 0.6)
        canvas.words(
            (x, box.y + 34), words, "title", round(self._title * grown), color, width=box.w - 10, side="middle"
        )
        for row in self._rows:
            canvas.words((x, row.y), row.words, row.face, row.size, row.color, width=box.w, side="middle")
        room = Box(box.x, self._end, box.w, self._bottom - self._end)
        if room.h >= _LEAST_CHART:
            self._plot.draw(canvas, room, 1.0 if self.still else age / DRAWING_S)

    @property
    def news(self) -> str:
        films = self.services.films
        return films.news if films.share is not None or self.form.focus is self._save else ""
