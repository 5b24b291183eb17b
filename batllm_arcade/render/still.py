"""A picture of the arena alone."""

from __future__ import annotations

import io
import threading

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.scene import Scene

_SIZE = 1280, 720
_drawing = threading.Lock()


def arena_picture(rules: Rules, scene: Scene) -> bytes:
    """Return the arena of a scene as a PNG, without panels and without what bots think or say."""
    with _drawing:
        target, out = pygame.Surface(_SIZE, 0, 32), io.BytesIO()
        renderer = Renderer(_SIZE, rules, DisplayOptions(bubbles=False), film="plain")
        renderer.draw(target, scene)
        pygame.image.save(target.subsurface(renderer.arena), out, "arena.png")
    return out.getvalue()
