"""A live match in the window: loading, playing, between rounds, the result; the picture never waits for a brain."""

from __future__ import annotations

import pygame

from batllm_arcade.app.input.players import Players
from batllm_arcade.app.match.feedback import Feedback
from batllm_arcade.app.match.frame import FrameComposer, MatchFrame
from batllm_arcade.app.match.guide.lessons import Guide
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.intermissions import Intermissions
from batllm_arcade.app.match.menu import MatchMenu
from batllm_arcade.app.match.notifications import Notifications
from batllm_arcade.app.match.pointer.mouse import EVENTS, MatchMouse
from batllm_arcade.app.match.problem_dialog import ProblemDialog
from batllm_arcade.app.match.renderer import MatchRenderer
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.ui.dialog import Dialog
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.seats.table import Table
from batllm_arcade.seats.waiting import OpenRequest
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme

_DIALOG_ACTIONS = ("step", "swap", "wheel")
"""Actions whose keys work in the pause menu, too, except the keys that the menu itself uses."""


class MatchScreen:
    """Shows a plan's games, played at this table, until it is left; a `renderer` used before has its pictures ready."""

    def __init__(
        self, shell: Shell, plan: SessionPlan, table: Table, renderer: MatchRenderer, *, guided: bool = False
    ) -> None:
        self.shell = shell
        session = shell.session
        records, keep = session.match(plan, table), lambda table: session.give_back(plan, table)
        thread = MatchThread(records, table, plan.config.prompts, keep, plan.headers)
        self.state = MatchState(thread, plan, shell.settings.display)
        self.players, self.notes = Players(shell.controls), Notifications()
        self.dialog: Dialog | None = None
        self.menu = MatchMenu(shell, table, self)
        self._intermissions = Intermissions(shell, self.state)
        self._feedback = Feedback(shell.sounds, shell.controls)
        self._renderer = renderer
        self.mouse = MatchMouse(shell.controls, self.players, self._renderer, self.pause)
        self._composer = FrameComposer(self.state, shell.controls, self.players, self.notes, self.mouse.touched)
        self._composer.guide = self._guide = Guide() if guided else None
        self._held_by_cover, self._now = False, 0.0
        self.frame = self._compose()
        self.state.thread.start()

    # -- what the shell calls -------------------------------------------------------------------

    @property
    def repeats(self) -> bool:
        """Whether a held direction is given again and again: only while there is something to choose from."""
        return self.dialog is not None

    def leave(self) -> None:
        """Stop the match; its file ends in good order."""
        self.state.thread.leave()
        self._intermissions.leave()
        self.shell.text_input(False)
        self.shell.wait_at_end(self.state.thread)

    def cover(self, now: float) -> None:
        """Pause a match that another screen is put over."""
        self.players.let_go()
        if not self.over:
            self._held_by_cover = not self.paused
            self.hold()
            self.players.hold_clock(self.state.table.thinking, True)

    def uncover(self, now: float) -> None:
        """Go on as it was: a match that was paused stays so until somebody goes on."""
        if self._held_by_cover:
            self.state.play_on()
        elif self.dialog is None and self.paused:
            self.dialog = self.menu.pause()
        self._held_by_cover = False

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Give an event to the dialog, else to the players at the seats, else to the screen's own keys."""
        self._now = now
        if event.type in (pygame.WINDOWFOCUSLOST, pygame.JOYDEVICEREMOVED):
            self.players.let_go()
        if self.dialog is not None:
            self._handle_in(self.dialog, event, now)
        elif event.type in EVENTS and not self.over:
            self.mouse.handle(event, now)
        elif not self.players.handle(event, self.state.humans, now, taken_over=self.state.taken_over):
            self._handle_key(event)

    def _handle_in(self, dialog: Dialog, event: pygame.event.Event, now: float) -> None:
        controls = self.shell.controls
        action = controls.action(event) if dialog.pauses else None
        works = action == "pause" or (action in _DIALOG_ACTIONS and controls.intent(event) is None)
        self._act(action) if works else dialog.handle(event, now)

    def _handle_key(self, event: pygame.event.Event) -> None:
        controls = self.shell.controls
        if event.type == pygame.MOUSEBUTTONDOWN or controls.intent(event) == "back":
            self._back()
        elif controls.intent(event) == "confirm" and self._result_seen:
            self._show_results()
        else:
            self._act(controls.action(event))

    def update(self, now: float) -> None:
        """Move the match on, let it be heard, open the dialog that is due, and put the frame together."""
        self._now = now
        before, after = self.state.update(now)
        if self._guide is not None:
            self._guide.learn(self.state.new_plays(), self.state.humans)
        self._feedback.follow(self.state, before, after)
        self._update_players(now)
        self.notes.take_failures(self.state.table, now)
        self.menu.update()
        for problem in self.menu.refused():
            self.complain(problem)
        self._open_due_dialog()
        if self.dialog is None:
            self.shell.text_input(False)
        else:
            self.dialog.update(now)
        self.frame = self._compose()

    def _update_players(self, now: float) -> None:
        person = self.person
        if self.players.follow(person, self.state.humans, now, taken_over=self.state.taken_over):
            self._feedback.on_target()
        refused = self.players.take_refused()
        if refused is not None:
            self._feedback.refused(refused.why)
            self._composer.refusal.show(refused, self.state)
        self.players.hold_clock(self.state.table.thinking, person is None)
        self._feedback.tick(person)

    def _compose(self) -> MatchFrame:
        display, problems = self.shell.settings.display, self.shell.new_problems()
        return self._composer.compose(self._now, display, self.person, problems, covered=self.dialog is not None)

    def draw(self, target: pygame.Surface) -> None:
        """Draw this moment, and the dialog over it."""
        if self.dialog is None or not self.dialog.whole or not self.state.started:
            self._renderer.draw(target, self.frame)
        if self.dialog is not None:
            self.dialog.draw(target)

    # -- what is going on -----------------------------------------------------------------------

    @property
    def plan(self) -> SessionPlan:
        """What is played."""
        return self.state.plan

    @property
    def over(self) -> bool:
        """Whether the last game has ended."""
        return self.state.over

    @property
    def game(self) -> int:
        """The number of the game shown."""
        return self.state.game

    @property
    def in_round(self) -> bool:
        """Whether a round is under way that could be abandoned."""
        return self.state.in_round

    @property
    def paused(self) -> bool:
        """Whether the picture is held still."""
        return self.state.clock.paused

    @property
    def speed(self) -> float:
        """How many times as fast as usual it is shown."""
        return self.state.clock.speed

    @property
    def person(self) -> OpenRequest | None:
        """The person whose move it is and who may act: everything before it has been seen, and no dialog is open."""
        return self.state.person if self.dialog is None else None

    @property
    def may_choose(self) -> bool:
        """Whether the results have been seen for long enough to choose what comes next."""
        return not isinstance(self.dialog, ResultsDialog) or self.dialog.ready

    @property
    def _result_seen(self) -> bool:
        return self.state.result_shown(theme.RESULT_S / 3)

    # -- dialogs that come by themselves --------------------------------------------------------

    def _open_due_dialog(self) -> None:
        state, problem = self.state, self.state.thread.problem
        intermission = state.table.intermission
        if problem and not isinstance(self.dialog, ProblemDialog):
            self.dialog = ProblemDialog(self.shell, problem)
        elif self.dialog is None and state.result_shown(theme.RESULT_S):
            self._show_results()
        elif self.dialog is None and intermission is not None and state.caught_up and not self.paused:
            self.dialog = self._intermissions.dialog(intermission, self._now)
        elif isinstance(self.dialog, IntermissionDialog):
            self._close_intermission(self.dialog, over=intermission is None)

    def _close_intermission(self, dialog: IntermissionDialog, *, over: bool) -> None:
        wanted, dialog.pause_wanted = dialog.pause_wanted, False
        if over or wanted:
            self.dialog = None
        if over:
            dialog.leave()
        if wanted:
            self.pause()

    def _show_results(self) -> None:
        statistics = self.state.statistics()
        if statistics is not None:
            series, score = self.state.timeline.series, self.state.timeline.segments[-1].board.score
            buttons = self.menu.after(statistics, series)
            self.dialog = ResultsDialog(self.shell, statistics, buttons, self._now, score)

    # -- what can be done -----------------------------------------------------------------------

    def open(self, dialog: Dialog) -> None:
        """Put a dialog over the match; the keys and the mouse are the dialog's now."""
        self.players.let_go()
        self.mouse.let_go()
        self.dialog = dialog

    def close_dialog(self) -> None:
        """Take the dialog away: back to the pause menu if the match is paused, else to the match."""
        self.dialog = self.menu.pause() if self.paused and not self.over else None

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        self.dialog = None
        self.state.play_on()

    def step(self) -> None:
        """Show one play, then hold still again."""
        self.dialog = None
        self.state.step()

    def change_speed(self, by: int) -> None:
        """Go `by` speeds faster, or slower if it is negative."""
        self.state.clock.change_speed(by)

    def complain(self, problem: str) -> None:
        """Say in one sentence what could not be done, where the player looks just now."""
        if self.dialog is not None:
            self.dialog.complain(problem)
        else:
            self.notes.complain(problem, self._now)

    def _back(self) -> None:
        if self.players.aiming:
            self.players.take_back()
        elif not self.over:
            self.pause()
        elif self._result_seen:
            self._show_results()

    def hold(self) -> None:
        """Hold the picture still and ask nobody new."""
        self.state.hold()

    def pause(self) -> None:
        """Hold still, with the pause menu."""
        self.hold()
        self.shell.sounds.ui("back")
        self.open(self.menu.pause())

    def _act(self, action: str | None) -> None:
        if action is None or self.over:
            return
        if action == "pause":
            self.play_on() if self.paused else self.pause()
        elif not self.state.started:
            return
        elif action == "step":
            self.step()
        elif action in ("slower", "faster"):
            self.change_speed(1 if action == "faster" else -1)
        elif action == "skip" and self.frame.guide is not None and self._guide is not None:
            self._guide.skip()
        elif action == "skip":
            self.state.skip()
        elif action == "swap":
            self.open(self.menu.swap())
        elif action == "wheel":
            self.menu.take_over_or_hand_back()
