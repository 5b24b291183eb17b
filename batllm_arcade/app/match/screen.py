"""The screen of a match."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pygame

from batllm_arcade.app.input.controls import Controls, Meaning
from batllm_arcade.app.input.key_labels import pressing
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.input.pointing import HELD, Action
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.match import guide as guide_card
from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.buttons import ACTIONS, ButtonStrip, Touched
from batllm_arcade.app.match.frame import SOUNDS, FrameComposer, MatchFrame
from batllm_arcade.app.match.guide import Guide, PuzzleCard
from batllm_arcade.app.match.menu import MatchMenu
from batllm_arcade.app.match.notifications import Notifications
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.audio.player import Player
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene

_NOTES_BELOW, _NOTES_BELOW_SENTENCE = 12.0, 116.0
"""Logical units from the arena's top to the notices, and that with a person's sentence above them."""
_HIGH, _LOW = 0.3, 0.64
"""Where a bot stands too high for notices at the top, and where they are then, as shares of the arena's height."""


class MatchRenderer:
    """Draws one match's frames; pictures that take long to make are kept until something about them changes."""

    def __init__(self) -> None:
        self._renderer: Renderer | None = None
        self._strip: ButtonStrip | None = None
        self._canvas: Canvas | None = None
        self._corner = CornerButton("pause")

    def button_at(self, pos: tuple[int, int]) -> str:
        """Return the name of the button at a pixel, `pause` for the one at the top left, "" for none."""
        if self._canvas is not None and self._corner.BOX.holds(*self._canvas.logical(pos)):
            return "pause"
        return self._strip.at(pos) if self._strip is not None else ""

    def world(self, pos: tuple[int, int]) -> tuple[float, float] | None:
        """Return the point of the arena at a pixel, in world units; None outside of the arena."""
        renderer = self._renderer
        if renderer is None or not renderer.arena.collidepoint(pos):
            return None
        camera = renderer.camera
        return (pos[0] - camera.left) / camera.scale, (pos[1] - camera.top) / camera.scale

    def lay_out(self, size: tuple[int, int], frame: MatchFrame) -> None:
        """Give everything its place in a window of this size, in pixels."""
        kept, display = self._renderer, frame.display
        if kept is None or (kept.size, kept.rules, kept.display) != (size, frame.rules, display):
            self._renderer = kept = Renderer(size, frame.rules, display, live=True)
            kept.prepare()
            self._strip = ButtonStrip(kept.layout, display.ui_scale)
        if self._canvas is None or (self._canvas.size, self._canvas.ui_scale) != (size, display.ui_scale):
            self._canvas = Canvas(size, display.ui_scale)
        if self._strip is not None and frame.scene is not None:
            self._strip.place(frame.buttons)
        self._corner.hovered = frame.corner == "hovered"

    def draw(self, target: pygame.Surface, frame: MatchFrame) -> None:
        """Draw the frame that was laid out last over the whole surface."""
        renderer, canvas = self._renderer, self._canvas
        assert renderer is not None, "it has not been laid out"
        assert canvas is not None
        canvas.target = target
        if frame.scene is None:
            loading = frame.loading
            renderer.draw_loading(
                target, frame.now, loading.seats, loading.progress, failed=loading.failed, prompts=loading.prompts,
                score=loading.score,
            )  # fmt: skip
        else:
            self._draw_scene(canvas, renderer, frame, frame.scene)
        if frame.corner:
            self._corner.draw(canvas)

    def _draw_scene(self, canvas: Canvas, renderer: Renderer, frame: MatchFrame, scene: Scene) -> None:
        target = canvas.target
        box = guide_card.place(canvas, renderer.arena, frame.guide) if frame.guide is not None else None
        top, tall = renderer.arena.top / canvas.scale, renderer.arena.height / canvas.scale
        if box is not None and scene.telegraph is not None:
            covered = ((box.y - top) / tall, (box.bottom - top) / tall)
            scene = replace(scene, telegraph=replace(scene.telegraph, covered=covered))
        renderer.draw(target, scene)
        if frame.best is not None:
            renderer.draw_best(target, scene, frame.best)
        if self._strip is not None:
            self._strip.draw(target, frame.buttons)
        below = notes_below(scene, tall)
        if frame.guide is not None and box is not None:
            guide_card.draw(canvas, box, frame.guide)
            if box.y - top - 30 < below < box.bottom - top:
                below = box.bottom - top + 6
        notifications.draw(canvas, renderer.arena, frame.notes, below)


