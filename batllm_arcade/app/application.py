"""The program: its loop, frames and end."""

from __future__ import annotations

import ctypes
import gc
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.kit.screen import Screen
from batllm_arcade.app.match.screen import MatchRenderer, MatchScreen
from batllm_arcade.app.menus.cup import CupScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.menus.new_cup import NewCupScreen
from batllm_arcade.app.menus.new_league import NewLeagueScreen
from batllm_arcade.app.menus.phones import CupPhonesScreen, PhonesScreen
from batllm_arcade.app.menus.sessions import SessionsScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import PromptsScreen, SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.recording import Recording
from batllm_arcade.app.replay import screen as replay
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.shell import Navigation, Screens, Services
from batllm_arcade.app.window import Window
from batllm_arcade.audio.player import Player
from batllm_arcade.history.paths import journal_of
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.render.fonts import look_up_fonts, missing_fonts
from batllm_arcade.session.interrupts import HANGUP, on_interrupt
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.terminal import output as terminal

FRAMES_PER_SECOND = 60


class FrameClock:
    """The one clock of everything that is shown: `time.monotonic`, by which brains and recordings count, too."""

    def __init__(self) -> None:
        self._pace = pygame.time.Clock()

    def now(self) -> float:
        """Return the time in seconds; it never goes back."""
        return time.monotonic()

    def next_frame(self) -> None:
        """Wait until the next frame is due, 60 times a second; not at all if it is late."""
        self._pace.tick(FRAMES_PER_SECOND)


STILL_S = 1.0
"""Seconds after which a picture that holds still is drawn all the same: clips are made of what is drawn."""


class Redrawing:
    """Remembers what was drawn last, so that a window that holds still costs next to nothing."""

    def __init__(self) -> None:
        self._drawn: tuple[object, ...] | None = None
        self._drawn_at = 0.0
        self._events = True

    def note_event(self) -> None:
        """Draw the next frame, whatever it is of: something was done, or a part of the window was uncovered."""
        self._events = True

    def due(self, screen: object, surface: pygame.Surface, picture: object, now: float) -> bool:
        """Return whether a frame has to be drawn that shows this `picture` of a screen, which is None if it moves."""
        shown = None if picture is None else (screen, surface, surface.get_size(), picture)
        due = self._events or shown is None or shown != self._drawn or now - self._drawn_at >= STILL_S
        if due:
            self._events, self._drawn, self._drawn_at = False, shown, now
        return due


_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_kept: list[Any] = []  # what Xlib calls has to live as long as the program


def when_lost(end: Callable[[], None]) -> None:
    """Call `end` if the X server goes away, and exit with code 1; elsewhere, where SDL closes the window, do nothing.

    `end` must draw nothing. Nobody returns from Xlib then: neither would the program, without this.
    """
    if pygame.display.get_driver() != "x11":
        return
    try:
        xlib = ctypes.CDLL("libX11.so.6")  # the very one that SDL has loaded, by the same name
        xlib.XSetIOErrorHandler.argtypes = [_HANDLER]
    except (OSError, AttributeError):
        return

    begun = False

    def lost(_display: int | None) -> int:
        nonlocal begun
        try:
            if not begun:
                begun = True
                end()
        finally:
            os._exit(1)

    _kept[:] = [_HANDLER(lost)]
    xlib.XSetIOErrorHandler(_kept[0])


def lost_sentence(session: Path | None) -> str:
    """Return that the display is gone, and where what was played of this session is."""
    said = "the display is gone, and the window with it"
    kept = [file for file in (session, journal_of(session)) if file.exists()] if session is not None else []
    return f"{said}; what was played is kept: {kept[0]}" if kept else said


SAVED_S = 1.0
"""Seconds after the last change of a setting in which it is written."""


