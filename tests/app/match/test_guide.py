"""The guide through a first match: each lesson when it can be followed, once, and never again unless asked for."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pygame
import pytest
from menus import finish_loading, shell
from menus import press as press_key
from windows import press, run_until

from batllm_arcade.app.application import App
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.match import guide as picture
from batllm_arcade.app.match.guide import DONE_S, LESSONS, Guide, lesson_words
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import BotBumped, BulletFlew
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config
from batllm_arcade.settings.config import Config

COUCH, PLAIN = config.load("couch").rules, config.load("default").rules
FOE = BotState(800, 500, 90, 100, False, 3)


def arena(**me) -> Arena:
    return Arena(BotState(**{"x": 300, "y": 500, "rot": 90, "health": 100, "shield": False, "charge": 3, **me}), FOE)


ARENA = config.load("arena").rules


def play(token: str, bot: int = 0, bounce: tuple[float, float] | None = None, bumped: bool = False):
    flew = (BulletFlew(bot, (0.0, 0.0), (1.0, 1.0), bounce),) if token == "B" else ()
    flew += (BotBumped(1 - bot, (0.0, 0.0), (1.0, 1.0), 150.0),) if bumped else ()
    command, bounced = parse(token, back_step=60), bounce is not None
    return SimpleNamespace(bot=bot, status="ok", command=command, events=flew, came_off_a_wall=bounced)


def shown(guide: Guide, now: float = 1.0, rules: Rules = COUCH, foe: BotState = FOE, hand="keyboard", **me):
    """The card for the left bot's turn, standing as `me` says."""
    return guide.card(now, (replace(arena(**me), right=foe), 0), rules, " ".join, "TAB", hand)


def taught(guide: Guide, rules: Rules = COUCH, **me) -> str:
    card = shown(guide, rules=rules, **me)
    return card.title if card is not None else ""


def test_each_lesson_comes_when_it_can_be_followed():
    guide = Guide()
    assert taught(guide) == "AIM"
    assert taught(guide, shield=True) == "AIM"
    assert taught(guide, rot=0, shield=True) == "SHIELD"
    assert taught(guide, rot=0) == "FIRE"
    guide.learn([play("C90")], (True, False))
    assert taught(guide) == "STEP"
    guide.learn([play("S", 1), play("B", 1), play("M", 1)], (True, False))
    assert taught(guide, shield=True) == "SHIELD"
    guide.learn([play(token) for token in ("S", "M", "B")], (True, False))
    assert taught(guide, charge=3) == ""
    assert taught(guide, charge=0) == "LOAD"
    guide.learn([play("M")], (True, False))
    assert guide.card(1.0, None, COUCH, " ".join, "TAB") is None, "a knock-out is told, and nothing else"
    done = shown(guide)
    assert done.title == "WELL DONE"
    assert done.sentence is not None, "it keeps off the turn's sentence, too"
    assert not guide.over
    assert shown(guide, 1.0 + DONE_S + 0.1) is None
    assert guide.over


AIMED = replace(FOE, rot=180)


@pytest.mark.parametrize(("me", "foe", "lesson"), [
    ({"rot": 45}, AIMED, "SHIELD"), ({"rot": 0}, AIMED, "FIRE"), ({"rot": 45, "charge": 0}, AIMED, "STEP"),
    ({"rot": 90}, AIMED, "STEP"), ({"rot": 45}, replace(AIMED, charge=0), "AIM"),
])  # fmt: skip
def test_what_helps_comes_first_while_the_other_bot_aims_and_no_shield_that_would_stop_nothing(me, foe, lesson):
    assert taught(Guide(), foe=foe, **me) == lesson


@pytest.mark.parametrize("hand", ["keyboard", "mouse"])
@pytest.mark.parametrize(
    ("foe", "rules", "said"),
    [
        (replace(FOE, rot=180), COUCH, "ahead, out of the other bot's line."),
        (FOE, COUCH, "ahead and loads your gun."),
        (FOE, PLAIN, "walks one step ahead."),
    ],
)
def test_a_step_is_said_to_do_what_it_would_do_in_this_very_turn(foe, rules, said, hand):
    guide = Guide()
    guide.learn([play("C90"), play("S")], (True, False))
    card = shown(guide, rules=rules, foe=foe, hand=hand)
    assert card.title == "STEP"
    assert said in card.words


