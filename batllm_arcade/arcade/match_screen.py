"""A live match in the window: loading, playing, the result; the picture never waits for a brain."""

from __future__ import annotations

import time
from dataclasses import replace

import pygame

from batllm_arcade.arcade.hands import Action, Hands
from batllm_arcade.arcade.keys import bindings
from batllm_arcade.arcade.screen import Shell
from batllm_arcade.arcade.worker import MatchWorker
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.records import GameEnded
from batllm_arcade.seating import Thinking as Asking
from batllm_arcade.session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.draw import Picture
from batllm_arcade.view.scene import Aim, Scene, Thinking
from batllm_arcade.view.timeline import Timeline


class MatchScreen:
    """Shows one match after the other of a plan until it is left."""

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        self._shell, self._plan = shell, plan
        table = shell.session.table(plan)
        self.worker = MatchWorker(shell.session.match(plan, table), table)
        self.timeline = Timeline()
        self._picture: Picture | None = None
        self._hands = (Hands(), Hands())
        self._down: tuple[set[Action], set[Action]] = (set(), set())  # aiming keys held, whosever turn it is
        self._asked: Asking | None = None
        self._seats = (table.seat(0), table.seat(1))
        self._keys = bindings((self._seats[0].human, self._seats[1].human))
        self._shown = False  # whether the record in the mailbox is on the timeline
        self._paused_at: float | None = None
        self._paused_s = 0.0
        self._leaving = False
        self._games_seen = 0
        self.over = False
        self.worker.start()

    def leave(self) -> None:
        """Stop the match; its file ends in good order."""
        self.worker.leave()

    def cover(self, now: float) -> None:
        """A match under another screen is paused."""
        if self._paused_at is None:
            self._pause(now)
        self._let_go()

    def uncover(self, now: float) -> None:
        """It stays paused until the person goes on."""

    def _let_go(self) -> None:
        for hands, down in zip(self._hands, self._down, strict=True):
            hands.let_go()
            down.clear()

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Keys of the screen first, then those of the persons at the seats."""
        if event.type == pygame.WINDOWFOCUSLOST:
            self._let_go()
        if event.type == pygame.KEYDOWN and self._handle_screen_key(event.key, now):
            return
        if event.type in (pygame.KEYDOWN, pygame.KEYUP) and not self._leaving:
            self._handle_hand(event, now)

    def _handle_screen_key(self, key: int, now: float) -> bool:
        enter = key in (pygame.K_RETURN, pygame.K_KP_ENTER)
        if self.worker.problem or self._leaving:
            if enter or key == pygame.K_y or (self.worker.problem and key == pygame.K_ESCAPE):
                self._shell.leave_match()
            elif key in (pygame.K_ESCAPE, pygame.K_n):
                self._leaving = False
        elif self.over:
            if not self._result_seen(now):
                return True  # whoever still presses fire has not seen who won
            if enter or key == pygame.K_r:
                self._shell.start(self._plan)
            elif key == pygame.K_t:
                self._shell.title()
            elif key == pygame.K_ESCAPE:
                self._shell.leave_match()
        elif key == pygame.K_ESCAPE:
            self._leaving = True
        elif key == pygame.K_p:
            self._pause(now)
        else:
            return False
        return True

    def _result_seen(self, now: float) -> bool:
        return self._time(now) >= self.timeline.segments[-1].start + theme.RESULT_S / 3

    def _pause(self, now: float) -> None:
        if self._paused_at is None:
            self._paused_at = now
        else:
            self._paused_s += now - self._paused_at
            if self._asked is not None:
                self._asked.live.extend(now - self._paused_at)
            self._paused_at = None

    def _time(self, now: float) -> float:
        """The timeline's time: the shell's clock without the pauses."""
        return (now if self._paused_at is None else self._paused_at) - self._paused_s

    def _person(self, t: float) -> Asking | None:
        """The person whose move it is, once everything before it has been seen."""
        asking = self.worker.table.thinking
        if asking is None or not asking.seat.human or self._shown or self.worker.peek() or t < self.timeline.end:
            return None
        return asking

    def _handle_hand(self, event: pygame.event.Event, now: float) -> None:
        for seat in (0, 1):
            action = self._keys[seat].get(event.key)
            if action is None:
                continue
            pressed, hands = event.type == pygame.KEYDOWN, self._hands[seat]
            if action in ("left", "right"):
                (self._down[seat].add if pressed else self._down[seat].discard)(action)
            asking = self._person(self._time(now))
            if asking is None or asking.bot != seat or self._paused_at is not None:
                hands.let_go()
                continue
            token = hands.press(action, now) if pressed else hands.release(action, now)
            if token:
                asking.live.hand_in(token)
                hands.let_go()

    def _greet(self, asking: Asking | None, now: float) -> None:
        """A person whose turn has just begun and who holds a key already starts to aim now."""
        if asking is not None and asking is not self._asked:
            asking.live.extend(time.monotonic() - asking.since)
            for action in self._down[asking.bot]:
                self._hands[asking.bot].press(action, now)
        self._asked = asking

    def draw(self, target: pygame.Surface, now: float) -> None:
        """Move the timeline on and draw this moment."""
        t = self._time(now)
        if self._paused_at is None:
            self._advance(t)
        if not self.timeline.segments:
            self._draw_loading(target, now)
            return
        scene = self._scene(t, now)
        picture = self._picture_for(target.get_size(), scene.board.rules)
        picture.draw(target, scene)
        self._draw_words(picture, target, t, now)

    def _advance(self, t: float) -> None:
        if self._shown and t >= self.timeline.end:
            self._shown = False
            self.worker.take()
        record = self.worker.peek() if not self._shown else None
        if record is not None:
            self._shown = True
            self.timeline.append(record, not_before=t)
            self._games_seen += isinstance(record, GameEnded)
            self.over = self._games_seen == self._plan.games

    def _scene(self, t: float, now: float) -> Scene:
        scene = self.timeline.at(t)
        asking = self.worker.table.thinking
        scene = replace(scene, notices=tuple(self._shell.new_problems()[-2:]))
        if asking is None or self.over:
            return scene
        if asking.seat.human:
            return self._person_scene(scene, t, now)
        seconds = max(0.0, time.monotonic() - asking.since)
        return replace(scene, thinking=Thinking(asking.bot, seconds, asking.live.text, False))

    def _person_scene(self, scene: Scene, t: float, now: float) -> Scene:
        asking = self._person(t)
        self._greet(asking, now)
        if asking is None:
            return scene
        hands = self._hands[asking.bot]
        turned = hands.aim(now) if hands.aiming else 0.0
        aim = Aim(asking.bot, scene.bots[asking.bot].rot + turned, turned)
        seconds = max(0.0, time.monotonic() - asking.since)
        left = asking.live.seconds_left()
        return replace(scene, thinking=Thinking(asking.bot, seconds, "", True, left), aim=aim)

    def _picture_for(self, size: tuple[int, int], rules: Rules) -> Picture:
        if self._picture is None or self._picture.size != size or self._picture.rules != rules:
            self._picture = Picture(size, rules)
        return self._picture

    def _draw_loading(self, target: pygame.Surface, now: float) -> None:
        picture = self._picture_for(target.get_size(), self._plan.config.rules)
        words = self.worker.problem or self.worker.progress
        picture.draw_waiting(target, now, self._seats, words, failed=bool(self.worker.problem))
        if self.worker.problem:
            picture.draw_hint(target, "ENTER back")
        elif self._leaving:
            picture.draw_notice(target, "Leave this match?", "ENTER leave    ESC wait")

    def _draw_words(self, picture: Picture, target: pygame.Surface, t: float, now: float) -> None:
        if self.worker.problem:
            picture.draw_notice(target, self.worker.problem, "ENTER back")
        elif self._leaving:
            picture.draw_notice(target, "Leave this match?", "ENTER leave    ESC play on")
        elif self._paused_at is not None:
            picture.draw_notice(target, "Paused", "P play on")
        elif self.over and self._result_seen(now):
            picture.draw_hint(target, "ENTER rematch    T title    ESC leave")
        else:
            picture.draw_hint(target, "P pause    ESC leave", quiet=True)
            person = self._person(t)
            if person is not None and t - self.timeline.end > 0.4:
                arena, rules = person.view.arena, person.view.rules
                low = max(arena.left.y, arena.right.y) > 0.8 * rules.arena_height
                color = theme.SEAT_COLORS[person.bot]
                picture.draw_hint(target, self._turn_words(person), color=color, top=low)

    def _turn_words(self, person: Asking) -> str:
        both = all(seat.human for seat in self._seats)
        words = f"{SEATS[person.bot].upper()}, YOUR TURN" if both else "YOUR TURN"
        return f"{words}    (lower your shield to fire)" if person.view.arena.bot(person.bot).shield else words
