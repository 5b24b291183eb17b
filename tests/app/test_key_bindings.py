"""Every key and button that can be bound does something: its effect is seen as soon as it is pressed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pygame
import pytest
from menus import give, shell
from paths import DATA, DOCS
from shells import draw
from windows import still_match

from batllm_arcade.app.application import App
from batllm_arcade.app.input.controls import PAD, Controls
from batllm_arcade.app.input.key_labels import NAMES, PLAYER_KEYS
from batllm_arcade.app.input.players import Players
from batllm_arcade.app.match.buttons import ACTIONS as BUTTONS
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import SeatInfo, Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config, user_settings
from batllm_arcade.settings.user_settings import ACTIONS, ANYWHERE, KEYS, Settings
from batllm_arcade.view.timeline import Timeline

ARENA = Arena(BotState(200, 500, 0, 100, False), BotState(800, 500, 180, 100, False))
SIZE = (480, 270)
PLAYERS = ("left", "right")
BOUND = [
    (group, action, name)
    for group, actions in ACTIONS.items()
    for action in actions
    for name in user_settings.bindings(Settings(), group).get(action, ())
]
"""Everything as shipped: which group (a seat's keys, the screen's, the gamepad's), which action, which key."""
SEATS_KEYS = [row for row in BOUND if row[1] in ACTIONS["left"]]
SCREEN_KEYS = [row for row in BOUND if row not in SEATS_KEYS]


def event(group: str, name: str, *, pressed: bool = True) -> pygame.event.Event:
    """A key or a gamepad's button that goes down or up."""
    if group == "pad":
        return pygame.event.Event(PAD, button=name, pressed=pressed, place=0, repeat=False)
    kind = pygame.KEYDOWN if pressed else pygame.KEYUP
    return pygame.event.Event(kind, key=pygame.key.key_code(name), mod=0, unicode="")


def test_every_action_that_can_be_bound_is_bound_and_tried_here():
    tried = {(group, action) for group, action, _ in BOUND}
    keys = {(group, action) for group in ACTIONS if group != "pad" for action in ACTIONS[group]}
    assert keys <= tried
    assert {action for group, action in tried if group == "pad"} >= set(ACTIONS["left"])


def test_every_action_has_a_name_on_the_screen_and_one_in_the_documentation():
    actions = {action for group in ACTIONS.values() for action in group}
    assert set(NAMES) == actions
    page = (DOCS / "controls.md").read_text("utf-8")
    assert sorted(action for action in actions if f"`{action}`" not in page) == []


def test_the_help_the_panels_the_buttons_and_the_pointer_have_every_action_of_a_player():
    actions, rows = set(ACTIONS["left"]), [(set(key.actions), key) for key in PLAYER_KEYS]
    assert set().union(*(row for row, _ in rows)) == actions
    pointed = [set().union(*(row for row, key in rows if getattr(key, pointer))) for pointer in ("mouse", "touch")]
    assert [*pointed, {name for name, _ in BUTTONS}] == [actions - {"fine"}] * 3


SPELLED = {"left": "\u2190", "right": "\u2192", "up": "\u2191", "down": "\u2193", "return": "ENTER"}
"""How the documentation spells keys whose names are not their labels."""
TABLES = [
    *((group, "playing.md", "Your turn", f"two people, {group}", [*ACTIONS[group]]) for group in PLAYERS),
    ("screen", "playing.md", "While a match runs", "key", [each for each in KEYS["screen"] if each not in ANYWHERE]),
    ("screen", "controls.md", "Bindings", "key", ANYWHERE),
]
"""Which page has which actions of a group: the section of its table, and the column that has the keys."""


@pytest.mark.parametrize(("group", "page", "section", "column", "actions"), TABLES)
def test_a_table_of_the_documentation_has_every_key_as_it_is_shipped(group, page, section, column, actions):
    text = (DOCS / page).read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    (at,) = (number for number, heading in enumerate(rows[0]) if heading == column)
    words = set(re.findall(r"[^\s`,]+", " ".join(row[at] for row in rows)))
    spelled = {name: SPELLED.get(name, name.upper().split()[-1]) for each in actions for name in KEYS[group][each]}
    assert [name for name, word in spelled.items() if word not in words] == []


# -- a person's turn --------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def _keyboard() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        yield
        pygame.display.quit()


def what_comes_of(group: str, *names: str) -> tuple[str, float]:
    """The command that a turn ends with and how far the aim has swung, when these keys are held for half a second.

    The key of a play that is made when it is let go is let go then.
    """
    bot = 1 if group == "right" else 0
    humans = (True, True) if group in PLAYERS else (True, False)
    controls = Controls(Settings())
    players = Players(controls)
    view = View(bot, Rules(ricochet=1, back_step=20), 1, 1, 1, 1, (0, 1), ("", ""), ARENA, ARENA, live=Live())
    asked = OpenRequest(bot, SeatInfo("Human", "keyboard", human=True), view, time.monotonic())
    players.follow(asked, humans, 1.0)
    for name in names:
        players.handle(controls.meaning(event(group, name)).player, humans, 1.0)
    players.follow(asked, humans, 1.5)
    swung = players.aim.turned
    for name in names if players.chosen else ():
        players.handle(controls.meaning(event(group, name, pressed=False)).player, humans, 1.6)
    asked.live.cancel()
    try:
        return asked.live.wait_for_command(), swung
    except Cancelled:
        return "nothing", swung


@pytest.mark.parametrize(("group", "name"), [("left", "q"), ("right", "delete"), ("pad", "righttrigger")])
def test_a_key_that_somebody_bound_before_there_was_a_step_back_keeps_what_it_does(group, name):
    kept = {"pad": {"fire": [name]}} if group == "pad" else {"keys": {group: {"fire": [name]}}}
    controls = Controls(user_settings.read(kept))
    assert controls.meaning(event(group, name)).player.action == "fire"


@pytest.mark.parametrize(("group", "action", "name"), SEATS_KEYS)
def test_each_key_of_a_player_plays_or_aims(group, action, name):
    swing = user_settings.bindings(Settings(), group)["right"][0]
    before = what_comes_of(group, swing) if action == "fine" else what_comes_of(group)
    after = what_comes_of(group, name, swing) if action == "fine" else what_comes_of(group, name)
    assert after != before
    commands = {"move": "M", "retreat": "M-20", "fire": "B", "wait": ""}
    assert action not in commands or after == (commands[action], 0.0)
    assert action not in ("left", "right") or (after[1] < 0) == (action == "left")


# -- a match and its window -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    """A recorded match up to its third shot."""
    timeline = Timeline.of(replay(read(DATA / "couch_match.json")))
    flights = [segment for segment in timeline.segments if segment.flight is not None]
    del timeline.segments[timeline.segments.index(flights[2]) + 1 :]
    return timeline


@pytest.fixture
def app(tmp_path, monkeypatch, timeline) -> Iterator[App]:
    """A match whose third bullet is in flight, standing still: between two of its frames no time passes."""
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_names, **_how: str(tmp_path))
    monkeypatch.setattr("batllm_arcade.app.recording.show_folder", lambda folder: None)
    plan = SessionPlan(config.load("couch"), (Spec("scripted", "sharpshooter"), Spec("scripted", "dancer")), seed=7)
    with shell(plan, manager.load()) as made:
        made.go.show(still_match(made, plan, timeline, sum(timeline.segments[-1].flight) / 2))
        yield made


def noticed(app: App, now: float) -> tuple[Any, ...]:
    """What a person notices at this moment: the picture with what is said over it, and the settings."""
    surface = pygame.Surface(SIZE)
    app.update(now)
    draw(app.screen, surface)
    app._recording.draw(surface, now, still=True)
    return pygame.image.tobytes(surface, "RGB"), app.ui.settings


def paused(app: App) -> None:
    app.screen.menu.pause()


BEFORE: dict[str, Callable[[App], None]] = {"step": paused}
"""What must have been done for an action to make sense; the others act on a match that is shown."""


@pytest.mark.parametrize(("group", "action", "name"), SCREEN_KEYS)
def test_each_key_of_a_match_has_an_effect_that_is_noticed(group, action, name, app):
    now = 50.0
    noticed(app, now)
    BEFORE.get(action, lambda app: None)(app)
    give(app, event(group, name, pressed=False), now)  # the keys shown are those of what was used last
    before = noticed(app, now)
    assert noticed(app, now) == before, "nothing moves by itself"
    give(app, event(group, name), now)
    assert noticed(app, now) != before
