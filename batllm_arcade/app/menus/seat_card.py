"""The card of a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import ShortcutDialog, Way
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Choice, Row, Slider, Toggle, ValueRow, Widget, place, rows
from batllm_arcade.app.pictures import draw_corner, draw_portrait
from batllm_arcade.app.servers.rows import ELSEWHERE, USUAL, ModelRow, PullRow, label_of, option_row, pull_row
from batllm_arcade.app.services.brain_list import BotFinder, BrainList, most_alike
from batllm_arcade.app.services.server_work import as_sentence, in_window, where_it_is
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.kinds import Option
from batllm_arcade.brains.protocol import BrainKind, Spec, options_of
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme

# -- The rows in which a player chooses a bot's file

Pick = Callable[[str, Sequence[tuple[str, str]], int, Callable[[int], None], str], None]
_HINT = "A bot's file, or a folder with bots. It may read your files and use the network: choose bots you trust"


class BotFileRows:
    """What is typed and chosen; `file` is the bot's file, "" while there is none."""

    def __init__(self, path: str, changed: Callable[[], None]) -> None:
        self._changed, self._finder = changed, BotFinder()
        self.file = path
        self._field = Field("File", path, self._typed, hint=_HINT, most=400)
        self._finder.look(path)

    @property
    def problem(self) -> str | None:
        """Return why there is no bot yet, "" if there is one, None while that is being looked at."""
        found = self._finder.found
        return None if found is None else found.problem

    def take(self, path: str) -> None:
        """Choose a file that was chosen before."""
        self._field = Field("File", path, self._typed, hint=_HINT, most=400)
        self.file = path
        self._finder.look(path)

    def _typed(self, path: str) -> None:
        self.file = ""
        self._finder.look(path)
        self._changed()

    def update(self) -> bool:
        """Take over what is at the path; return whether the rows are to be made anew."""
        news = self._finder.update()
        if news and self._finder.found is not None and self.file not in self._finder.found.others:
            self.file = self._finder.found.file
        return news

    def rows(self, pick: Pick) -> list[Widget]:
        """Return the row for the path, and one for the bots in a folder."""
        rows: list[Widget] = [self._field]
        files = self._finder.found.others if self._finder.found is not None else ()
        if files:
            names = [Path(file).name for file in files]

            def choose(index: int) -> None:
                self.file = files[index]
                self._changed()

            def open_list(row: Choice) -> None:
                pick("Which bot?", [(name, "") for name in names], row.chosen, row.choose, f"{len(names)} bots")

            at = files.index(self.file) if self.file in files else 0
            rows.append(Choice("Bot", names, at, choose, hint="Which bot of the folder", pick=open_list))
        return rows


# -- What a seat's card shows above and below its rows

