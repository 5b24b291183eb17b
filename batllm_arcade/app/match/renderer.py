"""What a live match looks like: the timeline's scene with who is asked now, the aim, notices and keys."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pygame

from batllm_arcade.app.input.key_labels import seat_keys
from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.notifications import Notification
from batllm_arcade.app.ui.canvas import Canvas
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.seats.waiting import OpenRequest as Asking
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Keys, Scene, Thinking
from batllm_arcade.view.timeline import Segment

if TYPE_CHECKING:
    from batllm_arcade.app.match.screen import MatchScreen

_RUMBLES = {"hit": (0.7, 0.25), "knockout": (1.0, 0.7), "block": (0.3, 0.12), "muzzle": (0.2, 0.08)}
"""How strongly and how long (seconds) a person's gamepad shakes when it happens to their bot."""
LAST_SECONDS = 5
"""Seconds of the turn clock that are heard."""
HINT_S = 0.4
"""Seconds of a person's turn after which the picture says whose it is."""


class MatchRenderer:
    """Draws one match screen's moments."""

    def __init__(self, match: MatchScreen) -> None:
        self._match = match
        self._picture: Renderer | None = None
        self._canvas: Canvas | None = None
        self._second = 0

    def of(self, size: tuple[int, int], rules: Rules) -> Renderer:
        """The picture for this size, kept until something about it changes."""
        kept, display = self._picture, self._match.shell.settings.display
        if kept is None or (kept.size, kept.rules, kept.display) != (size, rules, display):
            self._picture = kept = Renderer(size, rules, display)
        return kept

    def _canvas_on(self, target: pygame.Surface) -> Canvas:
        scale = self._match.shell.settings.display.ui_scale
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (target.get_size(), scale):
            self._canvas = Canvas(target.get_size(), scale)
        self._canvas.target = target
        return self._canvas

    def draw(self, target: pygame.Surface, now: float) -> None:
        """This moment, and what lies over it."""
        match = self._match
        if not match.timeline.segments:
            return self._draw_loading(target, now)
        scene = self.scene(now)
        picture = self.of(target.get_size(), scene.board.rules)
        if match.page is None or not match.page.whole:
            picture.draw(target, scene)
            self._draw_words(target, picture)
        if match.page is not None:
            match.page.draw(target)
        return None

    def _draw_loading(self, target: pygame.Surface, now: float) -> None:
        match = self._match
        table, worker = match.worker.table, match.worker
        picture = self.of(target.get_size(), match.plan.config.rules)
        words = "" if worker.problem else worker.progress
        seats, prompts = (table.seat(0), table.seat(1)), match.plan.config.prompts
        picture.draw_loading(target, now, seats, words, failed=bool(worker.problem), prompts=prompts)
        if match.page is not None:
            match.page.draw(target)

    def scene(self, now: float) -> Scene:
        """The timeline's moment, with who is asked just now."""
        match = self._match
        scene = match.timeline.at(match.clock.t)
        scene = replace(scene, notices=tuple(match.shell.new_problems()[-2:]), keys=self._seat_keys(scene))
        asking = match.worker.table.thinking
        if asking is None or match.over:
            return scene
        if asking.seat.human:
            return self._person_scene(scene, now)
        seconds, left = max(0.0, time.monotonic() - asking.since), asking.live.seconds_left()
        return replace(scene, thinking=Thinking(asking.bot, seconds, asking.live.text, False, left))

    def _seat_keys(self, scene: Scene) -> tuple[Keys, Keys]:
        """A seat's keys as soon as the picture shows a person there."""
        controls, humans = self._match.shell.controls, self._match.humans
        people = [humans[bot] and scene.board.seats[bot].human for bot in (0, 1)]
        keys = [seat_keys(controls, bot, humans) if people[bot] else () for bot in (0, 1)]
        return keys[0], keys[1]

    def _person_scene(self, scene: Scene, now: float) -> Scene:
        match = self._match
        asking = match.person
        if asking is None:
            return scene
        aim = match.players.aim(asking, now)
        if match.players.met(asking, aim):
            match.shell.sounds.ui("move")
        seconds, left = max(0.0, time.monotonic() - asking.since), asking.live.seconds_left()
        self._tick(left)
        return replace(scene, thinking=Thinking(asking.bot, seconds, "", True, left), aim=aim)

    def _tick(self, left: float | None) -> None:
        """The last seconds of a person's clock are heard."""
        second = 0 if left is None or left > LAST_SECONDS else int(left) + 1
        if second and second != self._second:
            self._match.shell.sounds.play("tick")
        self._second = second

    def rumble(self, before: float, now: float) -> None:
        """Shake the gamepads of the persons to whose bots something has happened since `before`."""
        match = self._match
        if now <= before:
            return
        humans = match.humans
        for segment in match.timeline.segments[-2:]:
            self._rumble_with(segment, before, now, humans)

    def _rumble_with(self, segment: Segment, before: float, now: float, humans: tuple[bool, bool]) -> None:
        for effect in segment.effects:
            if before < effect.start <= now and effect.kind in _RUMBLES and humans[effect.bot]:
                self._match.shell.controls.rumble(effect.bot, *_RUMBLES[effect.kind], humans)

    def _draw_words(self, target: pygame.Surface, picture: Renderer) -> None:
        """Keys that work now, whose turn it is, and the notices."""
        match = self._match
        if match.over:
            return
        high = False
        if match.page is None:
            picture.draw_hint(target, self._keys(), quiet=True)
            high = self._draw_turn(target, picture)
        notifications.draw(self._canvas_on(target), picture.arena, self._notes(), 64 if high else 12)

    def _keys(self) -> str:
        label = self._match.shell.controls.label
        wanted = ["pause", "step"] if self._match.clock.paused else ["pause", "skip", "swap", "wheel", "help"]
        if all(self._match.humans) and not any(map(self._match.worker.table.taken_over, (0, 1))):
            wanted = [action for action in wanted if action != "wheel"]  # there is none to take or to hand back
        words = {"pause": "play on" if self._match.clock.paused else "pause", "step": "one more play"}
        return "    ".join(f"{label(action)} {words.get(action, action)}" for action in wanted if label(action))

    def _draw_turn(self, target: pygame.Surface, picture: Renderer) -> bool:
        """Whose turn it is, after a moment; whether it stands at the arena's top, for a bot is below."""
        match = self._match
        person = match.person
        if person is None or match.clock.t - match.timeline.end <= HINT_S or match.players.aiming:
            return False
        arena, rules = person.view.arena, person.view.rules
        high = max(arena.left.y, arena.right.y) > 0.8 * rules.arena_height
        picture.draw_hint(target, self._turn_words(person), color=theme.SEAT_COLORS[person.bot], top=high)
        return high

    def _notes(self) -> list[Notification]:
        match = self._match
        table, asking = match.worker.table, match.worker.table.thinking
        notes = notifications.standing(table, match.shell.controls.label("wheel"))
        notes += match.notes.lately()
        slow = notifications.waiting(asking) if asking is not None and not match.over else None
        if slow is not None:
            notes.append(slow)
        if match.clock.paused and match.page is None:
            notes.insert(0, Notification("paused", theme.GOLD))
        elif match.clock.speed != 1.0:
            notes.append(Notification(f"speed {match.clock.speed:g}x", theme.SOFT))
        return notes

    def _turn_words(self, person: Asking) -> str:
        both = all(self._match.humans)
        words = f"{SEATS[person.bot].upper()}, YOUR TURN" if both else "YOUR TURN"
        return f"{words}    (lower your shield to fire)" if person.view.arena.bot(person.bot).shield else words
