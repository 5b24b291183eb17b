"""Every setting does what it says: with it something happens that without it does not."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import dropwhile, pairwise, takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import platformdirs
import pygame
import pytest
from fakes import ScriptedBrain, eventful, kinds
from menus import finish_loading, shell
from plays import bot, game
from shells import QuietSounds, draw
from windows import VirtualClock, run_until

from batllm_arcade.app.application import App
from batllm_arcade.app.input.controls import NOTHING, Controls
from batllm_arcade.app.match.frame import MatchFrame
from batllm_arcade.app.match.screen import Feedback, MatchScreen
from batllm_arcade.app.recording import Recording
from batllm_arcade.audio.player import Player
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.plugin import manager
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import user_settings
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.scene import Thinking
from batllm_arcade.view.timeline import Timeline

SIZE = (640, 360)
RECORDS = eventful()
NEAR = game("A B", bots=(bot(400, 0), bot(600, 180)))


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, quick: None, clips: None) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_names, **_how: str(tmp_path / "data"))


# -- what can be noticed ----------------------------------------------------------------------------


def moments(settings: Settings) -> Iterator[Any]:
    """The scenes of a match with hits and a knock-out, a hundred a second."""
    timeline = Timeline.of(RECORDS, settings.display)
    return (timeline.at(step / 100) for step in range(int(100 * timeline.end)))


def goes_closer_on_hits(settings: Settings) -> bool:
    """Whether a shot that meets a bot is shown from nearer; nothing else is."""
    timeline = Timeline.of(NEAR, settings.display)
    return any(timeline.framed(step / 100).frame is not None for step in range(int(100 * timeline.end)))


def shakes(settings: Settings) -> bool:
    return any(scene.shake != (0.0, 0.0) for scene in moments(settings))


def holds_still_on_a_hit(settings: Settings) -> bool:
    return any(effect.held for scene in moments(settings) for effect in scene.effects)


def shows_the_last_shot_slowly(settings: Settings) -> bool:
    flights = [part.flight for part in Timeline.of(RECORDS, settings.display).segments if part.flight is not None]
    return flights[-1][1] - flights[-1][0] > 1.5 * max(lands - leaves for leaves, lands in flights[:-1])


def picture(settings: Settings, *, later: float = 0.0, thought: str = "") -> bytes:
    """The arena of a match that waits for a bot, which perhaps thinks aloud."""
    timeline = Timeline.of(RECORDS[:5], settings.display)
    scene = replace(timeline.at(timeline.end + 9.0 + later), thinking=Thinking(1, 2.0, thought, False))
    surface = pygame.Surface(SIZE)
    renderer = Renderer(SIZE, scene.board.rules, settings.display)
    renderer.draw(surface, scene)
    return pygame.image.tobytes(surface.subsurface(renderer.arena), "RGB")


def shows_a_bubble(settings: Settings) -> bool:
    return picture(settings, thought="I had better move now") != picture(settings)


def never_stands_still(settings: Settings) -> bool:
    """Whether something moves even while a bot is waited for."""
    return picture(settings) != picture(settings, later=0.4)


def has_larger_words(settings: Settings) -> bool:
    """Whether the heading of the help is higher than as shipped."""

    def height(which: Settings) -> int:
        with shell(plan(), plugins()) as app:
            app.ui.apply(which)
            app.go.help_screen()
            app.update(1.0)
            surface = pygame.Surface((1280, 720))
            draw(app.screen, surface)
        rows = (any(max(surface.get_at((x, y))[:3]) > 160 for x in range(0, 1280, 2)) for y in range(720))
        return len(list(takewhile(bool, dropwhile(operator.not_, rows))))

    return height(settings) > 1.3 * height(Settings())


class Mixer(NamedTuple):
    """How loud what was played is: of a hit, of a menu's sound, of the music."""

    hit: float
    menu: float
    music: float


class Channel:
    def __init__(self) -> None:
        self.volume = 0.0

    def set_volume(self, left: float, right: float) -> None:
        self.volume = max(left, right)


def heard(settings: Settings) -> Mixer:
    """What a player with these settings plays, on channels that only remember."""
    channels: dict[str, Channel] = {}
    clock = SimpleNamespace(now=1000.0)

    def load(path: str) -> Any:
        return SimpleNamespace(play=lambda: channels.setdefault(Path(path).stem, Channel()))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("batllm_arcade.audio.player.pygame.mixer.Sound", load)
        player = Player(Settings(), lambda: clock.now)
        player.apply(settings)
        player.music(True)
        player.play("hit")
        player.ui("confirm")
        for _ in range(120):
            clock.now += 0.1
            player.update()
        music = pygame.mixer.music.get_volume()
        player.close()
    return Mixer(*(channels[name].volume if name in channels else 0.0 for name in ("hit", "ui_confirm")), music)


