"""Replays and films of sessions show no telegraph, even of a match between persons: only a live turn does."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import eventful
from films import film, session
from shells import FakeShell, draw, parts

from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.match.records import GameStarted
from batllm_arcade.render.arena import ArenaRenderer
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline

PERSONS = (SeatInfo("Ann", "keyboard", human=True), SeatInfo("Bob", "keyboard", human=True))
RECORDS = [replace(each, seats=PERSONS) if isinstance(each, GameStarted) else each for each in eventful()]


@pytest.fixture
def drawn(monkeypatch) -> list[Scene]:
    """Every scene that is drawn, in order."""
    scenes: list[Scene] = []
    draw = ArenaRenderer.draw

    def noted(self, target, scene, *rest, **named):
        scenes.append(scene)
        draw(self, target, scene, *rest, **named)

    monkeypatch.setattr(ArenaRenderer, "draw", noted)
    return scenes


def bare(scene: Scene) -> bool:
    return scene.telegraph is None and scene.aim is None


def test_a_replay_has_no_telegraph(drawn, tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    timeline = Timeline.of(RECORDS)
    screen, surface = ReplayScreen(*parts(FakeShell()), timeline, tmp_path / "s.json"), pygame.Surface((960, 540))
    assert timeline.at(timeline.end).board.seats == PERSONS
    for number in range(int(timeline.end * 4)):
        screen.update(number / 4)
        draw(screen, surface)
    assert len({scene.t for scene in drawn}) > 20
    assert all(bare(scene) for scene in drawn)


def test_a_film_has_no_telegraph(drawn, tmp_path):
    assert film(session(tmp_path, RECORDS), tmp_path / "film.mp4") == 0
    assert len(drawn) > 20
    assert any(scene.board.seats[0].name == "Ann" for scene in drawn)
    assert all(bare(scene) for scene in drawn)
