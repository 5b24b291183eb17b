"""A recorded session in the window: any moment at once, at any speed, forwards and backwards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.input.key_labels import reading_keys
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text.text_viewer import TextViewer
from batllm_arcade.app.replay import shortcuts
from batllm_arcade.app.replay.advisor import Advisor
from batllm_arcade.app.replay.clock import ReplayClock
from batllm_arcade.app.replay.film_range import FilmRange
from batllm_arcade.app.replay.keys_panel import KeysPanel
from batllm_arcade.app.replay.play_on import PlayOnDialog
from batllm_arcade.app.replay.text import hint, pages
from batllm_arcade.app.replay.timeline_bar import BarState, TimelineBar
from batllm_arcade.app.services.films.film_jobs import film_of
from batllm_arcade.app.services.films.page_job import share_page
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.core.model import Rules
from batllm_arcade.history.what_if.forking import TurnPlace
from batllm_arcade.match.records import Play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex
from batllm_arcade.view.words.judged_words import judged

_RENDERERS = 3  # kept: with and without the bar, and for the rules of another game
_HINT_REACH = 6  # pixels around the mouse in which a mark is meant


class ReplayScreen:
    """Shows a timeline that is complete from the start; `path` is the session's file, which a film is made of."""

    repeats = True

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, timeline: Timeline, path: Path | None = None
    ) -> None:
        self.ui, self._go, self.services = ui, go, services
        services.match_ended = None  # clips are of the replay
        self.timeline, self.path = timeline, path
        self.index = TimelineIndex(timeline)
        self.clock, self.film_range = ReplayClock(self.index), FilmRange(self.index)
        self.advisor = Advisor(self.index, self.clock, path)
        self.bar_shown = True
        self.bar: TimelineBar | None = None
        self.overlay: TextViewer | KeysPanel | None = None
        self._mouse: tuple[int, int] | None = None
        self.corner = CornerButton()
        self._canvas: Canvas | None = None
        self._dragging = False
        self._film_reported = False  # the bar says what becomes of a film, instead of the keys
        self._renderer: Renderer | None = None
        self._scene = timeline.at(0.0)
        self._renderers: dict[tuple[tuple[int, int], Rules, DisplayOptions], Renderer] = {}
        clock = self.clock
        self._commands: dict[str, Callable[[], None]] = {
            "pause": clock.toggle_pause, "rewind": lambda: clock.run(-1), "wind": lambda: clock.run(1),
            "turn round": clock.reverse,
            "faster": lambda: clock.change_speed(1), "slower": lambda: clock.change_speed(-1),
            "speed": lambda: clock.change_speed(0),
            "frame back": lambda: clock.step_frame(-1), "frame on": lambda: clock.step_frame(1),
            "start": lambda: clock.seek(0.0), "end": lambda: clock.seek(timeline.end),
            "read": lambda: self._read(None),
            "from": lambda: self.film_range.begin_at(clock.t), "to": lambda: self.film_range.end_at(clock.t),
            "film": self._film, "share": self._share, "bar": self._toggle_bar, "keys": self._show_keys,
            "play on here": self._play_on, "back": go.pop,
            "mark on": lambda: self.advisor.go(1), "mark back": lambda: self.advisor.go(-1),
            "chances": self.advisor.toggle,
        }  # fmt: skip

    # -- the window's calls ---------------------------------------------------------------------

    def leave(self) -> None:
        """Give up what is still being worked out."""
        task = self.advisor.leave()
        if task is not None:
            self.services.wait_at_end(task)

    def cover(self, now: float) -> None:
        """Hold still: the time until it is uncovered does not count."""
        self.clock.hold()

    def uncover(self, now: float) -> None:
        """Go on where it was."""
        self.clock.hold()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take a key, a button or the mouse."""
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL):
            self._handle_mouse(event)
            return
        command = shortcuts.command(event, meaning)
        if isinstance(self.overlay, TextViewer):
            closes = command in ("read", "back")
            self.overlay.take("back" if closes else command if command in ("start", "end") else meaning.intent)
            if self.overlay.done:
                self._close()
        elif self.overlay is not None:
            if command or meaning.intent:
                self._close()
        elif command:
            self._film_reported = self._film_reported and self.services.films.share is not None
            self._do(command)

    def _do(self, command: str) -> None:
        for unit in ("play", "turn", "round", "game"):
            if command in (f"{unit} back", f"{unit} on"):
                self.clock.step(unit, 1 if command.endswith("on") else -1)
        if command in self._commands:
            self._commands[command]()

    def show_from(self, game: int, play: int | None = None) -> None:
        """Go to where this game starts, or stand still at the start of one of its plays, counted from 0."""
        segments = [each for each in self.timeline.segments if each.board.game == game]
        plays = [each for each in segments if isinstance(each.record, Play)]
        if play is not None and play < len(plays):
            self.clock.paused, segments = True, plays[play:]
        self.clock.seek(segments[0].start if segments else 0.0)

    def update(self, now: float) -> None:
        """Move on by the time that passed, with its sounds while it runs forwards."""
        self.advisor.update()
        moved = self.clock.update(now, runs=not self._dragging and self.overlay is None)
        if moved is not None and self.clock.speed > 0:
            self.services.sounds.follow(self.timeline, *moved, self.clock.speed)

    # -- overlays and the film ------------------------------------------------------------------

    def _read(self, bot: int | None) -> None:
        """Open what was thought and said in the current play, or in this bot's last one."""
        play = self.index.play_at(self.clock.t)
        first = bot if bot is not None else play.bot if play else 0
        keys = reading_keys(self.ui.controls, several=True)
        self.overlay = TextViewer(pages(self.timeline.at(self.clock.t).board), first, keys)

    def _show_keys(self) -> None:
        self.overlay = KeysPanel()

    def _close(self) -> None:
        self.overlay = None

    def _toggle_bar(self) -> None:
        self.bar_shown = not self.bar_shown

    def _film(self) -> None:
        """Make a film of the range or the whole, or stop the one that is being made."""
        films = self.services.films
        if films.share is not None:
            films.stop()
        elif self.path is not None:
            films.start(self.path, film_of(self.path), self.film_range.options())
        self._film_reported = True

    def _share(self) -> None:
        """Write a page of the range or the whole, and show where it is."""
        if self.path is not None:
            self.services.wait_at_end(share_page(self.services.films, self.path, self.film_range.selection()))
        self._film_reported = True

    def _play_on(self) -> None:
        """Ask who plays on from the last turn that has been shown to its end."""
        if self.path is not None:
            self.clock.paused = True
            last, (left, right) = self.index.turn_before(self.advisor.from_here()), self._scene.board.seats
            place = None if last is None else TurnPlace(last.game, last.round, last.turn)
            self._go.push(PlayOnDialog(self.ui, self._go, self.path, place, (left.name, right.name)))

    # -- the mouse ------------------------------------------------------------------------------

    def _handle_mouse(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
            return
        self._mouse = event.pos
        if event.type == pygame.MOUSEBUTTONUP:
            self._dragging = False
        elif event.type == pygame.MOUSEMOTION and self._dragging and self.bar:
            self.clock.seek(self.bar.time(event.pos[0]))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)

    def _wheel(self, rows: int) -> None:
        if isinstance(self.overlay, TextViewer):
            self.overlay.scroll(-3 * rows)
        elif self.overlay is None:
            self.clock.step("play", 1 if rows < 0 else -1)

    def _click(self, at: tuple[int, int]) -> None:
        if self._on_corner(at):
            self._close() if self.overlay is not None else self._do("back")
        elif isinstance(self.overlay, TextViewer):
            self.overlay.click(at)
            if self.overlay.done:
                self._close()
        elif self.overlay is not None:
            self._close()
        elif self.bar_shown and self.bar and self.bar.rect.collidepoint(at):
            name = self.bar.button(at)
            if name:
                self._do(name)
            elif self.bar.on_track(at):
                mark = self.bar.mark_at(at)
                self._dragging, self.clock.paused = mark is None, self.clock.paused or mark is not None
                self.clock.seek(mark.t if mark is not None else self.bar.time(at[0]))
        elif self._renderer:
            arena = self._renderer.arena
            if arena.collidepoint(at):
                self.clock.toggle_pause()
            else:
                self._read(int(at[0] > arena.centerx))

    # -- where things are, and drawing ----------------------------------------------------------

    def lay_out(self, size: tuple[int, int]) -> None:
        """Place the bar, the scene above it, and what lies over them."""
        scale = self.ui.settings.display.ui_scale
        if self.bar is None or (self.bar.size, self.bar.ui, self.bar.chances) != (size, scale, self.advisor.shown):
            self.bar = TimelineBar(size, self.index, scale, self.advisor.shown)
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (size, scale):
            self._canvas = Canvas(size, scale)
        t = self.clock.t  # without the bar it is what a film shows
        best = self.bar_shown and self.clock.paused and self.advisor.best_at(t, self._scene) is not None
        self._scene = self.timeline.framed(t) if self.bar_shown and not best else self.timeline.at(t)
        self._renderer = self._renderer_for((size[0], self.bar.rect.top) if self.bar_shown else size, self._scene)
        self.corner.hovered = self._mouse is not None and self._on_corner(self._mouse)
        if isinstance(self.overlay, TextViewer):
            self.overlay.lay_out(self._canvas)

    def _renderer_for(self, size: tuple[int, int], scene: Scene) -> Renderer:
        """Return what draws the scene above the bar, or over the whole window, as in a film, if the bar is hidden."""
        key = (size, scene.board.rules, self.ui.settings.display)
        renderer = self._renderers.pop(key, None) or Renderer(*key, corner=self.bar_shown)
        self._renderers[key] = renderer
        if len(self._renderers) > _RENDERERS:
            del self._renderers[next(iter(self._renderers))]
        return renderer

    @property
    def picture(self) -> object:
        """What there is to draw while it is paused, else None."""
        return (self._scene, self.bar_state()) if self.clock.paused and self.overlay is None else None

    def draw(self, target: pygame.Surface) -> None:
        """Draw the moment that is shown, the bar, and what lies over them."""
        bar, canvas, renderer = self.bar, self._canvas, self._renderer
        assert bar is not None, "it has not been laid out"
        assert canvas is not None
        assert renderer is not None
        canvas.target = target
        picture = target.subsurface((0, 0), renderer.size)
        renderer.draw(picture, self._scene)
        best = self.advisor.best_at(self.clock.t, self._scene) if self.bar_shown else None
        if best is not None and self._scene.frame is None:
            renderer.draw_best(picture, self._scene, best)
        if self.bar_shown:
            mouse = self._mouse if self.overlay is None and pygame.mouse.get_focused() else None
            bar.draw(target, self.bar_state(), mouse, self.hint_at(mouse))
        if self.overlay is not None:
            self.overlay.draw(canvas)
        if self.bar_shown or self.overlay is not None:
            self.corner.draw(canvas)

    def _on_corner(self, at: tuple[int, int]) -> bool:
        shown = self.bar_shown or self.overlay is not None
        return shown and self._canvas is not None and self.corner.BOX.holds(*self._canvas.logical(at))

    def bar_state(self) -> BarState:
        """Return what the bar shows now."""
        films, clock = self.services.films, self.clock
        known = self.advisor.words or self.advisor.words_at(clock.t) or shortcuts.help_line(self.ui.controls)
        words = films.words if films.share is not None or self._film_reported else known
        return BarState(clock.t, clock.speed, clock.paused, self.film_range.times, words, films.share)

    def hint_at(self, mouse: tuple[int, int] | None) -> str:
        """Return what a point is on: an event or a play on the track, or a button; "" for nothing."""
        bar = self.bar
        if mouse is None or bar is None or not bar.rect.collidepoint(mouse):
            return ""
        name = bar.button(mouse)
        if name:
            return next((each.words for each in shortcuts.COMMANDS if each.name == name), "")
        if not bar.on_track(mouse):
            return ""
        t = bar.time(mouse[0])
        reach = bar.time(bar.track.left + _HINT_REACH) if self.timeline.end else 0.0
        mark = bar.mark_at(mouse)
        return judged(mark.play, mark.found, self._scene.board.rules) if mark else hint(self.index, t, reach)
