"""The screen of a replay."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_viewer import Page, Section, TextViewer
from batllm_arcade.app.replay import keys_panel as shortcuts
from batllm_arcade.app.replay.advisor import Advisor, ReplayClock
from batllm_arcade.app.replay.timeline_bar import BarState, TimelineBar, clock_text
from batllm_arcade.app.services.film_jobs import film_of, share_page
from batllm_arcade.app.services.sessions import persons
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.history.summary import counted
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import SIDES
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.share.shown import Selection
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import did
from batllm_arcade.view.play_words import PLAN, model_asked, reply_heading, reply_says_more, thought_heading
from batllm_arcade.view.reading_words import judged
from batllm_arcade.view.scene import Scene, Scoreboard
from batllm_arcade.view.telegraph.person_turn import BestPlay
from batllm_arcade.view.timeline import HAPPENED, Timeline, TimelineIndex


class FilmRange:
    """`times` are where it begins and ends, in seconds of the timeline; None is the whole timeline."""

    def __init__(self, index: TimelineIndex) -> None:
        self._index = index
        self.times: tuple[float, float] | None = None

    def begin_at(self, t: float) -> None:
        """Let it begin at a moment; if it would end before that, it ends with the timeline."""
        _, end = self.times or (0.0, self._index.end)
        self._set(t, end if end > t else self._index.end)

    def end_at(self, t: float) -> None:
        """Let it end at a moment; if it would begin after that, it begins with the timeline."""
        start, _ = self.times or (0.0, self._index.end)
        self._set(start if start < t else 0.0, t)

    def _set(self, start: float, end: float) -> None:
        self.times = (start, end) if start > 0.0 or end < self._index.end else None

    def options(self) -> list[str]:
        """Return the options of `video` for it: its first turn and its last; none for the whole timeline."""
        chosen = self.selection()
        return [] if chosen.first is None else ["--from", str(chosen.first), "--to", str(chosen.last)]

    def selection(self) -> Selection:
        """Return its first turn and its last, for a page; neither for the whole timeline."""
        plays = self._index.plays
        if self.times is None or not plays:
            return Selection()
        last = self._index.play_at(self.times[1]) or plays[0]
        first = self._index.play_from(self.times[0]) or last
        if (first.game, first.round, first.turn) > (last.game, last.round, last.turn):
            first = last  # nothing but a banner lies between them
        return Selection(None, *(Turn(play.turn, play.round, play.game) for play in (first, last)))


TOO_EARLY = "A game can be played on from the end of its first turn on. Go a little further and try again."


class PlayOnDialog(MenuDialog):
    """Asks whether a person plays a seat; a bot in the other plays as it did, in place of a person one does.

    `place` is None before the first turn's end.
    """

    def __init__(
        self,
        ui: Ui,
        go: Navigation,
        path: Path,
        place: TurnPlace | None,
        names: tuple[str, str],
        humans: tuple[bool, bool],
    ) -> None:
        self._go, self._path, self._place = go, path, place
        entries = [
            DialogEntry(f"Play {seat} yourself, {how}", lambda bot=bot: self._play(bot),  # type: ignore[misc]
                        color=theme.SEAT_COLORS[bot])
            for bot, seat in enumerate(SIDES)
            for how in ["against the built-in bot" if humans[1 - bot] else f"for {names[bot]}"]
        ]  # fmt: skip
        entries.append(DialogEntry("Let both play on as they were", lambda: self._play(None)))
        words = TOO_EARLY
        if place is not None:
            until = f"round {place.round}, turn {place.turn}"
            words = f"What was played up to {until} is taken over; the game that comes of it is kept beside this one."
        entries = [*(entries if place else ()), DialogEntry("Back to the replay", go.pop)]
        super().__init__(ui, "Play on from here", entries, go.pop, words=words, color=theme.GOLD)
        self.backdrop = True

    def _play(self, bot: int | None) -> None:
        assert self._place is not None
        self._go.play_on(self._path, self._place, bot, self.complain)


def hint(index: TimelineIndex, t: float, reach: float) -> str:
    """Return what happens around a moment: the event within `reach` seconds, or the play under way."""
    mark = index.near(t, reach)
    play = index.play_at(mark.t if mark else t)
    if play is None:
        return f"{clock_text(t)}  before the first play"
    several = len(index.starts["game"]) > 1
    place = f"game {play.game}, " if several else ""
    place += f"round {play.round}, turn {play.turn}"
    what = f"{SIDES[play.bot]} {described(play)}"
    if mark is not None:
        what = say("does", who=SIDES[mark.bot], did=HAPPENED[mark.kind])
        what += f": {play.reason}" if mark.kind == "fumble" and play.reason else ""
    return f"{clock_text(mark.t if mark else t)}  {place}: {what}"


def described(play: Play) -> str:
    """Return a play in words, with its token."""
    return f"{did(play)} ({play.command.token})"


def pages(board: Scoreboard) -> list[Page]:
    """Return both bots' last plays, left first."""
    return [_page(board, bot) for bot in (0, 1)]


