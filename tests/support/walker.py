"""The arcade as a program of its own that says on standard output where it stands; for walks in a real window.

    python tests/walker.py FILE [LEFT RIGHT [SEED]]

plays a person against a script in a hurry, unless told who plays; with a seed, by the rules of `couch` and at once. The
brain `statue` does nothing, ever. A line for every change: the screen, the dialog
over it, what has the focus, and whose turn it is. Lines on standard input such as `a down` are what a virtual gamepad's
buttons do; `where NAME` is answered with `at X Y`, the pixel of something on the screen.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pygame
from fakes import Function, kind
from windows import hasten

from batllm_arcade.app import application as frame_clock
from batllm_arcade.app import window
from batllm_arcade.app.application import App
from batllm_arcade.app.kit.keycaps import CornerButton
from batllm_arcade.app.kit.widgets import Choice
from batllm_arcade.app.match import results
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config, load
from batllm_arcade.video.recorder import Recorder

_BUTTONS = {
    "a": 0,
    "b": 1,
    "x": 2,
    "y": 3,
    "leftshoulder": 4,
    "rightshoulder": 5,
    "back": 6,
    "start": 7,
    "rightstick": 10,
}
SIZE = (720, 405)
"""Pixels of the window: a small one costs a third of the usual one's time."""
FRAMES = 60
"""Frames a second, as in a real window: a press is seen in the next one."""
_HATS = {"dpup": (0, 1), "dpdown": (0, -1), "dpleft": (-1, 0), "dpright": (1, 0)}


def station(app: App) -> str:
    """Where the arcade stands."""
    screen = app.screen
    dialog = screen.menu.dialog if isinstance(screen, MatchScreen) else screen
    focus = getattr(form_of(dialog), "focus", None)
    words = getattr(focus, "text", "") or getattr(focus, "label", "")
    if isinstance(focus, Choice):
        words += f" {focus.options[focus.chosen]}"
    where = [type(screen).__name__, type(dialog).__name__ if dialog not in (screen, None) else "", words]
    if isinstance(screen, MatchScreen):
        turn = screen.person
        where += [f"turn {turn.view.round}.{turn.view.turn}.{turn.bot}" if turn is not None else ""]
        effects = screen.frame.scene.effects if turn is not None and screen.frame.scene is not None else ()
        told = [effect.text for effect in effects if effect.kind in ("refused", "uncharged")]
        where += [f"{' '.join(told)} match {id(screen)}"]
    return "/".join(str(part) for part in where)


def form_of(shown: object) -> object:
    """The form that is operated now: that of the list that is open, else the screen's."""
    picker = getattr(shown, "picker", None)
    return picker.form if picker is not None else getattr(shown, "form", None)


def place(app: App, name: str) -> tuple[float, float] | None:
    """Where something is, in pixels: `corner`, `hint KEY`, `button NAME`, `foe`, `ground`, or a widget's words."""
    screen = app.screen
    shown = screen.menu.dialog if isinstance(screen, MatchScreen) and screen.menu.dialog is not None else screen
    kind, _, rest = name.partition(" ")
    canvas = shown._renderer._canvas if isinstance(shown, MatchScreen) else getattr(shown, "_canvas", None)
    canvas = shown.bar.canvas if isinstance(shown, ReplayScreen) and shown.bar is not None else canvas
    if name == "corner" and canvas is not None:
        x, y = CornerButton.BOX.middle
    elif kind == "hint" and canvas is not None:
        x, y = next((hint.box.middle for hint in shown.hint_bar.hints if hint.key == rest), (-1, -1))
    elif isinstance(shown, MatchScreen):
        return arena_place(shown, name, rest)
    elif canvas is not None:
        form = form_of(shown)
        found = (w for w in form.widgets if str(getattr(w, "text", getattr(w, "label", ""))).startswith(name))
        x, y = next((form.shown(widget).middle for widget in found), (-1, -1))
    else:
        return None
    return (x * canvas.scale, y * canvas.scale) if x >= 0 else None


def arena_place(match: MatchScreen, name: str, rest: str) -> tuple[float, float] | None:
    """Where a button, the other bot or the ground before the person's bot is."""
    strip, asked = match._renderer._strip, match.person
    if name.startswith("button "):
        return strip.places[rest].center if strip is not None and rest in strip.places else None
    if asked is None:
        return None
    me, foe = asked.view.arena.bot(asked.bot), asked.view.arena.bot(1 - asked.bot)
    ahead = pygame.Vector2(1, 0).rotate(me.rot + 60) * 1.5 * asked.view.rules.bot_radius
    camera = match._renderer._renderer.camera
    return camera.point(foe.x, foe.y) if name == "foe" else camera.point(me.x + ahead.x, me.y + ahead.y)


def listen(given: SimpleQueue[str]) -> None:
    """Pass on what is said on standard input."""
    for line in sys.stdin:
        given.put(line)


def operate(line: str) -> None:
    """Post a virtual gamepad's event, `a down` for a button that is pressed."""
    button, _, how = line.strip().partition(" ")
    pressed = how == "down"
    if button in _HATS:
        value = _HATS[button] if pressed else (0, 0)
        pygame.event.post(pygame.event.Event(pygame.JOYHATMOTION, instance_id=9, joy=0, hat=0, value=value))
    else:
        kind = pygame.JOYBUTTONDOWN if pressed else pygame.JOYBUTTONUP
        pygame.event.post(pygame.event.Event(kind, instance_id=9, joy=0, button=_BUTTONS[button]))


def main(file: Path, left: str = "keyboard", right: str = "scripted:turtle", seed: str = "") -> None:
    hasten(times=60.0)
    results.CEREMONY_S = 0.0
    window.first_size = lambda _: SIZE
    frame_clock.FRAMES_PER_SECOND = FRAMES
    Recorder.keep_clips = lambda self, on: None  # a quarter of its time; tests/app/test_window.py has clips as shipped
    os.environ["SDL_VIDEO_WINDOW_POS"] = "0,0"  # a point of the window is then the same point of the screen
    rules = Rules(total_rounds=2, turns_per_round=4)
    if seed:
        rules = replace(load("couch").rules, total_rounds=1, turns_per_round=6)
    config = Config(rules=rules, header_template="$commands")
    plan = SessionPlan(config, (Spec.parse(left), Spec.parse(right)), seed=int(seed or 7), history=file)
    plugins = manager.load()
    plugins.kinds["statue"] = kind("statue", Function(lambda view: Decision("", None)))
    app = App(plan, plugins, with_title=not seed)
    said, given = [""], SimpleQueue[str]()
    threading.Thread(target=listen, args=(given,), daemon=True).start()

    def each_frame(app: App) -> None:
        if not given.empty():  # one event a frame: a person's press and release are frames apart
            line = given.get()
            if line.startswith("where "):
                at = place(app, line.strip().partition(" ")[2])
                print("at" if at is None else f"at {at[0]:.0f} {at[1]:.0f}", flush=True)
            else:
                operate(line)
        now = station(app)
        if now != said[0]:
            said[0] = now
            print(now, flush=True)

    app.run((lambda app: app.go.start(plan)) if seed else (lambda app: app.go.title()), each_frame)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