PAD = 14.0
_SMALL, _WIDE_CARD = 92.0, 410.0  # a portrait in the head, and how wide a card has room for it


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What is shown: `problem` is None as long as it is not known, `runs` says where a bot runs.

    What is said `about` the brain is golden where it is `noted`. `title` stands in place of the seat's name.
    """

    seat: int
    name: str
    short: str
    problem: str | None
    runs: str
    about: str
    noted: bool
    facts: Sequence[tuple[str, str]]
    title: str = ""


def paint_seat(canvas: Canvas, card: Box, facts: SeatFacts, now: float, still: bool, corner: float) -> None:
    """Draw a card, its head, and its bot in a corner of this height (0: none)."""
    color = theme.SEAT_COLORS[facts.seat]
    canvas.card(card, color)
    x, wide = card.x + PAD + 4, card.w - 2 * PAD - 8
    canvas.words((x, card.y + 14), facts.title or SEATS[facts.seat].upper(), "label", 14, color)
    beside = wide if corner or card.w < _WIDE_CARD else wide - _SMALL + 14
    canvas.words((x, card.y + 30), facts.name, "title", 30, theme.TEXT, width=beside)
    canvas.words((card.right - PAD - 4, card.y + 15), facts.short, "mono", 12, theme.DIM, side="right")
    if corner:
        place = Box(card.x + PAD, card.bottom - PAD - corner, card.w - 2 * PAD, corner)
        draw_corner(canvas, place, facts.seat, now, facts.facts, ready=not facts.problem, still=still)
    elif card.w >= _WIDE_CARD:
        place = Box(card.right - PAD - _SMALL, card.y + 40, _SMALL, _SMALL)
        draw_portrait(canvas, place, facts.seat, now, ready=not facts.problem, still=still)
        wide -= _SMALL + 8
    state, tint, mark = _state(facts)
    # What is to be done stands at a sentence's end: a long one is a little smaller, in a line more.
    long = bool(facts.problem) and canvas.lines(state, "label", 15, wide - 18, 4) > 3
    y = card.y + (66 if long else 74)
    canvas.box(Box(x, y + 5, 10, 10), tint if mark else None, tint, width=2, radius=5 if mark != "!" else 1)
    if facts.problem:
        canvas.block((x + 18, y), state, "label", 14 if long else 15, tint, wide - 18, 3 + long)
        return
    canvas.words((x + 18, card.y + 74), state, "label", 15, tint, width=wide - 18)
    about = facts.about[:1].upper() + facts.about[1:]
    canvas.block((x, card.y + 98), about, "label", 15, theme.GOLD if facts.noted else theme.SOFT, wide, 2)


def _state(facts: SeatFacts) -> tuple[str, theme.Color, str]:
    if facts.problem is None:
        return "looking...", theme.DIM, ""
    if facts.problem:
        return facts.problem, theme.GOLD, "!"
    return f"ready, {facts.runs}" if facts.runs else "ready", theme.GOOD, "o"


# -- The rows of a seat's card

REGULAR = "regular"
"""The level of a brain that has not been set to another one."""
ADD = ("Add a server...", "LM Studio, Ollama, llama.cpp, OpenRouter, OpenAI, Claude and others, or your own address")
"""What comes before all players in their list."""
_DEADLINES = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
_SHARES = (0.25, 2.0, 0.05)
_ASSUMED = (
    Option(
        "reply", "choice", choices=("token", "json"),
        sentence="how the model answers: one word, or JSON, which is slower",
    ),
    Option(
        "context", "choice", choices=("payload", "conversation"),
        sentence="what the model is told: only how things stand, or the game so far as well",
    ),
)  # fmt: skip
"""Options of models whose plugin declares none."""


class SeatsScreen(Protocol):
    """What a card asks of the screen it is on."""

    @property
    def services(self) -> Services: ...

    def pick(
        self, title: str, items: Sequence[tuple[str, str]], at: int, chosen: Callable[[int], None], note: str = ""
    ) -> None:
        """Put a list over the screen."""
        ...

    def search(
        self, title: str, items: Sequence[tuple[str, str]], at: str, chosen: Callable[[str], None], note: str = ""
    ) -> None:
        """Put a list over the screen that is searched by typing."""
        ...

    def open_server(self, seat: int, *, new: bool) -> None:
        """Show the server that plays a seat, or a `new` one, to be set up."""
        ...


Set = Callable[[str, str], None]
"""Takes an option's name and its value, "" for the usual one."""


def server_rows(
    screen: SeatsScreen, kind: BrainKind, spec: Spec, brains: BrainList, seat: int, set_to: Set
) -> list[Widget]:
    """Return the rows of a model server: where it is, which model plays, what could be fetched."""
    if kind.models is None:
        return []
    known = brains.models(spec)
    made: list[Widget] = [ModelRow(kind, spec, known, lambda model: set_to("model", model), screen.search)]
    if kind.presets or kind.state is not None:
        hint = "Where it is and whose key it gets; try it with one turn"
        made.insert(0, ValueRow("Server", where_it_is(spec), lambda: screen.open_server(seat, new=False), hint=hint))
    return [*made, *pull_row(screen.services, kind, spec, brains.seat(spec))]


def level_rows(levels: Sequence[str], now: str, set_to: Set) -> list[Row]:
    """Return the row for how well a brain plays, if it has levels."""
    if not levels:
        return []

    def choose(index: int) -> None:
        set_to("level", "" if levels[index] == REGULAR else levels[index])

    words = [level.capitalize() for level in levels]
    return [Choice("Level", words, levels.index(now or REGULAR), choose, hint="How well it plays")]


def option_rows(
    kind: BrainKind, spec: Spec, set_to: Set, *, more: bool, show_more: Callable[[bool], None]
) -> list[Row]:
    """Return the rows of a brain's options: how long it may think, what it declares, and on demand what few need.

    How long those may think that ask no server is among the latter: they take no time.
    """
    if kind.human:
        return []
    declared = options_of(kind, spec.variant)
    if kind.options is None and kind.models is not None:
        declared = (*_ASSUMED, *declared)
    served = kind.models is not None
    own = [option for option in declared if option.name not in ELSEWHERE or (option.name == "model" and not served)]
    hidden = [option for option in own if option.advanced or option.name == "model"]
    made = [_row(option, spec.options, set_to) for option in own if option not in hidden]
    time = _deadline_row(spec.text("deadline_s"), set_to)
    if all(option.name == "prepare_s" for option in hidden):
        return [time, *made]
    names = ", ".join(label_of(option).lower() for option in hidden)
    toggle = Toggle("More options", more, show_more, hint=f"What few need: {names}")
    made = [time, *made, toggle] if served else [*made, toggle, *([time] if more else [])]
    return made + [_row(option, spec.options, set_to) for option in hidden if more]