def _page(board: Scoreboard, bot: int) -> Page:
    seat, play = board.seats[bot], board.plays[bot]
    title = f"{SIDES[bot].upper()}  {seat.name}"
    brain = f"{seat.brain}  {seat.model}".strip()
    orders = Section("ORDERS", board.prompts[bot] or "none", theme.SOFT)
    if play is None:
        return Page(title, brain, bot, [Section("NOTHING YET", f"{seat.name} has not acted in this game."), orders])
    decision = play.decision
    sections = [Section("DID", described(play), theme.SEAT_COLORS[bot])]
    if play.status != "ok":
        sections.append(Section(f"FUMBLE ({play.status})", play.reason or "no reason was given", theme.DANGER))
    if decision.thought:
        sections.append(Section(thought_heading(play), decision.thought, theme.TEXT))
    if decision.say:
        sections.append(Section("SAID ALOUD", decision.say, theme.GOLD))
    if reply_heading(play) == PLAN:
        sections.append(Section("MODEL", _NOT_ASKED, theme.SOFT))
    elif play.status != "ok" or not model_asked(play, seat) or reply_says_more(play, seat):
        sections.append(Section(_reply_heading(play), _reply(play), theme.GOOD if play.status == "ok" else theme.SOFT))
    return Page(title, _facts(play, brain), bot, [*sections, orders])


_NOT_ASKED = "Not asked for this play: a tactician plays the orders as they were read."


def _reply_heading(play: Play) -> str:
    length = play.decision.raw_cut or len(play.decision.raw)
    cut = ", of which the file keeps the beginning" if play.decision.raw_cut else ""
    return f"RAW REPLY  {counted(length, 'character')}{cut}" if length else "RAW REPLY"


def _reply(play: Play) -> str:
    if play.decision.raw.strip():
        return play.decision.raw
    if play.decision.queued_from is not None:
        return f"none: it was announced in play {play.decision.queued_from}"
    return "no answer"


