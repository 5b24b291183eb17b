"""Films go closer where a shot meets a bot, and never with --fast."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from fakes import aim, played
from films import session

from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


@pytest.mark.parametrize("options", [{}, {"highlights": True}, {"fast": True}])
def test_a_film_shows_hits_larger_unless_it_is_to_be_fast(tmp_path, options):
    rules = Rules(total_rounds=1, turns_per_round=4)
    records = played(["S0", aim, "B", "B"], ["S0", "M", "M", None], rules=rules, seed=1)
    made = RenderJob(
        read(session(tmp_path, records)), FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 10), **options)
    )
    renderer, shown = made.frame_renderer(), set()
    for number in range(made.frames):
        moment = made.edit_list.at(number / 10)
        if moment is not None:
            frame = renderer.scene(moment.t).frame
            shown.add(round(1000 / frame.width, 1) if frame else 1.0)
    assert (min(shown), max(shown)) == ((1.0, 1.0) if options.get("fast") else (1.0, 1.6))
