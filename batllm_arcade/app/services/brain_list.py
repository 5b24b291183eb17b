"""Which brains there are, and which of them could play now."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask, Leftover, Report
from batllm_arcade.app.services.server_work import server_name
from batllm_arcade.app.services.sessions import STAND_INS, SessionEntry, find_sessions
from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.brains.redaction import public_variant
from batllm_arcade.brains.tactician import LEVELS
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.history.reader import GameTape, read
from batllm_arcade.history.summary import summary
from batllm_arcade.isolation.sandbox import in_words, sandboxes
from batllm_arcade.match.series import distinct
from batllm_arcade.plugin.availability import judged, seat_state
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.recorded import CASSETTE

SOON_S, FRESH_S = 4.0, 20.0
"""Seconds after which it is asked again about a server that was away, and about any other brain."""
_AWAY = ("down", "late")
_READY = SeatState("", "")


class AvailabilityCache:
    """What is known so far; `look` and `check` ask, and nobody waits for the answer.

    An answer is about a brain with its options: address, model and key. Another address is another answer.
    """

    def __init__(self, kinds: Mapping[str, BrainKind]) -> None:
        self._kinds = kinds
        self._known: dict[str, tuple[SeatState, float]] = {}
        self._models: dict[str, tuple[str, ...]] = {}
        self._asking: set[str] = set()
        self._anew: set[str] = set()  # what is to be asked once more: the answer under way is from before
        self._trying: threading.Thread | None = None
        self.sandboxes_known = False
        """Whether it is known if bots can have a sandbox here."""

    def look(self) -> None:
        """Ask all brains in each variant, without options, whether they could play, where that is not known."""
        for kind in self._kinds.values():
            for spec in _each_variant(kind):
                self.check(spec)
        if self._trying is None and any(kind.isolation for kind in self._kinds.values()):

            def try_them() -> None:
                sandboxes()  # it is tried once, which takes a moment
                self.sandboxes_known = True

            self._trying = threading.Thread(target=try_them, daemon=True, name="availability of sandboxes")
            self._trying.start()

    def check(self, spec: Spec, *, again: bool = False) -> None:
        """Ask a brain whether it could play as it is set up, unless that is being done or has just been.

        `again`: ask anew whatever is known of it, and forget that.
        """
        kind = self._kinds.get(spec.name)
        if kind is None:
            return
        key = judged(spec)
        if again:
            self._known.pop(key, None)
            self._anew.add(key)
        state, until = self._known.get(key, (None, 0.0))
        if key in self._asking or (state is not None and time.monotonic() <= until):
            return
        silent = kind.missing is None and kind.state is None and kind.models is None
        if silent and not spec.options:  # a script, a person: nothing has to be asked
            self._known[key] = (_READY, float("inf"))
            return
        self._asking.add(key)
        name = f"availability of {spec.name}"
        threading.Thread(target=self._ask, args=(spec, key), daemon=True, name=name).start()

    def _ask(self, spec: Spec, key: str) -> None:
        while True:
            self._anew.discard(key)
            try:
                state = self._with_models(spec, seat_state(self._kinds, spec))
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything; the card says it
                state = SeatState(f"it failed with {one_line(error)}", "other")
            if key not in self._anew:
                break
        if state.models or not state.problem:
            self._models[_any_model(spec)] = state.models
        self._known[key] = (state, time.monotonic() + (SOON_S if state.why in _AWAY else FRESH_S))
        self._asking.discard(key)

    def _with_models(self, spec: Spec, state: SeatState) -> SeatState:
        kind = self._kinds[spec.name]
        if kind.state is None and kind.models is not None and not state.models:
            with suppress(Exception):  # a plugin may raise anything; what is missing is told already
                return replace(state, models=tuple(str(name) for name in kind.models(spec)))
        return state

    def seat(self, spec: Spec) -> SeatState | None:
        """Return how a brain stands as it is set up, None as long as that is not known."""
        return self._known.get(judged(spec), (None, 0.0))[0]

    def models(self, spec: Spec) -> tuple[str, ...]:
        """Return the models that a brain's server has, whichever of them is chosen, as far as they are known."""
        return self._models.get(_any_model(spec), ())