def _facts(play: Play, brain: str) -> str:
    latency = f"{play.latency_s * 1000:.0f} ms" if play.latency_s < 1 else f"{play.latency_s:.1f} s"
    facts = [brain, f"game {play.game}, round {play.round}, turn {play.turn}, play {play.number}", latency]
    tokens = play.decision.tokens or {}
    facts += [f"{count:,} {name} tokens" for name, count in tokens.items()]
    return "   ".join(facts)


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
        self.overlay: TextViewer | None = None
        self._mouse: tuple[int, int] | None = None
        self.corner = CornerButton()
        self._dragging = False
        self._film_reported = False  # the bar says what becomes of a film, instead of the keys
        self._renderer: Renderer | None = None
        self._best: BestPlay | None = None
        self._scene = timeline.at(0.0)
        self._made = lru_cache(maxsize=3)(Renderer)  # with and without the bar, and for the rules of another game
        clock = self.clock
        self._commands: dict[str, Callable[[], None]] = {
            "pause": clock.toggle_pause,
            "faster": lambda: clock.change_speed(1), "slower": lambda: clock.change_speed(-1),
            "speed": lambda: clock.change_speed(0),
            "start": lambda: clock.seek(0.0), "end": lambda: clock.seek(timeline.end),
            "read": lambda: self._read(None),
            "from": lambda: self.film_range.begin_at(clock.t), "to": lambda: self.film_range.end_at(clock.t),
            "film": self._film, "share": self._share, "bar": self._toggle_bar, "keys": self._show_keys,
            "play on here": self._play_on, "back": go.pop,
            "mark on": lambda: self.advisor.go(1), "mark back": lambda: self.advisor.go(-1),
            "chances": self.advisor.toggle,
        }  # fmt: skip

    def leave(self) -> None:
        task = self.advisor.leave()
        if task is not None:
            self.services.wait_at_end(task)

    def cover(self, now: float) -> None:
        """Hold still: the time until it is uncovered does not count."""
        self.clock.hold()

    def uncover(self, now: float) -> None:
        self.clock.hold()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        command = shortcuts.command(event, meaning)
        if self.overlay is not None and command in ("read", "keys"):
            self._close()
        elif self.overlay is not None:
            self.overlay.handle(event, meaning, now)
        elif event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL):
            self._handle_mouse(event)
        elif command:
            self._film_reported = self._film_reported and self.services.films.share is not None
            self._do(command)

    def _do(self, command: str) -> None:
        for unit in ("play", "turn", "round", "game"):
            if command in (f"{unit} back", f"{unit} on"):
                self.clock.step(unit, 1 if command.endswith("on") else -1)
        if command in self._commands:
            self._commands[command]()

    def update(self, now: float) -> None:
        self.advisor.update()
        if self.overlay is not None:
            self.overlay.update(now)
        moved = self.clock.update(now, runs=not self._dragging and self.overlay is None)
        if moved is not None:
            self.services.sounds.follow(self.timeline, *moved, self.clock.speed)

    def _read(self, bot: int | None) -> None:
        play = self.index.play_at(self.clock.t)
        first = bot if bot is not None else play.bot if play else 0
        self.overlay = TextViewer(self.ui, pages(self.timeline.at(self.clock.t).board), first, self._close)

    def _show_keys(self) -> None:
        self.overlay = TextViewer(self.ui, shortcuts.pages(), 0, self._close, other="all keys")

    def _close(self) -> None:
        self.overlay = None

    def _toggle_bar(self) -> None:
        self.bar_shown = not self.bar_shown

    def _film(self) -> None:
        films = self.services.films
        if films.share is not None:
            films.stop()
        elif self.path is not None:
            films.start(self.path, film_of(self.path), self.film_range.options())
        self._film_reported = True

    def _share(self) -> None:
        if self.path is not None:
            self.services.wait_at_end(share_page(self.services.films, self.path, self.film_range.selection()))
        self._film_reported = True

    def _play_on(self) -> None:
        if self.path is not None:
            self.clock.paused = True
            last = self.index.turn_before(self.advisor.from_here())
            place = None if last is None else TurnPlace(last.game, last.round, last.turn)
            seats = self._scene.board.seats
            humans = persons(seats, self.services.plugins.kinds)
            names = (seats[0].name, seats[1].name)
            self._go.push(PlayOnDialog(self.ui, self._go, self.path, place, names, humans))

    def _handle_mouse(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEWHEEL:
            self.clock.step("play", 1 if event.y < 0 else -1)
            return
        self._mouse = event.pos
        if event.type == pygame.MOUSEBUTTONUP:
            self._dragging = False
        elif event.type == pygame.MOUSEMOTION and self._dragging and self.bar:
            self.clock.seek(self.bar.time(event.pos[0]))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._click(event.pos)

    def _click(self, at: tuple[int, int]) -> None:
        if self._on_corner(at):
            self._do("back")
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

    def lay_out(self, size: tuple[int, int]) -> None:
        scale = self.ui.settings.display.ui_scale
        wanted = (size, scale, self.advisor.shown)
        if self.bar is None or (self.bar.canvas.size, self.bar.canvas.ui_scale, self.bar.chances) != wanted:
            self.bar = TimelineBar(Canvas(size, scale), self.index, self.advisor.shown)
        t = self.clock.t  # without the bar it is what a film shows
        self._best = self.advisor.best_at(t, self._scene) if self.bar_shown else None
        still = not self.bar_shown or (self.clock.paused and self._best is not None)
        self._scene = self.timeline.at(t) if still else self.timeline.framed(t)
        self._renderer = self._renderer_for((size[0], self.bar.rect.top) if self.bar_shown else size, self._scene)
        self.corner.hovered = self._mouse is not None and self._on_corner(self._mouse)
        if self.overlay is not None:
            self.overlay.lay_out(size)

    def _renderer_for(self, size: tuple[int, int], scene: Scene) -> Renderer:
        """Return what draws the scene above the bar, or over the whole window, as in a film, if the bar is hidden."""
        return self._made(size, scene.board.rules, self.ui.settings.display, corner=self.bar_shown)

    @property
    def picture(self) -> object:
        return (self._scene, self.bar_state()) if self.clock.paused and self.overlay is None else None

    def draw(self, target: pygame.Surface) -> None:
        bar, renderer = self.bar, self._renderer
        assert bar is not None, "it has not been laid out"
        assert renderer is not None
        bar.canvas.target = target
        picture = target.subsurface((0, 0), renderer.size)
        renderer.draw(picture, self._scene)
        if self._best is not None and self._scene.frame is None:
            renderer.draw_best(picture, self._scene, self._best)
        if self.bar_shown:
            mouse = self._mouse if self.overlay is None and pygame.mouse.get_focused() else None
            bar.draw(self.bar_state(), mouse, self.hint_at(mouse))
        if self.overlay is not None:
            self.overlay.draw(target)
        elif self.bar_shown:
            self.corner.draw(bar.canvas)

    def _on_corner(self, at: tuple[int, int]) -> bool:
        return self.bar_shown and self.bar is not None and self.corner.BOX.holds(*self.bar.canvas.logical(at))

    def bar_state(self) -> BarState:
        """Return what the bar shows now."""
        films, clock = self.services.films, self.clock
        words = self.advisor.words or self.advisor.words_at(clock.t) or shortcuts.help_line(self.ui.controls)
        notice = films.news if films.share is not None or self._film_reported else ""
        return BarState(clock.t, clock.speed, clock.paused, self.film_range.times, words, notice)

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


def opened(
    ui: Ui, go: Navigation, services: Services, timeline: Timeline, path: Path, game: int | None = None,
    play: int | None = None,
) -> ReplayScreen:  # fmt: skip
    """Return a session's replay from where a game starts; it stands still at the `play` of it, counted from 0.

    A short session is analysed at once.
    """
    screen = ReplayScreen(ui, go, services, timeline, path)
    if game is not None:
        segments = [segment for segment in timeline.segments if segment.board.game == game]
        plays = [segment for segment in segments if isinstance(segment.record, Play)]
        if play is not None and play < len(plays):
            screen.clock.paused, segments = True, plays[play:]
        screen.clock.seek(segments[0].start if segments else 0.0)
    screen.advisor.start(asked=False)
    return screen
