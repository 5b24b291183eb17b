"""Recorded sessions: listed, opened, analysed and played on from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from batllm_arcade.analysis.game import Judgement, judgements
from batllm_arcade.app.services.background import BackgroundTask, Leftover, Report
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.forking import TurnPlace, fork_at
from batllm_arcade.history.paths import journal_of, parse_time
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.summary import Summary, summary
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.match.runner import Fork
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.availability import seat_state
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.session.live_session import SessionPlan, fork_config, fork_seats, new_history_file, recorded_config
from batllm_arcade.settings.foreign import Recorded, own_origins
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.encode.switch_interval import short_switch_interval
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline, TimelineIndex

UNEXPECTED = "the program failed while it read this file"
"""Shown for an entry whose file caused an unexpected error."""
LARGEST_BYTES = 16 * 1024 * 1024
"""A larger file is read when it is opened, not for the list."""


@dataclass(slots=True, eq=False)
class SessionEntry:
    """A session file: what is known of it so far, or why it cannot be read."""

    path: Path
    bytes: int
    changed: float
    summary: Summary | None = None
    problem: str = ""

    @property
    def session_file(self) -> Path:
        """Return the session file; for a journal the one that is written when its session ends."""
        return self.path.with_name(self.path.name.removesuffix(".journal"))

    @property
    def known(self) -> bool:
        """Return whether it has been read."""
        return self.summary is not None or bool(self.problem)

    def when(self) -> str:
        """Return when it was played, in this machine's time; when the file was written if that is not known."""
        moment = datetime.fromtimestamp(self.changed)
        if self.summary is not None:
            with suppress(ValueError, OverflowError, OSError):  # another program's way of telling the time
                moment = parse_time(self.summary.start).astimezone()
        return f"{moment.day} {moment:%b %Y, %H:%M}"


class SessionList:
    """`entries` is None until the folder has been looked through; then each entry is read in turn.

    `update` is to be called once per frame, `close` when the list is no longer shown. `wait_at_end` is given all work.
    """

    def __init__(self, folder: Path, wait_at_end: Callable[[Leftover], None]) -> None:
        self.folder, self._wait_at_end = folder, wait_at_end
        self.entries: list[SessionEntry] | None = None
        self._task: BackgroundTask[list[SessionEntry]] | None = None
        self._begin("session search", lambda report: find_sessions(folder))

    def _begin(self, name: str, work: Callable[[Report], list[SessionEntry]]) -> None:
        self._task = BackgroundTask(name, work)
        self._wait_at_end(self._task)

    @property
    def read(self) -> int:
        """Return how many entries have been read."""
        return sum(entry.known for entry in self.entries or ())

    def update(self) -> None:
        """Take over what the thread has done; read what has not been read, also after a bug met in one file."""
        if self._task is None or not self._task.done:
            return
        entries = self.entries if self.entries is not None else self._task.result or []
        self.entries, self._task = with_forks(entries), None
        if rest := [entry for entry in entries if not entry.known]:
            self._begin("session reader", lambda report: _read_all(rest, report))

    def delete(self, entry: SessionEntry) -> None:
        """Delete an entry's files, and take it off the list; raise UsageError if that cannot be."""
        try:
            entry.path.unlink()
            journal_of(entry.path).unlink(missing_ok=True)
        except OSError as error:
            raise UsageError(f"{entry.path.name!r} cannot be deleted: {error.strerror}") from None
        self.entries = [other for other in self.entries or () if other is not entry]

    def close(self) -> None:
        """Read no more."""
        if self._task is not None:
            self._task.cancel()


def with_forks(entries: list[SessionEntry]) -> list[SessionEntry]:
    """Return the entries in their order, but forks right below the session they come from, where that is there."""
    starts = {entry.summary.start: entry for entry in entries if entry.summary is not None}
    below: dict[int, list[SessionEntry]] = {}
    top = []
    for entry in entries:
        origin = entry.summary.forked_from if entry.summary is not None else None
        found = starts.get(origin.session_start) if origin is not None else None
        if found is None or found is entry:
            top.append(entry)
        else:
            below.setdefault(id(found), []).append(entry)
    ordered, waiting = [], top[::-1]
    while waiting:
        ordered.append(waiting.pop())
        waiting += below.pop(id(ordered[-1]), [])[::-1]
    return ordered if len(ordered) == len(entries) else entries  # else files claim to come from each other


def _read_all(entries: list[SessionEntry], report: Report) -> list[SessionEntry]:
    for entry in entries:
        report(entry.path.name)
        _read(entry)
    return entries


def _read(entry: SessionEntry) -> None:
    found, problem = None, UNEXPECTED
    try:
        if entry.bytes > LARGEST_BYTES:
            problem = f"{entry.bytes / 1e6:,.0f} MB: it is read when it is opened"
        else:
            found, problem = summary(read(entry.path)), ""
    except ArcadeError as error:
        problem = str(error)
    finally:
        entry.summary, entry.problem = found, problem


