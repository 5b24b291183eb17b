"""A film's sound: the cues of its timeline where the film shows them, and music under all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.audio.mixer import mix
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.sound_cues import Cue, cues
from batllm_arcade.view.timeline import Timeline


def filmed(timeline: Timeline, reel: EditList) -> Iterator[Cue]:
    """The cues in seconds of the film, in order; read only as far as the film has come."""
    if reel.card:
        yield Cue(0.25, "start", 0.8)
    for piece, begins in zip(reel.pieces, reel.starts, strict=True):
        for cue in cues(timeline, piece.start, piece.end):
            yield replace(cue, at=begins + (cue.at - piece.start) / piece.speed)


def track(timeline: Timeline, reel: EditList, *, music: bool) -> Iterator[NDArray[np.int16]]:
    """The whole sound as chunks of shape (n, 2) at 48 kHz."""
    return mix(filmed(timeline, reel), reel.seconds, music=music)
