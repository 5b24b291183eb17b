"""What lies over a match in a film is laid on and taken away, and only what differs is said to have changed."""

from __future__ import annotations

import pygame

from batllm_arcade.video.draw.frames import Cover, Layers

SIZE, WHOLE = (60, 40), pygame.Rect(0, 0, 60, 40)
RIBBON = pygame.Rect(10, 5, 30, 10)
DOT = pygame.Rect(12, 7, 4, 4)
NIGHT, GREEN, GOLD, WHITE = (1, 2, 3), (0, 200, 0), (200, 180, 0), (255, 255, 255)


class Card:
    """A card that is one colour."""

    def draw(self, target, _film_t):
        return [target.fill(WHITE)]

    def forget(self):
        pass


def plate(size, color, alpha=128):
    surface = pygame.Surface(size, pygame.SRCALPHA)
    surface.fill((*color, alpha))
    return surface


def shown(layers, covers, dot=None):
    """Draw a match that is one colour, with a dot on it, as what is new."""
    layers.uncover()
    changed = [layers.surface.fill(GREEN, dot)] if dot else []
    return layers.show_match(changed, covers)


def match_alone(dots):
    surface = pygame.Surface(SIZE)
    surface.fill(NIGHT)
    for dot in dots:
        surface.fill(GREEN, dot)
    return surface


def same(one, other):
    return pygame.image.tobytes(one, "RGB") == pygame.image.tobytes(other, "RGB")


def begun():
    layers = Layers(SIZE, Card())
    layers.surface.fill(NIGHT)
    return layers


def test_a_ribbon_that_stays_is_no_change_and_lies_over_what_is_new_below_it():
    layers, ribbon = begun(), Cover(plate(RIBBON.size, GOLD), RIBBON)
    assert shown(layers, [ribbon]) == [WHOLE]
    assert shown(layers, [ribbon]) == []
    assert shown(layers, [ribbon], DOT) == [DOT]
    wanted = match_alone([DOT])
    wanted.blit(ribbon.image, RIBBON)
    assert same(layers.surface, wanted)


def test_what_comes_or_goes_has_changed_and_leaves_no_trace():
    layers, ribbon = begun(), Cover(plate(RIBBON.size, GOLD), RIBBON)
    flashes = [Cover(plate(SIZE, WHITE), WHOLE, pygame.BLEND_RGB_ADD, light) for light in (90, 40)]
    shown(layers, [])
    assert shown(layers, [ribbon]) == [RIBBON]
    assert shown(layers, [ribbon, flashes[0]]).count(WHOLE) == 1
    assert WHOLE in shown(layers, [ribbon, flashes[1]]), "a flash that fades is one surface"
    assert WHOLE in shown(layers, [])
    assert same(layers.surface, match_alone([]))


def test_after_a_card_the_match_is_what_it_was():
    layers, ribbon = begun(), Cover(plate(RIBBON.size, GOLD), RIBBON)
    layers.show_card(0.0)
    assert shown(layers, [ribbon], DOT) == [WHOLE]
    for _ in range(2):
        assert layers.show_card(1.0) == [WHOLE]
    assert layers.surface.get_at((0, 0))[:3] == WHITE
    assert shown(layers, []) == [WHOLE]
    assert same(layers.surface, match_alone([DOT]))


def test_a_low_strip_covers_its_whole_place_and_nothing_below_it():
    layers = begun()
    shown(layers, [Cover(plate((30, 3), GOLD), RIBBON)])
    wanted = match_alone([])
    wanted.blit(plate(RIBBON.size, GOLD), RIBBON)
    assert same(layers.surface, wanted)
