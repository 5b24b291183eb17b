"""The card of a seat, and the screens that have such cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import ShortcutDialog, Way
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Choice, Row, Slider, Toggle, ValueRow, Widget, place, rows
from batllm_arcade.app.pictures import draw_portrait
from batllm_arcade.app.servers.rows import ELSEWHERE, USUAL, ModelRow, PullRow, option_row, pull_row
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import BrainList, bots_at, most_alike
from batllm_arcade.app.services.server_work import as_sentence, in_window, set_up_words, where_it_is
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.kinds import Option
from batllm_arcade.brains.protocol import BrainKind, Spec, options_of
from batllm_arcade.core.model import SEATS
from batllm_arcade.settings.user_settings import in_a_name
from batllm_arcade.view import theme


class SeatsScreen(MenuScreen):
    """A menu with cards of seats: it knows the players there are, and opens the server of one to be set up."""

    cards: Sequence[SeatCard] = ()
    people = False
    """Whether people are among the players."""

    def __init__(self, ui: Ui, go: Navigation, services: Services) -> None:
        super().__init__(ui)
        self.go, self.services = go, services

    def brains(self) -> BrainList:
        """Return all players there are now, a person's own bots and servers among them."""
        kinds, known, own = self.services.plugins.kinds, self.services.availability, self.ui.settings
        return BrainList(kinds, known, files=own.bots, servers=own.servers, people=self.people)

    has_phones = False
    """Whether phones may take part."""

    def phones(self, seat: int | None = None) -> None:
        """Let phones in, for this seat among others."""
        raise NotImplementedError

    def open_server(self, card: SeatCard, *, new: bool) -> None:
        """Show the server that plays a card's seat, or a `new` one, to be set up; it then plays there."""
        spec = None if new else card.spec
        saved = str(card.chosen) if not new and str(card.chosen) in self.ui.settings.servers else ""
        use = partial(self.use_server, card)
        self.go.push(ServerScreen(self.ui, self.go, self.services, use, spec, saved, card.seat, card.why))

    def use_server(self, card: SeatCard, spec: Spec) -> None:
        """Let a server that was set up play a card's seat; all cards offer it."""
        brains = self.brains()
        for other in self.cards:
            other.take(spec if other is card else other.spec, brains)
        self.place_widgets()

    def place_widgets(self) -> None:
        """Give the form the rows of the cards as they are now."""
        raise NotImplementedError


# -- The rows in which a player chooses a bot's file

_HINT = "A bot's file, or a folder with bots. It may read your files and use the network: choose bots you trust"


