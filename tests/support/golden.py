"""Golden pictures: a screen looks as it looked when somebody last judged it, give or take a library's rounding.

    BATLLM_GOLDEN=write python -m pytest tests/...

writes them anew (`differing` in place of `write` only those that would fail); then look at every changed file before
committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy
import pygame
from paths import DATA

FOLDER = DATA / "golden"
SIZES = ((1280, 720), (1920, 1080))
_KEPT = (640, 360)
_FAR = 48  # of 255 that a pixel's channel may be off
_MOST = 0.01 if getattr(pygame, "IS_CE", False) else 0.02
"""The share of pixels further off; pygame 2.6, which did not make the pictures, shapes letters otherwise."""


def assert_looks_like(name: str, surface: pygame.Surface) -> None:
    """Fail where the picture is not the one kept as `name` for its size; a missing one is a failure too."""
    size = surface.get_size()
    kept = _KEPT if size[0] >= size[1] else (size[0] // 2, size[1] // 2)
    small = pygame.transform.smoothscale(surface.convert(24) if pygame.display.get_init() else surface, kept)
    path = FOLDER / f"{name}-{size[0]}x{size[1]}.png"
    if os.environ.get("BATLLM_GOLDEN") == "write":
        FOLDER.mkdir(parents=True, exist_ok=True)
        pygame.image.save(small, path)
    asked = os.environ.get("BATLLM_GOLDEN")
    if asked == "differing" and not path.exists():
        pygame.image.save(small, path)
    assert path.exists(), f"there is no golden picture {path.name}; make it with BATLLM_GOLDEN=write and look at it"
    golden = pygame.image.load(path)
    assert golden.get_size() == kept
    ours, theirs = (pygame.surfarray.array3d(picture).astype(numpy.int16) for picture in (small, golden))
    far = int((numpy.abs(ours - theirs).max(axis=2) > _FAR).sum())
    share = far / (kept[0] * kept[1])
    if share > _MOST and asked == "differing":
        pygame.image.save(small, path)
    elif share > _MOST:
        out = Path(os.environ.get("BATLLM_GOLDEN_OUT", ".")) / f"{path.stem}-now.png"
        if "BATLLM_GOLDEN_OUT" in os.environ:
            pygame.image.save(small, out)
        raise AssertionError(f"{share:.1%} of {path.name} looks different (BATLLM_GOLDEN_OUT=DIR keeps the picture)")