def notes_below(scene: Scene, tall: float) -> float:
    """Return how far below the top of an arena so `tall` the notices begin, over no words and no bot; logical units."""
    high = [pose.y / scene.board.rules.arena_height for pose in scene.bots]
    if min(high) < _HIGH and not any(_LOW - 0.1 < each < _LOW + 0.2 for each in high):
        return _LOW * tall
    if scene.telegraph is not None and scene.telegraph.banner and scene.telegraph.place == "top":
        return _NOTES_BELOW_SENTENCE
    return _NOTES_BELOW


_RUMBLES = {
    "hit": (0.7, 0.25),
    "knockout": (1.0, 0.7),
    "block": (0.3, 0.12),
    "break": (0.6, 0.3),
    "muzzle": (0.2, 0.08),
}
"""How strongly and how long (seconds) a person's gamepad shakes when it happens to their bot."""
LAST_SECONDS = 5
"""Seconds at the end of a person's clock that tick."""


class Feedback:
    """Plays what happens between two moments of a match; called once per frame."""

    def __init__(self, sounds: Player, controls: Controls) -> None:
        self._sounds, self._controls = sounds, controls
        self._second = 0

    def follow(self, state: MatchState, before: float, after: float) -> None:
        """Play the sounds from `before` to `after` on the timeline and shake the gamepads of whom they happened to."""
        self._sounds.follow(state.timeline, before, after, state.clock.speed)
        for effect in (effect for segment in state.timeline.segments[-2:] for effect in segment.effects):
            if before < effect.start <= after and effect.kind in _RUMBLES and state.humans[effect.bot]:
                self._controls.rumble(effect.bot, *_RUMBLES[effect.kind], state.humans)

    def tick(self, person: OpenRequest | None) -> None:
        """Let the last seconds of a person's clock be heard."""
        if person is None:
            return
        left = person.live.seconds_left()
        second = 0 if left is None or left > LAST_SECONDS else int(left) + 1
        if second and second != self._second:
            self._sounds.play("tick")
        self._second = second


_MOUSE_EVENTS = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)
_OF_A_BOT = tuple(name for name, _ in ACTIONS)


