"""The dialogs over a match: its menu, who plays, what to do when a player is out, rounds and results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame

from batllm_arcade.app.input.controls import Meaning, digit
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.dialog import Dialog, DialogEntry, MenuDialog, ShortcutDialog, Way
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_viewer import Page, Section, TextViewer
from batllm_arcade.app.kit.widgets import Button, Choice, Widget, place, rows
from batllm_arcade.app.match.agent_dialog import AgentDialog
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.notifications import Notifications
from batllm_arcade.app.match.results import MOST, ResultsDialog, Tipping
from batllm_arcade.app.match.state import SPEEDS, MatchState
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.film_jobs import SaveVideo, share_page
from batllm_arcade.app.services.server_work import as_sentence, set_up_words
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.commands import parse
from batllm_arcade.match.records import Play, RoundStarted, SeatSwapped
from batllm_arcade.match.series import SIDES, Series
from batllm_arcade.seats.plugin_calls import why_of
from batllm_arcade.seats.table import Intermission, Outage, Table, may_recover
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.session.puzzles import Puzzle, puzzles
from batllm_arcade.share.shown import Selection
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import suggest
from batllm_arcade.view.statistics import MatchStatistics

WATCHED_S = 9.0
"""Seconds after which a match that nobody plays goes on by itself, where a player is out."""
_ROW, _ABOUT = 44.0, 170.0  # of a brain in the list, and of what is said of it below


def log_viewer(ui: Ui, table: Table, close: Callable[[], None]) -> TextViewer:
    """Return the logs of the bots that have one, the last lines in sight."""
    viewer = TextViewer(ui, [page for bot in (0, 1) for page in _pages(table, bot)], 0, close, at_end=True)
    viewer.pauses = True
    return viewer


def _pages(table: Table, bot: int) -> list[Page]:
    report = table.bot_report(bot)
    if report is None:
        return []
    told = report.faults or "no fault so far"
    text = "\n".join(report.log) or "It has logged nothing: what it writes to its standard error stands here."
    return [Page(f"{SIDES[bot].capitalize()}: {table.seat(bot).name}", told, bot, [Section("LOG", text)])]


class SwapDialog(Dialog):
    """A list of brains for the seat `bot` of a table, those the seats were set up with first; `close` closes it."""

    def __init__(
        self, ui: Ui, services: Services, table: Table, used: Sequence[Spec], close: Callable[[], None], bot: int
    ) -> None:
        super().__init__(ui)
        self.bot = bot
        self._table, self._close = table, close
        files = ui.settings.bots
        self._brains = BrainList(services.plugins.kinds, services.availability, used, files, with_files=False)
        services.availability.look()
        self._scroll = Scroll()
        names = [spec.text("name") or self._brains.called(spec) for spec in self._brains.specs]
        self.entries = [
            DialogEntry(_told_apart(name, spec, names), lambda spec=spec: self._ask(spec))  # type: ignore[misc]
            for name, spec in zip(names, self._brains.specs, strict=True)
        ]
        self.form.place(("", self.entries, self._scroll))

    def _ask(self, spec: Spec) -> None:
        if self._plays(spec) and self._table.pending(self.bot) is not None:
            self._table.cancel_swap(self.bot)  # whoever plays now stays
        else:
            self._table.swap(self.bot, spec)  # if it cannot be made, the match says so
        self._close()

    def back(self) -> None:
        self._close()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Left and right choose the seat, the rest the brain."""
        intent = meaning.intent
        if intent is None and meaning.action == "swap":
            self.back()  # the key that opened it
        elif intent in ("left", "right", "next", "previous"):
            self.bot = (1 if intent == "right" else 0) if intent in ("left", "right") else 1 - self.bot
            self.problem = ""
            self.ui.sound("move")
        else:
            super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        super().update(now)
        for entry, spec in zip(self.entries, self._brains.specs, strict=True):
            entry.color = theme.SEAT_COLORS[self.bot]
            entry.note, entry.note_color = self.state(spec)

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("left right", "seat"), ("confirm", "take"), ("back", "close")]

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """The match as it is: it goes on."""

    def arrange(self, canvas: Canvas) -> None:
        """The seat's side of the window; the lower part of a tall one, below most of the arena."""
        wide, top = min(340.0, canvas.width * 0.4), 66.0
        if canvas.narrow:
            wide, top = canvas.width - 20, canvas.height * 0.36
        left = canvas.width - wide - 10 if self.bot else 10
        self._box = box = Box(left, top, wide, canvas.height - 10 - top)
        listed = math.floor((box.h - 112 - _ABOUT) / _ROW) * _ROW  # no row is cut in two
        self._scroll.box = Box(box.x + 14, box.y + 112, wide - 28, listed)
        place(self.entries, rows(Box(self._scroll.box.x + 2, 4, wide - 40, 0), [_ROW - 8] * len(self.entries), 8))
        self._scroll.height = len(self.entries) * _ROW + 4

    def place_hints(self, canvas: Canvas) -> None:
        self.hints_at(canvas, (self._box.x + self._box.w / 2, self._box.bottom - 26), self._box.w - 12)

    def _plays(self, spec: Spec) -> bool:
        seat = self._table.seat(self.bot)
        return (seat.brain, seat.options) == (spec.short, public_options(spec.options))

    def state(self, spec: Spec) -> tuple[str, theme.Color]:
        """Return in a few words how this brain stands to the seat, and their colour."""
        pending = self._table.pending(self.bot)
        if self._plays(spec):
            return ("stays, if chosen" if pending is not None else "plays now"), theme.SOFT
        if pending is not None and pending.spec == spec:
            return "on its way", theme.GOLD
        problem = self._brains.problem(spec)
        if problem is None:
            return "looking", theme.DIM
        return ("not ready", theme.GOLD) if problem else ("ready", theme.GOOD)

    def paint(self, canvas: Canvas, now: float) -> None:
        box, color = self._box, theme.SEAT_COLORS[self.bot]
        canvas.panel(box, color, width=2)
        x = box.x + 18
        canvas.words((x, box.y + 14), f"WHO PLAYS {SIDES[self.bot].upper()}?", "label", 16, color)
        canvas.words((x, box.y + 34), self._table.seat(self.bot).name, "title", 28, theme.TEXT, width=box.w - 36)
        out = self._table.outage is not None and self._table.outage.bot == self.bot
        stays = "cannot play; who is chosen plays at once" if out else "plays on to the end of this turn"
        canvas.words((x, box.y + 72), stays, "label", 16, theme.SOFT, width=box.w - 36)
        words, tint = (self.problem, theme.DANGER) if self.problem else self._about()
        canvas.block((x, box.bottom - _ABOUT), words, "label", 15, tint, box.w - 36, 6)
        self.hint_bar.draw(canvas)

    def _about(self) -> tuple[str, theme.Color]:
        at = self.entries.index(self.form.focus) if isinstance(self.form.focus, DialogEntry) else 0
        spec = self._brains.specs[at]
        problem, about = self._brains.problem(spec), self._brains.about(spec)
        return (problem, theme.GOLD) if problem else (f"{spec.name}: {about}" if spec.variant else about, theme.SOFT)


