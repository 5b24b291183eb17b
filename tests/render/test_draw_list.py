"""Painting only what differs leaves the pixels of painting everything; what is told to have changed is all that has."""

from __future__ import annotations

import random
from dataclasses import replace

import pygame
import pytest
from fakes import LATE, aim, eventful, played

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.model import Rules
from batllm_arcade.render import arena
from batllm_arcade.render.arena import ScaledSheet
from batllm_arcade.render.background import draw_floor
from batllm_arcade.render.draw_list import DrawList, differing, merged, paint
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Aim, Banner, Effect, Thinking
from batllm_arcade.view.timeline import Timeline

SIZE = (300, 200)
CLIP = pygame.Rect(20, 10, 260, 180)
ADD = pygame.BLEND_RGB_ADD


def noise() -> pygame.Surface:
    """A ground on which every pixel that is painted twice, or not at all, is seen."""
    dice, surface = random.Random(3), pygame.Surface(SIZE)
    small = pygame.image.frombytes(dice.randbytes(60 * 40 * 3), (60, 40), "RGB")
    surface.blit(pygame.transform.scale(small, SIZE), (0, 0))
    return surface


GROUND = noise()


def sprite(alpha: int) -> pygame.Surface:
    surface = pygame.Surface((23, 17), pygame.SRCALPHA)
    for x in range(23):
        surface.fill((11 * x, 255 - 9 * x, 140, 11 * x), (x, 0, 1, 17))
    surface.set_alpha(alpha)
    return surface


SPRITES = [sprite(alpha) for alpha in (255, 128, 90)]


def scribble(draw_list: DrawList, dice: random.Random) -> None:
    """Any one of the commands somewhere, at the clip's edges as well."""
    x, y = dice.uniform(0, SIZE[0]), dice.uniform(0, SIZE[1])
    color = (dice.randrange(256), dice.randrange(256), dice.randrange(256))

    def spot(reach: float = 40.0) -> tuple[float, float]:
        return x + dice.uniform(-reach, reach), y + dice.uniform(-reach, reach)

    choices = (
        lambda: draw_list.line(color, (x, y), spot(150)),
        lambda: draw_list.circle(color, (x, y), dice.choice([0.4, 3, 8.7, 30.2]), dice.choice([0, 1, 2, 5])),
        lambda: draw_list.polygon(color, [spot() for _ in range(dice.choice([3, 5]))]),
        lambda: draw_list.outline(color, [spot() for _ in range(5)]),
        lambda: draw_list.rect(
            color, pygame.Rect(*spot(), dice.randrange(90), dice.randrange(40)), dice.choice([0, 6])
        ),
        lambda: draw_list.blit(dice.choice(SPRITES), (round(x), round(y)), None, dice.choice([0, ADD])),
        lambda: draw_list.blit(SPRITES[0], (round(x), round(y)), pygame.Rect(4, 3, 9, 8)),
        lambda: draw_list.lights([(SPRITES[1], [spot(), spot()]), (SPRITES[0], [spot()])], ADD),
        lambda: draw_list.spray(color, [((x, y), spot()) for _ in range(3)], [(SPRITES[2], [spot()])], ADD),
        lambda: draw_list.flash((20, 30, 10)),
    )
    choices[dice.choices(range(10), [9] * 9 + [1])[0]]()


def commands_of(*draw) -> list:
    """The floor, then what each of these draws."""
    draw_list = DrawList(CLIP)
    draw_list.blit(GROUND, CLIP, CLIP)
    for step in draw:
        step(draw_list)
    return draw_list.commands


def painted(commands: list) -> pygame.Surface:
    surface = GROUND.copy()
    paint(surface, commands, [CLIP])
    return surface


def same(one: pygame.Surface, other: pygame.Surface) -> bool:
    return pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")


def assert_same_when_repainted(old: list, new: list) -> list[pygame.Rect]:
    surface, parts = painted(old), differing(old, new, CLIP)
    paint(surface, new, parts)
    assert same(surface, painted(new)), parts
    return parts


