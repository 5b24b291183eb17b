"""Sessions opened, analysed and played on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade.analysis.game import Judgement, judgements
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.errors import UsageError
from batllm_arcade.history.forking import TurnPlace, fork_at
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, Record
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.session.live_session import SessionPlan, fork_config, fork_seats, new_history_file, recorded_config
from batllm_arcade.settings.foreign import Recorded, own_origins
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.encode.switch_interval import short_switch_interval
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline, TimelineIndex


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


@dataclass(frozen=True, slots=True, eq=False)
class LoadedSession:
    """A session that can be watched, and the scene of its decisive moment."""

    path: Path
    timeline: Timeline
    decisive: Scene


def load_session(path: Path, display: DisplayOptions, report: Report) -> LoadedSession:
    """Return a session to be watched, reporting how far it is; raise UsageError if it cannot be read or has no game."""
    timeline = open_timeline(path, display, report)
    report("")
    return LoadedSession(path, timeline, timeline.at(decisive_moment(timeline)))


def decisive_moment(timeline: Timeline) -> float:
    """Return when the last knock-out happens, else the last hit, else the middle, in seconds."""
    moments = TimelineIndex(timeline).moments
    for kind in ("knockout", "hit"):
        times = [moment.t for moment in moments if moment.kind == kind]
        if times:
            return min(timeline.end, times[-1] + _AFTER_S)
    return timeline.end / 2


class SessionPreview(BackgroundTask[LoadedSession]):
    """A session being loaded on a thread; it may be cancelled at any moment."""

    def __init__(self, path: Path, display: DisplayOptions) -> None:
        self.path = path
        super().__init__("session preview", lambda report: load_session(path, display, report))


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
        from batllm_arcade.history.reader import read

        def progress(done: int, every: int) -> None:
            self.share = done / max(1, every)
            report(f"working out the chances, {self.share:.0%}")

        report("working out the chances")
        with short_switch_interval(_SWITCH_INTERVAL_S):
            games = analyse(read(self.path), game, progress)["games"]
        return {each["game_number"]: judgements(each) for each in games}


def play_on_plan(
    path: Path, place: TurnPlace, bot: int | None, plugins: Plugins, report: Report, allowed: Iterable[str] = ()
) -> tuple[Plugins, SessionPlan]:
    """Return the plan of a fork, a person in the seat of `bot`, and the plugins it is played with.

    Plugins are loaded if there are none, in a window for a replay. Raise UsageError if it cannot be played on there,
    ForeignAddress if a brain asks an address that nobody has `allowed`.
    """
    report("reading the file")
    fork = fork_at(read(path), place)
    if not plugins.kinds:
        report("loading players")
        plugins = manager.load()
    person = find_person(plugins.kinds) if bot is not None else None
    fork = replace(fork, new=(bot == 0, bot == 1))
    left, right = (person if new else None for new in fork.new)
    recorded = Recorded(plugins.kinds, own_origins(allowed), "take the {who} seat yourself")
    plan = SessionPlan(
        fork_config(recorded_config(fork), fork), fork_seats(fork, (left, right), recorded, report), fork.started.seed,
        history=new_history_file(), fork=fork,
    )  # fmt: skip
    return plugins, plan
