"""SmolLM2 with the first few of its thirty layers: it writes nonsense, in a tenth of the time.

For tests of what stands around a model: servers, grammars, schemas, slots, processes.
"""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

LAYERS = 2
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY, _ALIGNMENT = 8, 9, 32


def shortened(model: Path, folder: Path) -> Path:
    """Return a new GGUF file in `folder` with the tokens and the first layers of another."""
    short = folder / f"short-{model.name}"
    with model.open("rb") as file:
        magic, version, tensors, values = struct.unpack("<4sIQQ", file.read(24))
        begin = file.tell()
        changes = [_read_pair(file) for _ in range(values)]
        head = bytearray(_between(file, begin, file.tell()))
        for name, place in changes:
            if name.endswith(".block_count"):
                struct.pack_into("<I", head, place - begin, LAYERS)
        kept, every = _tensors(file, tensors)
        data = _aligned(file.tell())
        ends = [*sorted(place for *_, place in every)[1:], model.stat().st_size - data]
        sizes = dict(zip(sorted(place for *_, place in every), ends, strict=True))
        infos, parts = BytesIO(), []
        for about, place in kept:
            infos.write(about + struct.pack("<Q", sum(map(len, parts))))
            parts.append(_between(file, data + place, data + sizes[place]))
    start = struct.pack("<4sIQQ", magic, version, len(kept), values) + head + infos.getvalue()
    short.write_bytes(start.ljust(_aligned(len(start)), b"\0") + b"".join(parts))
    return short


def _tensors(file: BinaryIO, number: int) -> tuple[list[tuple[bytes, int]], list[tuple[bytes, int]]]:
    """Return what is said of the tensors that are kept and of all, each with its place among the data."""
    kept, every = [], []
    for _ in range(number):
        begin = file.tell()
        name = _text(file)
        (dimensions,) = struct.unpack("<I", file.read(4))
        file.seek(8 * dimensions + 4, 1)
        about = _between(file, begin, file.tell())
        (place,) = struct.unpack("<Q", file.read(8))
        every.append((about, place))
        if not name.startswith("blk.") or int(name.split(".")[1]) < LAYERS:
            kept.append((about, place))
    return kept, every


def _read_pair(file: BinaryIO) -> tuple[str, int]:
    """Read past a key and its value; return the key, and where its value begins."""
    name, (kind,) = _text(file), struct.unpack("<I", file.read(4))
    place = file.tell()
    _skip(file, kind)
    return name, place


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _text(file)
    elif kind == _ARRAY:
        inner, number = struct.unpack("<IQ", file.read(12))
        if inner in _SIZES:
            file.seek(_SIZES[inner] * number, 1)
        else:
            for _ in range(number):
                _skip(file, inner)
    else:
        file.seek(_SIZES[kind], 1)


def _text(file: BinaryIO) -> str:
    (length,) = struct.unpack("<Q", file.read(8))
    return file.read(length).decode()


def _between(file: BinaryIO, begin: int, end: int) -> bytes:
    """Return these bytes, and leave the file at their end."""
    file.seek(begin)
    return file.read(end - begin)


def _aligned(place: int) -> int:
    return -(-place // _ALIGNMENT) * _ALIGNMENT