def _told_apart(name: str, spec: Spec, names: Sequence[str]) -> str:
    if names.count(name) == 1 or not spec.options:
        return name
    return f"{name} ({spec.text('level') or 'as set up'})"


class CannotGoOn(ShortcutDialog):
    """A match that could not begin, or cannot go on."""

    def complain(self, problem: str) -> None:
        self.words = as_sentence(problem)
        self.ui.sound("error")


class LostSeat(ShortcutDialog):
    """A model that cannot play or has lost its seat; counting from `since` the match goes on by itself, None: never."""

    def __init__(
        self, ui: Ui, title: str, words: str, ways: Sequence[Way], back: Callable[[], None], color: theme.Color,
        since: float | None,
    ) -> None:  # fmt: skip
        super().__init__(ui, title, words, ways, back, color=color)
        self._since, self._last = since, self._entries[-1].text

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        if meaning.intent or digit(event):
            self._since = None
        super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        """Count down, unless somebody has begun to choose."""
        super().update(now)
        if self.form.focus is not self._entries[0]:
            self._since = None
        left = WATCHED_S - (now - self._since) if self._since is not None else None
        self._entries[-1].text = self._last if left is None else f"{self._last} ({max(0, math.ceil(left))})"
        if left is not None and left <= 0:
            self._since = None
            self._entries[-1].do()


