"""Films made in tests, and what is in them when they are read back."""

from __future__ import annotations

import hashlib
import io
import wave
from pathlib import Path
from typing import Any

import av
import numpy as np
import pygame
from fakes import eventful, written

from batllm_arcade.cli.main import main
from batllm_arcade.video.encode.film_files import GifFile, RgbFrames, StreamFile, WebpFile, YuvFrames
from batllm_arcade.video.encode.formats import FORMATS, Shape

SMALL = ["--size", "320x180", "--fps", "10"]


def session(folder: Path, records: Any = None) -> Path:
    """A session file of a short match."""
    return written(eventful() if records is None else records, folder / "match.json")


def film(file: Path, out: Path, *options: str) -> int:
    """`video` with these options, small and few pictures; its exit code."""
    sized = () if any(option in ("--size", "--fps") for option in options) else SMALL
    return main(["video", str(file), "-o", str(out), *sized, *options])


def frame_hash(surface: pygame.Surface) -> str:
    """A hash of a picture."""
    return hashlib.sha256(pygame.image.tobytes(surface, "RGB")).hexdigest()


def pictures(path: Path, most: int | None = None) -> list[np.ndarray]:
    """The film's pictures as RGB arrays."""
    found = []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            found.append(frame.to_ndarray(format="rgb24", src_colorspace=1))
            if len(found) == most:
                break
    return found


def heard(path: Path) -> np.ndarray:
    """The film's sound as float samples, shape (channels, n)."""
    with av.open(str(path)) as container:
        return np.concatenate([frame.to_ndarray() for frame in container.decode(audio=0)], axis=1)


def near(picture: np.ndarray, at: tuple[int, int], color: tuple[int, int, int], off: int = 12) -> bool:
    """Whether the pixel is that colour, give or take an encoder's rounding."""
    return bool(np.all(np.abs(picture[at[1], at[0]].astype(int) - color) <= off))


def webp_chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a webp: the name and the bytes of each."""
    assert (content[:4], content[8:12]) == (b"RIFF", b"WEBP")
    chunks, at = [], 12
    while at < len(content):
        size = int.from_bytes(content[at + 4 : at + 8], "little")
        chunks.append((content[at : at + 4], content[at + 8 : at + 8 + size]))
        at += 8 + size + size % 2
    return chunks


def tone(path: Path, seconds: float, level: float = 0.3) -> Path:
    """A file with a tone, on the left alone."""
    times = np.arange(round(seconds * 44100)) / 44100
    samples = np.zeros((len(times), 2), "<i2")
    samples[:, 0] = np.rint(32767 * level * np.sin(2 * np.pi * 440 * times))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44100)
        file.writeframes(samples.tobytes())
    return path


def opened(out: Path, sample: pygame.Surface, fps: int) -> tuple[Any, Any]:
    """A film file for pictures like a sample, and what makes frames for it."""
    size = sample.get_size()
    shape = Shape(FORMATS[out.suffix], size, fps)
    if out.suffix == ".gif":
        frames = RgbFrames(size)
        return GifFile(out, shape, [frames.take(sample, [])]), frames
    if out.suffix == ".webp":
        return WebpFile(out, shape), YuvFrames(size, 601)
    return StreamFile(out, shape, sound=False), YuvFrames(size)


def seen_in(out: Path) -> list[np.ndarray]:
    """The pictures of a film of any format as RGB arrays."""
    if out.suffix != ".webp":
        return pictures(out)
    found = []
    for still in (body[16:] for name, body in webp_chunks(out.read_bytes()) if name == b"ANMF"):
        with av.open(io.BytesIO(b"RIFF" + (len(still) + 4).to_bytes(4, "little") + b"WEBP" + still)) as container:
            frame = next(container.decode(video=0))
        found.append(frame.reformat(format="rgb24", src_colorspace="itu601").to_ndarray())
    return found