@pytest.mark.parametrize("seed", range(12))
def test_commands_that_come_go_and_change_places_are_painted_as_if_everything_were(seed, monkeypatch):
    monkeypatch.setattr(
        "batllm_arcade.render.draw_list.MERGE_PIXELS", 400
    )  # or nearly everything would be one rectangle
    monkeypatch.setattr("batllm_arcade.render.draw_list.REPAINT_SHARE", 0.95)
    dice = random.Random(seed)
    drawn = [lambda draw_list, n=n: scribble(draw_list, random.Random(n)) for n in range(1000 * seed, 1000 * seed + 12)]
    old = commands_of(*drawn)
    for step in range(25):
        at, other = dice.randrange(len(drawn)), dice.randrange(len(drawn))
        kind = dice.randrange(4)
        if kind == 0:
            drawn[at], drawn[other] = drawn[other], drawn[at]
        elif kind == 1 and len(drawn) > 5:
            del drawn[at]
        elif kind == 2:
            drawn.insert(at, drawn[other])
        else:
            drawn[at] = lambda draw_list, n=1000 * seed + 100 + step: scribble(draw_list, random.Random(n))
        new = commands_of(*drawn)
        assert_same_when_repainted(old, new)
        old = new


@pytest.mark.parametrize("seed", range(8))
def test_a_stroke_leaves_nothing_outside_its_box(seed):
    dice = random.Random(seed)
    for _ in range(40):
        without = commands_of()
        command = commands_of(lambda draw_list: scribble(draw_list, dice))[1:]
        parts = merged([part for one in command for part in differing(without, [*without, one], CLIP)])
        shown, kept = painted([*without, *command]), painted(without)
        for part in parts:
            kept.blit(shown, part, part)
        assert same(shown, kept), command


def test_a_filled_rectangle_that_begins_left_of_the_picture_is_cut_there():
    draw_list = DrawList(pygame.Rect(0, 0, *SIZE))
    draw_list.rect((255, 0, 0), pygame.Rect(-30, -20, 50, 30))
    surface = pygame.Surface(SIZE)
    paint(surface, draw_list.commands, [draw_list.clip])
    assert pygame.mask.from_threshold(surface, (255, 0, 0), (1, 1, 1)).get_bounding_rects() == [(0, 0, 20, 10)]


@pytest.mark.parametrize("end", [(280.0, 20.0), (270.5, 155.25), (21.0, 188.0), (260.0, 170.0), (30.3, 20.6)])
def test_a_long_line_has_no_seams(end):
    start, whole = (25.0, 20.0), pygame.Surface(SIZE)
    draw_list = DrawList(pygame.Rect(0, 0, *SIZE))
    draw_list.line((250, 250, 250), start, end)
    pieces = pygame.Surface(SIZE)
    paint(pieces, draw_list.commands, [draw_list.clip])
    pygame.draw.aaline(whole, (250, 250, 250), start, end)
    one, other = (pygame.image.tobytes(surface, "RGB") for surface in (pieces, whole))
    assert max(abs(mine - theirs) for mine, theirs in zip(one, other, strict=True)) <= 2


def test_two_commands_that_change_places_are_noticed():
    def red(draw_list):
        draw_list.rect((255, 0, 0), pygame.Rect(60, 60, 40, 20))

    def blue(draw_list):
        draw_list.rect((0, 0, 255), pygame.Rect(80, 70, 40, 20))

    assert assert_same_when_repainted(commands_of(red, blue), commands_of(blue, red))


def test_a_light_that_shines_twice_is_noticed():
    def light(draw_list):
        draw_list.blit(SPRITES[0], (90, 90), special_flags=ADD)

    assert assert_same_when_repainted(commands_of(light), commands_of(light, light))
    assert assert_same_when_repainted(commands_of(light, light), commands_of(light))


def test_the_same_commands_differ_nowhere_and_far_ones_apart(monkeypatch):
    monkeypatch.setattr("batllm_arcade.render.draw_list.MERGE_PIXELS", 400)
    near, far = (lambda draw_list, x=x: draw_list.circle((255, 0, 0), (x, 60), 6) for x in (50, 240))
    assert differing(commands_of(near, far), commands_of(near, far), CLIP) == []
    parts = differing(commands_of(), commands_of(near, far), CLIP)
    assert len(parts) == 2
    assert sum(part.w * part.h for part in parts) < 1000


def test_a_shape_that_is_touched_is_painted_whole():
    def shape(draw_list):
        draw_list.polygon((0, 200, 90), [(60.3, 50.2), (160.7, 60.4), (110.5, 150.9)])

    def dot(draw_list):
        draw_list.rect((255, 255, 255), pygame.Rect(64, 53, 3, 3))

    (part,) = assert_same_when_repainted(commands_of(shape), commands_of(shape, dot))
    assert part.contains((60, 50, 101, 101))


