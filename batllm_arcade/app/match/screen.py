"""A live match in the window: loading, playing, between rounds, the result; the picture never waits for a brain."""

from __future__ import annotations

from dataclasses import replace

import pygame

from batllm_arcade.app.input.players import Players
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.menu import MatchMenu
from batllm_arcade.app.match.notifications import Notifications
from batllm_arcade.app.match.playback import PlaybackClock
from batllm_arcade.app.match.renderer import MatchRenderer
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.ui.dialog import Dialog, DialogEntry, MenuDialog
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted
from batllm_arcade.seats.waiting import Intermission
from batllm_arcade.seats.waiting import OpenRequest as Asking
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

GLIMPSE_S = 0.3
"""Seconds at the end of a play that skipping leaves, so that what came of it is seen."""


class MatchScreen:
    """Shows a plan's games until it is left; pages lie over it."""

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        self.shell, self.plan = shell, plan
        wanted = replace(plan, intervals=True, turn_clock_s=shell.settings.turn_clock_s)
        table = shell.session.table(wanted)
        self.worker = MatchThread(shell.session.match(wanted, table), table)
        self.timeline, self.clock = Timeline(shell.settings.display), PlaybackClock()
        self.players, self.notes = Players(shell.controls), Notifications()
        self.page: Dialog | None = None
        self.over = False
        self._between: IntermissionDialog | None = None
        self._records: list[Record] = []  # of the game under way
        self._shown = False  # whether the record in the mailbox is on the timeline
        self._games_seen = 0
        self._now = 0.0
        self.picture = MatchRenderer(self)
        self._menu = MatchMenu(self)
        self.worker.start()

    # ------------------------------------------------------------------------------ what the shell calls

    @property
    def repeats(self) -> bool:
        """Whether a held direction is given again and again: only where there is something to choose from."""
        return self.page is not None

    def leave(self) -> None:
        """Stop the match; its file ends in good order."""
        self.worker.leave()
        self.shell.text_input(False)

    def cover(self, now: float) -> None:
        """A match under another screen is paused."""
        self.players.let_go()
        if not self.over:
            self.hold()
            self.players.mind_clock(self.worker.table.thinking, False)

    def uncover(self, now: float) -> None:
        """It stays paused until the person goes on."""
        if self.page is None and self.clock.paused:
            self.page = self._menu.pause()

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """What a page takes first, then the hands of the persons at the seats, then the keys of the screen."""
        self._now = now
        controls = self.shell.controls
        if event.type in (pygame.WINDOWFOCUSLOST, pygame.JOYDEVICEREMOVED):
            self.players.let_go()
        if self.page is not None:
            action = controls.action(event) if self.page.pauses else None
            if action == "pause" or (action in ("step", "swap", "wheel") and controls.intent(event) is None):
                return self._act(action)
            return self.page.handle(event, now)
        if self.players.handle(event, self.humans, now, wheel=self._wheel):
            return None
        clicked = event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_RIGHT
        if clicked or controls.intent(event) == "back":
            return self._back()
        if self.over and controls.intent(event) == "confirm" and self._result_seen:
            return self._show_results()
        return self._act(controls.action(event))

    def update(self, now: float) -> None:
        """Move the timeline on, open the page that is due."""
        self._now = now
        before = self.clock.t
        self.clock.tick(now)
        self._advance()
        self.shell.sounds.follow(self.timeline, before, self.clock.t, self.clock.speed)
        self.picture.rumble(before, self.clock.t)
        self.players.follow(self.person, self.humans, now, wheel=self._wheel)
        self.players.mind_clock(self.worker.table.thinking, self.person is not None)
        self.notes.failures(self.worker.table)
        self._open_due_page()
        if self.page is None:
            self.shell.text_input(False)
        else:
            self.page.update(now)

    def draw(self, target: pygame.Surface) -> None:
        """Draw this moment, and the page over it."""
        self.picture.draw(target, self._now)

    # ------------------------------------------------------------------------------ what is going on

    @property
    def humans(self) -> tuple[bool, bool]:
        """Which seats have a person now."""
        table = self.worker.table
        return table.seat(0).human, table.seat(1).human

    @property
    def _wheel(self) -> bool:
        """Whether a person has taken the wheel of a seat."""
        return self.worker.table.taken_over(0) or self.worker.table.taken_over(1)

    @property
    def person(self) -> Asking | None:
        """The person whose move it is and who may act: everything before it has been seen, and no page is open."""
        asking = self.worker.table.thinking
        held = self.clock.paused or self.page is not None or self.over
        if asking is None or not asking.seat.human or held or not self._caught_up:
            return None
        return asking

    @property
    def may_choose(self) -> bool:
        """Whether the results have been seen for long enough to choose what comes next."""
        return not isinstance(self.page, ResultsDialog) or self.page.ready

    @property
    def game(self) -> int:
        """The number of the game shown."""
        return self.timeline.segments[-1].board.game

    @property
    def in_round(self) -> bool:
        """Whether a round is under way that could be abandoned."""
        started = [record for record in self._records if isinstance(record, (RoundStarted, RoundEnded))]
        return bool(started) and isinstance(started[-1], RoundStarted)

    @property
    def _caught_up(self) -> bool:
        """Whether everything that has happened has been shown."""
        return not self._shown and self.worker.peek() is None and self.clock.t >= self.timeline.end

    @property
    def _result_seen(self) -> bool:
        return self.clock.t >= self.timeline.segments[-1].start + theme.RESULT_S / 3

    def _advance(self) -> None:
        if self.clock.paused:
            return
        if self._shown and self.clock.t >= self.timeline.end:
            self._shown = False
            taken = self.worker.peek()
            self.worker.take()
            if isinstance(taken, Play):
                self.clock.play_over()
                self.worker.hold(self.clock.paused)
                return
        record = self.worker.peek() if not self._shown else None
        if record is not None:
            self._show(record)

    def _show(self, record: Record) -> None:
        self._shown = True
        if isinstance(record, GameStarted):
            self._records.clear()
        self._records.append(record)
        self.timeline.append(record, not_before=self.clock.t)
        self._games_seen += isinstance(record, GameEnded)
        self.over = self._games_seen == self.plan.games

    def _open_due_page(self) -> None:
        intermission = self.worker.table.intermission
        if self.worker.problem and not isinstance(self.page, _ProblemDialog):
            self.page = _ProblemDialog(self.shell, self.worker.problem)
        elif self.page is None and self.over and self.clock.t >= self.timeline.segments[-1].start + theme.RESULT_S:
            self._show_results()
        elif self.page is None and intermission is not None and self._caught_up and not self.clock.paused:
            self.page = self._between_page(intermission)
        elif isinstance(self.page, IntermissionDialog) and (intermission is None or self.page.closed):
            self.page.closed, wanted = False, self.page.closed
            self.page = None
            if wanted:
                self.pause()

    def _between_page(self, intermission: Intermission) -> IntermissionDialog:
        """The page of this interval: the same one after the pause menu lay over it, with what was written."""
        if self._between is None or self._between.intermission is not intermission:
            told, last = report(self._records), report(self._records, intermission.round - 1)
            assert told is not None
            assert last is not None
            table = self.worker.table
            seats = (table.seat(0), table.seat(1))
            many = self.plan.games > 1
            self._between = IntermissionDialog(self.shell, intermission, seats, (told, last), self._now, many=many)
        return self._between

    def _show_results(self) -> None:
        told = report(self._records)
        if told is not None:
            self.page = ResultsDialog(self.shell, told, self._menu.after(), self._now)

    # ------------------------------------------------------------------------------ what can be done

    def open(self, page: Dialog) -> None:
        """Put a page over the match; the keys are the page's now."""
        self.players.let_go()
        self.page = page

    def close_page(self) -> None:
        """Take the page away: back to the pause menu where the match is paused, else to the match."""
        self.page = self._menu.pause() if self.clock.paused and not self.over else None

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        self.page, self.clock.paused = None, False
        self.worker.hold(False)

    def step(self) -> None:
        """One play, then hold still again."""
        self.page = None
        self.clock.step()
        self.worker.hold(False)

    def change_speed(self, by: int) -> None:
        """Faster or slower."""
        self.clock.change_speed(by)

    def tell(self, sentence: str) -> None:
        """Show what went wrong, where the person looks just now."""
        if self.page is not None:
            self.page.complain(sentence)
        else:
            self.notes.say(sentence, failed=True)

    def _back(self) -> None:
        if self.players.aiming:
            self.players.take_back()
        elif self.over:
            if self._result_seen:
                self._show_results()
        else:
            self.pause()

    def hold(self) -> None:
        """Hold the picture still and ask nobody new."""
        self.clock.hold()
        self.worker.hold(True)

    def pause(self) -> None:
        """Hold still, with the pause menu."""
        self.hold()
        self.shell.sounds.ui("back")
        self.open(self._menu.pause())

    def _act(self, action: str | None) -> None:
        if action is None or self.over or not self.timeline.segments:
            return
        if action == "pause":
            self.play_on() if self.clock.paused else self.pause()
        elif action == "step":
            self.step()
        elif action in ("slower", "faster"):
            self.change_speed(1 if action == "faster" else -1)
        elif action == "skip":
            self._skip()
        elif action == "swap":
            self.open(self._menu.swap())
        elif action == "wheel":
            self._menu.take_wheel()

    def _skip(self) -> None:
        """To the end of what is shown, but not past what came of it; a result is never skipped."""
        segment = self.timeline.segments[-1]
        if isinstance(segment.record, GameEnded) or self.clock.paused:
            return
        fallen = segment.fallen != (None, None)
        glimpse = theme.KNOCKOUT_S if fallen else GLIMPSE_S if isinstance(segment.record, Play) else 0.0
        self.clock.skip_to(self.timeline.end - glimpse)


class _ProblemDialog(MenuDialog):
    """A match that could not start or go on says why."""

    def __init__(self, shell: Shell, problem: str) -> None:
        entries = [DialogEntry("Back", shell.leave_match)]
        super().__init__(shell, "This match cannot go on", entries, shell.leave_match, words=problem)
