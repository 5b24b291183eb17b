"""A model server is set up: its address, key and model, and one turn to try it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Row, ValueRow, Widget, columns, place, rows
from batllm_arcade.app.pictures import draw_portrait
from batllm_arcade.app.servers.rows import KeyRows, ModelRow, pull_row
from batllm_arcade.app.services.brain_list import AvailabilityCache
from batllm_arcade.app.services.server_work import TrialRun, in_window, preset_of
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.kinds import SeatState, money
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.commands import parse
from batllm_arcade.history.summary import counted
from batllm_arcade.models.presets import Preset, is_near, origin_of, preset_named, presets
from batllm_arcade.render.fonts import Face
from batllm_arcade.session.trial_turn import TrialTurn
from batllm_arcade.settings.user_settings import with_server, without_server
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe

# -- What is known of a model server

_ASK = "TEST plays one real turn: what it answers, what it thinks, how long that takes, what it costs."
_LABEL = 92.0  # how wide what stands before a figure is
_MOST_LINES = 14


def _state_words(state: SeatState | None) -> tuple[str, theme.Color, bool]:
    """Return how a server stands in words, their colour, and whether its sign is filled."""
    if state is None:
        return "looking...", theme.DIM, False
    count = len(state.models)
    if state.problem:
        # What the environment has to do with it is for the command line: here it is typed.
        words = "it needs a key: type or paste it" if state.why == "key" else state.problem
        return in_window(words, count), theme.GOLD, True
    has = f", {counted(count, 'model')}" if count else ""
    return f"ready{has}{f'; {state.model} plays' if state.model else ''}", theme.GOOD, True


def _paint_progress(canvas: Canvas, box: Box, trial: TrialRun, now: float) -> float:
    dots = "." * (1 + int(now * 2) % 3)
    canvas.words((box.x, box.y), f"PLAYING A TURN{dots}", "label", 14, theme.GOLD)
    lines = max(1, int((box.h - 30) // 20))
    most, y = min(lines, _MOST_LINES), box.y + 26
    return y + canvas.block((box.x, y), trial.progress, "label", 15, theme.SOFT, box.w, most)


def _paint_turn(canvas: Canvas, box: Box, turn: TrialTurn, *, priced: bool) -> float:
    y = box.y
    if not turn.problem:
        words, color = _meaning(turn)
        y += 10 + canvas.block((box.x, y), words, "title", 24, color, box.w, 2)
    figures: tuple[tuple[str, str, Face], ...] = (
        ("ANSWER", " ".join(turn.raw.split()), "mono"), ("SAYS", turn.say, "label"), ("TIME", _time(turn), "label"),
        ("TOKENS", _tokens(turn), "label"), ("PRICE", _price(turn, priced=priced), "label"),
        ("CHANGED", ", ".join(turn.adapted), "label"), ("THOUGHT", turn.thought, "label"),
    )  # fmt: skip
    for label, words, face in figures:
        last = label == "THOUGHT"  # which has all the room that is left
        lines = min(int((box.bottom - y - 2) // 20), _MOST_LINES) if last else 2
        if words and lines > 0 and y + 20 < box.bottom:
            canvas.words((box.x, y + 2), label, "label", 13, theme.GOLD)
            color, at = theme.SOFT if last else theme.TEXT, (box.x + _LABEL, y)
            y += max(22.0, canvas.block(at, words, face, 15, color, box.w - _LABEL, lines) + 3)
    return y


def _meaning(turn: TrialTurn) -> tuple[str, theme.Color]:
    if turn.refused:
        return f"No command: {turn.refused}", theme.GOLD
    words = describe(parse(turn.command)) if turn.command else "does nothing"
    return f"{words[:1].upper()}{words[1:]}", theme.TEXT


def _time(turn: TrialTurn) -> str:
    ready = f", after {turn.ready_s:.1f} s to get ready" if turn.ready_s >= 0.1 else ""
    return f"{turn.seconds:.1f} s{ready}" if turn.seconds else ""


def _tokens(turn: TrialTurn) -> str:
    tokens = turn.tokens or {}
    read, written = tokens.get("prompt"), tokens.get("completion")
    parts = [f"{count:,} {word}" for count, word in ((read, "read"), (written, "written")) if count is not None]
    return ", ".join(parts) or ("not told" if not turn.problem else "")


def _price(turn: TrialTurn, *, priced: bool) -> str:
    if turn.cost is not None:
        return f"{money(turn.cost)} for this turn"
    return "" if turn.problem else "not known: its options have a field for it" if not priced else ""


# -- A model server as it is being set up

OWN = Preset(
    "openai", "", "Another address", "", ask="http://192.168.0.10:8080", note="any server that speaks as OpenAI's"
)
"""Any server that is not known by name."""
_HERE = ("base_url", "model", "name")


@dataclass(frozen=True, slots=True)
class ServerDraft:
    """What is chosen so far; `address` is "" for the preset's own, `others` are the options that are set elsewhere."""

    preset: Preset
    address: str = ""
    model: str = ""
    name: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Spec) -> ServerDraft:
        """Return how a brain is set up."""
        known = preset_of(spec) or preset_named(spec.name, "") or replace(OWN, brain=spec.name)
        others = {key: value for key, value in spec.options.items() if key not in _HERE}
        address = spec.text("base_url")
        own = "" if address == known.base_url else address
        return cls(known, own, spec.text("model"), spec.text("name"), others)

    @property
    def spec(self) -> Spec:
        """Return the brain as it would play."""
        set_up = {"base_url": self.address, "model": self.model, "name": self.name, **self.others}
        return Spec(self.preset.brain, self.preset.name, {key: value for key, value in set_up.items() if value})

    @property
    def missing(self) -> str:
        """Return what has to be typed first, in one sentence, else ""."""
        return "" if self.address or self.preset.base_url else f"type the server's address, such as {self.preset.ask}"