class BotFileRows:
    """What is typed and chosen; `file` is the bot's file, "" while there is none."""

    def __init__(self, path: str, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.take(path)

    @property
    def problem(self) -> str | None:
        """Why there is no bot yet, "" if there is one, None while that is being looked at."""
        return self._task.problem if self._task.done else None

    @property
    def _files(self) -> Sequence[str]:
        return (self._task.result or ()) if self._task.done else ()

    def take(self, path: str) -> None:
        """Choose a file that was chosen before."""
        self._field = Field("File", path, self._typed, hint=_HINT, most=400)
        self._look(path)
        self.file = path

    def _look(self, path: str) -> None:
        self.file, self._known = "", False
        self._task = BackgroundTask("looking for bots", lambda report: bots_at(path))

    def _typed(self, path: str) -> None:
        self._look(path)
        self._changed()

    def update(self) -> bool:
        """Take over what is at the path; return whether the rows are to be made anew."""
        news = self._task.done and not self._known
        self._known = self._task.done
        if news and self.file not in self._files:
            self.file = next(iter(self._files), "")
        return news

    def rows(self, screen: MenuScreen) -> list[Widget]:
        """Return the row for the path, and one for the bots in a folder with several."""
        files = self._files
        if len(files) < 2:
            return [self._field]
        names = [Path(file).name for file in files]

        def choose(index: int) -> None:
            self.file = files[index]
            self._changed()

        def open_list(row: Choice) -> None:
            items, note = [(name, "") for name in names], f"{len(names)} bots"
            screen.pick("Which bot?", items, row.chosen, row.choose, note)

        chosen = files.index(self.file) if self.file in files else 0
        return [self._field, Choice("Bot", names, chosen, choose, hint="Which bot of the folder", pick=open_list)]


# -- One seat's choices

PAD, HEAD = 14.0, 150.0
REGULAR = "regular"
"""The level of a brain that has not been set to another one."""
ADD = ("Add a server...", "LM Studio, Ollama, llama.cpp, OpenRouter, OpenAI, Claude and others, or your own address")
"""What comes before all players in their list."""
_GAP = 6.0
_SMALL, _WIDE_CARD = 92.0, 410.0  # a portrait in the head, and how wide a card has room for it
_REST_S = 0.4  # after the last letter of an option the server is asked
_RENEWED = (ModelRow, PullRow, ValueRow)  # rows that depend on what the server says
_DEADLINES = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
_SHARES = (0.25, 2.0, 0.05)


class SeatCard:
    """`spec` is the brain chosen with its options; `health` and `damage` are shares of what the rules say.

    Without a `strength` there are no handicaps; `title` stands in place of the seat's name.
    """

    def __init__(
        self, seat: int, spec: Spec, brains: BrainList, screen: SeatsScreen, strength: tuple[float, float] | None,
        title: str = "",
    ) -> None:  # fmt: skip
        self.seat, self.brains, self._screen, self._title = seat, brains, screen, title
        self._handicaps = strength is not None
        self.health, self.damage = strength or (1.0, 1.0)
        self._options = dict(spec.options)
        self.person = ""
        """What the person is called who plays this seat, "" where that is not known."""
        self.choices = list(brains.specs)
        self._chosen = _place(self.choices, spec)
        self.touched = False
        self.note = ""
        """One sentence about why this brain sits here."""
        self._known: object = None
        self._set_at: float | None = None  # when an option was changed last that has not been asked about
        self._more = (self.health, self.damage) != (1.0, 1.0)  # a handicap is in sight
        self._files = BotFileRows(spec.variant, self._touch)
        self.widgets: list[Widget] = []
        """The rows."""
        self._make_rows()

    @property
    def spec(self) -> Spec:
        """The brain chosen, with its options."""
        variant = self._files.file if self._is_file else self.chosen.variant
        return Spec(self.chosen.name, variant, {key: value for key, value in self._options.items() if value})

    @property
    def chosen(self) -> Spec:
        """What was chosen, as it stands in the list."""
        return self.choices[self._chosen]

    @property
    def _is_file(self) -> bool:
        kind = self.brains.kind(self.chosen)
        return kind is not None and kind.files

    @property
    def kind(self) -> BrainKind | None:
        """What is known about the brain, None if there is no such brain."""
        return self.brains.kind(self.spec)

    @property
    def prompted(self) -> bool:
        """Whether the brain takes orders."""
        return self.kind is not None and self.kind.prompted

    @property
    def has_server(self) -> bool:
        """Whether it asks a model server, which can be set up."""
        return any(isinstance(row, ValueRow) and row.label == "Server" for row in self.widgets)

    @property
    def problem(self) -> str | None:
        """What is missing to play, "" if nothing is, None while that is not known."""
        problem = self.brains.problem(self.spec)
        return self._files.problem if self._is_file and not problem else problem

    @property
    def why(self) -> str:
        """What kind of thing is missing, as a seat's state has it."""
        state = self.brains.availability.seat(self.spec)
        return state.why if state is not None else ""

    def check(self, *, again: bool = False) -> None:
        """Ask whether the brain can play as it is set up, if that is not known or (`again`) in any case."""
        self.brains.availability.check(self.spec, again=again)

    def choose(self, index: int, *, by_hand: bool = True) -> None:
        """Choose another brain with its own options; of those of the one before only a name of its own is kept."""
        was_human, before = bool(self.kind and self.kind.human), self.chosen
        after, name = self.choices[index], self._options.get("name", "")
        if before.name != after.name or before.options or after.options:
            own_name = name if name != before.text("name") else ""
            self._options = {**({"name": own_name} if own_name else {}), **after.options}
        self._chosen, self.note = index, ""
        is_human = bool(self.kind and self.kind.human)
        if was_human != is_human:  # a person's name is not a model's
            self._options["name"] = self.person if is_human else after.text("name")
        if not self.brains.levels(self.spec):
            self._options.pop("level", None)
        if self._is_file and after.variant:
            self._files.take(after.variant)
        self.touched = self.touched or by_hand
        self._make_rows()

    def take(self, spec: Spec, brains: BrainList | None = None, *, chosen: bool = True) -> None:
        """Let a brain play that has just been set up (if `chosen` by somebody), among those there are now."""
        self.brains = brains or self.brains
        self.choices = list(self.brains.specs)
        self._chosen, self._options = _place(self.choices, spec), dict(spec.options)
        self.touched, self.note = self.touched or chosen, "" if chosen else self.note
        self._make_rows()

    def replace_with(self, spec: Spec, why: str) -> None:
        """Choose another brain at the same level because the shipped choice cannot play here, and say why."""
        if spec in self.choices:
            level = {name: value for name, value in self._options.items() if name == "level"}
            self.choose(self.choices.index(spec), by_hand=False)
            self._options |= level if self.brains.levels(self.spec) else {}
            self._make_rows()
            self.note = why

    def pick_brain(self) -> None:
        """Put the list of all brains over the screen, with the way to add a server before them."""
        usable: list[tuple[int, tuple[str, str]]] = []
        other: list[tuple[int, tuple[str, str]]] = []
        brains = self.brains
        for number, choice in enumerate(self.choices):
            brains.availability.check(choice)
            state = brains.availability.seat(choice)
            problem = brains.problem(choice) if brains.kind(choice) is not None else ""
            if state is not None and state.why == "key":
                problem = "it needs a key; type it in the row Server"
            about = f"Not ready: {in_window(problem)}" if problem else brains.about(choice)
            (other if problem else usable).append((number, (brains.called(choice), about)))
        title = "Who plays?" if self._title else f"Who plays {SEATS[self.seat]}?"
        places = [number for number, _ in (*usable, *other)]
        items = [ADD, *(item for _, item in (*usable, *other))]
        at, note = places.index(self._chosen) + 1, f"{len(self.choices)} to choose from"
        self._screen.pick(title, items, at, lambda index: self._picked(places[index - 1] if index else None), note)

    def _picked(self, place: int | None) -> None:
        row = self.widgets[0]
        if place is None:
            self._screen.open_server(self, new=True)
        elif isinstance(row, Choice):
            row.choose(place)

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
        before = {(type(row), getattr(row, "label", "")): row for row in self.widgets if not isinstance(row, _RENEWED)}
        self._make_rows()
        self.widgets = [before.get((type(row), getattr(row, "label", "")), row) for row in self.widgets]
        return True

    def _depends_on(self) -> object:
        state, spec = self.brains.availability.seat(self.spec), self.spec
        why = state.why if state is not None else None
        return self.brains.availability.models(spec), why, spec.text("model"), spec.text("base_url")

    @property
    def name_row(self) -> Field:
        """The row for what the seat is called."""
        return next(row for row in self.widgets if isinstance(row, Field) and row.label == "Name")

    def _make_rows(self) -> None:
        self._known = self._depends_on()
        made: list[Widget] = [self._brain_row()]
        if self._is_file:
            made += self._files.rows(self._screen)
        hidden: list[Row] = []
        if self.kind is not None:
            options, hidden = self._option_rows(self.kind)
            made += [*self._server_rows(self.kind), *self._level_rows(), *options]
        if self.kind is not None and (self.kind.human or self.kind.prompted) and self._screen.has_phones:
            what = "write its orders" if self.kind.prompted else "play this seat"
            phones = partial(self._screen.phones, self.seat)
            made.append(ValueRow("Phones", what, phones, hint="A phone takes part: address, code and QR code"))
        hint, set_name = "The name shown in the match", lambda name: self._set("name", name.strip())
        made.append(Field("Name", self._options.get("name", ""), set_name, hint=hint, takes=in_a_name, most=16))
        if self._handicaps:
            hidden.append(self._share_row("health", "A handicap: more or less health to start with"))
            hidden.append(self._share_row("damage", "A handicap: its shots do more or less damage"))
        if hidden:
            names = ", ".join(row.label.lower() for row in hidden)
            made.append(Toggle("More options", self._more, self._show_more, hint=f"What few need: {names}"))
            made += hidden if self._more else []
        self.widgets = made

    def _brain_row(self) -> Choice:
        """Return the row there is, changed, so that it keeps the focus while its choice changes the other rows."""
        names = tuple(self.brains.called(choice) for choice in self.choices)
        if self.widgets:
            old = self.widgets[0]
            assert isinstance(old, Choice)
            old.options, old.chosen = names, self._chosen
            return old
        return Choice(
            "Player", names, self._chosen, self.choose, hint="Who plays this bot",
            pick=lambda row: self.pick_brain(), color=theme.SEAT_COLORS[self.seat],
        )  # fmt: skip

    def _server_rows(self, kind: BrainKind) -> list[Widget]:
        if kind.models is None:
            return []
        spec, brains = self.spec, self.brains
        model = ModelRow(kind, spec, brains.availability.models(spec), partial(self._set, "model"), self._screen)
        made: list[Widget] = [model, *pull_row(self._screen.services, kind, spec, brains.availability.seat(spec))]
        if kind.presets or kind.state is not None:
            hint = "Where it is and whose key it gets; try it with one turn"
            set_up = partial(self._screen.open_server, self, new=False)
            made.insert(0, ValueRow("Server", where_it_is(spec), set_up, hint=hint))
        return made

    def _level_rows(self) -> list[Row]:
        levels = self.brains.levels(self.spec)
        if not levels:
            return []

        def choose(level: str) -> None:
            self._set("level", "" if level == REGULAR else level)

        now = self.spec.text("level") or REGULAR
        return [Choice.among("Level", levels, now, choose, str.capitalize, hint="How well it plays")]

    def _option_rows(self, kind: BrainKind) -> tuple[list[Row], list[Row]]:
        """Return the rows of a brain's options: those that it declares for all, and those that few need.

        How long those may think that ask no server is among the latter: they take no time.
        """
        if kind.human:
            return [], []
        declared = options_of(kind, self.spec.variant)
        served, time = kind.models is not None, self._deadline_row()
        own = [option for option in declared if option.name not in ELSEWHERE or (option.name == "model" and not served)]
        few = [option for option in own if option.advanced or option.name == "model"]
        shown = [self._option_row(option) for option in own if option not in few]
        hidden = [self._option_row(option) for option in few]
        return ([time, *shown], hidden) if served else (shown, [*hidden, time])

    def _option_row(self, option: Option) -> Row:
        return option_row(option, self.spec.options.get(option.name, ""), partial(self._set, option.name))

    def _deadline_row(self) -> Row:
        now = self.spec.text("deadline_s")
        values = ["", *sorted({*(f"{seconds:g}" for seconds in _DEADLINES), *([now] if now else [])}, key=float)]
        return Choice.among(
            "Thinks for", values, now, partial(self._set, "deadline_s"), lambda value: f"{value} s" if value else USUAL,
            hint="How long it may think; if it answers too late it loses that turn",
        )  # fmt: skip

    def _share_row(self, name: str, hint: str) -> Slider:
        """Return the row for a handicap, marked while there is one."""

        def change(value: float) -> None:
            setattr(self, name, value)
            row.mark = value != 1.0

        share: float = getattr(self, name)
        row = Slider(name.capitalize(), share, _SHARES, change, hint=hint, shown=lambda value: f"{value * 100:.0f} %")
        row.mark = share != 1.0
        return row

    def _touch(self) -> None:
        self.touched = True

    def _show_more(self, on: bool) -> None:
        self._more = on
        self._make_rows()

    def _set(self, key: str, value: str) -> None:
        self._options[key] = value
        self.touched = True
        if key not in ("model", "level", "deadline_s", "name"):
            self._set_at = -1.0  # it may be typed: asked about when it rests

    def arrange(self, left: float, top: float, width: float) -> float:
        """Lay the rows out below the head; return how high the card is."""
        area = Box(left + PAD, top + HEAD, width - 2 * PAD, 0)
        place(self.widgets, rows(area, [ROW] * len(self.widgets), _GAP))
        for row in self.widgets:
            if isinstance(row, Row):
                row.label_share = 0.36
        return self.widgets[-1].box.bottom - top + PAD

    def paint(self, canvas: Canvas, card: Box, now: float, still: bool) -> None:
        """Draw the card and its head, with its bot if it is wide."""
        spec, color, ready = self.spec, theme.SEAT_COLORS[self.seat], not self.problem
        canvas.card(card, color)
        x, wide = card.x + PAD + 4, card.w - 2 * PAD - 8
        canvas.words((x, card.y + 14), self._title or SEATS[self.seat].upper(), "label", 14, color)
        beside = wide if card.w < _WIDE_CARD else wide - _SMALL + 14
        without_model = {key: value for key, value in spec.options.items() if key != "model"}
        name = spec.text("name") or self.brains.called(replace(spec, options=without_model))
        canvas.words((x, card.y + 30), name, "title", 30, theme.TEXT, width=beside)
        short = f"{spec.short} {spec.text('level')}".strip()
        canvas.words((card.right - PAD - 4, card.y + 15), short, "mono", 12, theme.DIM, side="right")
        if card.w >= _WIDE_CARD:
            box = Box(card.right - PAD - _SMALL, card.y + 40, _SMALL, _SMALL)
            draw_portrait(canvas, box, self.seat, now, ready=ready, still=still)
            wide -= _SMALL + 8
        self._paint_state(canvas, x, card.y, wide)

    def _paint_state(self, canvas: Canvas, x: float, top: float, wide: float) -> None:
        state, tint, mark = self._stands()
        # What is to be done stands at a sentence's end: a long one is a little smaller, in a line more.
        long = mark == "!" and canvas.lines(state, "label", 15, wide - 18, 4) > 3
        y = top + (66 if long else 74)
        canvas.box(Box(x, y + 5, 10, 10), tint if mark else None, tint, width=2, radius=5 if mark != "!" else 1)
        if mark == "!":
            canvas.block((x + 18, y), state, "label", 14 if long else 15, tint, wide - 18, 3 + long)
            return
        canvas.words((x + 18, y), state, "label", 15, tint, width=wide - 18)
        level = self.spec.text("level")
        played = self.kind.levels.get(level, "") if self.kind is not None else ""
        about = self.note or (f"{level}: {played}" if played else self.brains.about(self.spec))
        about = about[:1].upper() + about[1:]
        canvas.block((x, top + 98), about, "label", 15, theme.GOLD if self.note else theme.SOFT, wide, 2)

    def _stands(self) -> tuple[str, theme.Color, str]:
        """Return how the player stands in words, their colour, and the sign before them ("!" for a problem)."""
        problem, state, kind = self.problem, self.brains.availability.seat(self.spec), self.kind
        if problem is None:
            return "looking...", theme.DIM, ""
        if problem:
            return in_window(problem, len(state.models) if state is not None else 0), theme.GOLD, "!"
        served = kind is not None and kind.models is not None and state is not None and state.model
        runs = f"{state.model} plays" if served and state is not None else self.brains.isolation(self.spec, short=True)
        return f"ready, {runs}" if runs else "ready", theme.GOOD, "o"


def _place(choices: list[Spec], spec: Spec) -> int:
    """Return a brain's index among the choices; an unknown one is added."""
    index = most_alike(choices, spec)
    if index is None:
        choices.append(replace(spec, options={}))
    return len(choices) - 1 if index is None else index


# -- A seat's player cannot play now

LOOKING = "looking..."


class NotReadyDialog(ShortcutDialog):
    """Why a player cannot play, over the seats; `go_on` is called once it is ready, or another has been chosen.

    `anyway` starts all the same.
    """

    def __init__(
        self, seats: SeatsScreen, card: SeatCard, go_on: Callable[[], None], anyway: Callable[[], None]
    ) -> None:
        self._seats, self._card, self._on_ready = seats, card, go_on
        self._looks = False
        leave = self._leave_for
        ways = [Way("Try again", self._try_again)]
        if card.has_server and (set_up := set_up_words(card.why)):
            ways.insert(0, Way(set_up, lambda: leave(lambda: seats.open_server(card, new=False))))
        ways.append(Way("Another player", lambda: leave(self._other)))
        if (stand_in := card.brains.stand_in(card.spec)) is not None:
            ways.append(Way(f"{card.brains.called(stand_in)} plays instead", lambda: leave(self._stand_in)))
        ways.append(Way("Fight all the same", lambda: leave(anyway)))
        title, words = f"{SEATS[card.seat].capitalize()} is not ready", as_sentence(card.problem or "")
        super().__init__(seats.ui, title, words, ways, seats.go.pop, below=seats)

    def _leave_for(self, do: Callable[[], None]) -> None:
        self._seats.go.pop()
        do()

    def _other(self) -> None:
        self._seats.form.set_focus(self._card.widgets[0])
        self._card.pick_brain()

    def _stand_in(self) -> None:
        if (spec := self._card.brains.stand_in(self._card.spec)) is not None:
            self._card.take(spec)
        self._on_ready()

    def _try_again(self) -> None:
        self._looks, self.words = True, LOOKING
        self._card.check(again=True)

    def update(self, now: float) -> None:
        """Go on as soon as a player that was asked again is ready."""
        super().update(now)
        if not self._looks:
            return
        problem = self._card.problem
        if problem is not None:
            self._looks, self.words = False, as_sentence(problem)
        if problem == "":
            self._leave_for(self._on_ready)
