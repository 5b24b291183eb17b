"""Which key does what: two sets, one for each person at a shared keyboard, both for a person alone."""

from __future__ import annotations

import pygame

from batllm_arcade.arcade.hands import Action

LETTERS: dict[int, Action] = {
    pygame.K_a: "left",
    pygame.K_d: "right",
    pygame.K_w: "move",
    pygame.K_SPACE: "fire",
    pygame.K_s: "shield",
}
ARROWS: dict[int, Action] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_UP: "move",
    pygame.K_RETURN: "fire",
    pygame.K_KP_ENTER: "fire",
    pygame.K_RCTRL: "fire",
    pygame.K_DOWN: "shield",
}


def bindings(humans: tuple[bool, bool]) -> tuple[dict[int, Action], dict[int, Action]]:
    """The keys of each seat; a person alone may use either set."""
    if all(humans):
        return LETTERS, ARROWS
    either = {**LETTERS, **ARROWS}
    return (either if humans[0] else {}, either if humans[1] else {})