def offered(brains: Iterable[str]) -> tuple[Preset, ...]:
    """Return the servers to choose from that these brains can ask: those on this computer first, any other last.

    Of a provider that has a brain of its own, only that one.
    """
    there = frozenset(brains)
    askable = [preset for preset in presets() if preset.brain in there]
    own = {origin_of(preset.base_url) for preset in askable if not preset.name}

    def has_own_brain(preset: Preset) -> bool:
        return preset.brain == "anthropic" or (bool(preset.base_url) and origin_of(preset.base_url) in own)

    known = [preset for preset in askable if not preset.name or not has_own_brain(preset)]
    known.sort(key=lambda preset: (not preset.local, bool(preset.name)))
    return (*known, *([OWN] if OWN.brain in there else []))


class KnownServers:
    """All servers that these brains can ask, in the order in which they are offered."""

    def __init__(self, brains: Iterable[str], availability: AvailabilityCache) -> None:
        self._availability = availability
        self.all: Sequence[Preset] = offered(brains) or (OWN,)

    def look(self) -> None:
        """Ask which of them run on this computer."""
        for preset in self.all:
            if preset.local:
                self._availability.check(preset.spec)

    def place(self, preset: Preset) -> int:
        """Return where a server is among them, the first place for one that is not."""
        return self.all.index(preset) if preset in self.all else 0

    def running(self) -> Preset | None:
        """Return the first that is known to run on this computer, before all others one that could play at once."""
        running = [preset for preset in self.all if preset.local and self._runs(preset)]
        states = [self._availability.seat(preset.spec) for preset in running]
        ready = [preset for preset, state in zip(running, states, strict=True) if state is not None and state.ready]
        return next(iter([*ready, *running]), None)

    def _runs(self, preset: Preset) -> bool | None:
        state = self._availability.seat(preset.spec)
        return None if state is None else state.why in ("", "key", "wrong key", "model")

    def items(self) -> list[tuple[str, str]]:
        """Return each as a list shows it: its name, and what is to be known of it."""
        return [(preset.title, self._about(preset)) for preset in self.all]

    def _about(self, preset: Preset) -> str:
        note = f"{preset.note[:1].upper()}{preset.note[1:]}"
        if not preset.local:
            return note or preset.base_url or preset.ask
        runs = self._runs(preset)
        where = {None: "On this computer", True: "Runs on this computer", False: "Does not run here now"}[runs]
        return where if runs or not note else f"{where}. {note}"