def test_shapes_that_overlap_one_after_the_other_are_one_part():
    def chain(draw_list):
        for x in range(250, 40, -4):
            draw_list.circle((0, 200, 90), (x, 100), 4)

    def dot(draw_list):
        draw_list.rect((255, 255, 255), pygame.Rect(40, 98, 3, 3))

    (part,) = assert_same_when_repainted(commands_of(chain), commands_of(chain, dot))
    assert part.left <= 40
    assert part.right >= 254


SHORT = {"total_rounds": 1, "turns_per_round": 5}
RULES = {
    "square": Rules(bot_radius=60, **SHORT),
    "wide": Rules(arena_width=2000, arena_height=700, bot_radius=100, step_length=300, shield_degrees=180, **SHORT),
    "tiny": Rules(arena_width=1, arena_height=1.4, bot_radius=0.05, step_length=0.3, shield_degrees=20, **SHORT),
}


def scenes(rules: Rules, display: DisplayOptions, dice: random.Random, count: int):
    """Moments of a match in any order, with whatever can happen at once, at the arena's edges as well."""
    left = [aim, "B", Decision("M", "M", "I go there", "Eat this!"), None, "B"]
    timeline = Timeline.of(played(left, ["M", LATE, "S0", aim, "B"], rules=rules), display)
    wide, high = rules.arena_width, rules.arena_height
    kinds = ("muzzle", "trace", "hit", "block", "wall", "knockout", "refused", "fumble", "speech", "dust")

    def spot() -> tuple[float, float]:
        return dice.choice([0, wide, dice.random() * wide]), dice.choice([0, high, dice.random() * high])

    t = 1.0
    for _ in range(count):
        t = dice.random() * (timeline.end + 3) if dice.random() < 0.2 else t + 1 / 30
        scene = timeline.at(t)
        places = [spot(), spot()]
        bots = tuple(replace(pose, x=x, y=y) for pose, (x, y) in zip(scene.bots, places, strict=True))
        effects = [
            Effect(kind, t - dice.random(), 1.2, spot(), dice.uniform(-360, 360), dice.randrange(2), wide / 3, "hey")
            for kind in dice.sample(kinds, 2)
        ]
        extra = {
            "bots": bots,
            "effects": (*scene.effects, *effects),
            "thinking": Thinking(dice.randrange(2), dice.random() * 5, "let me see " * dice.randrange(9), False),
            "aim": Aim(dice.randrange(2), dice.random() * 360, dice.choice([0.0, -33.5])),
            "banner": Banner("Round 2", "right acts first", dice.random() * 2, dice.choice([None, 1.5]), 1),
            "shake": (dice.uniform(-0.02, 0.02) * wide, dice.uniform(-0.02, 0.02) * high),
            "notices": ("a plugin was dropped",) * dice.randrange(3),
        }
        yield replace(scene, **{name: value for name, value in extra.items() if dice.random() < 0.25})


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize(
    ("size", "display"),
    [
        ((480, 270), DisplayOptions()),
        ((270, 480), DisplayOptions(ui_scale=1.5)),
        ((480, 270), DisplayOptions(reduced_motion=True)),
    ],
    ids=["wide", "tall", "calm"],
)
def test_any_moment_after_any_other_looks_as_if_all_of_it_were_drawn(rules, size, display):
    dice = random.Random(f"{rules}{size}")
    picture, other = Renderer(size, rules, display), Renderer(size, rules, display)
    surface, whole = pygame.Surface(size), pygame.Surface(size)
    for scene in scenes(rules, display, dice, 24):
        picture.redraw(surface, scene)
        other.draw(whole, scene)
        assert same(surface, whole), scene