class MatchMenu:
    """The dialogs over a match: those that are asked for, those that come by themselves, and what is chosen in them."""

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, state: MatchState, players: Players, notes: Notifications
    ) -> None:
        self._ui, self.go, self._services = ui, go, services
        self._state, self._table, self._players, self._notes = state, state.table, players, notes
        self._brains = BrainList(services.plugins.kinds, services.availability)
        self._brains.check_stand_ins()
        self.dialog: Dialog | None = None
        """What lies over the match, None while it is played."""
        self._taking: BackgroundTask[None] | None = None
        self._save_video: SaveVideo | None = None
        self._tipping: Tipping | None = None
        self._intermission: IntermissionDialog | None = None
        self._now = 0.0
        self._missed: set[int] = set()
        """The seats about whose models it was said already that the match goes on without them."""

    def update(self, now: float) -> None:
        """Say what went wrong meanwhile, and open the dialog that is due."""
        self._now = now
        if self._save_video is not None:
            self._save_video.update()
        if self._taking is not None and self._taking.done:
            task, self._taking = self._taking, None
            if task.error is not None:
                self.complain(str(task.error))
        self.dialog = self._due()
        if isinstance(self.dialog, IntermissionDialog) and self._table.intermission is None:
            self.dialog.leave()
            self.dialog = None

    def _due(self) -> Dialog | None:
        state, intermission = self._state, self._table.intermission
        if state.thread.problem and not isinstance(self.dialog, CannotGoOn):
            return self.cannot_begin(state.thread.problem)
        if self.dialog is not None and not (isinstance(self.dialog, AgentDialog) and self.dialog.seat.key):
            return self.dialog
        if not state.started:
            return self._agent_dialog()
        if (outage := self._table.outage) is not None and not (outage.over.is_set() or state.clock.paused):
            return self._out(outage)
        if state.lost is not None and not state.clock.paused:
            swap, state.lost = state.lost, None
            return self._lost_seat(swap)
        for bot in tuple(self._notes.awaited):
            status = self._table.returning(bot)
            if status is None or status.problem:
                self._notes.awaited.discard(bot)
            if status is not None and status.problem:
                return self._lost(bot, status.spec, self._table.seat(bot).name, status.problem, status.why)
        if state.result_shown(theme.RESULT_S):
            return self.results()
        if intermission is not None and state.caught_up and not state.clock.paused:
            return self._between_rounds(intermission)
        return None

    def _agent_dialog(self) -> Dialog | None:
        """Return how the agent connects for which a match waits that has not begun, None if it waits for none."""
        if "mcp" not in {spec.name for spec in self._state.plan.seats}:
            return None
        from batllm_arcade.agents.seat import waiting

        seat = waiting()
        return AgentDialog(self._ui, seat, self.go.leave_match) if seat is not None else None

    def open(self, dialog: Dialog) -> None:
        """Put a dialog over the match; the keys are the dialog's now."""
        self._players.let_go()
        self.dialog = dialog

    def close(self) -> None:
        """Take the dialog away: back to the pause menu if the match is paused, else to the match."""
        self.dialog = self.pause_menu() if self._state.clock.paused and not self._state.over else None

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        self.dialog = None
        self._state.play_on()

    def step(self) -> None:
        """Show one play, then hold still again."""
        self.dialog = None
        self._state.step()

    def pause(self, why: str = "") -> None:
        """Hold still, with the pause menu, which says why if nobody asked for it."""
        self._state.hold()
        self._ui.sound("back")
        self.open(self.pause_menu(why))

    def complain(self, problem: str) -> None:
        """Say in one sentence what could not be done, where the player looks just now."""
        if self.dialog is not None:
            self.dialog.complain(problem)
        else:
            self._notes.complain(problem, self._now)

    def leave(self) -> None:
        """Let go of the last intermission's editors, and of what is still being worked out."""
        if self._tipping is not None:
            self._tipping.task.cancel()
            self._services.wait_at_end(self._tipping.task)
        if self._intermission is not None:
            self._intermission.leave()

    # The pause menu

    def pause_menu(self, why: str = "") -> MenuDialog:
        """Return the menu of everything that can be done with a match under way."""
        label, ui, go, clock = self._ui.controls.mention, self._ui, self.go, self._state.clock
        names, at = [f"{speed:g}x" for speed in SPEEDS], SPEEDS.index(clock.speed)
        entries: list[Widget] = [
            DialogEntry("Play on", self.play_on, key=label("pause")),
            DialogEntry("One play, then pause again", self.step, key=label("step")),
            Choice("Speed", names, at, lambda index: clock.change_speed(index - SPEEDS.index(clock.speed))),
            DialogEntry("Change who plays", lambda: self.open(self.swap_list()), key=label("swap")),
            *self._take_over_entries(label("wheel")),
        ]
        faults = [report.faults for bot in (0, 1) if (report := self._table.bot_report(bot)) is not None]
        if faults:
            text = f"Log of the bots: {', '.join(filter(None, faults)) or 'no fault so far'}"
            entries.append(DialogEntry(text, lambda: self.open(log_viewer(ui, self._table, self.close))))
        if self._state.in_round:
            entries.append(DialogEntry("End this round now", self._ask_abandon, danger=True))
        entries += [
            DialogEntry("Settings", go.settings_screen),
            DialogEntry("Controls and help", go.help_screen, key=label("help")),
            DialogEntry(self._leave_text, lambda: self.open(self.leave_question()), danger=True),
        ]
        return MenuDialog(ui, "Paused", entries, self.play_on, pauses=True, words=why)

    def _take_over_entries(self, key: str) -> list[Widget]:
        taken = [f"Hand the {side} side back" for bot, side in enumerate(SIDES) if self._table.taken_over(bot)]
        free = [] if all(self._state.humans) else ["Play for a bot yourself"]
        return [DialogEntry(text, self.take_over_or_hand_back, key=key) for text in (taken or free)[-1:]]

    def leave_question(self) -> MenuDialog:
        """Return the question whether the match is really to be left."""
        if self._state.plan.cup:
            return self._leave_cup_game()
        words = "What has been played is kept and can be watched again."
        return self._question("Leave this match?", words, self._leave_text, self.go.leave_match)

    def _leave_cup_game(self) -> MenuDialog:
        """Return the question what becomes of the game of a cup that is left."""
        names = [spec.text("name") for spec in self._state.plan.seats]
        entries = [
            DialogEntry("No, play on", self.play_on),
            DialogEntry("Play it on later", lambda: self.go.tonight(self.complain)),
            *(DialogEntry(f"{name} forfeits", partial(self.go.forfeit, name, self.complain), danger=True,
                          color=theme.SEAT_COLORS[bot]) for bot, name in enumerate(names)),
        ]  # fmt: skip
        words = "It goes on later from here, or somebody leaves the cup and the other one wins the match."
        return MenuDialog(self._ui, "Leave this match?", entries, self.close, words=words)

    @property
    def _leave_text(self) -> str:
        return "Leave the match" if self.go.with_title or self._state.plan.cup else "Leave, and close the arcade"

    def _ask_abandon(self) -> None:
        def abandon() -> None:
            self._table.abandon_round()
            self.play_on()

        words = "It ends as it stands. The next round begins; after the last one the game ends on points."
        self.open(self._question("End this round now?", words, "End it", abandon))

    def _question(self, title: str, words: str, yes: str, do: Callable[[], None]) -> MenuDialog:
        entries = [DialogEntry("No, play on", self.play_on), DialogEntry(yes, do, danger=True)]
        return MenuDialog(self._ui, title, entries, self.close, words=words)

    # Who plays

    def swap_list(self, bot: int | None = None) -> SwapDialog:
        """Return the list of brains for a seat; which one is not said: first for the seat without a person."""
        if bot is None:
            bot = 0 if self._state.humans == (False, True) else 1
        return SwapDialog(self._ui, self._services, self._table, self._state.plan.seats, self.close, bot)

    def take_over_or_hand_back(self) -> None:
        """Take the seat that has no person, asking which if there are two; whoever has taken one hands it back."""
        taken_over = [bot for bot in (0, 1) if self._table.taken_over(bot)]
        free = [bot for bot in (0, 1) if not self._state.humans[bot]]
        if taken_over:
            self._hand_back(taken_over[-1])
        elif len(free) == 1:
            self._take_over(free[0])
        elif free:
            self._ask_which_seat()

    def _ask_which_seat(self) -> None:
        entries = [
            DialogEntry(f"{SIDES[bot].capitalize()}: {self._table.seat(bot).name}",
                        lambda bot=bot: self._take_over(bot), color=theme.SEAT_COLORS[bot])  # type: ignore[misc]
            for bot in (0, 1)
        ]  # fmt: skip
        back = self.close if self._state.clock.paused else self.play_on
        self._state.hold()  # nobody should fall while this is being decided
        words = "You play it until you hand it back."
        self.open(MenuDialog(self._ui, "Which bot will you play?", entries, back, words=words))

    def _take_over(self, bot: int) -> None:
        self.play_on()
        if self._taking is None:  # else pressed once more meanwhile: it would take the seat over again
            # it runs a plugin's factory
            self._taking = BackgroundTask("taking over", lambda report: self._table.take_over(bot))

    def _hand_back(self, bot: int) -> None:
        self._table.hand_back(bot)
        self.play_on()

    # A player that cannot begin or cannot go on

    def cannot_begin(self, problem: str) -> CannotGoOn:
        """Return what can be done about a match that could not begin or cannot go on."""
        plan, go, bot = self._state.plan, self.go, self._table.unready
        ways = [Way("Back", lambda: go.leave_match(self.complain))]
        if bot is not None:
            other = [] if plan.cup else [Way("Another player", lambda: go.seats(plan))]
            why, again = why_of(self._state.thread.error), Way("Try again", self._starter(plan))
            ways = [*self._ways(bot, plan.seats[bot], why, [again, *other], self._begin_with), *ways]
        title = "This match cannot begin" if bot is not None else "This match cannot go on"
        return CannotGoOn(self._ui, title, as_sentence(problem), ways, go.leave_match, color=theme.TEXT)

    def _ways(
        self, bot: int, spec: Spec, why: str, usual: Sequence[Way], use: Callable[[int, Spec], None]
    ) -> list[Way]:
        """Return the usual ways, before them to set up the seat's server, after them who could play instead."""
        stand_in = self._brains.stand_in(spec)
        called = self._brains.called(stand_in) if stand_in is not None else ""
        last = [Way(f"{called} plays instead", partial(use, bot, stand_in))] if stand_in is not None else []
        return [*self._set_up(bot, spec, why, use), *usual, *last]

    def _starter(self, plan: SessionPlan) -> Callable[[], None]:
        return lambda: self.go.start(plan, self.complain)

    def _begin_with(self, bot: int, spec: Spec) -> None:
        self._starter(_seated(self._state.plan, bot, spec))()

    def _set_up(self, bot: int, spec: Spec, why: str, use: Callable[[int, Spec], None]) -> list[Way]:
        """Return the way to the page of a seat's server where that helps; `use` gets the server as it was set up."""
        kind, text = self._brains.kind(spec), set_up_words(why)
        if not text or kind is None or kind.models is None or not (kind.presets or kind.state):
            return []

        def show() -> None:
            saved = str(spec) if str(spec) in self._ui.settings.servers else ""
            use_it = partial(use, bot)
            self.go.push(ServerScreen(self._ui, self.go, self._services, use_it, spec, saved, bot, why))

        return [Way(text, show)]

    def _out(self, outage: Outage) -> Dialog:
        """Return what can be done about a brain that cannot play, for which the match waits."""

        def miss() -> None:
            self._missed.add(outage.bot)
            outage.miss()
            self.play_on()

        def again() -> None:
            outage.again()
            self.play_on()

        last = Way("Play on without it", miss)
        words = as_sentence(outage.problem)
        return self._dialog_about(outage.bot, outage.spec, words, outage.why, again, last, self.pause)

    def _lost_seat(self, swap: SeatSwapped) -> Dialog | None:
        """Hold the match; return what can be done about a model that has lost its seat.

        None for a brain that would fail again, and where somebody has said before that the match shall go on.
        """
        bot = swap.bot
        spec = self._table.lost(bot)
        kind = self._brains.kind(spec) if spec is not None else None
        if spec is None or kind is None or not may_recover(kind) or bot in self._missed:
            self._missed.discard(bot)
            return None
        return self._lost(bot, spec, swap.seat.name, swap.problem)

    def _lost(self, bot: int, spec: Spec, player: str, problem: str, why: str = "") -> Dialog:
        player = f"{player[:1].upper()}{player[1:]}"
        words = f"{as_sentence(problem)} {player} plays for it; it is asked again in every round."
        self._state.hold()
        last = Way(f"{player} plays on", self.play_on)
        return self._dialog_about(bot, spec, words, why, lambda: self._ask_again(bot), last, self.play_on)

    def _dialog_about(
        self, bot: int, spec: Spec, words: str, why: str, again: Callable[[], None], last: Way, back: Callable[[], None]
    ) -> Dialog:
        usual = [Way("Try again", again), Way("Another player", lambda: self.open(self.swap_list(bot)))]
        ways = self._ways(bot, spec, why, usual, self._give)
        since = self._now if self._state.watched else None
        title, color = f"{SIDES[bot].capitalize()} is out", theme.SEAT_COLORS[bot]
        return LostSeat(self._ui, title, words, [*ways, last], back, color, since)

    def _ask_again(self, bot: int) -> None:
        self._table.ask_again(bot)
        self._notes.awaited.add(bot)
        self.play_on()

    def _give(self, bot: int, spec: Spec) -> None:
        self._table.swap(bot, spec)
        self.play_on()

    # Between rounds

    def _between_rounds(self, intermission: Intermission) -> IntermissionDialog:
        last = self._intermission
        if last is not None and last.intermission is intermission:  # the pause menu lay over it
            last.resume(self._now)
            return last
        game, last_round = self._state.statistics(), self._state.statistics(intermission.round - 1)
        assert game is not None
        assert last_round is not None
        seats = (self._table.seat(0), self._table.seat(1))
        self._intermission = IntermissionDialog(
            self._ui, self._services, intermission, seats, (game, last_round), self.pause, self._now,
            many=self._state.plan.games > 1,
        )  # fmt: skip
        return self._intermission

    # After the game

    def results(self) -> Dialog | None:
        """Return the results of the game that is over, None if there is nothing to count."""
        statistics = self._state.statistics()
        if statistics is None:
            return None
        if self._state.plan.puzzle is not None:
            return self._after_puzzle(self._state.plan.puzzle, solved=statistics.seats[1].health <= 0)
        series, score = self._state.timeline.series, self._state.timeline.segments[-1].board.score
        tipping = self._tipping_of(statistics)
        buttons = self.after_game(series, tipping)
        return ResultsDialog(self._ui, self.go, self._services, statistics, buttons, self._now, score, tipping)

    def _after_puzzle(self, puzzle: Puzzle, *, solved: bool) -> MenuDialog:
        """Return what comes after a puzzle; one that is solved is remembered."""
        ui, number, every = self._ui, puzzle.number, len(puzzles())
        if solved and number > ui.settings.puzzles:
            ui.apply(replace(ui.settings, puzzles=float(number)))

        def play(number: int) -> Callable[[], None]:
            return lambda: self.go.puzzle(number, self.complain)

        def answer() -> None:
            told = ", ".join(suggest(parse(token)) for token in puzzle.answer)
            self.open(self._puzzle_dialog("One way", f"{told[:1].upper()}{told[1:]}.", again))

        again = [DialogEntry("Again", play(number))]
        following = [DialogEntry("Next puzzle", play(number + 1))] if number < every else []
        if solved:
            words = f"Puzzle {number} of {every}." if following else "That was the last one. Now a match!"
            return self._puzzle_dialog("Solved!", words, [*following, *again])
        entries = [*again, DialogEntry("Show a way", answer), *following]
        return self._puzzle_dialog("Not solved", puzzle.goal, entries)

    def _puzzle_dialog(self, title: str, words: str, entries: list[DialogEntry]) -> MenuDialog:
        last = DialogEntry("Title", self.go.title)
        return MenuDialog(self._ui, title, [*entries, last], self.go.title, words=words, color=theme.GOLD)

    def _tipping_of(self, statistics: MatchStatistics) -> Tipping | None:
        path, records = self._state.plan.history, self._state.records
        forfeit = statistics.result is not None and statistics.result.reason == "forfeit"
        if path is None or forfeit or not 1 <= sum(isinstance(record, Play) for record in records) <= MOST:
            return None
        if self._tipping is None or self._tipping.game.number != statistics.game:
            self._tipping = Tipping(path, records)
        return self._tipping

    def after_game(self, series: Series | None = None, tipping: Tipping | None = None) -> list[Button]:
        """Return the choices of what to do next; `series` is how it stands."""
        go, plan = self.go, replace(self._state.plan, fork=None, series=series and series.next())
        rounds = [record for record in self._state.records if isinstance(record, RoundStarted)]
        if rounds:  # who has changed orders between rounds keeps them
            plan = replace(plan, config=replace(plan.config, prompts=rounds[-1].prompts))
        over = series is not None and series.winner is not None
        again = "New series" if over else "Rematch"
        hint = f"The same players and orders again{', from nothing' if over else ''}"
        buttons = [
            Button(again, lambda: self._start(plan), hint=hint),
            Button("Change players", lambda: go.seats(plan), hint="Other players or other rules"),
        ]
        if plan.cup:
            match = self._services.night.match
            on = partial(go.cup_game, self.complain, match.id if match is not None else None)
            hint = "To the next game of this match, or to the cup"
            buttons = [Button("GO ON", lambda: self._when_seen(on), hint=hint)]
        if plan.history is not None:
            path, films, game = plan.history, self._services.films, self._state.game

            def share() -> None:
                self._services.wait_at_end(share_page(films, path, Selection(game)))

            self._save_video = SaveVideo(films, self._services.show_films, self._pick, path, game, share)
            replay = Button("Watch the replay", self._watch, hint="See this game again, at any speed")
            buttons += [replay, self._save_video.button]

        def more() -> None:
            rest = self.rest(plan, tipping)
            self._pick("More", [(text, what) for text, what, _ in rest], lambda at: rest[at][2]())

        return [*buttons, Button("More", more, hint="All figures, and other ways to go on")]

    def rest(self, plan: SessionPlan, tipping: Tipping | None = None) -> list[tuple[str, str, Callable[[], None]]]:
        """Return what else can be done after a game of this plan: what it is called, a sentence, and what does it."""
        (left, right), go = plan.config.prompts, self.go
        sides = replace(
            plan, seats=(plan.seats[1], plan.seats[0]), config=replace(plan.config, prompts=(right, left)),
            series=plan.series and plan.series.swapped(),
        )  # fmt: skip
        found: list[tuple[str, str, Callable[[], None]]] = [
            ("All figures", "Of both players, and the seed", self._show_all)
        ]
        if tipping is not None and (point := tipping.point) is not None:
            what = "The play that decided it, in the replay"
            found.insert(0, ("Turning point", what, lambda: self._watch(point.index)))
        if plan.cup:
            return found
        found += [
            ("Swap sides", "Both change seats, with their orders", lambda: self._start(sides)),
            ("New seed", "The same players, starting from other places",
             lambda: self._start(replace(plan, seed=new_seed()))),
        ]  # fmt: skip
        kinds = [self._brains.kind(spec) for spec in plan.seats]
        if any(kind and kind.prompted for kind in kinds):
            found.append(("Change orders", "Other orders for the same players", lambda: go.prompts(plan)))
        return [*found, ("Title", "Back to the first screen", go.title)]

    def _show_all(self) -> None:
        if isinstance(self.dialog, ResultsDialog):
            self.dialog.all_figures = True

    def _pick(self, title: str, items: Sequence[tuple[str, str]], chosen: Callable[[int], None]) -> None:
        if self.dialog is not None:
            self.dialog.pick(title, items, 0, chosen)

    def _start(self, plan: SessionPlan) -> None:
        self._when_seen(lambda: self.go.start(plan, self.complain))

    def _when_seen(self, do: Callable[[], None]) -> None:
        """Do what leads on, once the winner has been seen for long enough."""
        if not isinstance(self.dialog, ResultsDialog) or self.dialog.ready:
            do()

    def _watch(self, play: int | None = None) -> None:
        assert self._state.plan.history is not None
        self.go.open_session(self._state.plan.history, self._state.game, self.complain, play=play)


def _seated(plan: SessionPlan, bot: int, spec: Spec) -> SessionPlan:
    """Return the plan with this brain at a seat."""
    return replace(plan, seats=(spec, plan.seats[1]) if bot == 0 else (plan.seats[0], spec))
