"""A page at a time shows what the window shows at that time: every moving part of it, in numbers."""

from __future__ import annotations

import cmath
import json
import math
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, get_args

import pytest
from drawn import Arena
from paths import SUPPORT
from sessions import every_kind

from batllm_arcade.history.reader import compact_json, read
from batllm_arcade.history.replay import replay
from batllm_arcade.share import page, timeline_export
from batllm_arcade.share.shown import Selection, Shown
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.look.shapes import SPLINTER_SIZES, splinter
from batllm_arcade.view.scene import Effect, EffectKind, Scene
from batllm_arcade.view.timeline import Timeline

RADIUS = 1000.0
"""Pixels: so large that the window's whole pixels hide nothing."""
SCRIPTS = ("scene.js", "motion.js", "paint.js", "bots.js", "effects.js")
EACH = 9
"""Moments of a session, each drawn with and without reduced motion."""
EXACT, PIXELS = 1e-6, 1.0


def whole(segment: Segment) -> Segment:
    """The segment with effects in whole degrees, to which the window rounds where sparks fly."""
    effects = (replace(effect, degrees=round(effect.degrees)) for effect in segment.effects)
    return replace(segment, effects=tuple(effects))


def moments(segments: list[Segment], seed: str) -> Iterator[float]:
    """Times in a session: some anywhere, most in its effects, of each kind in turn and often just begun."""
    chosen, by_kind = random.Random(seed), dict[str, list[Effect]]()
    for effect in (effect for segment in segments for effect in segment.effects):
        by_kind.setdefault(effect.kind, []).append(effect)
    kinds = [*by_kind] or [""]
    for number in range(EACH):
        found = by_kind.get(kinds[number % len(kinds)])
        if number < 3 or not found:
            yield chosen.uniform(0, segments[-1].end)
        else:
            effect = chosen.choice(found)
            yield effect.start + effect.held * chosen.random() + effect.duration * chosen.random() ** 3


@pytest.fixture(scope="module")
def sessions(tmp_path_factory) -> list[tuple[str, Timeline, dict[str, Any]]]:
    """Sessions of every kind: the name, the timeline, what the page's script is asked; times are not rounded."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline_export, "seconds", float)
        patch.setattr(timeline_export, "short", lambda value, digits: value)
        for name, path in every_kind(tmp_path_factory.mktemp("sessions")).items():
            shown, timeline = Shown(read(path), Selection()), Timeline.of(replay(read(path)))
            for each in (shown, timeline):
                each.segments = [whole(segment) for segment in each.segments]
            unit = RADIUS / timeline.segments[0].board.rules.bot_radius
            asked = [[t, calm] for t in moments(timeline.segments, name) for calm in (False, True)]
            replayed = page.packed(compact_json(shown.export(chances=False)))  # no scene has a curve of chances
            found.append((name, timeline, {"replay": replayed, "unit": unit, "moments": asked}))
    return found


@pytest.fixture(scope="module")
def answers(sessions) -> list[list[dict[str, Any]]]:
    """What the pages show at each moment."""
    if shutil.which("node") is None:
        complain = pytest.fail if os.environ.get("CI") else pytest.skip
        complain("node not found; on Debian: apt-get install nodejs")
    script = "\n".join(page.asset(name) for name in page.SCRIPTS if name in SCRIPTS)
    request = json.dumps({"script": script, "cases": [asked for _, _, asked in sessions]})
    done = subprocess.run(
        ["node", SUPPORT / "page_motion.mjs"], input=request, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def scene_at(timeline: Timeline, t: float) -> Scene:
    """The scene at a time; effects of one play come in the order of a page, which is the window's backwards."""
    scene = timeline.at(t)
    order = [effect for segment in timeline.segments for effect in segment.effects]
    return replace(scene, effects=tuple(sorted(scene.effects, key=order.index)))


def window(scene: Scene) -> dict[str, Any]:
    """A scene as a page has it."""
    (bullet,) = scene.bullets or (None,)
    return {
        "bots": [asdict(pose) for pose in scene.bots], "bullet": bullet and asdict(bullet), "shake": scene.shake,
        "acting": scene.acting, "effects": [[effect.kind, effect.bot, effect.start] for effect in scene.effects],
    }  # fmt: skip