def sequence(display, size):
    """Consecutive scenes with a brain that streams in between, their picture and its surface."""
    timeline = Timeline.of(eventful(), display)
    scenes = [timeline.at(number / 20) for number in range(int(timeline.end * 20))]
    for number in range(30, 60):
        scenes[number] = replace(scenes[number], thinking=Thinking(0, number / 20, "hm " * (number // 2), False))
    return scenes, Renderer(size, scenes[0].board.rules, display), pygame.Surface(size)


@pytest.mark.parametrize("size", [(640, 360), (360, 640)])
@pytest.mark.parametrize("display", [DisplayOptions(), DisplayOptions(reduced_motion=True)], ids=["moving", "calm"])
def test_nothing_changes_outside_the_rectangles_that_are_returned(display, size):
    scenes, picture, surface = sequence(display, size)
    picture.draw(surface, scenes[0])
    for scene in scenes[1:]:
        before = surface.copy()
        changed = picture.redraw(surface, scene)
        for rect in changed:
            before.blit(surface, rect, rect)
        assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")


def test_little_is_returned_of_an_arena_in_which_little_moves():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    picture.draw(surface, scenes[0])
    areas = [sum(rect.w * rect.h for rect in picture.redraw(surface, scene)) for scene in scenes[1:]]
    assert 0 < sorted(areas)[len(areas) // 4] < picture.arena.w * picture.arena.h / 3


def test_the_same_moment_changes_nothing_and_another_target_everything():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    assert picture.redraw(surface, scenes[40]) == [surface.get_rect()]
    assert picture.redraw(surface, scenes[40]) == []
    other = pygame.Surface((640, 360))
    assert picture.redraw(other, scenes[40]) == [other.get_rect()]


def test_after_another_picture_on_the_same_target_everything_is_drawn():
    scenes, picture, surface = sequence(DisplayOptions(), (640, 360))
    for other in (
        lambda: picture.draw_arena(surface, scenes[40]),
        lambda: picture.draw_loading(surface, 1.0, scenes[40].board.seats, "loading", failed=False),
    ):
        picture.draw(surface, scenes[40])
        before = surface.copy()
        other()
        assert picture.redraw(surface, scenes[40]) == [surface.get_rect()]
        assert pygame.image.tobytes(before, "RGB") == pygame.image.tobytes(surface, "RGB")


def test_with_reduced_motion_a_waiting_match_stands_still():
    timeline = Timeline.of(eventful(), DisplayOptions(reduced_motion=True))
    t = timeline.end + 5
    picture, surface = (
        Renderer((640, 360), timeline.at(0).board.rules, DisplayOptions(reduced_motion=True)),
        pygame.Surface((640, 360)),
    )
    picture.draw(surface, timeline.at(t))
    assert picture.redraw(surface, timeline.at(t + 1)) == []


WHOLE, SHOWN = pygame.Rect(0, 0, 90, 90), pygame.Rect(3, 2, 50, 50)


def floor():
    surface = pygame.Surface(WHOLE.size)
    for x in range(0, 90, 6):
        surface.fill((x, 40, 90 - x), (x, 0, 3, 90))
    return surface


FLOOR = floor()


def recorded(part, x, *, flash=False, shake=0):
    """What is drawn of a floor with things that move to x."""
    draw_list = DrawList(pygame.Rect(part))
    draw_floor(draw_list, FLOOR, WHOLE, (shake, 0))
    draw_list.polygon((250, 0, 0), [(x, 10.5), (x + 20, 15), (x + 5.5, 40)])
    draw_list.rect((0, 250, 0), pygame.Rect(x, 50, 30, 8))
    if flash:
        draw_list.flash((60, 60, 60))
    return draw_list.commands


SEQUENCE = [
    ((20, 20, 40, 40), {"x": 30, "flash": True}),
    ((15, 15, 50, 50), {"x": 31}),
    ((0, 0, 90, 90), {"x": 32, "shake": 4}),
    ((5, 5, 80, 80), {"x": 50}),
    ((40, 40, 50, 50), {"x": 51, "flash": True}),
    ((0, 0, 90, 90), {"x": 51}),
]


def shown_by(sheet, part, commands):
    target, draw_list = pygame.Surface((60, 60)), DrawList(SHOWN)
    sheet.record(draw_list, commands, pygame.Rect(part))
    paint(target, draw_list.commands, [SHOWN])
    return pygame.image.tobytes(target, "RGB")


def test_it_shows_what_a_new_sheet_would():
    kept = ScaledSheet(WHOLE.size)
    for part, drawn in SEQUENCE:
        commands = recorded(part, **drawn)
        assert shown_by(kept, part, commands) == shown_by(ScaledSheet(WHOLE.size), part, commands), drawn


def test_only_what_differs_is_painted(monkeypatch):
    kept, parts = ScaledSheet(WHOLE.size), []
    monkeypatch.setattr(arena, "paint", lambda _sheet, _commands, changed: parts.append([*changed]))
    for x, part in ((30, (20, 20, 40, 40)), (31, (15, 15, 60, 60)), (31, (10, 10, 70, 70))):
        shown_by(kept, part, recorded((0, 0, 90, 90), x))
    assert parts[0] == [WHOLE]
    assert 0 < sum(rect.w * rect.h for rect in parts[1]) < WHOLE.w * WHOLE.h
    assert parts[2] == []