def all_is_quieter(settings: Settings) -> bool:
    here, usual = heard(settings), heard(Settings())
    return all(now < 0.8 * before for now, before in zip(here, usual, strict=True))


class Joystick:
    """A gamepad that remembers how long it shook."""

    shaken = 0

    def __init__(self, index: int) -> None:
        """Every index is one."""

    def get_instance_id(self) -> int:
        return 7

    def get_name(self) -> str:
        return "a pad"

    def rumble(self, low: float, high: float, milliseconds: int) -> None:
        Joystick.shaken += milliseconds


def gamepad_shakes(settings: Settings) -> bool:
    """Whether a person's gamepad shakes while the match is shown."""
    Joystick.shaken = 0
    timeline, clock = Timeline.of(RECORDS, settings.display), SimpleNamespace(speed=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pygame.joystick.Joystick", Joystick)
        controls = Controls(settings)
        controls.feed(pygame.event.Event(pygame.JOYDEVICEADDED, device_index=0), 0.0)
        feedback: Any = Feedback(QuietSounds(), controls)  # type: ignore[arg-type]
        for before, after in pairwise(step / 30 for step in range(int(30 * timeline.end))):
            until = [part for part in timeline.segments if part.start <= after]
            state = SimpleNamespace(timeline=SimpleNamespace(segments=until), clock=clock, humans=(True, False))
            feedback.follow(state, before, after)
    return Joystick.shaken > 0


def keeps_the_last_seconds(settings: Settings) -> bool:
    """Whether filming runs beside the window without anybody having asked for a film."""
    recording = Recording()
    recording.take(pygame.Surface(SIZE, 0, 32), settings, 0.0, music=True)
    active = recording.recorder.active
    recording.close()
    return active


def plugins() -> manager.Plugins:
    found = manager.load()
    found.kinds.update(kinds(still=ScriptedBrain(["M"] * 100)))
    found.kinds["orders"] = BrainKind("orders", "takes orders", lambda spec: ScriptedBrain(["M"] * 100), prompted=True)
    return found


def plan(left: str = "keyboard", right: str = "still") -> SessionPlan:
    rules = Rules(total_rounds=1, turns_per_round=9, initial_shield=False)
    return SessionPlan(Config(rules=rules, header_template=""), (Spec(left), Spec(right)), seed=7)


def window(settings: Settings, done: Callable[[App], Any], first: Callable[[App], None]) -> Any:
    """What is seen in a window that was opened with these settings, as soon as there is something."""
    app, seen = App(plan(), plugins(), with_title=True, clock=VirtualClock()), []
    app.ui.apply(settings)

    def look(app: App) -> bool:
        found = done(app)
        if found is not None:
            seen.append(found)
        return found is not None

    run_until(app, first, look)
    return seen[0]


def turn(settings: Settings, wanted: Callable[[MatchFrame, MatchScreen], Any]) -> Any:
    """What a frame of a person's turn says."""

    def look(app: App) -> Any:
        match = app.screen
        if not isinstance(match, MatchScreen) or match.person is None or match.frame.scene is None:
            return None
        return wanted(match.frame, match) if match.frame.scene.aim is not None else None

    return window(settings, look, lambda app: app.go.start(plan()))


def the_coach_answers(settings: Settings) -> bool:
    def asked(frame: MatchFrame, match: MatchScreen) -> bool:
        return match._composer.coach.ask(match.person, on=match.ui.settings.coach) == ""

    return bool(turn(settings, asked))


def pauses_when_the_window_loses_the_focus(settings: Settings) -> bool:
    """What is held plays nothing in any case."""

    def left(frame: MatchFrame, match: MatchScreen) -> bool:
        match.mouse.touched.pressed = "move"
        match.players.hold("shield", 0.0, pressed=True)
        match.handle(pygame.event.Event(pygame.WINDOWFOCUSLOST), NOTHING, 0.0)
        match.players.hold("shield", 0.0, pressed=False)
        assert match.mouse.touched.pressed == ""
        assert match.person is None or not match.players.chosen
        said = match.menu.dialog.words if match.menu.dialog is not None else ""
        assert match.state.clock.paused == ("Another window" in said)
        return match.state.clock.paused

    return bool(turn(settings, left))


def fills_the_screen(settings: Settings) -> bool:
    flags = window(settings, lambda app: pygame.display.get_surface().get_flags(), lambda app: app.go.title())
    return bool(flags & pygame.FULLSCREEN)


def orders_are_covered(settings: Settings) -> bool:
    with shell(plan(), plugins()) as app:
        app.ui.apply(settings)
        app.go.prompts(plan("orders", "orders"))
        app.update(1.0)
        return all(area.covered for area in app.screen.pair.areas)


def plays_as(seat: int, name: str) -> Callable[[Settings], bool]:
    def sits(settings: Settings) -> bool:
        with shell(plan(), plugins()) as app:
            app.ui.apply(settings)
            app.go.start(plan("keyboard", "keyboard"))
            finish_loading(app)
            return bool(app.screen.state.plan.seats[seat].text("name") == name)

    return sits


def begins_easily(settings: Settings) -> bool:
    """Whether brains are offered at their lowest level."""
    with shell(plan(), plugins()) as app:
        app.ui.apply(settings)
        app.go.seats(plan("keyboard", "embedded"))
        return bool(app.screen.plan().seats[1].text("level") == "rookie")


def goes_on_with_the_second_puzzle(settings: Settings) -> bool:
    with shell(plan(), plugins()) as app:
        app.ui.apply(settings)
        app.go.title()
        return any("2 of 5" in widget.hint for widget in app.screen.form.widgets)


class Case(NamedTuple):
    """A setting, its value with which it is so, its value with which it is not, and what is or is not so."""

    name: str
    value: Any
    other: Any
    happens: Callable[[Settings], bool]


TURNS: dict[str, Callable[[MatchFrame], Any]] = {
    "lines of fire": lambda frame: frame.scene.telegraph is not None,
    "threats": lambda frame: frame.scene.telegraph and frame.scene.telegraph.banner,
    "a clock": lambda frame: frame.scene.thinking.left is not None,
    "a guide": lambda frame: frame.guide is not None,
}
"""What a frame of a person's turn may have."""


def has(what: str) -> Callable[[Settings], bool]:
    return lambda settings: bool(turn(settings, lambda frame, match: bool(TURNS[what](frame))))


CASES = (
    Case("reduced_motion", False, True, shakes),
    Case("reduced_motion", False, True, goes_closer_on_hits),
    Case("reduced_motion", False, True, holds_still_on_a_hit),
    Case("reduced_motion", False, True, shows_the_last_shot_slowly),
    Case("reduced_motion", False, True, never_stands_still),
    Case("screen_shake", True, False, shakes),
    Case("freeze_frames", True, False, holds_still_on_a_hit),
    Case("camera", True, False, goes_closer_on_hits),
    Case("bubbles", True, False, shows_a_bubble),
    Case("telegraphs", "all", "none", has("lines of fire")),
    Case("telegraphs", "own", "none", has("lines of fire")),
    Case("telegraphs", "all", "own", has("threats")),
    Case("ui_scale", 1.5, 1.0, has_larger_words),
    Case("fullscreen", True, False, fills_the_screen),
    Case("effects_volume", 0.5, 0.0, lambda settings: heard(settings).hit > 0),
    Case("music_volume", 0.5, 0.0, lambda settings: heard(settings).music > 0),
    Case("muted", False, True, lambda settings: heard(settings).hit > 0),
    Case("muted", False, True, lambda settings: heard(settings).music > 0),
    Case("night", True, False, all_is_quieter),
    Case("turn_clock_s", 20.0, 0.0, has("a clock")),
    Case("pause_away", True, False, pauses_when_the_window_loses_the_focus),
    Case("hide_prompts", True, False, orders_are_covered),
    Case("rumble", True, False, gamepad_shakes),
    Case("clips", True, False, keeps_the_last_seconds),
    Case("guided", True, False, has("a guide")),
    Case("coach", True, False, the_coach_answers),
    Case("left_name", "Ann", "", plays_as(0, "Ann")),
    Case("right_name", "Bob", "", plays_as(1, "Bob")),
    Case("played", False, True, begins_easily),
    Case("puzzles", 1.0, 0.0, goes_on_with_the_second_puzzle),
)


def test_every_setting_has_something_that_it_does():
    """A setting added to the settings needs a row above."""
    assert {case.name for case in CASES} == {name for group in user_settings.FIELDS.values() for name in group}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}={case.value}")
def test_it_happens_with_the_setting_and_does_not_without_it(case):
    assert case.happens(user_settings.changed(Settings(), case.name, case.value))
    assert not case.happens(user_settings.changed(Settings(), case.name, case.other))