def assert_same(ours: Any, theirs: Any, tolerance: float, where: str) -> None:
    """Fail where two values of JSON differ, numbers by more than the tolerance."""
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), where
        for name, value in ours.items():
            assert_same(value, theirs[name], tolerance, f"{where}, {name}")
    elif isinstance(ours, (list, tuple)):
        assert len(ours) == len(theirs), where
        for number, (mine, yours) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(mine, yours, tolerance, f"{where} {number}")
    elif isinstance(ours, (int, float)) and not isinstance(ours, bool):
        assert abs(theirs - ours) <= tolerance, where
    else:
        assert ours == theirs, where


def both(sessions: Any, answers: Any) -> Iterator[tuple[str, Timeline, float, bool, dict[str, Any]]]:
    for (name, timeline, asked), found in zip(sessions, answers, strict=True):
        for (t, calm), answer in zip(asked["moments"], found, strict=True):
            yield f"{name} at {t:.3f} s{', calm' * calm}", timeline, t, calm, answer


def test_a_pages_scene_is_that_of_the_timeline(sessions, answers):
    kinds, compared = set[str](), 0
    for where, timeline, t, calm, answer in both(sessions, answers):
        scene = scene_at(timeline, t)
        kinds |= {effect.kind for effect in scene.effects}
        compared += not calm
        expected = window(replace(scene, shake=(0.0, 0.0)) if calm else scene)
        assert_same(expected, {name: answer[name] for name in expected}, EXACT, where)
    assert len(sessions) >= 20
    assert compared >= 180
    assert kinds == {*get_args(EffectKind)}, "some effects are at none of these moments"


def place_of(corners: list[float], shape: int) -> tuple[complex, float, float]:
    """Where a page's splinter of this shape is, its size, and how far it has turned, in tenths of a turn."""
    first, second = complex(*corners[:2]), complex(*corners[2:4])
    one, other = (complex(*point) for point in splinter(shape)[:2])
    turned = (second - first) / (other - one)
    return first - turned * one, abs(turned), cmath.phase(turned) / math.tau * 10


def assert_same_splinters(ours: list[Any], theirs: list[Any], where: str) -> None:
    """Fail where the splinters of a hull differ; the window turns them by whole tenths."""
    assert len(ours) == len(theirs), where
    for (x, y, opacity, number, tenths), (*corners, percent) in zip(ours, theirs, strict=True):
        shape = number % len(SPLINTER_SIZES)
        middle, size, turned = place_of(corners, shape)
        assert abs(middle - complex(x, y)) < 2 * PIXELS, where
        assert size == pytest.approx(RADIUS * SPLINTER_SIZES[shape], abs=PIXELS), where
        assert -0.05 < (turned - tenths + 5) % 10 - 5 < 1.05, where
        assert percent == pytest.approx(opacity, abs=1), where


def star(corners: list[float]) -> list[float]:
    """The middle of a star, and its opacity."""
    *points, percent = corners
    return [sum(points[::2]) / 5 / 2, sum(points[1::2]) / 5 / 2, percent]


def test_a_page_draws_every_particle_where_the_window_draws_it(sessions, answers, monkeypatch):
    kinds = set[str]()
    for where, timeline, t, calm, answer in both(sessions, answers):
        scene, theirs = scene_at(timeline, t), answer["drawn"]
        arena = Arena(scene.board.rules, RADIUS / scene.board.rules.bot_radius, monkeypatch, calm=calm)
        ours = arena.drawn(replace(scene, shake=(0.0, 0.0)))
        kinds |= ours.keys()
        assert ours.keys() == theirs.keys(), where
        assert_same_splinters(ours.pop("splinter", []), theirs.pop("splinter", []), where)
        if scene.bullets:
            del ours["line"][-1], ours["line"][-2]  # of three beside each other the page draws one
        if "words" in theirs:
            theirs["words"] = sorted(said[2:] for said in theirs["words"])
            ours["words"].sort()
        if "star" in theirs:
            theirs["star"] = [star(corners) for corners in theirs["star"]]
        assert_same(ours, theirs, PIXELS, where)
    assert kinds == {"light", "streak", "splinter", "polygon", "circle", "line", "flash", "words", "star", "body",
                     "head", "pupil", "gauge"}  # fmt: skip
