"""The cup of an evening: its tree on one screen, the match that is next, the winner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, Pressable, columns, grid, place, rows
from batllm_arcade.app.match.results import draw_confetti
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.film_jobs import film_of, has_desktop, short, show_folder
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.cup.folder import Cup
from batllm_arcade.cup.output import write_results
from batllm_arcade.cup.tree import Match, champion, is_over, next_match, round_name
from batllm_arcade.share.write import QuickPages
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

_PANEL, _PANEL_HIGH, _TROPHY_HIGH, _BUTTON = 330.0, 276.0, 460.0, 46.0
"""How wide the panel of the next match is, and how high in a tall window; that of the winner at most."""
_HEADING, _LOW = 245.0, 400.0
"""Where the heading ends; the height below which a panel has its names and buttons beside each other."""
_WINNER, _LEAST_TROPHY = 92.0, 24
"""What the words below the trophy take, logical units; the least pixels of the trophy."""
_GAP, _LEAST, _MOST = 8.0, 40.0, 62.0
_CARD, _TITLE = 60.0, 28.0  # of a match and of a round's name in a tall window


class MatchBox(Pressable):
    """A match in the tree, `coming` if it is next; confirm and a click lead to its games."""

    def __init__(self, match: Match, opens: Callable[[Match], None], *, coming: bool, gone: Sequence[str]) -> None:
        super().__init__("", lambda: opens(match), "Watch its games" if match.games else "")
        self.match, self.coming, self.gone = match, coming, gone

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        match = self.match
        edge = theme.GOLD if self.coming else theme.PANEL_EDGE
        canvas.box(box, mixed(theme.PANEL, theme.GOLD, 0.12) if self.coming else theme.PANEL, edge, width=1, radius=7)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        canvas.box(Box(box.x + 8, box.middle[1] - 0.5, box.w - 16, 1), theme.PANEL_EDGE, None, radius=0)
        half, size = box.h / 2, min(18.0, box.h * 0.32)
        for line, name in enumerate(match.names):
            y = box.y + half * line + half / 2 - size * 0.64
            won, out = name is not None and name == match.winner, name is not None and name == match.loser
            color = theme.GOLD if won else theme.DIM if out or name in self.gone else theme.TEXT
            said = self._said(line, name)
            used = canvas.words((box.right - 10, y), said, "bold", size - 2, color, side="right") if said else 0.0
            shown = name or ("-" if match.ending == "bye" else "")
            canvas.words((box.x + 12, y), shown, "label", size, color, width=box.w - 30 - used)

    def _said(self, line: int, name: str | None) -> str:
        match = self.match
        if name is None or match.ending == "bye":
            return ""
        if name in self.gone and match.ending == "forfeit" and name != match.winner:
            return "left"
        return str(match.wins[line]) if match.games else ""


def _who(brain: str, kind: BrainKind | None) -> str:
    """Return what plays for a name, in words."""
    if kind is not None and kind.human:
        return "on a phone" if kind.remote else "at the keyboard"
    return Spec.parse(brain).short


class CupScreen(MenuScreen):
    """The tree, and beside it the match that is next, or the winner."""

    heading = "TONIGHT"

    def __init__(self, ui: Ui, go: Navigation, services: Services, cup: Cup) -> None:
        super().__init__(ui)
        self.go, self.services, self.cup = go, services, cup
        self.tree, self.next = cup.tree, next_match(cup.tree)
        self.over, self.champion = is_over(self.tree), champion(self.tree)
        self.boxes = [
            [MatchBox(match, self._watch, coming=match == self.next, gone=cup.gone) for match in matches]
            for matches in self.tree
        ]
        sides = cup.sides(self.next) if self.next is not None else ()
        kinds = [services.plugins.kinds.get(Spec.parse(side.brain).name) for side in sides]
        self._sides = [(side.name, _who(side.brain, kind)) for side, kind in zip(sides, kinds, strict=True)]
        begun = self.next is not None and (bool(self.next.games) or cup.is_begun(self.next))
        self._film = Button("FILM OF THE EVENING", self._make_film)
        new = Button("NEW CUP", go.new_cup, hint="Other names, or the same once more; this one is kept")
        if self.over:
            poster = Button("POSTER", self._make_poster, hint="The winner's picture, and a page of all games")
            self._buttons = [*([self._film, poster] if cup.games and self.champion is not None else []), new]
        else:
            play = Button("GO ON" if begun else "PLAY", self.go_on, big=True, hint="Play the next game")
            result = Button("RESULT ONLY", self._result, hint="Play this match to its end without watching it")
            leaves = Button("LEAVES ...", self._ask_who, hint="Who leaves forfeits: the other one goes on")
            alone = not any(kind and kind.human for kind in kinds)
            self._buttons = [play, *([result] if alone else []), leaves, new]
        self._scroll, self._since, self._unseen = Scroll(), -1.0, True
        self.form.place(("next", self._buttons, None), ("tree", self._every_box, self._scroll))
        self._heads: list[float] = []
        """Where the rounds' names are."""
        self._trophy: pygame.Surface | None = None

    @property
    def _every_box(self) -> list[MatchBox]:
        return [box for boxes in self.boxes for box in boxes]

    def go_on(self) -> None:
        if self.next is not None:
            self.go.cup_game(self.complain)

    def _result(self) -> None:
        night, plugins = self.services.night, self.services.plugins
        self.go.tonight(self.complain, lambda report: night.play_out(plugins, report), "Playing it to the end")

    def _ask_who(self) -> None:
        """Ask who leaves, of those who are still in."""
        out = {*self.cup.gone, *(match.loser for matches in self.tree for match in matches)}
        names = [name for name, _ in self._sides] + [each.name for each in self.cup.plan.entrants]
        still = [name for name in dict.fromkeys(names) if name not in out]
        items = [("Nobody", ""), *((name, "Loses this match, or the next one") for name in still)]
        leave = self.go.forfeit
        self.pick("Who leaves?", items, 0, lambda at: leave(still[at - 1], self.complain) if at else None)

    def _make_film(self) -> None:
        films, cup = self.services.films, self.cup.folder
        films.start(cup, film_of(cup, "-cup"), ["--highlights"]) if films.share is None else films.stop()

    def _make_poster(self) -> None:
        from batllm_arcade.video.cup_film import winner_poster

        def make(report: Report) -> Path:
            poster = winner_poster(self.cup)
            report("the page of all games")
            write_results(self.cup, QuickPages().write)
            return poster.parent

        def made(folder: Path) -> None:
            self.go.pop()
            self.services.films.words = f"The poster and the page are in {short(folder)}"
            if has_desktop():
                self.services.wait_at_end(show_folder(folder))

        self.go.wait_for("Making the poster", BackgroundTask("poster", make), made, self.complain)

    def _watch(self, match: Match) -> None:
        """Open the game of a match, or let a person choose one."""
        names = [f"{game.winner or 'nobody'} wins, {game.turns} turns" for game in match.games]
        items = [(f"Game {number}", about) for number, about in enumerate(names, 1)]

        def watch(index: int) -> None:
            self.go.open_session(self.cup.session_path(match, index + 1), None, self.complain)

        if len(items) > 1:
            self.pick(" - ".join(map(str, match.names)), items, 0, watch)
        elif items:
            watch(0)

    def back(self) -> None:
        self.go.title()

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("confirm", "choose"), ("next", "match / tree"), ("back", "title")]

    def update(self, now: float) -> None:
        super().update(now)
        self._since = now if self._since < 0 else self._since
        making = self.services.films.share is not None
        self._film.text = "STOP THE FILM" if making else "FILM OF THE EVENING"
        self._film.hint = "Nothing of it is kept then" if making else "The best of all games, up to the winner"

    @property
    def news(self) -> str:
        return self.services.films.news if self.over else ""

    # -- where everything is

    def arrange(self, canvas: Canvas) -> None:
        area, (first, *others) = self.area(canvas), self._buttons
        if canvas.narrow:
            self._arrange_below(area)
            most = _TROPHY_HIGH if self.over else _PANEL_HIGH
            high = min(most, max(_PANEL_HIGH, area.h - self._scroll.height - 16))
            self._panel, tree = rows(area, (high, None), 16)
        else:
            tree, self._panel = columns(area, (None, _PANEL), 24)
            self._arrange_beside(tree)
        self._scroll.box = tree
        if self._unseen:
            self._unseen = False
            for box in self._every_box:
                if box.coming:
                    self._scroll.reveal(box.box.y, box.box.bottom)
        inner = self._panel.inset(16)
        self._low = canvas.narrow or self._panel.h < _LOW
        across = max(1, len(others)) if canvas.narrow else 2 if self._low else 1
        low = grid(inner._replace(y=0), len(others), across, _BUTTON, 10, 8)
        top = inner.bottom - (low[-1].bottom if low else 0.0)
        place(others, [box.moved(0, top) for box in low])
        high = 58 if first.big else _BUTTON
        first.box = inner._replace(y=top - high - (10 if low else 0), h=high)
        self._top = inner._replace(h=first.box.y - inner.y - 12)
        if self.champion is not None:
            self._make_trophy(canvas.rect(self._top._replace(h=self._top.h - _WINNER)).size)

    def _make_trophy(self, size: tuple[int, int]) -> None:
        """Paint the trophy with the winner's bot in it, unless it is there in this size."""
        if min(size) < _LEAST_TROPHY or (self._trophy is not None and self._trophy.get_size() == size):
            return
        from batllm_arcade.video.draw.winner import paint_trophy

        last = next((game for game in reversed(self.cup.games) if self.champion in game.health), None)
        self._trophy = pygame.Surface(size)
        self._trophy.fill(theme.PANEL)
        paint_trophy(self._trophy, self._trophy.get_rect(), int(last is not None and last.left != self.champion))

    def _arrange_beside(self, tree: Box) -> None:
        """The rounds beside each other, each match between the two that lead to it."""
        high = max(tree.h, len(self.boxes[0]) * (_LEAST + _GAP))
        self._scroll.height = high
        across = columns(Box(tree.x + 4, 30, tree.w - 18, high - 30), [None] * len(self.boxes), 28)
        self._heads = [0.0] * len(self.boxes)
        for column, boxes in zip(across, self.boxes, strict=True):
            step = column.h / len(boxes)
            tall = min(_MOST, max(_LEAST, column.h / len(self.boxes[0]) - _GAP))
            for number, box in enumerate(boxes):
                box.box = Box(column.x, column.y + step * (number + 0.5) - tall / 2, column.w, tall)

    def _arrange_below(self, tree: Box) -> None:
        """The rounds below each other, two matches in a row."""
        y, self._heads = 4.0, []
        for boxes in self.boxes:
            self._heads.append(y)
            placed = grid(Box(tree.x + 4, y + _TITLE, tree.w - 16, 0), len(boxes), 2, _CARD, 10, 8)
            if len(boxes) == 1:
                placed = [placed[0]._replace(w=tree.w - 16)]
            place(boxes, placed)
            y = placed[-1].bottom + 14
        self._scroll.height = y

    # -- what is drawn

    def paint(self, canvas: Canvas, now: float) -> None:
        plan = self.cup.plan
        length = "one game" if plan.best_of == 1 else f"best of {plan.best_of}"
        said = f"{len(plan.entrants)} names, {length}, {PurePath(plan.config).stem}"
        right = canvas.width - canvas.margin
        canvas.words((right, 34), said, "label", 17, theme.SOFT, width=right - _HEADING, side="right")
        with canvas.clipped(self._scroll.box.inset(-6, 0)):
            self._paint_rounds(canvas)
        canvas.panel(self._panel, theme.GOLD if self.over else theme.PANEL_EDGE)
        self._paint_winner(canvas, self._top, now) if self.over else self._paint_next(canvas, self._top)

    def _paint_rounds(self, canvas: Canvas) -> None:
        for y, boxes in zip(self._heads, self.boxes, strict=True):
            at, name = self._scroll.shown(boxes[0].box._replace(y=y)), round_name(len(self.boxes), boxes[0].match.round)
            words = f"{name}s" if len(boxes) > 1 and not name.startswith("Round") else name
            canvas.words((at.x, at.y), words.upper(), "label", 14, theme.GOLD, width=at.w)
        if canvas.narrow:
            return
        for boxes, following in zip(self.boxes, self.boxes[1:], strict=False):
            for number, box in enumerate(boxes):
                here, there = self._scroll.shown(box.box), self._scroll.shown(following[number // 2].box)
                y, x = here.middle[1], here.right + (there.x - here.right) / 2
                low, high = sorted((y, there.middle[1]))
                color = theme.WALL if box.match.winner is not None else theme.PANEL_EDGE
                canvas.box(Box(here.right, y - 1, x - here.right, 2), color, None, radius=0)
                canvas.box(Box(x - 1, low - 1, 2, high - low + 2), color, None, radius=0)
                canvas.box(Box(x, there.middle[1] - 1, there.x - x, 2), color, None, radius=0)

    def _paint_next(self, canvas: Canvas, box: Box) -> None:
        match, plan = self.next, self.cup.plan
        if match is None:
            return
        x, wide, among = box.middle[0], box.w, len(self.boxes[match.round - 1])
        number = f", match {match.place} of {among}" if among > 1 else ""
        called = f"{round_name(len(self.boxes), match.round)}{number}"
        canvas.words((x, box.y + 10), called.upper(), "label", 15, theme.GOLD, width=wide, side="middle")
        if plan.best_of > 1 or match.games:
            one, other = (match.wins[match.names.index(name)] for name, _ in self._sides)
            words = f"game {len(match.games) + 1}, {one} : {other}"
            canvas.words((x, box.y + 32), words, "label", 15, theme.SOFT, width=wide, side="middle")
        area = box._replace(y=box.y + 44, h=box.h - 44)
        halves = (columns if self._low else rows)(area, [None, None], 30)
        for seat, (half, (name, who)) in enumerate(zip(halves, self._sides, strict=True)):
            (middle, y), size, color = half.middle, 26 if self._low else 32, theme.SEAT_COLORS[seat]
            canvas.words((middle, y - 12), name, "title", size, color, width=half.w, side="middle")
            canvas.words((middle, y + 18), who, "label", 15, theme.SOFT, width=half.w, side="middle")
        canvas.words((x, area.middle[1]), "v", "label", 16, theme.DIM, side="middle")

    def _paint_winner(self, canvas: Canvas, box: Box, now: float) -> None:
        x, name = box.middle[0], self.champion
        if name is None:
            canvas.words(box.middle, "All have left", "title", 28, theme.SOFT, width=box.w, side="middle")
            return
        if self._trophy is not None and box.h > _WINNER:
            canvas.target.blit(self._trophy, canvas.rect(box).topleft)
        canvas.words((x, box.bottom - 62), "THE CUP GOES TO", "label", 15, theme.SOFT, side="middle")
        canvas.words((x, box.bottom - 30), name, "title", 38, theme.GOLD, width=box.w, side="middle")
        if not self.still:
            head = Box(0, 0, canvas.width, self._panel.y - 24)
            words = [head, self._panel, *(self._scroll.shown(match.box) for match in self._every_box)]
            draw_confetti(canvas, now - max(0.0, self._since), theme.GOLD, words)