def _any_model(spec: Spec) -> str:
    return judged(replace(spec, options={key: value for key, value in spec.options.items() if key != "model"}))


LARGEST_BYTES = 2 * 1024 * 1024
"""A larger session is not read for the list of players."""
_READ, MOST = 24, 5
"""Newest sessions that are read, and how many of them are offered at most."""


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A recorded session as a player: what it is called, what is said about it, and the game that it plays."""

    spec: Spec
    title: str
    about: str
    game: GameTape


class RecordedModels:
    """Looks for them on a thread; none are looked for where no cassette can be played."""

    def __init__(self, kinds: Mapping[str, BrainKind], folder: Path, wait_at_end: Callable[[Leftover], None]) -> None:
        self.offered: tuple[RecordedModel, ...] = ()
        self._task: BackgroundTask[tuple[RecordedModel, ...]] | None = None
        if CASSETTE in kinds:
            self._task = BackgroundTask("recorded models", lambda report: find_recorded(folder, report))
            wait_at_end(self._task)

    def update(self) -> bool:
        """Take what has been found; return whether there is something new to be offered."""
        task = self._task
        if task is None or not task.done:
            return False
        self._task, self.offered = None, task.result or ()
        return bool(self.offered)

    def applied(self, plan: SessionPlan) -> SessionPlan:
        """Return a plan in which one of them plays with the rules, seed and orders that it was recorded with."""
        for model in self.offered:
            if any((spec.name, spec.variant) == (CASSETTE, model.spec.variant) for spec in plan.seats):
                game = model.game
                config = replace(plan.config, rules=game.rules, prompts=game.rounds[0].prompts)
                return replace(plan, config=config, seed=game.seed)
        return plan


def find_recorded(folder: Path, report: Report) -> tuple[RecordedModel, ...]:
    """Return the newest sessions of a folder whose first game was played by a model."""
    models: list[RecordedModel] = []
    for entry in find_sessions(folder)[:_READ]:
        report(entry.path.name)
        if entry.bytes <= LARGEST_BYTES and len(models) < MOST and (model := _recorded(entry)) is not None:
            models.append(model)
    return tuple(models)


def _recorded(entry: SessionEntry) -> RecordedModel | None:
    try:
        session = read(entry.path)
    except ArcadeError:
        return None
    game = session.games[0] if session.games else None
    if game is None or not game.rounds or not game.drawn or game.forked_from is not None:
        return None
    models = [seat for seat in game.seats if seat.model]
    if not models or any(each.brain.partition(":")[0] == CASSETTE for each in game.seats):
        return None
    entry.summary = summary(session)
    left, right = distinct((game.seats[0].name, game.seats[1].name))
    about = f"{left} against {right} as recorded, while both seats play as they did: give it both"
    title = f"{models[0].name} \u00b7 {entry.when()}"
    spec = Spec(CASSETTE, str(entry.session_file), {"pace": "1"})
    return RecordedModel(spec, title, about, game)


ENDINGS = (".py", ".js", ".mjs", ".sh")
"""Names of files that are bots although nobody made them executable."""
OWN_BOTS = "proc"
"""The brain whose files are remembered by their path alone; those of another one by its name, too."""
_MOST = 200  # files of a folder that are listed


def file_to_remember(spec: Spec) -> str:
    """Return the text by which the file of a brain that was chosen is remembered: its path, whole."""
    path = os.path.abspath(os.path.expanduser(spec.variant))
    return path if spec.name == OWN_BOTS else f"{spec.name}:{path}"


def remembered_file(text: str) -> Spec:
    """Return the brain of which such a text was remembered; a drive's letter is no brain's name."""
    name, colon, path = text.partition(":")
    return Spec(name, path) if colon and len(name) > 1 and os.sep not in name else Spec(OWN_BOTS, text)


class BrainList:
    """Every brain there is, a brain with variants once per variant: persons first, then those that take orders.

    `used` are brains set up with options, which come first of all; `servers` are the player's own model servers, as
    specs in texts, which come after the persons; `files` are those chosen last for brains that are files, which are
    only offered `with_files` where a player can choose one, as is a cassette without a session. Without `people`
    nobody has to be there. `recorded` are sessions that a model played, which come last.
    """

    def __init__(
        self, kinds: Mapping[str, BrainKind], availability: AvailabilityCache, used: Sequence[Spec] = (),
        files: Sequence[str] = (), servers: Sequence[str] = (), *, with_files: bool = True, people: bool = True,
        recorded: Sequence[RecordedModel] = (),
    ) -> None:  # fmt: skip
        self._kinds, self.availability = kinds, availability
        self._recorded = {model.spec.variant: model for model in recorded}
        order = sorted(kinds.values(), key=lambda kind: (not kind.prompted, kind.name))
        named = {spec.name for spec in used if spec.options}
        persons = [kind for kind in order if kind.human and people and kind.name not in named]
        brains = [kind for kind in order if not kind.human and (with_files or not kind.files)]
        specs = [spec for spec in used if spec.options]
        specs += [spec for kind in persons for spec in _each_variant(kind)]
        specs += [spec for spec in map(_parsed, servers) if spec is not None and spec.name in kinds]
        specs += [spec for kind in brains for spec in _each_variant(kind)]
        specs += [spec for spec in map(remembered_file, files) if spec.name in kinds and kinds[spec.name].files]
        if recorded or not with_files:  # a cassette plays nothing without a session
            specs = [spec for spec in specs if spec != Spec(CASSETTE)]
        specs += [model.spec for model in recorded]
        self.specs = list({str(spec): spec for spec in specs}.values())

    def kind(self, spec: Spec) -> BrainKind | None:
        """Return what is known about a brain, None if there is no such brain."""
        return self._kinds.get(spec.name)

    def called(self, spec: Spec) -> str:
        """Return what a brain is called in menus; a scripted character goes by its own name."""
        kind = self.kind(spec)
        if spec.variant in self._recorded:
            return self._recorded[spec.variant].title
        if kind is not None and kind.human:
            return "Phone" if kind.remote else "Human"
        if kind is not None and kind.patient:
            return "Agent"
        if kind is not None and kind.presets and (spec.variant or spec.text("base_url") or spec.text("model")):
            return server_name(spec)
        if kind is not None and kind.files and not spec.options.get("cmd"):
            what = "Bot" if spec.name == OWN_BOTS else spec.name.capitalize()
            return f"{what} \u00b7 {public_variant(spec.variant)}" if spec.variant else f"{what} from a file"
        if kind is not None and spec.variant in kind.titles and not spec.text("model"):
            return kind.titles[spec.variant]
        is_character = kind is not None and not kind.prompted and spec.variant
        name = spec.variant if is_character else spec.short.replace(":", " \u00b7 ")
        return name[:1].upper() + name[1:]

    def levels(self, spec: Spec) -> Sequence[str]:
        """Return the levels that a brain can play at, the usual one in their middle; () if it has none."""
        kind = self.kind(spec)
        return LEVELS if kind is not None and has_levels(kind, spec) else ()

    def about(self, spec: Spec) -> str:
        """Return one sentence about a brain; about a bot whose file is known, what it can do to this computer."""
        kind = self.kind(spec)
        if kind is None:
            return "there is no such brain"
        if spec.variant in self._recorded:
            return self._recorded[spec.variant].about
        if kind.files and spec.variant and (runs := self.isolation(spec)):
            return f"it runs {runs}"
        about, level = kind.about.get(spec.variant, kind.summary), kind.levels.get(spec.text("level"), "")
        return f"{about.rstrip('.')}; {spec.text('level')}: {level}" if level else about

    def orders_reader(self, spec: Spec) -> Callable[[], ReadsOrders] | None:
        """Return what makes a reader of a brain's orders, None for a brain that reads none or cannot play now."""
        kind = self.kind(spec)
        if kind is None or kind.orders_reader is None or self.problem(spec):
            return None
        try:
            reader = kind.orders_reader(spec)
        except UsageError:
            return None  # a wrong option is told where the match starts
        return (lambda: reader) if reader is not None else None

    def problem(self, spec: Spec) -> str | None:
        """Return what a brain misses, "" if it could play now, None as long as that is not known."""
        if self.kind(spec) is None:
            return f"{spec.name!r} is not installed"
        state = self.availability.seat(spec)
        return None if state is None else state.problem

    def check_stand_ins(self) -> None:
        """Ask who could play in place of a brain that cannot."""
        for spec in STAND_INS:
            self.availability.check(spec)

    def stand_in(self, spec: Spec) -> Spec | None:
        """Return who could play at once in place of a brain: the embedded model if it is ready, else a script."""
        for other in STAND_INS:
            if other.name != spec.name and other.name in self._kinds and self.problem(other) == "":
                return other
        return None

    def isolation(self, spec: Spec, *, short: bool = False) -> str:
        """Return where a bot runs, "" for brains that are never isolated, and as long as it is not known."""
        kind = self.kind(spec)
        if kind is None or not kind.isolation or not self.availability.sandboxes_known:
            return ""
        return in_words(kind.isolation, spec.options, short=short)


