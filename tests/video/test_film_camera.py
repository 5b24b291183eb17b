"""A film's camera stays close between shots that follow soon."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain, pairwise
from pathlib import Path

import pytest
from fakes import aim, played
from films import session
from plays import COUCH, bot, game

from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import step
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import Play, RoundEnded, RoundStarted
from batllm_arcade.settings import config
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.video.draw.frames import SOON_S, FilmCamera, FrameRenderer, begun_since, film_scenes
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.camera import CLOSE, Frame
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
    ("plays", "away", "closer"),
    [
        (["A B", *REST, *REST, "B C10", "A A10", "B B"], 210, CLOSE),
        (["A B", *REST * 12, "B B"], 200, 1.0),
        (["A B", *APART], 200, CLOSE),
        (["A B", *APART], 310, 1.0),
    ],
)
def test_it_stays_close_between_shots_that_follow_soon_unless_the_bots_part(plays, away, closer):
    timeline = Timeline.of(game(*plays, bots=(bot(400, 0), bot(400 + away, 180))))
    assert max(widths(timeline)) == pytest.approx(1 / closer)


def test_with_the_camera_off_a_film_shows_the_whole_arena():
    timeline = Timeline.of(game("A B", "B B", bots=NEAR), DisplayOptions(camera=False))
    assert set(widths(timeline)) == {1.0}


def test_alone_shots_are_shown_as_in_the_window():
    timeline = Timeline.of(game("A B", *REST * 12, "B B", bots=(bot(400, 0), bot(610, 180))))
    camera = FilmCamera(timeline)
    shown = [(timeline.framed(step / 20).frame, camera.at(step / 20).frame) for step in range(int(20 * timeline.end))]
    assert all(window[:4] == pytest.approx(film[:4]) for window, film in shown if window and film)
    assert {bool(window) for window, _ in shown} == {True, False}
    assert timeline.end > SOON_S


TURNS = REST * 3


def in_rounds(*rounds, **options):
    """The timeline of a game whose rounds have these plays; the bots stay where they are."""
    start, *plays, end = game(*chain(*rounds), **options)
    records, later = [start], iter(plays)
    for number, round_ in enumerate(rounds, 1):
        own = [next(later) for _ in round_]
        started = RoundStarted(1, number, (0, 1), own[0].before, ("", ""), False, False, ("", ""))
        records += [started, *own, RoundEnded(1, number, "complete", own[-1].after)]
    return Timeline.of([*records, end])


@pytest.mark.parametrize(
    ("away", "plays", "larger"),
    [
        (500, TURNS, 1.0),
        (210, ["A B", *TURNS], CLOSE),
    ],
)
def test_what_a_film_shows_first_is_as_near_as_what_its_first_play_is_shown_in(away, plays, larger):
    timeline = in_rounds(plays, bots=(bot(200, 0), bot(200 + away, 180)))
    camera, first = FilmCamera(timeline), next(each for each in timeline.segments if isinstance(each.record, Play))
    for t in (first.start, first.start + 0.2, first.acts + 0.1):
        shown = camera.at(t).frame
        assert (shown.width if shown else 1000) == pytest.approx(1000 / larger)


def test_a_close_up_is_left_for_a_shot_off_a_wall_that_is_not_in_it():
    """Off the top wall halfway between both bots, between two hits from the front."""
    facing = (bot(400, 0), bot(600, 180))
    shots = ["A B", "B C10", f"A A{math.degrees(math.atan2(500, 100)):.2f}", "B A10", "A B"]
    back = ["B C10", f"A C{math.degrees(math.atan2(500, 100)):.2f}", "B A10", "A B"]
    timeline = Timeline.of(game(*shots, *back, bots=facing, rules=config.load("arena").rules))
    first, off, last = (segment.flight for segment in timeline.segments if segment.flight)
    assert last[1] - first[1] < SOON_S
    camera = FilmCamera(timeline)
    assert camera.at(first[1] + 0.4).frame.width == camera.at(last[1] + 0.4).frame.width == 625
    shown = camera.at((off[0] + off[1]) / 2).frame
    assert shown is None or shown.top == 0


def test_between_close_ups_the_camera_does_not_jump():
    timeline = Timeline.of(game(*TURNS, "A B", *REST * 12, "B B", *REST * 12, bots=NEAR))
    camera = FilmCamera(timeline)
    frames = [camera.at(step / 100).frame or Frame(0, 0, 1000, 1000) for step in range(int(100 * timeline.end))]
    assert {round(1000 / frame.width, 1) for frame in frames} >= {1.0, 1.6}
    moved = [max(abs(a - b) for a, b in zip(one[:4], other[:4], strict=True)) for one, other in pairwise(frames)]
    assert max(moved) < 20  # world units in a hundredth of a second


def test_a_film_does_not_say_in_the_arena_that_a_bot_rests_but_that_it_fumbles():
    for command, said in ((Nothing(), False), (Nothing("no command"), True)):
        start, play, *rest = game("A S0", "B C10", "A B", bots=NEAR)
        events = step(play.before, play.bot, command, COUCH)[1]
        timeline = Timeline.of([start, replace(play, command=command, events=events), *rest])
        scene_at = film_scenes(timeline, fast=False)
        words = {(effect.kind, effect.text) for t in range(60) for effect in timeline.at(t / 10).effects}
        shown = {(effect.kind, effect.text) for t in range(60) for effect in scene_at(t / 10).effects}
        assert "fumble" in {kind for kind, _ in words}
        assert ("fumble" in {kind for kind, _ in shown}) == said
        assert "hit" in {kind for kind, _ in shown}


def test_what_began_in_a_play_that_is_cut_out_is_not_seen_after_the_cut():
    timeline = Timeline.of(game("A B", "B M0", bots=NEAR))
    lands = next(segment.flight[1] for segment in timeline.segments if segment.flight)
    scene = timeline.at(lands + 0.3)
    assert any(effect.kind == "hit" for effect in scene.effects)
    assert begun_since(scene, 0.0) is scene
    assert not any(effect.kind == "hit" for effect in begun_since(scene, lands + 0.2).effects)


def test_films_show_no_leftovers_of_a_play_that_is_cut_out():
    timeline = Timeline.of(game("A B", "B M0", "A B", bots=NEAR))
    first, last = [segment.flight[1] for segment in timeline.segments if segment.flight]
    pictures = []
    for start in (first - 0.5, first + 0.3):  # with the first hit in the film, and cut right after it
        edit_list = EditList([Cut(start, last + 1.0)])
        renderer = FrameRenderer((320, 180), timeline, edit_list, scene_at=timeline.at)
        renderer.draw(first + 0.4 - start)
        pictures.append(renderer.surface.get_buffer().raw)
    assert pictures[0] != pictures[1]


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
