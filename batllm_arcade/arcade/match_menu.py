"""The pages over a match: the pause menu and its questions, another brain, the wheel, what to do after the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from batllm_arcade.arcade.page import MenuPage, Row
from batllm_arcade.arcade.swap_page import SwapPage
from batllm_arcade.brains import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.session import new_seed

if TYPE_CHECKING:
    from batllm_arcade.arcade.match_screen import MatchScreen


class MatchMenu:
    """Makes the pages of one match and does what is chosen on them."""

    def __init__(self, match: MatchScreen) -> None:
        self._match, self._shell = match, match.shell
        self._table, self._sound = match.worker.table, match.shell.sounds.ui

    # ------------------------------------------------------------------------------ the pause menu

    def pause(self) -> MenuPage:
        """Everything that can be done with a match under way."""
        return MenuPage("Paused", self._pause_rows, self._match.play_on, self._sound)

    def _pause_rows(self) -> list[Row]:
        match, label, shell = self._match, self._shell.controls.label, self._shell
        speed = f"\u25c2  {match.playhead.speed:g}x  \u25b8"
        return [
            Row("Play on", match.play_on, label("pause")),
            Row("One play, then pause again", match.step, label("step")),
            Row("Speed", lambda: match.change_speed(1), speed, turn=match.change_speed),
            Row("Another brain for a seat", lambda: match.open(self.swap()), label("swap")),
            *self._wheel_rows(label("wheel")),
            Row("Abandon this round", self._ask_abandon, enabled=match.in_round, danger=True),
            Row("Settings", shell.settings_screen),
            Row("Controls and help", shell.help_screen, label("help")),
            Row("Leave the match", lambda: match.open(self.leave()), danger=True),
        ]

    def _wheel_rows(self, key: str) -> list[Row]:
        held = [bot for bot in (0, 1) if self._table.at_wheel(bot)]
        if held:
            return [Row(f"Hand the {SEATS[bot]} seat back", lambda bot=bot: self._hand_back(bot), key) for bot in held]  # type: ignore[misc]
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        return [Row("Take the wheel", self.take_wheel, key)] if free else []

    def leave(self) -> MenuPage:
        """Whether the match is really to be left."""
        return self._question(
            "Leave this match?", "What has been played is kept and can be watched again.", "Leave",
            self._shell.leave_match,
        )  # fmt: skip

    def _ask_abandon(self) -> None:
        words = "It ends as it stands. The next round begins; after the last one the game ends on points."
        self._match.open(self._question("Abandon this round?", words, "Abandon it", self._abandon))

    def _abandon(self) -> None:
        self._table.abandon_round()
        self._match.play_on()

    def _question(self, title: str, words: str, yes: str, do: Callable[[], None]) -> MenuPage:
        rows = [Row("No, play on", self._match.play_on), Row(yes, do, danger=True)]
        return MenuPage(title, lambda: rows, self._match.play_on, self._sound, words)

    # ------------------------------------------------------------------------------ who plays

    def swap(self) -> SwapPage:
        """Another brain; the seat without a person is offered first."""
        table = self._table
        bot = 0 if table.seat(1).human and not table.seat(0).human else 1
        return SwapPage(
            self._shell.plugins.kinds, self._match.plan.seats, table.seat, self._swap, self._match.close_page,
            self._sound, bot,
        )  # fmt: skip

    def _swap(self, bot: int, spec: Spec) -> None:
        self._table.swap(bot, spec)
        self._match.notes.say(f"{SEATS[bot]}: {spec.short} takes over at the end of a turn", bot)

    def take_wheel(self) -> None:
        """Take the seat that has no person; with two of them, ask which. Who has the wheel hands it back."""
        for bot in (0, 1):
            if self._table.at_wheel(bot):
                return self._hand_back(bot)
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        if len(free) == 1:
            return self._grab(free[0])
        if free:
            rows = [
                Row(f"{SEATS[bot].capitalize()}: {self._table.seat(bot).name}", lambda bot=bot: self._grab(bot))  # type: ignore[misc]
                for bot in free
            ]
            words = "You play until you hand it back; the brain waits and then plays on."
            self._match.open(MenuPage("Take whose wheel?", lambda: rows, self._match.play_on, self._sound, words))
        return None

    def _grab(self, bot: int) -> None:
        try:
            self._table.grab(bot)
        except UsageError as error:
            self._match.notes.say(str(error), bot, failed=True)
        self._match.play_on()

    def _hand_back(self, bot: int) -> None:
        self._table.hand_back(bot)
        self._match.play_on()

    # ------------------------------------------------------------------------------ after the game

    def after(self) -> list[Row]:
        """What to do next."""
        match, shell, plan = self._match, self._shell, self._match.plan
        sides = replace(
            plan,
            seats=(plan.seats[1], plan.seats[0]),
            config=replace(plan.config, prompts=(plan.config.prompts[1], plan.config.prompts[0])),
        )
        return [
            Row("Rematch", lambda: self._start(plan)),
            Row("Swap sides", lambda: self._start(sides)),
            Row("New seed", lambda: self._start(replace(plan, seed=new_seed()))),
            Row("Change seats", lambda: shell.seats(plan)),
            Row("Change prompts", lambda: shell.prompts(plan)),
            Row("Watch the replay", self._watch, enabled=match.plan.history is not None),
            Row("Settings", shell.settings_screen),
            Row("Title", shell.title),
        ]

    def _start(self, plan: object) -> None:
        from batllm_arcade.session import SessionPlan

        assert isinstance(plan, SessionPlan)
        try:
            self._shell.start(plan)
        except ArcadeError as error:
            self._match.tell(str(error))

    def _watch(self) -> None:
        assert self._match.plan.history is not None
        try:
            self._shell.open_session(self._match.plan.history)
        except ArcadeError as error:
            self._match.tell(str(error))
