"""A film's manifest: a hash for every picture and for the sound, so that two films can be compared without looking."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from batllm_arcade.files.atomic import write_text

SCHEMA = "batllm-arcade.film.v1"


def hashed(surface: pygame.Surface) -> str:
    """The SHA-256 of a picture's RGB bytes, row by row from the top."""
    return hashlib.sha256(pygame.image.tobytes(surface, "RGB")).hexdigest()


class FrameHashes:
    """Takes a film's pictures and sound while it is being made."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        self._path, self._facts = path, facts
        self._pictures: list[str] = []
        self._sound = hashlib.sha256()

    def picture(self, surface: pygame.Surface, changed: list[pygame.Rect]) -> None:
        """The next picture; where nothing changed its hash is that of the one before."""
        self._pictures.append(hashed(surface) if changed or not self._pictures else self._pictures[-1])

    def listening(self, track: Iterator[NDArray[np.int16]]) -> Iterator[NDArray[np.int16]]:
        """The same sound, taken note of on its way: the little-endian 16 bit samples, left first."""
        for samples in track:
            self._sound.update(samples.astype("<i2", copy=False).tobytes())
            yield samples

    def write(self, *, sound: bool) -> None:
        """Write the file in one step; one picture a line."""
        digest = hashlib.sha256("".join(self._pictures).encode()).hexdigest()
        head = {"schema": SCHEMA, **self._facts, "frames": len(self._pictures), "digest": digest}
        head["sound"] = self._sound.hexdigest() if sound else None
        lines = ",\n".join(json.dumps(name) for name in self._pictures)
        text = json.dumps(head, indent=1).removesuffix("\n}") + f',\n "pictures": [\n{lines}\n]}}\n'
        write_text(self._path, [text])