def _each_variant(kind: BrainKind) -> list[Spec]:
    return [Spec(kind.name, variant) for variant in kind.variants] or [Spec(kind.name)]


def _parsed(text: str) -> Spec | None:
    try:
        return Spec.parse(text)
    except UsageError:
        return None


def most_alike(choices: Sequence[Spec], spec: Spec) -> int | None:
    """Return the place of the brain set up most like a spec (without a variant the first one), None if none is."""
    alike = [
        (choice.variant == spec.variant, len(choice.options), -place)
        for place, choice in enumerate(choices)
        if choice.name == spec.name
        and (choice.variant == spec.variant or not spec.variant)
        and choice.options.items() <= spec.options.items()
    ]
    return -max(alike)[2] if alike else None


def has_levels(kind: BrainKind, spec: Spec) -> bool:
    """Return whether a brain of this kind has levels; one without a variant is of the first that there is."""
    variant = spec.variant or next(iter(kind.variants), "")
    return bool(kind.levels) and (not kind.level_variants or variant in kind.level_variants)


def for_newcomers(seats: tuple[Spec, Spec], kinds: Mapping[str, BrainKind]) -> tuple[Spec, Spec]:
    """Return the seats of a first match ever: brains with levels play at the lowest, if none is chosen."""
    left, right = (
        replace(spec, options={"level": LEVELS[0], **spec.options})
        if spec.name in kinds and has_levels(kinds[spec.name], spec)
        else spec
        for spec in seats
    )
    return left, right


def bots_at(path: str) -> tuple[str, ...]:
    """Return the bots at a path: a file, or those in a folder that are or look like bots.

    Raise UsageError if there is none.
    """
    if not path.strip():
        raise UsageError("type the path of a bot's file, or of a folder with bots")
    place = Path(path.strip()).expanduser()
    if place.is_file():
        return (str(place),)
    if not place.is_dir():
        raise UsageError(f"there is no file and no folder {place.name!r}")
    try:
        files = tuple(sorted(str(each) for each in place.iterdir() if _is_bot(each)))[:_MOST]
    except OSError as error:
        raise UsageError(f"the folder {place.name!r} cannot be read: {error.strerror}") from None
    if not files:
        raise UsageError(f"there is no bot in the folder {place.name!r}")
    return files


def _is_bot(path: Path) -> bool:
    if path.name.startswith(("_", ".")) or not path.is_file():
        return False
    return path.suffix in ENDINGS or (not path.suffix and os.access(path, os.X_OK))
