"""A film's soundtrack: the cues of what it shows, mixed with music."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.audio.mastering import mastered
from batllm_arcade.audio.mixer import mix
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.loudness import LOUDNESS_LUFS
from batllm_arcade.view.sound_cues import Cue, cues
from batllm_arcade.view.timeline import Timeline


def film_cues(timeline: Timeline, edit_list: EditList) -> Iterator[Cue]:
    """Yield the cues in film seconds, in order; computed only as far as they are read."""
    if edit_list.card:
        yield Cue(0.25, "start", 0.8)
    for cut, film_start in zip(edit_list.cuts, edit_list.starts, strict=True):
        for cue in cues(timeline, cut.start, cut.end):
            yield replace(cue, at=film_start + (cue.at - cut.start) / cut.speed)


def track(cues: Callable[[], Iterator[Cue]], seconds: float, *, music: bool | Path) -> Iterator[NDArray[np.int16]]:
    """Yield the soundtrack of a film of that length as chunks of shape (n, 2), int16 at 48 kHz."""
    return mastered(lambda: mix(cues(), seconds, music=music), LOUDNESS_LUFS)
