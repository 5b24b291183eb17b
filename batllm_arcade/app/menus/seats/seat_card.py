"""One seat's choices: its brain among all there are, how it is set up, and how strong the bot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import place, rows
from batllm_arcade.app.kit.text.text_field import Field
from batllm_arcade.app.kit.value_row import ValueRow
from batllm_arcade.app.kit.widgets import ROW, Choice, Row, Widget
from batllm_arcade.app.menus.seats.bot_file_rows import BotFileRows
from batllm_arcade.app.menus.seats.seat_picture import PAD, SeatFacts, paint_seat
from batllm_arcade.app.menus.seats.seat_rows import (
    ADD,
    SeatsScreen,
    handicap_rows,
    level_rows,
    name_row,
    option_rows,
    player_items,
    server_rows,
)
from batllm_arcade.app.servers.model_row import ModelRow
from batllm_arcade.app.servers.pull_row import PullRow
from batllm_arcade.app.services.brain_list import BrainList, most_alike
from batllm_arcade.app.services.server_words import in_window
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme

HEAD = 150.0
_GAP = 6.0
_REST_S = 0.4  # after the last letter of an option the server is asked
_RENEWED = (ModelRow, PullRow, ValueRow)  # rows that depend on what the server says


class SeatCard:
    """`spec` is the brain chosen with its options; `health` and `damage` are shares of what the rules say.

    Without a `strength` there are no handicaps; `title` stands in place of the seat's name.
    """

    def __init__(
        self, seat: int, spec: Spec, brains: BrainList, screen: SeatsScreen, strength: tuple[float, float] | None,
        title: str = "",
    ) -> None:  # fmt: skip
        self.seat, self._brains, self._screen, self._title = seat, brains, screen, title
        self._handicaps = strength is not None
        self.health, self.damage = strength or (1.0, 1.0)
        self._options = dict(spec.options)
        self.person = ""
        """What the person is called who plays this seat, "" where that is not known."""
        self.choices = list(brains.specs)
        self._at = _place(self.choices, spec)
        self.touched = False
        self.note = ""
        """One sentence about why this brain sits here."""
        self.facts: Sequence[tuple[str, str]] = ()
        """How strong its bot is, in names and figures."""
        self._known: object = None
        self._set_at: float | None = None  # when an option was changed last that has not been asked about
        self._more = False
        self._files = BotFileRows(spec.variant, self._file_changed)
        self._rows: list[Widget] = []
        self._make_rows()

    @property
    def spec(self) -> Spec:
        """Return the brain chosen, with its options."""
        chosen = self.choices[self._at]
        variant = self._files.file if self._is_file else chosen.variant
        return Spec(chosen.name, variant, {key: value for key, value in self._options.items() if value})

    @property
    def chosen(self) -> Spec:
        """Return what was chosen, as it stands in the list."""
        return self.choices[self._at]

    @property
    def _is_file(self) -> bool:
        kind = self._brains.kind(self.choices[self._at])
        return kind is not None and kind.files

    @property
    def kind(self) -> BrainKind | None:
        """Return what is known about the brain, None if there is no such brain."""
        return self._brains.kind(self.spec)

    @property
    def prompted(self) -> bool:
        """Return whether the brain takes orders."""
        return self.kind is not None and self.kind.prompted

    @property
    def has_server(self) -> bool:
        """Return whether it asks a model server, which can be set up."""
        return any(isinstance(row, ValueRow) and row.label == "Server" for row in self._rows)

    @property
    def problem(self) -> str | None:
        """Return what is missing to play, "" if nothing is, None while that is not known."""
        problem = self._brains.problem(self.spec)
        return self._files.problem if self._is_file and not problem else problem

    @property
    def why(self) -> str:
        """Return what kind of thing is missing, as a seat's state has it."""
        state = self._brains.seat(self.spec)
        return state.why if state is not None else ""

    @property
    def stand_in(self) -> Spec | None:
        """Return who could play at once in its place."""
        return self._brains.stand_in(self.spec)

    def called(self, spec: Spec) -> str:
        """Return what a brain is called."""
        return self._brains.called(spec)

    def check(self, *, again: bool = False) -> None:
        """Ask whether the brain can play as it is set up, if that is not known or (`again`) in any case."""
        self._brains.check(self.spec, again=again)

    def choose(self, index: int, *, by_hand: bool = True) -> None:
        """Choose another brain with its own options; of those of the one before only a name of its own is kept."""
        was_human, before = bool(self.kind and self.kind.human), self.choices[self._at]
        after, name = self.choices[index], self._options.get("name", "")
        if before.name != after.name or before.options or after.options:
            kept = name if name != before.text("name") else ""
            self._options = {**({"name": kept} if kept else {}), **after.options}
        self._at, self.note = index, ""
        is_human = bool(self.kind and self.kind.human)
        if was_human != is_human:  # a person's name is not a model's
            self._options["name"] = self.person if is_human else after.text("name")
        if not self._brains.levels(self.spec):
            self._options.pop("level", None)
        if self._is_file and after.variant:
            self._files.take(after.variant)
        self.touched = self.touched or by_hand
        self._make_rows()

    def take(self, spec: Spec, brains: BrainList | None = None, *, chosen: bool = True) -> None:
        """Let a brain play that has just been set up (if `chosen` by somebody), among those there are now."""
        self._brains = brains or self._brains
        self.choices = list(self._brains.specs)
        self._at, self._options = _place(self.choices, spec), dict(spec.options)
        self.touched, self.note = self.touched or chosen, "" if chosen else self.note
        self._make_rows()

    @property
    def name_row(self) -> Field:
        """The row for what the seat is called."""
        return next(row for row in self._rows if isinstance(row, Field) and row.label == "Name")

    def replace_with(self, spec: Spec, why: str) -> None:
        """Choose another brain because the shipped choice cannot play here, and say why."""
        if spec in self.choices:
            self.choose(self.choices.index(spec), by_hand=False)
            self.note = why

    # -- rows -----------------------------------------------------------------------------------

    @property
    def widgets(self) -> Sequence[Widget]:
        """Return the rows."""
        return self._rows

    def update(self, now: float) -> bool:
        """Ask about the brain as it is set up, show what has become known; return whether there are other rows."""
        self._set_at = now if self._set_at is not None and self._set_at < 0 else self._set_at
        if self._set_at is None or now - self._set_at >= _REST_S:
            self._set_at = None
            self.check()
        if self._is_file and self._files.update():
            self._make_rows()
            return True
        if self._depends_on() == self._known:
            return False
        before = {(type(row), getattr(row, "label", "")): row for row in self._rows if not isinstance(row, _RENEWED)}
        self._make_rows()
        self._rows = [before.get((type(row), getattr(row, "label", "")), row) for row in self._rows]
        return True

    def _depends_on(self) -> object:
        state, spec = self._brains.seat(self.spec), self.spec
        why = state.why if state is not None else None
        return self._brains.models(spec), why, spec.text("model"), spec.text("base_url")

    def _make_rows(self) -> None:
        kind, spec = self.kind, self.spec
        self._known = self._depends_on()
        made: list[Widget] = [self._brain_row()]
        if self._is_file:
            made += self._files.rows(self._screen.pick)
        if kind is not None:
            made += server_rows(self._screen, kind, spec, self._brains, self.seat, self._set)
            made += level_rows(self._brains.levels(spec), spec.text("level"), self._set)
            made += option_rows(kind, spec, self._set, more=self._more, show_more=self._show_more)
        made.append(name_row(self._options.get("name", ""), self._set_name))
        if self._handicaps:
            made += handicap_rows(self.health, self._set_health, self.damage, self._set_damage)
        for row in made:
            row.group = SEATS[self.seat]
        self._rows = made

    def _brain_row(self) -> Choice:
        """Return the row there is, changed, so that it keeps the focus while its choice changes the other rows."""
        names = tuple(self._brains.called(choice) for choice in self.choices)
        if self._rows:
            old = self._rows[0]
            assert isinstance(old, Choice)
            old.options, old.chosen = names, self._at
            return old
        row = Choice(
            "Player", names, self._at, self.choose, hint="Who plays this bot", pick=lambda _: self.pick_brain()
        )
        row.color = theme.SEAT_COLORS[self.seat]
        return row

    def _file_changed(self) -> None:
        self.touched = True

    def _show_more(self, on: bool) -> None:
        self._more = on
        self._make_rows()

    def _set(self, key: str, value: str) -> None:
        self._options[key] = value
        self.touched = True
        if key not in ("model", "level", "deadline_s", "name"):
            self._set_at = -1.0  # it may be typed: asked about when it rests

    def _set_name(self, name: str) -> None:
        self._set("name", "".join(c for c in name if c not in ",=").strip())

    def _set_health(self, share: float) -> None:
        self.health = share

    def _set_damage(self, share: float) -> None:
        self.damage = share

    def pick_brain(self) -> None:
        """Put the list of all brains over the screen, with the way to add a server before them."""
        items = [ADD, *player_items(self._brains, self.choices)]
        title = "Who plays?" if self._title else f"Who plays {SEATS[self.seat]}?"
        self._screen.pick(title, items, self._at + 1, self._picked, f"{len(self.choices)} to choose from")

    def _picked(self, index: int) -> None:
        row = self._rows[0]
        if index == 0:
            self._screen.open_server(self.seat, new=True)
        elif isinstance(row, Choice):
            row.choose(index - 1)

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, left: float, top: float, width: float) -> float:
        """Lay the rows out below the head; return how high the card is."""
        area = Box(left + PAD, top + HEAD, width - 2 * PAD, 0)
        place(self._rows, rows(area, len(self._rows), ROW, _GAP))
        for row in self._rows:
            if isinstance(row, Row):
                row.label_share = 0.36
        return self._rows[-1].box.bottom - top + PAD

    def room(self, card: Box) -> float:
        """Return how high a corner fits below the rows."""
        return card.h - HEAD - len(self._rows) * (ROW + _GAP) - PAD - 6

    def paint(self, canvas: Canvas, card: Box, now: float, still: bool, corner: float) -> None:
        """Draw the card, its head, and its bot in a corner of this height (0: none)."""
        spec, kind, brains = self.spec, self.kind, self._brains
        level = kind.levels.get(spec.text("level"), "") if kind is not None else ""
        about = self.note or (f"{spec.text('level')}: {level}" if level else brains.about(spec))
        state, problem = brains.seat(spec), self.problem
        said = in_window(problem, len(state.models) if state is not None else 0) if problem else problem
        served = kind is not None and kind.models is not None and state is not None and state.model
        runs = f"{state.model} plays" if served and state is not None else brains.isolation(spec, short=True)
        facts = SeatFacts(
            self.seat, spec.text("name") or brains.called(replace(spec, options=_without_model(spec))),
            f"{spec.short} {spec.text('level')}".strip(), said, runs, about, bool(self.note), self.facts,
            self._title,
        )  # fmt: skip
        paint_seat(canvas, card, facts, now, still, corner)


def _without_model(spec: Spec) -> dict[str, str]:
    return {key: value for key, value in spec.options.items() if key != "model"}


def _place(choices: list[Spec], spec: Spec) -> int:
    """Return a brain's index among the choices; an unknown one is added."""
    place = most_alike(choices, spec)
    if place is None:
        choices.append(replace(spec, options={}))
    return len(choices) - 1 if place is None else place
