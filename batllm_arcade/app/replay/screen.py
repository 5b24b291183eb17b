"""A recorded session in the window: any moment at once, at any speed, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from batllm_arcade.app.replay import shortcuts
from batllm_arcade.app.replay.text import hint, pages
from batllm_arcade.app.replay.timeline_bar import Shown, TimelineBar
from batllm_arcade.app.services.film_jobs import film_of
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.text_viewer import TextViewer
from batllm_arcade.core.model import Rules
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex, Unit

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
FRAME_S = 1 / 60
_GRACE_S = 0.25  # while it runs: a step back from a play that has just begun is one to the play before
_PICTURES = 3  # kept: with and without the bar, and for the rules of another game
_HINT_REACH = 6  # pixels around the mouse in which a mark is meant


class ReplayScreen:
    """Shows a timeline that is complete from the start; where it stands is one number, `t`.

    `speed` is how fast it runs, below 0 backwards; `path` is the session's file, which a film is made of.
    """

    repeats = True

    def __init__(self, shell: Shell, timeline: Timeline, path: Path | None = None) -> None:
        self._shell, self.timeline, self._path = shell, timeline, path
        self.index = TimelineIndex(timeline)
        self.t, self.speed, self.paused = 0.0, 1.0, False
        self.bar_shown = True
        self.overlay: TextViewer | shortcuts.KeysPanel | None = None
        self.stretch: tuple[float, float] | None = None
        self._last: float | None = None
        self._mouse: tuple[int, int] | None = None
        self._dragging = False
        self._told_of_film = False
        self._bar: TimelineBar | None = None
        self._picture: Renderer | None = None
        self._pictures: dict[
            tuple[tuple[int, int], Rules, DisplayOptions], Renderer
        ] = {}  # the one used last at the end
        self._commands: dict[str, Callable[[], None]] = {
            "pause": self._pause, "rewind": lambda: self._run(-1), "wind": lambda: self._run(1),
            "turn round": self._turn_round,
            "faster": lambda: self._change_speed(1), "slower": lambda: self._change_speed(-1),
            "speed": lambda: self._change_speed(0),
            "frame back": lambda: self._frame(-1), "frame on": lambda: self._frame(1),
            "start": lambda: self.seek(0.0), "end": lambda: self.seek(self.timeline.end),
            "read": lambda: self._read(None), "from": lambda: self._mark(0), "to": lambda: self._mark(1),
            "film": self._film, "bar": self._toggle_bar, "keys": self._show_keys, "back": shell.pop,
        }  # fmt: skip

    # -- the shell's calls ----------------------------------------------------------------------

    def leave(self) -> None:
        """Nothing is held."""

    def cover(self, now: float) -> None:
        """Hold still: the time until it is uncovered does not count."""
        self._last = None

    def uncover(self, now: float) -> None:
        """Go on where it was."""
        self._last = None

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Take a key, a button or the mouse."""
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL):
            self._handle_mouse(event)
            return
        told = shortcuts.command(event, self._shell.controls)
        if isinstance(self.overlay, TextViewer):
            closes = told in ("read", "back")
            self.overlay.take("back" if closes else told if told in ("start", "end") else self._intent(event))
            if self.overlay.done:
                self._close()
        elif self.overlay is not None:
            if told or self._intent(event):
                self._close()
        elif told:
            self._told_of_film = self._told_of_film and self._shell.films.share is not None
            self._do(told)

    def _intent(self, event: pygame.event.Event) -> str | None:
        return self._shell.controls.intent(event)

    def _do(self, told: str) -> None:
        for unit in ("play", "turn", "round", "game"):
            if told in (f"{unit} back", f"{unit} on"):
                self._step(unit, 1 if told.endswith("on") else -1)
        if told in self._commands:
            self._commands[told]()

    # -- time -----------------------------------------------------------------------------------

    def seek(self, t: float) -> None:
        """Go to a moment at once."""
        self.t = max(0.0, min(self.timeline.end, t))

    def seek_game(self, game: int) -> None:
        """Go to where this game starts."""
        self.seek(next((each.start for each in self.timeline.segments if each.board.game == game), 0.0))

    def _pause(self) -> None:
        self.paused = not self.paused
        if not self.paused:
            self._leave_the_end()

    def _leave_the_end(self) -> None:
        """Running on where there is nothing left begins anew from the other end."""
        if self.speed > 0 and self.t >= self.timeline.end:
            self.seek(0.0)
        elif self.speed < 0 and self.t <= 0.0:
            self.seek(self.timeline.end)

    def _run(self, way: int) -> None:
        """Run this way: at normal speed, or twice as fast as it runs this way already."""
        along = self.speed * way > 0 and not self.paused
        self.speed = way * (min(SPEEDS[-1], abs(self.speed) * 2) if along else 1.0)
        self.paused = False
        self._leave_the_end()

    def _turn_round(self) -> None:
        self.speed = -self.speed

    def _change_speed(self, by: int) -> None:
        """One faster or slower; 0 is normal speed."""
        place = SPEEDS.index(abs(self.speed) if by else 1.0) + by
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, place))] * (1 if self.speed > 0 else -1)

    def _step(self, unit: Unit, by: int) -> None:
        self.seek(self.index.step(unit, by, self.t, 0.0 if self.paused else _GRACE_S * abs(self.speed)))

    def _frame(self, by: int) -> None:
        self.paused = True
        self.seek(self.t + by * FRAME_S)

    def _move_on(self, now: float) -> None:
        passed = 0.0 if self._last is None else now - self._last
        self._last = now
        if self.paused or self._dragging or self.overlay is not None:
            return
        before = self.t
        self.seek(before + passed * self.speed)
        if self.speed > 0:
            self._shell.sounds.follow(self.timeline, before, self.t, self.speed)
        self.paused = self.t >= self.timeline.end if self.speed > 0 else self.t <= 0.0

    # -- overlays and the film ------------------------------------------------------------------

    def _read(self, bot: int | None) -> None:
        """Read what was thought and said in the play at hand, or in this bot's last one."""
        play = self.index.play_at(self.t)
        first = bot if bot is not None else play.bot if play else 0
        device = self._shell.controls.device
        keys = "\u2191 \u2193 scroll    \u2190 \u2192 the other bot    ESC back" if device == "keyboard" else (
            "D-PAD scroll and turn the page    B back"
        )  # fmt: skip
        self.overlay = TextViewer(pages(self.timeline.at(self.t).board), first, keys)

    def _show_keys(self) -> None:
        self.overlay = shortcuts.KeysPanel()

    def _close(self) -> None:
        self.overlay = None

    def _toggle_bar(self) -> None:
        self.bar_shown = not self.bar_shown

    def _mark(self, which: int) -> None:
        """Let the stretch to be filmed begin or end here; one that would be turned round begins anew."""
        start, end = self.stretch or (0.0, self.timeline.end)
        start, end = (self.t, end) if which == 0 else (start, self.t)
        if end <= start:
            start, end = (self.t, self.timeline.end) if which == 0 else (0.0, self.t)
        self.stretch = (start, end) if start > 0.0 or end < self.timeline.end else None

    def _film(self) -> None:
        """Make a film of the stretch or the whole, or stop the one that is being made."""
        films = self._shell.films
        if films.share is not None:
            films.stop()
        elif self._path is not None:
            films.start(self._path, film_of(self._path), self._film_options())
        self._told_of_film = True

    def _film_options(self) -> list[str]:
        """The stretch as `video` counts: its first turn and its last."""
        plays = self.index.plays
        if self.stretch is None or not plays:
            return []
        last = self.index.play_at(self.stretch[1]) or plays[0]
        first = self.index.play_from(self.stretch[0]) or last
        if (first.game, first.round, first.turn) > (last.game, last.round, last.turn):
            first = last  # a stretch of nothing but a banner
        start, end = (f"{play.game}.{play.round}.{play.turn}" for play in (first, last))
        return ["--from", start, "--to", end]

    # -- the mouse ------------------------------------------------------------------------------

    def _handle_mouse(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
            return
        self._mouse = event.pos
        if event.type == pygame.MOUSEBUTTONUP:
            self._dragging = False
        elif event.type == pygame.MOUSEMOTION and self._dragging and self._bar:
            self.seek(self._bar.time(event.pos[0]))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)

    def _wheel(self, rows: int) -> None:
        if isinstance(self.overlay, TextViewer):
            self.overlay.scroll(-3 * rows)
        elif self.overlay is None:
            self._step("play", 1 if rows < 0 else -1)

    def _click(self, at: tuple[int, int]) -> None:
        if isinstance(self.overlay, TextViewer):
            self.overlay.click(at)
            if self.overlay.done:
                self._close()
        elif self.overlay is not None:
            self._close()
        elif self.bar_shown and self._bar and self._bar.rect.collidepoint(at):
            name = self._bar.button(at)
            if name:
                self._do(name)
            elif self._bar.on_track(at):
                self._dragging = True
                self.seek(self._bar.time(at[0]))
        elif self._picture:
            arena = self._picture.arena
            if arena.collidepoint(at):
                self._pause()
            else:
                self._read(int(at[0] > arena.centerx))

    # -- drawing --------------------------------------------------------------------------------

    def update(self, now: float) -> None:
        """Move on by the time that passed."""
        self._move_on(now)

    def draw(self, target: pygame.Surface) -> None:
        """Draw the moment that is shown."""
        ui = self._shell.settings.display.ui_scale
        if self._bar is None or (self._bar.size, self._bar.ui) != (target.get_size(), ui):
            self._bar = TimelineBar(target.get_size(), self.index, ui)
        self._draw_scene(target, self.timeline.at(self.t))
        if self.bar_shown:
            mouse = self._mouse if self.overlay is None and pygame.mouse.get_focused() else None
            self._bar.draw(target, self._shown(), mouse, self._hint(mouse))
        if self.overlay is not None:
            self.overlay.draw(target, ui)

    def _draw_scene(self, target: pygame.Surface, scene: Scene) -> None:
        """The picture above the bar, or where the bar is hidden over the whole window, as in a film."""
        assert self._bar is not None
        size = (target.get_width(), self._bar.rect.top) if self.bar_shown else target.get_size()
        rules, display = scene.board.rules, self._shell.settings.display
        key = (size, rules, display)
        self._picture = self._pictures.pop(key, None) or Renderer(size, rules, display)
        self._pictures[key] = self._picture
        if len(self._pictures) > _PICTURES:
            del self._pictures[next(iter(self._pictures))]
        self._picture.draw(target.subsurface((0, 0), size), scene)

    def _shown(self) -> Shown:
        films = self._shell.films
        words = films.words if films.share is not None or self._told_of_film else self._help()
        return Shown(self.t, self.speed, self.paused, self.stretch, words, films.share)

    def _help(self) -> str:
        device = self._shell.controls.device
        named = (("pause", "pause"), ("play back", ""), ("play on", "play"), ("faster", "speed"), ("read", "read"))
        if device == "keyboard":
            return "SPACE pause  \u2190 \u2192 play  \u2191 \u2193 speed  T read  H all keys"
        return "   ".join(f"{shortcuts.label(name, device)} {words}".strip() for name, words in named)

    def _hint(self, mouse: tuple[int, int] | None) -> str:
        """What the mouse is over on the track or among the buttons."""
        bar = self._bar
        if mouse is None or bar is None or not bar.rect.collidepoint(mouse):
            return ""
        name = bar.button(mouse)
        if name:
            return next((each.words for each in shortcuts.COMMANDS if each.name == name), "")
        if not bar.on_track(mouse):
            return ""
        t = bar.time(mouse[0])
        reach = bar.time(bar.track.left + _HINT_REACH) if self.timeline.end else 0.0
        return hint(self.index, t, reach)
