"""The menu of a match and its dialogs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.input.key_labels import reading_keys
from batllm_arcade.app.kit.canvas import Box, Canvas, Scroll
from batllm_arcade.app.kit.dialog import Dialog, DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_viewer import Page, Section, TextViewer
from batllm_arcade.app.kit.widgets import Button, Choice, Widget, place, rows
from batllm_arcade.app.match.state import SPEEDS, MatchState
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.film_jobs import SaveVideo, share_page
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.series import Series
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.share.shown import Selection
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics


class MatchActions(Protocol):
    """A match under way, for whoever offers what can be done with it."""

    @property
    def may_choose(self) -> bool:
        """Whether the result has been seen for long enough to choose what comes next."""
        ...

    def open(self, dialog: Dialog) -> None:
        """Put a dialog over the match."""
        ...

    def pick(self, title: str, items: Sequence[tuple[str, str]], chosen: Callable[[int], None]) -> None:
        """Put a list over the dialog that is shown; a choice calls `chosen` with its index."""
        ...

    def close_dialog(self) -> None:
        """Take the dialog away: back to the pause menu if the match is paused, else to the match."""
        ...

    def hold(self) -> None:
        """Hold the picture still and ask nobody new."""
        ...

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        ...

    def step(self) -> None:
        """Show one play, then hold still again."""
        ...

    def change_speed(self, by: int) -> None:
        """Go `by` speeds faster, or slower if it is negative."""
        ...

    def await_return(self, bot: int) -> None:
        """Say how far the model is that has lost this seat and is asked again, and why if it cannot come back."""
        ...

    def complain(self, problem: str) -> None:
        """Say in one sentence what could not be done."""
        ...


class LogDialog(Dialog):
    """The logs of both bots, as far as they have one, the last lines first in sight; `back` closes it."""

    pauses = True
    leads_back = False

    def __init__(self, ui: Ui, table: Table, bot: int, back: Callable[[], None]) -> None:
        super().__init__(ui)
        self._back = back
        pages = [page for each in (0, 1) if (page := _page(table, each)) is not None]
        first = next((place for place, page in enumerate(pages) if page.bot == bot), 0)
        self.viewer = TextViewer(pages, first, reading_keys(ui.controls, several=len(pages) > 1))
        self._at_end = False

    def back(self) -> None:
        """Close it."""
        self._back()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Scroll, turn the page, or close."""
        if event.type == pygame.MOUSEWHEEL:
            self.viewer.scroll(-3 * event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self.viewer.click(event.pos)
        else:
            self.viewer.take(meaning.intent)
        if self.viewer.done:
            self.back()

    def arrange(self, canvas: Canvas) -> None:
        """Lay the viewer out; the last lines are what one wants to read."""
        self.viewer.lay_out(canvas)
        if not self._at_end:
            self._at_end = True
            self.viewer.take("end")

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Leave the match as it is: the viewer darkens it."""

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw the log."""
        self.viewer.draw(canvas)


def _page(table: Table, bot: int) -> Page | None:
    report = table.bot_report(bot)
    if report is None:
        return None
    told = report.faults or "no fault so far"
    text = "\n".join(report.log) or "It has logged nothing: what it writes to its standard error stands here."
    return Page(f"{SEATS[bot].capitalize()}: {table.seat(bot).name}", told, bot, [Section("LOG", text)])


_ROW, _ABOUT = 44.0, 170.0  # of a brain in the list, and of what is said of it below


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
        self.form.place((entry, self._scroll) for entry in self.entries)

    def _ask(self, spec: Spec) -> None:
        if self._plays(spec) and self._table.pending(self.bot) is not None:
            self._table.cancel_swap(self.bot)  # whoever plays now stays
        else:
            self._table.swap(self.bot, spec)  # if it cannot be made, the match says so
        self._close()

    def back(self) -> None:
        """Close it."""
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
        """Say beside every brain how it stands to the seat just now."""
        super().update(now)
        for entry, spec in zip(self.entries, self._brains.specs, strict=True):
            entry.color = theme.SEAT_COLORS[self.bot]
            entry.note, entry.note_color = self.state(spec)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys for choosing the seat and the brain."""
        label = self.ui.controls.label
        arrows = "\u2190 \u2192" if self.ui.controls.device == "keyboard" else "D-PAD"
        return [(arrows, "seat"), (label("confirm"), "take"), (label("back"), "close")]

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
        place(self.entries, rows(Box(self._scroll.box.x + 2, 4, wide - 40, 0), len(self.entries), _ROW - 8, 8))
        self._scroll.height = len(self.entries) * _ROW + 4

    def place_hints(self, canvas: Canvas) -> None:
        """Place the hints at the panel's foot."""
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
        """The panel in the seat's colour, and what the chosen brain is."""
        box, color = self._box, theme.SEAT_COLORS[self.bot]
        canvas.panel(box, color, width=2)
        x = box.x + 18
        canvas.words((x, box.y + 14), f"WHO PLAYS {SEATS[self.bot].upper()}?", "label", 16, color)
        canvas.words((x, box.y + 34), self._table.seat(self.bot).name, "title", 28, theme.TEXT, width=box.w - 36)
        report = self._table.bot_report(self.bot)
        faults = f"{report.faults}: the pause menu has its log" if report is not None and report.faults else ""
        told, shade = (faults, theme.GOLD) if faults else ("plays on to the end of this turn", theme.SOFT)
        canvas.words((x, box.y + 72), told, "label", 16, shade, width=box.w - 36)
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


class MatchMenu:
    """Makes the dialogs of one match and does what is chosen in them."""

    def __init__(self, ui: Ui, go: Navigation, services: Services, state: MatchState, match: MatchActions) -> None:
        self._ui, self._go, self._services = ui, go, services
        self._state, self._table, self._match = state, state.table, match
        self._take_overs: list[BackgroundTask[None]] = []
        self._save_video: SaveVideo | None = None

    def pause(self) -> MenuDialog:
        """Return the menu of everything that can be done with a match under way."""
        return MenuDialog(self._ui, "Paused", self._pause_entries(), self._match.play_on, pauses=True)

    def _pause_entries(self) -> list[Widget]:
        match, label, ui, go = self._match, self._ui.controls.mention, self._ui, self._go
        names, at = [f"{speed:g}x" for speed in SPEEDS], SPEEDS.index(self._state.clock.speed)
        entries: list[Widget] = [
            DialogEntry("Play on", match.play_on, key=label("pause")),
            DialogEntry("One play, then pause again", match.step, key=label("step")),
            Choice("Speed", names, at, self._choose_speed),
            DialogEntry("Change who plays", lambda: match.open(self.swap()), key=label("swap")),
            *self._take_over_entries(label("wheel")),
        ]
        entries += [
            DialogEntry(
                f"Log of {SEATS[bot]}: {report.faults or 'no fault so far'}",
                lambda bot=bot: match.open(LogDialog(ui, self._table, bot, match.close_dialog)),  # type: ignore[misc]
            )
            for bot in (0, 1)
            if (report := self._table.bot_report(bot)) is not None
        ]
        if self._state.in_round:
            entries.append(DialogEntry("End this round now", self._ask_abandon, danger=True))
        return [
            *entries,
            DialogEntry("Settings", go.settings_screen),
            DialogEntry("Controls and help", go.help_screen, key=label("help")),
            DialogEntry("Leave the match", lambda: match.open(self.leave()), danger=True),
        ]

    def _choose_speed(self, index: int) -> None:
        self._match.change_speed(index - SPEEDS.index(self._state.clock.speed))

    def _take_over_entries(self, key: str) -> list[Widget]:
        taken_over = [bot for bot in (0, 1) if self._table.taken_over(bot)]
        if taken_over:
            return [
                DialogEntry(f"Hand the {SEATS[bot]} side back", lambda bot=bot: self._hand_back(bot), key=key)  # type: ignore[misc]
                for bot in taken_over
            ]
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        return [DialogEntry("Play for a bot yourself", self.take_over_or_hand_back, key=key)] if free else []

    def leave(self) -> MenuDialog:
        """Return the question whether the match is really to be left."""
        words = "What has been played is kept and can be watched again."
        return self._question("Leave this match?", words, "Leave", self._go.leave_match)

    def _ask_abandon(self) -> None:
        words = "It ends as it stands. The next round begins; after the last one the game ends on points."
        self._match.open(self._question("End this round now?", words, "End it", self._abandon))

    def _abandon(self) -> None:
        self._table.abandon_round()
        self._match.play_on()

    def _question(self, title: str, words: str, yes: str, do: Callable[[], None]) -> MenuDialog:
        entries = [DialogEntry("No, play on", self._match.play_on), DialogEntry(yes, do, danger=True)]
        return MenuDialog(self._ui, title, entries, self._match.close_dialog, words=words)

    def swap(self, bot: int | None = None) -> SwapDialog:
        """Return the list of brains for a seat; which one is not said: first for the seat without a person."""
        table = self._table
        if bot is None:
            bot = 0 if table.seat(1).human and not table.seat(0).human else 1
        return SwapDialog(self._ui, self._services, table, self._state.plan.seats, self._match.close_dialog, bot)

    def take_over_or_hand_back(self) -> None:
        """Take the seat that has no person, asking which if there are two; whoever has taken one hands it back."""
        taken_over = [bot for bot in (0, 1) if self._table.taken_over(bot)]
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        if taken_over:
            self._hand_back(taken_over[-1])
        elif len(free) == 1:
            self._take_over(free[0])
        elif free:
            self._ask_which_seat(free)

    def _ask_which_seat(self, free: list[int]) -> None:
        entries = [self._take_over_entry(bot) for bot in free]
        words = "You play it until you hand it back."
        back = self._match.close_dialog if self._state.clock.paused else self._match.play_on
        self._match.hold()  # nobody should fall while this is being decided
        self._match.open(MenuDialog(self._ui, "Which bot will you play?", entries, back, words=words))

    def _take_over_entry(self, bot: int) -> DialogEntry:
        words = f"{SEATS[bot].capitalize()}: {self._table.seat(bot).name}"
        return DialogEntry(words, lambda: self._take_over(bot), color=theme.SEAT_COLORS[bot])

    def _take_over(self, bot: int) -> None:
        self._match.play_on()
        if any(not task.done for task in self._take_overs):
            return  # pressed once more meanwhile: it would take the seat over again, perhaps after it was handed back
        task = BackgroundTask("taking over", lambda report: self._table.take_over(bot))  # runs a plugin's factory
        self._take_overs.append(task)

    def refused(self) -> list[str]:
        """Return why seats could not be taken over since the last call, one sentence each."""
        done = [task for task in self._take_overs if task.done]
        self._take_overs = [task for task in self._take_overs if not task.done]
        return [str(task.error) for task in done if task.error is not None]

    def _hand_back(self, bot: int) -> None:
        self._table.hand_back(bot)
        self._match.play_on()

    def after(self, statistics: MatchStatistics | None = None, series: Series | None = None) -> list[Button]:
        """Return the choices of what to do next, after the game of these statistics; `series` is how it stands."""
        go, plan = self._go, replace(self._state.plan, fork=None, series=series and series.next())
        left, right = plan.config.prompts
        sides = replace(
            plan, seats=(plan.seats[1], plan.seats[0]), config=replace(plan.config, prompts=(right, left)),
            series=plan.series and plan.series.swapped(),
        )  # fmt: skip
        again, hint = _again(statistics, series)
        buttons = [
            Button(again, lambda: self._start(plan), hint=hint),
            Button("Swap sides", lambda: self._start(sides), hint="Left and right change places, with their orders"),
            Button(
                "New places",
                lambda: self._start(replace(plan, seed=new_seed())),
                hint="The same players, starting from other places",
            ),
            Button("Change players", lambda: go.seats(plan), hint="Other players or other rules"),
        ]
        kinds = [self._services.plugins.kinds.get(spec.name) for spec in plan.seats]
        if any(kind and kind.prompted for kind in kinds):
            orders = Button("Change orders", lambda: go.prompts(plan), hint="Other orders for the same players")
            buttons.append(orders)
        if plan.history is not None:
            buttons += [
                Button(
                    "Watch the replay",
                    self._watch,
                    hint="See this game again, at any speed",
                ),
                self._new_film_button(plan.history),
                Button("Share a page", self._share, hint="A web page of this game that plays it in any browser"),
            ]
        return [*buttons, Button("Title", go.title, hint="Back to the first screen")]

    def _new_film_button(self, session: Path) -> Button:
        services = self._services
        self._save_video = SaveVideo(services.films, services.show_films, self._match.pick, session, self._state.game)
        return self._save_video.button

    def update(self) -> None:
        """Say on the film's button what it does now."""
        if self._save_video is not None:
            self._save_video.update()

    def _start(self, plan: SessionPlan) -> None:
        if self._match.may_choose:
            self._go.start(plan, self._match.complain)

    def _watch(self) -> None:
        assert self._state.plan.history is not None
        self._go.open_session(self._state.plan.history, self._state.game, self._match.complain)

    def _share(self) -> None:
        path = self._state.plan.history
        assert path is not None
        self._services.wait_at_end(share_page(self._services.films, path, Selection(self._state.game)))


def _again(statistics: MatchStatistics | None, series: Series | None) -> tuple[str, str]:
    """Return what the button for another game says, and its hint: a person who lost gets revenge, and a tip for it."""
    winner = statistics.result.winner if statistics is not None and statistics.result is not None else None
    if statistics is not None and winner is not None and statistics.seats[1 - winner].seat.human:
        return "Revenge", statistics.why or "The same players again"
    if series is not None and series.winner is not None:
        return "New series", "The same players again, from nothing"
    return "Rematch", "The same players again"