def test_the_wall_and_the_bump_are_taught_only_where_the_rules_have_them_and_when_they_can_be_tried():
    guide = Guide()
    guide.learn([play(token) for token in ("C5", "S", "M", "B", "M")], (True, False))
    assert taught(guide) == "WELL DONE"
    guide = Guide()
    guide.learn([play(token) for token in ("C5", "S", "M", "B", "M")], (True, False))
    assert taught(guide, ARENA, charge=0) == ""
    card = shown(guide, rules=ARENA)
    assert (card.title, card.total) == ("OFF THE WALL", 7)
    assert "takes 14 wherever it strikes" in card.words
    assert taught(guide, ARENA, rot=0) == "", "it hits straight on"
    assert taught(guide, ARENA, rot=0, x=680, charge=0) == "BUMP"
    guide.learn([play("B")], (True, False))
    assert taught(guide, ARENA) == "OFF THE WALL", "straight on is no lesson in walls"
    guide.learn([play("B", bounce=(0.5, 0.0)), play("M", bumped=True)], (True, False))
    assert taught(guide, ARENA) == "WELL DONE"


@pytest.mark.parametrize(("hand", "named"), [("keyboard", True), ("pad", True), ("mouse", False), ("touch", False)])
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_lesson_is_in_the_words_of_what_one_plays_with(lesson, hand, named):
    text = lesson_words(lesson, hand, lambda actions: f"<{actions[0]}>", 12)[1]
    assert text[0].isupper() or text[0] == "<"
    assert ("mouse" in text or "lick" in text) <= (hand in ("keyboard", "mouse"))
    assert "Hold <left>" not in text or named


def test_rules_without_a_battery_have_nothing_to_load():
    guide = Guide()
    guide.learn([play(token) for token in ("C90", "S", "B", "M")], (True, False))
    assert taught(guide, PLAIN) == "WELL DONE"


def test_nothing_is_asked_for_while_it_is_not_the_persons_turn():
    assert Guide().card(1.0, None, COUCH, " ".join, "TAB") is None


@pytest.mark.parametrize("size", [(540, 960), (960, 540), (1280, 720)])
@pytest.mark.parametrize(("y", "foe_y"), [(100, 120), (500, 500), (900, 880), (150, 600), (300, 850), (880, 390)])
def test_the_card_lies_within_the_arena_and_hides_no_bot_and_no_sentence(size, y, foe_y):
    canvas = Canvas(size)
    canvas.target = pygame.Surface(size)
    side = min(size) - 140
    floor = pygame.Rect((size[0] - side) // 2, 100, side, side)
    before = arena(y=y)
    card = Guide().card(1.0, (replace(before, right=replace(FOE, y=foe_y)), 0), COUCH, " ".join, "TAB")
    picture.draw(canvas, floor, card)
    box = canvas.rect(picture.place(canvas, floor, card))
    assert floor.contains(box)
    radius = COUCH.bot_radius * side / COUCH.arena_height
    for at in (y, foe_y):
        middle = floor.top + at * side / COUCH.arena_height
        assert box.bottom <= middle - radius or box.top >= middle + radius
    high, low = (floor.top + round(share * side) for share in card.sentence)
    assert box.bottom <= high + 1 or box.top >= low - 1, "the sentence on the turn can be read"


@pytest.fixture
def plan(tmp_path, monkeypatch) -> SessionPlan:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    rules = Rules(total_rounds=1, turns_per_round=40)
    seats = (Spec("keyboard"), Spec("scripted", "turtle"))
    return SessionPlan(Config(rules=rules, header_template=""), seats, seed=7, history=tmp_path / "one.json")


def test_the_first_match_of_a_person_is_guided_and_one_key_ends_that_for_good(plan, plugins, quick):
    app, seen = App(plan, plugins, with_title=True), []

    def drive(app: App) -> bool:
        match = app.screen
        if isinstance(match, MatchScreen) and match.frame.guide is not None and not seen:
            seen.append(match.frame.guide.title)
            press(pygame.K_TAB)
        elif seen and isinstance(match, MatchScreen) and match.frame.guide is None and match.person is not None:
            return len(seen) == 1
        return False

    run_until(app, lambda app: app.go.start(plan), drive)
    assert seen[0] in ("AIM", "SHIELD", "FIRE")
    assert not app.ui.settings.guided
    assert app.ui.settings.played


def hints(app: App) -> str:
    pairs = app.screen.keys()
    return " ".join(words for _, words in pairs)


def test_help_brings_the_guide_back_and_scripts_need_none(plan, plugins):
    with shell(plan, plugins) as app:
        app.go.title()
        app.ui.apply(replace(app.ui.settings, guided=False))
        app.go.help_screen()
        assert "guide me" in hints(app)
        press_key(app, pygame.K_g)
        assert app.ui.settings.guided
        assert "guide me" not in hints(app)
        app.go.start(replace(plan, seats=(Spec("scripted", "turtle"),) * 2))
        finish_loading(app)
        assert isinstance(app.screen, MatchScreen)
    assert app.ui.settings.guided