def find_sessions(folder: Path) -> list[SessionEntry]:
    """Return the session files, and the journals that have none, newest first; nothing if the folder is missing."""
    entries, names = [], set()
    try:
        with os.scandir(folder) as listing:
            for found in listing:
                if found.name.endswith((".json", ".json.journal")):
                    status = found.stat()
                    entries.append(SessionEntry(folder / found.name, status.st_size, status.st_mtime))
                    names.add(found.name)
    except OSError:
        return []  # nothing has been recorded yet, or it vanished in this moment
    entries = [entry for entry in entries if entry.path.name.removesuffix(".journal") not in names - {entry.path.name}]
    return sorted(entries, key=lambda entry: (entry.changed, entry.path.name), reverse=True)


def read_games(path: Path) -> SessionTape:
    """Return a recorded session; raise UsageError if it cannot be read or holds no game."""
    session = read(path)
    if not session.games:
        raise UsageError("this session holds no game to watch")
    return session


def open_timeline(path: Path, display: DisplayOptions, report: Report) -> Timeline:
    """Return a session's timeline, reporting how far it is; raise UsageError if it cannot be read or holds no game."""
    report("reading the file")
    return timeline_of(read_games(path), display, report)


def timeline_of(session: SessionTape, display: DisplayOptions, report: Report) -> Timeline:
    """Return the timeline of a session with games, reporting each game that is played again."""
    return Timeline.of(_reported(replay(session), len(session.games), report), display)


def _reported(records: Iterator[Record], games: int, report: Report) -> Iterator[Record]:
    number = 0
    for record in records:
        if isinstance(record, GameStarted):
            number += 1
            report(f"{number} of {games} games" if games > 1 else "playing the game again")
        yield record


_AFTER_S = 0.22
"""How long after its beginning a decisive moment looks best."""


def decisive_scene(timeline: Timeline) -> Scene:
    """Return what is seen when the last knock-out happens, else the last hit, else in the middle."""
    moments = TimelineIndex(timeline).moments
    for kind in ("knockout", "hit"):
        times = [moment.t for moment in moments if moment.kind == kind]
        if times:
            return timeline.at(min(timeline.end, times[-1] + _AFTER_S))
    return timeline.at(timeline.end / 2)


Judged = Mapping[int, list[Judgement]]
"""What was found of the plays of each game, by its number."""
_SWITCH_INTERVAL_S = 0.001  # with Python's default the pictures would stutter


class SessionAnalysis(BackgroundTask[Judged]):
    """An analysis under way; `share` is how much of it is done, 0 to 1. It may be cancelled at any moment."""

    def __init__(self, path: Path, game: int | None = None) -> None:
        self.path, self.share = path, 0.0
        super().__init__("analysis", lambda report: self._analysed(game, report))

    def _analysed(self, game: int | None, report: Report) -> Judged:
        from batllm_arcade.analysis.session import analyse

        def progress(done: int, every: int) -> None:
            self.share = done / max(1, every)
            report(f"working out the chances, {self.share:.0%}")

        report("working out the chances")
        with short_switch_interval(_SWITCH_INTERVAL_S):
            games = analyse(read(self.path), game, progress)["games"]
        return {each["game_number"]: judgements(each) for each in games}


STAND_INS = (Spec("embedded", "tactics"), Spec("scripted", "sharpshooter"))
"""Who plays in place of a brain that cannot, the first that is ready."""


def persons(seats: Iterable[SeatInfo], kinds: Mapping[str, BrainKind]) -> tuple[bool, bool]:
    """Return at which of two recorded seats a person sat, as far as players are known."""
    left, right = (bool((kind := kinds.get(seat.brain.partition(":")[0])) and kind.human) for seat in seats)
    return left, right


def with_people(fork: Fork, kinds: Mapping[str, BrainKind]) -> Fork:
    """Return a fork that knows at which seats people sat, which no file tells."""
    sat = persons(fork.started.seats, kinds)
    one, other = (replace(seat, human=human) for seat, human in zip(fork.started.seats, sat, strict=True))
    return replace(fork, started=replace(fork.started, seats=(one, other)))


def play_on_plan(
    path: Path, place: TurnPlace, bot: int | None, plugins: Plugins, report: Report, allowed: Iterable[str] = ()
) -> tuple[Plugins, SessionPlan]:
    """Return the plan of a fork, a person in the seat of `bot`, and the plugins it is played with.

    Where a person sat in the other one, too, a bot takes that: the built-in model if it is ready, else a script.
    Plugins are loaded if there are none, in a window for a replay. Raise UsageError if it cannot be played on there,
    ForeignAddress if a brain asks an address that nobody has `allowed`.
    """
    report("reading the file")
    fork = fork_at(read(path), place)
    if not plugins.kinds:
        report("loading players")
        plugins = manager.load()
    chosen: list[Spec | None] = [None, None]
    if bot is not None:
        chosen[bot], kinds = find_person(plugins.kinds), plugins.kinds
        if persons(fork.seats, kinds)[1 - bot]:
            ready = (spec for spec in STAND_INS if spec.name in kinds and not seat_state(kinds, spec).problem)
            chosen[1 - bot] = next(ready, None)
    left, right = chosen
    fork = replace(with_people(fork, plugins.kinds), new=(left is not None, right is not None))
    recorded = Recorded(plugins.kinds, own_origins(allowed), "take the {who} seat yourself")
    plan = SessionPlan(
        fork_config(recorded_config(fork), fork), fork_seats(fork, (left, right), recorded, report), fork.started.seed,
        history=new_history_file(), fork=fork,
    )  # fmt: skip
    return plugins, plan
