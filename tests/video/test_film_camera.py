"""The camera of films stays close between shots that follow each other soon, and goes out where the bots part."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plays import COUCH, bot, game

from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.rules import step
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.video.draw.film_camera import SOON_S, FilmCamera
from batllm_arcade.view.timeline import Timeline

NEAR = (bot(400, 0), bot(600, 180))
REST = ["B C10", "A A10", "B A10", "A C10"]


def widths(timeline):
    """How wide the camera's picture is, as shares of the arena, once the first shot has landed until the last does."""
    camera = FilmCamera(timeline)
    lands = [segment.flight[1] for segment in timeline.segments if segment.flight]
    steps = [lands[0] + 0.4 + (lands[-1] - lands[0] - 0.4) * step / 100 for step in range(101)]
    return [frame.width / 1000 if (frame := camera.at(t).frame) else 1.0 for t in steps]


APART = ["B C180", "A S0", "B M", "A S0", "B C180", "A S0", "B M", "A B"]


@pytest.mark.parametrize(
    ("plays", "away", "stays"),
    [
        (["A B", *REST, *REST, "B C10", "A A10", "B B"], 200, True),
        (["A B", *REST * 12, "B B"], 200, False),
        (["A B", *APART], 200, True),
        (["A B", *APART], 310, False),
    ],
)
def test_it_stays_close_between_shots_that_follow_soon_unless_the_bots_part(plays, away, stays):
    timeline = Timeline.of(game(*plays, bots=(bot(400, 0), bot(400 + away, 180))))
    assert max(widths(timeline)) < 0.63 if stays else max(widths(timeline)) == 1.0


def test_with_the_camera_off_a_film_shows_the_whole_arena():
    timeline = Timeline.of(game("A B", "B B", bots=NEAR), DisplayOptions(camera=False))
    assert set(widths(timeline)) == {1.0}


def test_alone_shots_are_shown_as_in_the_window():
    timeline = Timeline.of(game("A B", *REST * 12, "B B", bots=NEAR))
    camera = FilmCamera(timeline)
    times = [step / 20 for step in range(int(20 * timeline.end))]
    assert all(camera.at(t) == timeline.framed(t) for t in times)
    assert timeline.end > SOON_S


def test_a_film_does_not_say_in_the_arena_that_a_bot_rests_but_that_it_fumbles():
    for command, said in ((Nothing(), False), (Nothing("no command"), True)):
        start, play, *rest = game("A S0", "B C10", "A B", bots=NEAR)
        events = step(play.before, play.bot, command, COUCH)[1]
        timeline = Timeline.of([start, replace(play, command=command, events=events), *rest])
        camera = FilmCamera(timeline)
        words = {(effect.kind, effect.text) for t in range(60) for effect in timeline.at(t / 10).effects}
        shown = {(effect.kind, effect.text) for t in range(60) for effect in camera.at(t / 10).effects}
        assert "fumble" in {kind for kind, _ in words}
        assert ("fumble" in {kind for kind, _ in shown}) == said
        assert "hit" in {kind for kind, _ in shown}
