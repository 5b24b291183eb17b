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
from batllm_arcade.app.navigation import ScreenNavigation
from batllm_arcade.app.recording import Recording
from batllm_arcade.app.ui.screen import Screen
from batllm_arcade.app.window import Window
from batllm_arcade.audio.player import Player
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.terminal import output as terminal

CLOSING_S = 3.0
"""Seconds the closed window waits for its matches to end their files."""
SEEN_FRAMES = 3
"""Frames of a new screen after which those that were left are freed, which takes a few milliseconds."""
SAVED_S = 1.0
"""Seconds after the last change of a setting in which it is written."""


class App(ScreenNavigation):
    """The arcade in its window; without a `file` the settings are as shipped and not kept."""

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
        settings = file.settings if file else Settings()
        self._file, self._clock = file, clock or WindowClock()
        super().__init__(plan, plugins, settings, with_title=with_title, clock=self._clock.now)
        self._recording = Recording(record)
        self._frames_since_change = 0
        self.window: Window | None = None
        self._running = True
        self._typing = False
        self._unsaved_since: float | None = None
        if file is not None and file.problem:
            plugins.problems.append(file.problem)

    def quit(self) -> None:
        """Close the window after this frame."""
        self._running = False

    def show_films(self) -> None:
        """Open the folder of films on the desktop."""
        self._recording.show_folder(self._clock.now())

    # -- settings -------------------------------------------------------------------------------

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""
        self.settings = self.controls.settings = settings
        if self.window is not None:
            self.sounds.apply(settings)
            self.window.set_fullscreen(settings.fullscreen)
        self._unsaved_since = self._clock.now()

    def _save(self) -> None:
        if self._file is not None and self._unsaved_since is not None:
            problem = self._file.save(self.settings)
            if problem:
                self.plugins.problems.append(problem)
        self._unsaved_since = None

    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""
        if on != self._typing:
            self._typing = on
            (pygame.key.start_text_input if on else pygame.key.stop_text_input)()
            pygame.key.set_repeat(*((350, 35) if on else ()))

    # -- the loop -------------------------------------------------------------------------------

    def run(self, first: Callable[[App], None], each_frame: Callable[[App], None] | None = None) -> int:
        """Open the window and run until it is closed; return 1 if a recorder was lost, else 0.

        Raise the error of the one match or replay the window was opened for, and any unexpected error.
        """
        self.window = Window(self.settings.fullscreen)
        self.sounds = player = Player(self.settings)
        player.on_cue = self._recording.recorder.add_sound
        player.music(True)
        self.controls.pads.open()
        try:
            first(self)
            gc.freeze()  # what is loaded by now stays: looking through all of it for garbage costs more than a frame
            while self._running:
                now = self._clock.now()
                self._pump(now)
                self.update(now)
                self._draw(self.window, now)
                self.sounds.update()
                if each_frame is not None:
                    each_frame(self)
                self._let_go_of_screens()
                self._clock.next_frame()
        finally:
            gc.unfreeze()
            self._close()
        if self._failure is not None:
            raise self._failure
        return 1 if self._plan is not None and self.session.lost else 0

    def _screen_changed(self) -> None:
        super()._screen_changed()
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
            if event.type == pygame.QUIT:
                self.quit()
            for given in self.controls.feed(event, now):
                self._give(given, now)
        if self.screen is not None and self.screen.repeats:
            for given in self.controls.repeats(now):
                self._give(given, now)
        if self._unsaved_since is not None and now - self._unsaved_since > SAVED_S:
            self._save()

    def _give(self, event: pygame.event.Event, now: float) -> None:
        action = self.controls.action(event)
        types_letter = self._typing and event.type == pygame.KEYDOWN and len(pygame.key.name(event.key)) == 1
        if action == "fullscreen" and not types_letter:
            self.apply(replace(self.settings, fullscreen=not self.settings.fullscreen))
        elif action == "mute" and not types_letter:
            self.apply(replace(self.settings, muted=not self.settings.muted))
        elif action == "record" and not types_letter:
            self._recording.toggle(now)
        elif action == "clip" and not types_letter:
            self._recording.clip(now)
        elif action == "folder" and not types_letter:
            self.show_films()
        elif action == "help" and not types_letter:
            self.help_screen()
        elif self.screen is not None:
            self.screen.handle(event, now)

    def _draw(self, window: Window, now: float) -> None:
        if self.screen is not None:
            surface = window.surface(now)
            self.screen.draw(surface)
            self._recording.take(surface, self.settings, now, music=self.sounds.music_on)
            self._recording.draw(surface, now, still=self.settings.display.reduced_motion)
        window.present()

    def _close(self) -> None:
        self._stack.leave_all()
        self._failure = self._leftovers.close(CLOSING_S) or self._failure
        if self._plan is not None:
            self.session.close()
        self._save()
        self.films.close()
        self.sounds.close()
        pygame.display.quit()
        news = self._recording.close()
        if news:
            terminal.write_line(news)
        pygame.quit()
