"""A film's manifest: a hash of every frame and of the sound, so that films can be compared by a program."""

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


def frame_hash(surface: pygame.Surface) -> str:
    """Return the SHA-256 of a surface's RGB bytes, row by row from the top."""
    return hashlib.sha256(pygame.image.tobytes(surface, "RGB")).hexdigest()


class FrameHashes:
    """Hashes a film's frames and sound while it is made; `facts` are further entries of the manifest."""

    def __init__(self, path: Path, facts: dict[str, Any]) -> None:
        self._path, self._facts = path, facts
        self._hashes: list[str] = []
        self._sound = hashlib.sha256()

    def add_frame(self, surface: pygame.Surface, changed: list[pygame.Rect]) -> None:
        """Add the next frame; if nothing changed the last hash is repeated."""
        self._hashes.append(frame_hash(surface) if changed or not self._hashes else self._hashes[-1])

    def hash_sound(self, track: Iterator[NDArray[np.int16]]) -> Iterator[NDArray[np.int16]]:
        """Yield the same samples, frame_hash on the way as little-endian 16 bit, left channel first."""
        for samples in track:
            self._sound.update(samples.astype("<i2", copy=False).tobytes())
            yield samples

    def write(self, *, sound: bool, force: bool = True) -> None:
        """Write the manifest, one frame a line; `sound` is whether the film has any.

        Without `force` raise FileExistsError if anything is there.
        """
        digest = hashlib.sha256("".join(self._hashes).encode()).hexdigest()
        head = {"schema": SCHEMA, **self._facts, "frames": len(self._hashes), "digest": digest}
        head["sound"] = self._sound.hexdigest() if sound else None
        lines = ",\n".join(json.dumps(name) for name in self._hashes)
        text = json.dumps(head, indent=1).removesuffix("\n}") + f',\n "pictures": [\n{lines}\n]}}\n'
        write_text(self._path, [text], new=not force)
