"""The arcade's window: one clock, one event pump, one loop."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from batllm_arcade.app.frame_clock import FrameClock, WindowClock
from batllm_arcade.app.kit.screen import Screen
from batllm_arcade.app.lost_display import tell, when_lost
from batllm_arcade.app.navigation import Navigator
from batllm_arcade.app.recording import Recording
from batllm_arcade.app.redrawing import Redrawing
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.shell import Services
from batllm_arcade.app.user_interface import SAVED_S, UserInterface
from batllm_arcade.app.window import Window
from batllm_arcade.audio.player import Player
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.render.scripts.system_fonts import look_up_fonts, missing_fonts
from batllm_arcade.session.interrupts import HANGUP, on_interrupt
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.terminal import output as terminal

CLOSING_S = 3.0
"""Seconds the closed window waits for its matches to end their files."""
SEEN_FRAMES = 3
"""Frames of a new screen after which those that were left are freed, which takes a few milliseconds."""


class App:
    """The arcade in its window; `go` leads from screen to screen.

    `plan` is None in a window opened for a replay; without a `file` the settings are as shipped and not kept.
    """

    def __init__(
        self,
        plan: SessionPlan | None,
        plugins: Plugins,
        *,
        with_title: bool = False,
        file: SettingsFile | None = None,
        record: Path | None = None,
        clock: FrameClock | None = None,
    ) -> None:
        self._clock = clock or WindowClock()
        self._recording = Recording(record, force=plan is not None and plan.force)
        self._redrawing = Redrawing()
        self.services = Services(plugins, self._show_films)
        self.ui = UserInterface(file, plugins.problems, self._clock.now)
        self.go = Navigator(
            plan, self.ui, self.services, with_title=with_title, clock=self._clock.now, changed=self._screen_changed
        )
        self._frames_since_change = 0

    @property
    def screen(self) -> Screen | None:
        """The screen that is shown."""
        return self.go.screen

    def open_sounds(self) -> None:
        """Open the sound device, if there is one."""
        self.ui.sounds = self.services.sounds = Player(self.ui.settings)

    def _show_films(self) -> None:
        self._recording.show_folder(self._clock.now())

    # -- the loop -------------------------------------------------------------------------------

    def run(self, first: Callable[[App], None], each_frame: Callable[[App], None] | None = None) -> int:
        """Open the window and run until it is closed, or its terminal is; return 1 if a recorder was lost, else 0.

        Raise the error of the one match or replay the window was opened for, and any unexpected error.
        """
        self.ui.window = window = Window(self.ui.settings.fullscreen)
        when_lost(self._lose_display)
        self.open_sounds()
        sounds = self.services.sounds
        sounds.on_cue = self._recording.recorder.add_sound
        sounds.music(True)
        self.ui.controls.pads.open()
        BackgroundTask("fonts", lambda _: look_up_fonts())
        with on_interrupt(self.go.quit, HANGUP, in_handler=True):
            try:
                first(self)
                self._loop(window, each_frame)
            finally:
                gc.unfreeze()
                self._close()
        if unseen := missing_fonts():
            terminal.complain(unseen)
        if self.go.failure is not None:
            raise self.go.failure
        return 1 if self.go.session is not None and self.go.session.lost else 0

    def _loop(self, window: Window, each_frame: Callable[[App], None] | None) -> None:
        gc.freeze()  # what is loaded by now stays: looking through all of it for garbage costs more than a frame
        while not self.go.ended:
            now = self._clock.now()
            self._pump(now)
            self.update(now)
            self._draw(window, now)
            self.services.sounds.update()
            if each_frame is not None:
                each_frame(self)
            self._let_go_of_screens()
            self._clock.next_frame()

    def _screen_changed(self) -> None:
        self.ui.controls.let_go()
        self.ui.controls.listening = False
        self._frames_since_change = 0

    def _let_go_of_screens(self) -> None:
        """Free the screens that were left, once another has been seen: they and their buttons hold each other.

        Python looks for such cycles only when there are many objects, and screens are few with large pictures.
        """
        self._frames_since_change += 1
        if self._frames_since_change == SEEN_FRAMES:
            gc.collect()

    def update(self, now: float) -> None:
        """Update the screen on top; if that puts another on top, update it too, before it is first drawn."""
        updated: Screen | None = None
        while self.screen is not updated and self.screen is not None:
            updated = self.screen
            updated.update(now)

    def _pump(self, now: float) -> None:
        for event in pygame.event.get():
            self._redrawing.note_event()
            if event.type == pygame.QUIT:
                self.go.quit()
            for given in self.ui.controls.feed(event, now):
                self.give(given, now)
        if self.screen is not None and self.screen.repeats:
            for given in self.ui.controls.repeats(now):
                self._redrawing.note_event()
                self.give(given, now)
        self.ui.save(rested_s=SAVED_S)

    def give(self, event: pygame.event.Event, now: float) -> None:
        """Do what an event means anywhere, else give it to the screen, with what it means there."""
        meaning = self.ui.controls.meaning(event)
        action = meaning.action if not self.ui.types(event) else None
        settings = self.ui.settings
        if action == "fullscreen":
            self.ui.apply(replace(settings, fullscreen=not settings.fullscreen))
        elif action == "mute":
            self.ui.apply(replace(settings, muted=not settings.muted))
        elif action == "record":
            self._recording.toggle(now)
        elif action == "clip":
            self._recording.clip(now)
        elif action == "folder":
            self._show_films()
        elif action == "help":
            self.go.help_screen()
        elif self.screen is not None:
            self.screen.handle(event, meaning, now)

    def _draw(self, window: Window, now: float) -> None:
        screen, surface = self.screen, window.surface(now)
        if screen is not None:
            screen.lay_out(surface.get_size())
            picture = None if self._recording.is_seen(now) else screen.picture
            if not self._redrawing.due(screen, surface, picture, now):
                return
            screen.draw(surface)
            self._recording.match_ended(self.services.match_ended)
            folder_key = self.ui.controls.mention("folder")
            self._recording.take(
                surface, self.ui.settings, now, music=self.services.sounds.music_on, folder_key=folder_key
            )
            self._recording.draw(surface, now, still=self.ui.settings.display.reduced_motion)
        window.present()

    def _lose_display(self) -> None:
        """End all in good order but the window, which can neither be drawn nor closed any more; say what is kept."""
        self.ui.lose_window()
        self._end_work()
        tell(self.go.session.plan.history if self.go.session is not None else None, self._recording.close())

    def _end_work(self) -> None:
        self.go.close(CLOSING_S)
        self.ui.save()
        self.services.films.close()
        self.services.league_jobs.close()
        self.services.sounds.close()

    def _close(self) -> None:
        self._end_work()
        pygame.display.quit()
        news = self._recording.close()
        if news:
            terminal.write_line(news)
        pygame.quit()