def _row(option: Option, options: Mapping[str, str], set_to: Set) -> Row:
    return option_row(option, options.get(option.name, ""), lambda value: set_to(option.name, value))


def _deadline_row(now: str, set_to: Set) -> Choice:
    values = ["", *sorted({*(f"{seconds:g}" for seconds in _DEADLINES), *([now] if now else [])}, key=float)]
    shown = [f"{value} s" if value else USUAL for value in values]
    hint = "How long it may think; if it answers too late it loses that turn"
    return Choice("Thinks for", shown, values.index(now), lambda n: set_to("deadline_s", values[n]), hint=hint)


def name_row(name: str, changed: Callable[[str], None]) -> Field:
    """Return the row for what the seat is called."""
    return Field("Name", name, changed, hint="The name shown in the match", most=16)


def handicap_rows(
    health: float, set_health: Callable[[float], None], damage: float, set_damage: Callable[[float], None]
) -> list[Row]:
    """Return the rows for how strong a bot is, in shares of what the rules say."""
    return [
        _share_row("Health", health, set_health, "A handicap: more or less health to start with"),
        _share_row("Damage", damage, set_damage, "A handicap: its shots do more or less damage"),
    ]


def _share_row(label: str, share: float, changed: Callable[[float], None], hint: str) -> Slider:
    """Return the row for a handicap, marked while there is one."""

    def change(value: float) -> None:
        changed(value)
        row.mark = value != 1.0

    row = Slider(label, share, _SHARES, change, hint=hint, shown=lambda value: f"{value * 100:.0f} %")
    row.mark = share != 1.0
    return row


def player_items(brains: BrainList, choices: Sequence[Spec]) -> list[tuple[str, str]]:
    """Return the players as a list shows them, each with what it is or why it is not ready; ask those not known."""
    items = []
    for choice in choices:
        brains.check(choice)
        state = brains.seat(choice)
        problem = brains.problem(choice) if brains.kind(choice) is not None else ""
        if state is not None and state.why == "key":
            problem = "it needs a key; type it in the row Server"
        items.append((brains.called(choice), f"Not ready: {in_window(problem)}" if problem else brains.about(choice)))
    return items


# -- One seat's choices

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

    def arrange(self, left: float, top: float, width: float) -> float:
        """Lay the rows out below the head; return how high the card is."""
        area = Box(left + PAD, top + HEAD, width - 2 * PAD, 0)
        place(self._rows, rows(area, [ROW] * len(self._rows), _GAP))
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
    place = most_alike(choices, spec)
    if place is None:
        choices.append(replace(spec, options={}))
    return len(choices) - 1 if place is None else place


# -- A seat's player cannot play now

LOOKING = "looking..."


class NotReadyDialog(ShortcutDialog):
    """Lies over the seats; `go_on` is called once the player is ready, or another one has been chosen.

    `other` opens the list of players for the card, `key` its server, `anyway` starts all the same.
    """

    def __init__(
        self, ui: Ui, go: Navigation, below: Screen, card: SeatCard, *, go_on: Callable[[], None],
        other: Callable[[], None], server: Callable[[], None], anyway: Callable[[], None],
    ) -> None:  # fmt: skip
        self._go, self._card, self._on_ready = go, card, go_on
        self._looks = False
        leave = self._leave_for
        ways = [Way("Try again", self._try_again)]
        if card.why in ("key", "wrong key") and card.has_server:
            ways.insert(0, Way("Type a key", lambda: leave(server)))
        elif card.why in ("model", "options") and card.has_server:
            ways.insert(0, Way("Choose a model", lambda: leave(server)))
        ways.append(Way("Another player", lambda: leave(other)))
        if (stand_in := card.stand_in) is not None:
            ways.append(Way(f"{card.called(stand_in)} plays instead", lambda: leave(self._stand_in)))
        ways.append(Way("Fight all the same", lambda: leave(anyway)))
        title = f"{SEATS[card.seat].capitalize()} is not ready"
        super().__init__(ui, title, as_sentence(card.problem or ""), ways, go.pop, below=below)

    def _leave_for(self, do: Callable[[], None]) -> None:
        self._go.pop()
        do()

    def _stand_in(self) -> None:
        if (spec := self._card.stand_in) is not None:
            self._card.take(spec)
        self._on_ready()

    def _try_again(self) -> None:
        self._looks, self.words = True, LOOKING
        self._card.check(again=True)

    def update(self, now: float) -> None:
        super().update(now)
        if not self._looks:
            return
        problem = self._card.problem
        if problem is not None:
            self._looks, self.words = False, as_sentence(problem)
        if problem == "":
            self._leave_for(self._on_ready)