class MatchMouse:
    """Gives the players what is done by mouse or finger in the arena and with their buttons."""

    def __init__(self, controls: Controls, players: Players, renderer: MatchRenderer, menu: MatchMenu) -> None:
        self._controls, self._players, self._renderer, self._menu = controls, players, renderer, menu
        self.touched = Touched()

    def let_go(self) -> None:
        """Forget what is held and pointed at: a dialog has the mouse now."""
        self.touched.hovered = self.touched.pressed = ""

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Take an event of the mouse."""
        if event.type == pygame.MOUSEWHEEL:
            if event.y:
                self._players.wheel(now, back=event.y < 0)
            return
        if event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT:
            self._release(event.pos, now)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._point(event.pos)
            self._press(event.pos, now)
        elif event.button == pygame.BUTTON_RIGHT:
            self._players.hold("shield", now, pressed=event.type == pygame.MOUSEBUTTONDOWN)

    def _point(self, pos: tuple[int, int]) -> None:
        self.touched.hovered = self._renderer.button_at(pos)
        self._players.pointing.move(self._renderer.world(pos))

    def _press(self, pos: tuple[int, int], now: float) -> None:
        name = self.touched.hovered
        if not name:
            if self._renderer.world(pos) is not None:
                self._players.click(now)
            return
        self.touched.pressed = name
        if name in _OF_A_BOT:
            self._players.hold(cast(Action, name), now, pressed=True)
        elif name == "pause":
            self._menu.pause()
        else:
            for event in pressing(self._controls.key_label(name), pad=False):
                pygame.event.post(event)

    def _release(self, pos: tuple[int, int], now: float) -> None:
        name, self.touched.pressed = self.touched.pressed, ""
        self._players.pointing.release()
        if name in HELD and self._renderer.button_at(pos) != name:
            self._players.take_back()  # the pointer has left the button
        if self._controls.pointer == "touch":
            self.touched.hovered = ""  # a finger points only as long as it is down
        if name in _OF_A_BOT:
            self._players.hold(cast(Action, name), now, pressed=False)


_DIALOG_ACTIONS = ("step", "swap", "wheel")
"""Actions whose keys work in the pause menu, too, except the keys that the menu itself uses."""


class MatchScreen:
    """Shows a plan's games, which a thread plays, until it is left; a `renderer` used before has its pictures ready."""

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan, thread: MatchThread,
        renderer: MatchRenderer, *, guided: bool = False,
    ) -> None:  # fmt: skip
        self.ui, self.services = ui, services
        self.state = MatchState(thread, plan, ui.settings.display)
        brains = BrainList(services.plugins.kinds, services.availability)
        self.players, self.notes = Players(ui.controls), Notifications(brains.called)
        self.menu = MatchMenu(ui, go, services, self.state, self.players, self.notes)
        self._feedback = Feedback(services.sounds, ui.controls)
        self._renderer = renderer
        self.mouse = MatchMouse(ui.controls, self.players, renderer, self.menu)
        self._composer = FrameComposer(self.state, ui.controls, self.players, self.notes, self.mouse.touched)
        self._composer.guide = PuzzleCard(plan.puzzle) if plan.puzzle else Guide() if guided else None
        self._held_by_cover = False
        self.frame = self._compose(0.0)
        thread.start()

    @property
    def repeats(self) -> bool:
        return self.menu.dialog is not None

    @property
    def person(self) -> OpenRequest | None:
        """The person whose move it is and who may act: everything before it has been seen, and no dialog is open."""
        return self.state.person if self.menu.dialog is None else None

    def leave(self) -> None:
        """Stop the match; its file ends in good order."""
        self.state.thread.leave()
        self.menu.leave()
        self.ui.text_input(False)
        self.services.wait_at_end(self.state.thread)

    def cover(self, now: float) -> None:
        self.players.let_go()
        if not self.state.over:
            self._held_by_cover = not self.state.clock.paused
            self.state.hold()
            self.players.hold_clock(self.state.table.thinking, True)

    def uncover(self, now: float) -> None:
        """Go on as it was: a match that was paused stays so until somebody goes on."""
        if self._held_by_cover:
            self.state.play_on()
        elif self.menu.dialog is None and self.state.clock.paused:
            self.menu.dialog = self.menu.pause_menu()
        self._held_by_cover = False

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Give an event to the dialog, else to the players at the seats, else to the screen's own keys."""
        if event.type in (pygame.WINDOWFOCUSLOST, pygame.JOYDEVICEREMOVED):
            self.players.let_go()
            self.mouse.let_go()
        played = self.state.started and not self.state.over and any(self.state.humans)
        if event.type == pygame.WINDOWFOCUSLOST and self.ui.settings.pause_away and played and not self.menu.dialog:
            self.menu.pause("Another window has the keyboard now")
        dialog = self.menu.dialog
        if dialog is not None:
            action = meaning.action if dialog.pauses else None
            if action == "pause" or (action in _DIALOG_ACTIONS and meaning.intent is None):
                self._act(action)
            else:
                dialog.handle(event, meaning, now)
        elif event.type in _MOUSE_EVENTS and not self.state.over:
            self.mouse.handle(event, now)
        elif not self.players.handle(meaning.player, self.state.humans, now, taken_over=self.state.taken_over):
            self._handle_key(event, meaning)

    def _handle_key(self, event: pygame.event.Event, meaning: Meaning) -> None:
        back = event.type == pygame.MOUSEBUTTONDOWN or meaning.intent == "back"
        if back and self.players.aiming:
            self.players.take_back()
        elif back and not self.state.over:
            self.menu.pause()
        elif (back or meaning.intent == "confirm") and self.state.result_shown(theme.RESULT_S / 3):
            self.menu.dialog = self.menu.results()
        elif not back:
            self._act(meaning.action)

    def _act(self, action: str | None) -> None:
        menu, state, guide = self.menu, self.state, self._composer.guide
        if action is None or state.over:
            return
        if action == "pause":
            menu.play_on() if state.clock.paused else menu.pause()
        elif not state.started:
            return
        elif action == "step":
            menu.step()
        elif action in ("slower", "faster"):
            state.clock.change_speed(1 if action == "faster" else -1)
        elif action == "skip" and self.frame.guide is not None and guide is not None:
            guide.over = True
        elif action == "skip":
            state.skip()
        elif action == "swap":
            menu.open(menu.swap_list())
        elif action == "coach" and (problem := self._composer.coach.ask(self.person, on=self.ui.settings.coach)):
            menu.complain(problem)
        elif action == "wheel":
            menu.take_over_or_hand_back()

    def update(self, now: float) -> None:
        """Move the match on, let it be heard, open the dialog that is due, and put the frame together."""
        before, after = self.state.update(now)
        if self._composer.guide is not None:
            self._composer.guide.learn(self.state.new_plays(), self.state.humans)
        self._feedback.follow(self.state, before, after)
        self._update_players(now)
        self.notes.take_failures(self.state.table, now)
        self.menu.update(now)
        dialog = self.menu.dialog
        if not self.state.over:
            self.services.match_ended = None
        elif self.services.match_ended is None and isinstance(dialog, ResultsDialog):
            self.services.match_ended = now  # up to now the match has been seen without its results
        if dialog is None:
            self.ui.text_input(False)
        else:
            self.mouse.let_go()
            dialog.update(now)
        self.frame = self._compose(now)

    def _update_players(self, now: float) -> None:
        person = self.person
        self.state.clock.hurried = self.players.idle
        if self.players.follow(person, self.state.humans, now, taken_over=self.state.taken_over):
            self.services.sounds.ui("move")  # the aim has come to rest on the other bot
        if (refused := self.players.take_refused()) is not None:
            self.services.sounds.play(SOUNDS[refused.why])
            self._composer.refusal.show(refused, self.state)
        self.players.hold_clock(self.state.table.thinking, self.menu.dialog is not None or not self.state.may_act)
        self._feedback.tick(person)

    def _compose(self, now: float) -> MatchFrame:
        display, problems = self.ui.settings.display, self.services.new_problems()
        covered = self.menu.dialog is not None
        return self._composer.compose(now, display, self.person, problems, covered=covered)

    def lay_out(self, size: tuple[int, int]) -> None:
        if self._in_sight:
            self._renderer.lay_out(size, self.frame)
        if self.menu.dialog is not None:
            self.menu.dialog.lay_out(size)

    @property
    def _in_sight(self) -> bool:
        return self.menu.dialog is None or not self.menu.dialog.backdrop or not self.state.started

    @property
    def picture(self) -> object:
        over = self.menu.dialog.picture if self.menu.dialog is not None else ()
        return self.frame.still(over) if self.state.clock.paused else None

    def draw(self, target: pygame.Surface) -> None:
        if self._in_sight:
            self._renderer.draw(target, self.frame)
        if self.menu.dialog is not None:
            self.menu.dialog.draw(target)
