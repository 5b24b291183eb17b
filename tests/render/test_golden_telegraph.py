"""What a person sees in their turn of who can hurt whom, as pictures that somebody has looked at."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from golden import SIZES, assert_looks_like

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.render import telegraph_words
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings import config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.look.shapes import HOT
from batllm_arcade.view.scene import Aim, BotPose, Scene, Scoreboard, Thinking
from batllm_arcade.view.telegraph.advice import Choice
from batllm_arcade.view.telegraph.lines import PlayerKeys
from batllm_arcade.view.telegraph.person_turn import PersonTurn

RULES = config.load("couch").rules
ARENA = config.load("arena").rules
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X", "Q")
SEATS = (SeatInfo("Ann", "keyboard", human=True), SeatInfo("turtle", "scripted:turtle"))
SMALL, PHONE = (960, 540), (540, 960)
MOMENTS = {
    # name: left, right, whose turn it is, degrees turned
    "threat": (BotState(430, 420, 284, 100, False, 3), BotState(880, 490, 189, 76, False, 4), 0, 0.0),
    "holds": (BotState(300, 600, 332, 64, True, 4), BotState(720, 380, 152, 76, False, 7), 0, 0.0),
    "empty": (BotState(300, 600, 332, 64, False, 1), BotState(720, 380, 110, 76, False, 2), 0, 0.0),
    "turning": (BotState(300, 900, 20, 64, False, 6), BotState(620, 420, 110, 30, False, 6), 0, -76.0),
    "corner": (BotState(60, 60, 45, 64, True, 2), BotState(180, 150, 217, 30, True, 4), 1, 0.0),
}
CHOSEN: dict[str, Choice] = {"step": "move", "shield": "shield", "back": "retreat"}
MORE = {
    # what a person chooses and has not done yet; where the other one would step; lines off the wall
    "step": (BotState(300, 380, 75, 100, False, 3), BotState(760, 480, 180, 76, False, 6), 0, 0.0),
    "shield": (BotState(300, 600, 332, 64, False, 4), BotState(720, 380, 152, 76, False, 7), 0, 0.0),
    "lead": (BotState(250, 500, 16, 64, False, 6), BotState(700, 500, 90, 76, False, 1), 0, 0.0),
    "bounce": (BotState(300, 500, 300.96, 100, False, 3), BotState(900, 500, 239.03, 76, False, 6), 0, 0.0),
    "back": (BotState(500, 500, 20, 64, False, 1), BotState(618, 530, 90, 76, False, 2), 0, 0.0),
}


def scene(name: str) -> Scene:
    left, right, who, turned = (MOMENTS | MORE)[name]
    rules = ARENA if name in ("bounce", "back") else RULES
    arena = Arena(left, right)
    left_pose, right_pose = (
        BotPose(b.x, b.y, b.rot, float(b.shield), b.health / 100, b.health / 100, b.health, True, 1.0, b.charge)
        for b in (left, right)
    )
    seats = SEATS if who == 0 else (SEATS[1], SEATS[0])
    board = Scoreboard(rules, 3, 1, seats, round=1, turn=4)
    aim = Aim(who, arena.bot(who).rot + turned, turned)
    shown = PersonTurn(arena, rules, who, KEYS, "YOUR TURN").telegraph(turned, CHOSEN.get(name, ""))
    poses = (left_pose, right_pose)
    return Scene(5.0, arena, poses, board, thinking=Thinking(who, 3.0, "", True), aim=aim, telegraph=shown)


@pytest.mark.parametrize("size", [SMALL, *SIZES, PHONE], ids=str)
@pytest.mark.parametrize("name", MOMENTS)
def test_a_person_s_turn_looks_as_it_should(name, size):
    surface = pygame.Surface(size)
    Renderer(size, RULES).draw(surface, scene(name))
    assert_looks_like(f"telegraph-{name}", surface)


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=str)
@pytest.mark.parametrize("name", MORE)
def test_a_play_that_is_chosen_and_a_line_that_bends_look_as_they_should(name, size):
    surface = pygame.Surface(size)
    Renderer(size, RULES).draw(surface, scene(name))
    assert_looks_like(f"telegraph-{name}", surface)


@pytest.mark.parametrize("choice", ["", "move"])
@pytest.mark.parametrize("charge", [6, 2])
def test_a_step_s_ring_is_hot_and_crossed_exactly_where_a_shot_would_hit(choice, charge):
    left, right, who, _ = MORE["step"]
    arena = Arena(left, replace(right, charge=charge))
    turn = PersonTurn(arena, RULES, who, KEYS).telegraph(0, choice)
    still = replace(scene("step"), arena=arena, telegraph=turn)
    renderer, surface = Renderer(SMALL, RULES), pygame.Surface(SMALL)
    renderer.draw(surface, still)
    assert turn.step is not None
    (x, y), radius = renderer.camera.point(*turn.step.end), renderer.camera.length(RULES.bot_radius)
    cross = pygame.Rect(round(x - 0.25 * radius), round(y - 0.25 * radius), round(0.5 * radius), round(0.5 * radius))
    hot = pygame.mask.from_threshold(surface.subsurface(cross), HOT, (60, 60, 60, 255)).count()
    assert (hot > 5) == (charge >= RULES.shot_charge)


@pytest.mark.parametrize("size", [SIZES[0], PHONE], ids=str)
def test_large_words_and_reduced_motion_look_as_they_should(size):
    surface = pygame.Surface(size)
    Renderer(size, RULES, DisplayOptions(reduced_motion=True, ui_scale=1.5)).draw(surface, scene("threat"))
    assert_looks_like("telegraph-threat-large-calm", surface)


def test_with_reduced_motion_nothing_of_it_moves():
    renderer, pictures = Renderer(SMALL, RULES, DisplayOptions(reduced_motion=True)), []
    for t in (5.0, 5.2, 5.4):
        surface = pygame.Surface(SMALL)
        renderer.draw(surface, replace(scene("threat"), t=t))
        pictures.append(pygame.image.tobytes(surface.subsurface(renderer.arena), "RGB"))
    assert len(set(pictures)) == 1


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("size", [SMALL, PHONE], ids=str)
def test_words_hide_no_bot_and_no_other_words_and_stay_in_the_arena(size, scale, monkeypatch):
    placed: list[pygame.Rect] = []

    def noted(target: DrawList, image: pygame.Surface, at: tuple[float, float]) -> None:
        rect = image.get_rect(center=(round(at[0]), round(at[1])))
        assert target.clip.contains(rect)
        placed.append(rect)

    monkeypatch.setattr("batllm_arcade.render.telegraph_words.blit_centred", noted)
    renderer, surface = Renderer(size, RULES, DisplayOptions(ui_scale=scale)), pygame.Surface(size)
    for name in ("threat", "holds", "empty", "turning", "step", "shield", "lead", "bounce"):
        placed.clear()
        shown = scene(name)
        renderer.draw(surface, shown)
        assert len(placed) >= 2
        for pose in shown.bots:
            body = pygame.Rect(0, 0, *(2 * [round(1.6 * renderer.camera.length(RULES.bot_radius))]))
            body.center = tuple(round(value) for value in renderer.camera.point(pose.x, pose.y))
            assert body.collidelist(placed) < 0, name
        assert all(rect.collidelist(placed[:number]) < 0 for number, rect in enumerate(placed)), name


def test_no_word_of_a_line_is_written_where_something_else_lies_over_the_arena(monkeypatch):
    placed: list[pygame.Rect] = []
    monkeypatch.setattr(
        "batllm_arcade.render.telegraph_words.blit_centred",
        lambda target, image, at: placed.append(image.get_rect(center=(round(at[0]), round(at[1])))),
    )
    renderer, surface, shown = Renderer(SMALL, RULES), pygame.Surface(SMALL), scene("threat")
    assert shown.telegraph is not None
    renderer.draw(surface, shown)
    arena, word = renderer.arena, placed[0]
    top, bottom = ((y - arena.top) / arena.height for y in (word.top - 2, word.bottom + 2))
    covered = replace(shown.telegraph, covered=(top, bottom))
    placed.clear()
    renderer.draw(surface, replace(shown, telegraph=covered))
    assert all(rect.bottom <= word.top or rect.top >= word.bottom for rect in placed)


def test_words_of_a_line_stay_where_they_are_until_other_words_lie_over_them(monkeypatch):
    searched: list[int] = []
    real = telegraph_words.place_chips
    monkeypatch.setattr(telegraph_words, "place_chips", lambda *given: searched.append(1) or real(*given))
    renderer, shown = Renderer(SMALL, RULES), scene("threat")
    words = telegraph_words.TelegraphWords(20.0, 1.0, TextRenderer(1.0))

    def drawn(*taken: pygame.Rect) -> list[tuple[object, ...]]:
        target = DrawList(renderer.arena)
        words.draw(target, shown, shown.telegraph, renderer.camera, taken)
        return target.commands

    corner = pygame.Rect(renderer.arena.topleft, (8, 8))
    before = drawn()
    assert drawn(corner) == drawn(corner.move(3, 0)) == drawn() == before
    assert len(searched) == 1
    (image, at, *_) = before[0]
    over = image.get_rect(topleft=at)
    moved = drawn(over)
    assert len(searched) == 2
    assert all(not over.colliderect(picture.get_rect(topleft=spot)) for picture, spot, *_ in moved)