class Tryout:
    """One turn at a time; what came of it counts as long as the server is set up as it was then."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.running: TrialRun | None = None
        """The turn that is being played."""
        self.last: tuple[str, TrialRun] | None = None
        """As what a turn was played last, and that turn."""
        self._stood: SeatState | None = None  # how its server stood after it

    def start(self, kinds: Mapping[str, BrainKind], spec: Spec) -> None:
        """Play a turn."""
        self.running = TrialRun(kinds, spec)
        self.last = (str(spec), self.running)

    def give_up(self) -> None:
        """End the turn that is being played."""
        if self.running is not None:
            self.running.cancel()
            self._services.wait_at_end(self.running)
            self.running = self.last = None

    def forget(self) -> None:
        """Forget the last turn, which was played with another key or another server."""
        self.give_up()
        self.last = None

    def update(self, spec: Spec) -> None:
        """Notice that it is over; forget one that failed once the server stands otherwise than it did then."""
        availability, state = self._services.availability, self._services.availability.seat(spec)
        if self.running is not None and self.running.done:
            self.running, self._stood = None, None
            if self.problem(spec):
                availability.check(spec, again=True)
        elif self.problem(spec) and state is not None:
            self._stood = self._stood or state
            self.last = self.last if state.why == self._stood.why else None

    def problem(self, spec: Spec) -> str:
        """Return why nothing came of the last turn, "" if something did."""
        turn = self.shown(spec)
        return turn.failure if turn is not None else ""

    def shown(self, spec: Spec) -> TrialRun | None:
        """Return the last turn, if it was played as the server is set up now."""
        return self.last[1] if self.last is not None and self.last[0] == str(spec) else None


# -- Adding a model server

_KEY = ("key", "wrong key")
REST_S = 0.4
"""Seconds after the last letter of an address or a key in which the server is asked."""
LOOKING_S = 2.0
"""Seconds in which a server found on this computer is put in place of the first of the list."""
_GAP = 6.0
_TWO_COLUMNS = 720.0


class ServerScreen(MenuScreen):
    """The rows at the left, what is known of the server and the turn to try it at the right.

    `spec` is a server to change, None to add one; `saved` how it stands in the settings, "" for none. `used` gets the
    server that is chosen in the end, for that `seat`. `why` is why it cannot play, as far as that is known.
    """

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, used: Callable[[Spec], None], spec: Spec | None = None,
        saved: str = "", seat: int = 0, why: str = "",
    ) -> None:  # fmt: skip
        super().__init__(ui)
        self.heading = "SERVER" if spec is not None else "ADD A SERVER"
        self.go, self.services = go, services
        self._used, self._saved, self._seat = used, saved, seat
        self._known_servers = KnownServers(services.plugins.kinds, services.availability)
        self.draft = ServerDraft.of(spec) if spec is not None else ServerDraft(self._known_servers.all[0])
        self.tryout = Tryout(services)
        self._looks_around, self._opened = spec is None, -1.0
        self._changed_at, self._warned = -9.0, ""
        self._scroll, self._made_for = Scroll(), object()
        self._keys = KeyRows(services, self._touched)
        self._test = Button(
            "TEST", self.test, hint="Play one real turn against it; a server far away may charge for that"
        )
        self._use = Button("USE IT", self.go_on, big=True, hint="Keep it among your players, and let it play")
        self._remove = Button("REMOVE", self.remove, hint="Take it off your players", color=theme.DANGER)
        self._make_fields()
        self._make_rows()
        self.form.focus = self._rows[0]
        if spec is not None and (why in _KEY or self._keys.is_missing(spec)):
            self.form.focus = self._keys.field
        self._known_servers.look()

    @property
    def spec(self) -> Spec:
        """Return the server as it would play."""
        return self.draft.spec

    @property
    def kind(self) -> BrainKind | None:
        """Return the brain that asks it."""
        return self.services.plugins.kinds.get(self.draft.preset.brain)

    @property
    def state(self) -> SeatState | None:
        """Return how it stands, None as long as that is not known."""
        missing = self.draft.missing
        return SeatState(missing, "options") if missing else self.services.availability.seat(self.spec)

    def _make_rows(self) -> None:
        draft, kind, known = self.draft, self.kind, self._known_servers
        server = ValueRow(
            "Server", draft.preset.title, self._pick_server, hint="Which server plays",
            step=lambda by: self._choose(known.all[(known.place(draft.preset) + by) % len(known.all)]),
        )  # fmt: skip
        state = self.state
        asks = state is not None and state.why in _KEY
        made: list[Widget] = [server, self._address, *self._keys.rows(self.spec, asks=asks)]
        if kind is not None and kind.models is not None:
            models = self.services.availability.models(self.spec)
            made.append(ModelRow(kind, self.spec, models, self._set_model, self))
            made += pull_row(self.services, kind, self.spec, state)
        self._rows = [*made, self._name]
        buttons = [self._test, self._use, *([self._remove] if self._saved else [])]
        self.form.place(("rows", self._rows, self._scroll), ("buttons", buttons, None))
        self._made_for = self._known
        self.lay_out_again()

    def _make_fields(self) -> None:
        """Make the rows that are typed into, which stay while the others change."""
        draft = self.draft
        self._address = Field(
            "Address", draft.address or draft.preset.base_url, self._set_address, most=300,
            empty=draft.preset.base_url or draft.preset.ask,
            hint="Where it is: host and port, a base address, or what its documentation says",
        )  # fmt: skip
        title, hint = draft.preset.title, "What it is called among your players and in matches"
        self._name = Field("Called", draft.name, self._set_name, hint=hint, most=16, empty=title)

    @property
    def _known(self) -> object:
        state = self.state
        models = self.services.availability.models(self.spec)
        return state.why if state is not None else None, models, self._keys.known(self.spec)

    def _choose(self, preset: Preset) -> None:
        self.draft = ServerDraft(preset, name=self.draft.name)
        self._keys.forget_typed()
        self._touched(rested=True)
        self._make_fields()
        self._make_rows()

    def _pick_server(self) -> None:
        known = self._known_servers
        known.look()
        place, note = known.place(self.draft.preset), f"{len(known.all)} known"
        self.pick("Which server?", known.items(), place, lambda at: self._choose(known.all[at]), note, searched=True)

    def _set_address(self, text: str) -> None:
        address = text.strip()
        self.draft = replace(self.draft, address="" if address == self.draft.preset.base_url else address)
        self._touched()

    def _set_model(self, model: str) -> None:
        self.draft = replace(self.draft, model=model)
        self._touched(rested=True)
        self._make_rows()

    def _set_name(self, name: str) -> None:
        self.draft = replace(self.draft, name="".join(c for c in name if c not in ',="').strip())

    def _touched(self, *, rested: bool = False) -> None:
        self._looks_around = False
        self._changed_at = self.now - REST_S if rested else self.now
        self._warned = self.problem = ""
        self.tryout.forget()

    def test(self) -> None:
        """Play one real turn, or end the one that is being played."""
        if self.tryout.running is not None:
            self.tryout.give_up()
        elif self.draft.missing:
            self.complain(self.draft.missing)
        elif problem := self._keys.try_typed(self.spec):
            self.complain(problem)
        elif self._keys.is_missing(self.spec):
            self.complain("It needs a key: type or paste it")
        else:
            self.tryout.start(self.services.plugins.kinds, self.spec)

    def go_on(self) -> None:
        """Keep the server, and its key where the person wants it; what cannot play is named first."""
        state = self.state or SeatState("")
        if unusable := (state.problem if state.why == "options" else "") or self._keys.try_typed(self.spec):
            self.complain(unusable)
        elif state.problem not in ("", self._warned):  # which the panel tells in full
            self._warned = state.problem
            self.complain("It cannot play as it is; USE IT once more keeps it all the same")
        elif not self._keys.keep(self.spec):
            self._finish()

    def _finish(self) -> None:
        settings, spec = self.ui.settings, self.spec
        if self._saved:
            settings = without_server(settings, self._saved)
        self.ui.apply(with_server(settings, str(spec)))
        self.go.pop()
        self._used(spec)

    def remove(self) -> None:
        """Take the server off the player's own, after asking."""
        answers = [("Keep it", ""), ("Remove it", "Its key stays where it is kept")]
        self.pick("Remove this server?", answers, 0, self._removed)

    def _removed(self, answer: int) -> None:
        if answer == 1:
            self.ui.apply(without_server(self.ui.settings, self._saved))
            self.go.pop()
            self._used(Spec(self.draft.preset.brain))

    def back(self) -> None:
        if self.tryout.running is not None:
            self.tryout.give_up()
        else:
            self.leave_screen()

    def leave_screen(self) -> None:
        self.go.pop()

    def leave(self) -> None:
        super().leave()
        self.tryout.give_up()
        self._keys.leave()

    def keys(self) -> Sequence[tuple[str, str]]:
        choose, change = ("confirm", "choose"), ("next", "rows / buttons")
        if self.tryout.running is not None:
            return [choose, ("back", "stop the test"), change]
        return [choose, change, ("menu", "use it"), ("back", "back")]

    def update(self, now: float) -> None:
        super().update(now)
        self._opened = now if self._opened < 0 else self._opened
        if now - self._changed_at >= REST_S and not self.draft.missing:
            self._keys.try_typed(self.spec)
            self.services.availability.check(self.spec, again=self._keys.tried_anew())
        if self._looks_around:
            self._take_what_runs(now)
        self._take_keys()
        self.tryout.update(self.spec)
        self._test.text = "STOP" if self.tryout.running is not None else "TEST"
        if self._known != self._made_for and self.picker is None:
            self._make_rows()

    def _take_what_runs(self, now: float) -> None:
        """Choose the first server that runs on this computer, as long as nobody has chosen anything."""
        if now - self._opened > LOOKING_S:
            self._looks_around = False
        runs = self._known_servers.running()
        if runs not in (None, self.draft.preset) and self.form.focus is self._rows[0] and self.picker is None:
            self._choose(runs)

    def _take_keys(self) -> None:
        work = self._keys.take_work()
        if work is not None and work.error is not None:
            self.complain(str(work.error))
        elif work is not None:
            self.services.availability.check(self.spec, again=True)
            self._finish()

    def arrange(self, canvas: Canvas) -> None:
        area = self.area(canvas)
        if area.w >= _TWO_COLUMNS:
            column, self._panel = columns(area, (min(560.0, area.w * 0.5), None), 20)
        else:
            needed = len(self._rows) * (ROW + _GAP) + 20 + 68
            column, self._panel = rows(area, (min(needed, area.h * 0.62), None), 12)
        self._card, _, foot, _ = rows(column, (None, 10, 56, 2))
        view = self._scroll.box = self._card.inset(12, 10)
        place(self._rows, rows(Box(view.x, 3, view.w - 8, 0), [ROW] * len(self._rows), _GAP))
        for row in self._rows:
            if isinstance(row, Row):
                row.label_share = 0.27
        self._scroll.height = len(self._rows) * (ROW + _GAP)
        buttons = [self._test, *([self._remove] if self._saved else []), self._use]
        place(buttons, columns(foot, [None] * len(buttons), 12))

    def paint(self, canvas: Canvas, now: float) -> None:
        canvas.card(self._card)
        canvas.card(self._panel)
        state, trial = self.state, self.tryout.shown(self.spec)
        with canvas.clipped(self._panel.inset(2)):
            inner = self._panel.inset(18, 14)
            y = self._paint_head(canvas, inner, state)
            canvas.box(Box(inner.x, y + 6, inner.w, 1), theme.PANEL_EDGE, None, radius=0)
            rest = Box(inner.x, y + 18, inner.w, inner.bottom - y - 18)
            if trial is None or trial.problem:
                y = rest.y + canvas.block((rest.x, rest.y), _ASK, "label", 16, theme.SOFT, rest.w, 4)
            elif trial.result is None:
                y = _paint_progress(canvas, rest, trial, now)
            else:
                priced = bool(self.spec.text("price")) or is_near(self.draft.address or self.draft.preset.base_url)
                y = _paint_turn(canvas, rest, trial.result, priced=priced)
            bot, ready = Box(rest.x, y + 8, rest.w, rest.bottom - y - 8), state is not None and state.ready
            draw_portrait(canvas, bot, self._seat, now, ready=ready, still=self.still)

    def _paint_head(self, canvas: Canvas, box: Box, state: SeatState | None) -> float:
        """Draw which server it is and how it stands; return where that ends."""
        preset, y = self.draft.preset, box.y + 60
        canvas.words((box.x, box.y), preset.title, "title", 28, theme.TEXT, width=box.w)
        where = [self.draft.address or preset.base_url, self._keys.words(self.spec)]
        canvas.words((box.x, box.y + 36), "   ".join(filter(None, where)), "mono", 13, theme.DIM, width=box.w)
        words, color, filled = _state_words(state)
        if failed := self.tryout.problem(self.spec):  # what was tried says more than what was asked
            words, color, filled = in_window(failed), theme.DANGER, True
        canvas.box(Box(box.x, y + 5, 10, 10), color if filled else None, color, width=2, radius=5)
        y += max(22.0, canvas.block((box.x + 18, y), words, "label", 16, color, box.w - 18, 7))
        why = state.why if state is not None else "looking"
        more = f"{preset.note[:1].upper()}{preset.note[1:]}"
        if preset.key_page and why in _KEY:
            more = f"Keys are made at {preset.key_page.removeprefix('https://')}"
        elif failed or (preset.local and why not in ("down", "late", "missing")):
            more = ""  # how a server is started is no news where one runs
        if more:
            y += 4 + canvas.block((box.x, y + 4), more, "label", 15, theme.SOFT, box.w, 2)
        return y