class UserInterface:
    """What is between the screens and the person; without a `file` the settings are as shipped and not kept.

    `clock` gives the window's time in seconds; a file that cannot be written adds a sentence to `problems`.
    """

    sounds: Player
    """What plays the menus' sounds, from when the window is open."""

    def __init__(self, file: SettingsFile | None, problems: list[str], clock: Callable[[], float]) -> None:
        self._file, self._problems, self._clock = file, problems, clock
        self.settings = file.settings if file is not None else Settings()
        self.controls = Controls(self.settings)
        self.window: Window | None = None
        self._typing = False
        self._unsaved_since: float | None = None
        if file is not None and file.problem:
            problems.append(file.problem)

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""
        self.settings = self.controls.settings = settings
        if self.window is not None:
            self.sounds.apply(settings)
            self.window.set_fullscreen(settings.fullscreen)
        self._unsaved_since = self._clock()

    def lose_window(self) -> None:
        """Call nothing of the window from now on: its display is gone."""
        self.window, self._typing = None, False

    def save(self, *, rested_s: float = 0.0) -> None:
        """Write the settings if they have changed, and not within the last `rested_s` seconds."""
        if self._unsaved_since is None or self._clock() - self._unsaved_since < rested_s:
            return
        self._unsaved_since = None
        problem = self._file.save(self.settings) if self._file is not None else ""
        if problem and problem not in self._problems:
            self._problems.append(problem)

    def sound(self, name: str) -> None:
        """Play a sound of the menus: move, confirm, back or error."""
        self.sounds.ui(name)

    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""
        if on != self._typing:
            self._typing = on
            (pygame.key.start_text_input if on else pygame.key.stop_text_input)()
            pygame.key.set_repeat(*((350, 35) if on else ()))

    def types(self, event: pygame.event.Event) -> bool:
        """Return whether an event is a key that types a letter."""
        return self._typing and event.type == pygame.KEYDOWN and len(pygame.key.name(event.key)) == 1


os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


CLOSING_S = 3.0
"""Seconds the closed window waits for its matches to end their files."""
SEEN_FRAMES = 3
"""Frames of a new screen after which those that were left are freed, which takes a few milliseconds."""


class App:
    """The arcade in its window; `go` leads from screen to screen.

    `plan` is None in a window opened for a replay; without a `file` the settings are as shipped and not kept.
    """

    def __init__(
        self, plan: SessionPlan | None, plugins: Plugins, *, with_title: bool = False,
        file: SettingsFile | None = None, record: Path | None = None, clock: FrameClock | None = None,
    ) -> None:  # fmt: skip
        self._clock = clock or FrameClock()
        self._recording = Recording(record, force=plan is not None and plan.force)
        self._redrawing = Redrawing()
        self.services = Services(plugins, self._show_films)
        self.ui = UserInterface(file, plugins.problems, self._clock.now)
        renderer = MatchRenderer()  # whose pictures the next match has ready
        screens = Screens(
            title=TitleScreen, seats=SetupScreen, prompts=PromptsScreen, phones=PhonesScreen, sessions=SessionsScreen,
            leagues=LeaguesScreen, new_league=NewLeagueScreen, new_cup=NewCupScreen, cup=CupScreen,
            cup_phones=CupPhonesScreen, settings=SettingsScreen, help=HelpScreen,
            replay=replay.opened,
            match=lambda ui, go, services, plan, thread, guided: MatchScreen(
                ui, go, services, plan, thread, renderer, guided=guided),
        )  # fmt: skip
        self.go = Navigation(
            plan, self.ui, self.services, screens, with_title=with_title, clock=self._clock.now,
            changed=self._screen_changed,
        )  # fmt: skip
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
        # First that the focus is lost: the keys that SDL lets go of with it were not let go by the person.
        for event in sorted(pygame.event.get(), key=lambda event: event.type != pygame.WINDOWFOCUSLOST):
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
        self.ui.lose_window()
        self._end_work()
        terminal.complain(lost_sentence(self.go.session.plan.history if self.go.session is not None else None))
        self._say_films()

    def _end_work(self) -> None:
        self.go.close(CLOSING_S)
        self.ui.save()
        self.services.films.close()
        self.services.league_jobs.close()
        self.services.sounds.close()

    def _close(self) -> None:
        self._end_work()
        pygame.display.quit()
        self._say_films()
        pygame.quit()

    def _say_films(self) -> None:
        if films := self._recording.close():
            terminal.write_line(films)
