"""What plays were worth, in the replay: the curve, the marks and the best plays."""

from __future__ import annotations

import pygame
import pytest
from fakes import eventful
from paths import DATA
from shells import FakeShell, draw, key, mouse, parts

from batllm_arcade.analysis.game import Judgement
from batllm_arcade.app.replay.advisor import Chances
from batllm_arcade.app.replay.keys_panel import COMMANDS
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.sessions import open_timeline
from batllm_arcade.settings.user_settings import ANYWHERE, KEYS, DisplayOptions
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(eventful())
LOST = {3: ("??", 0.34), 4: ("", 0.0), 6: ("!", 0.0), 7: ("?!", 0.12)}
"""What is found of plays of the first game, by their index."""


def judged(index):
    """What an analysis might say of all plays: the marks above, an even game elsewhere."""
    found: dict[int, list[Judgement]] = {}
    for number, play in enumerate(index.plays):
        mark, loss = LOST.get(number, ("", 0.0))
        found.setdefault(play.game, []).append(Judgement(play.bot, "B", 0.5 - loss, "M", 0.5, loss, mark))
    return found


@pytest.fixture
def screen(tmp_path, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: True)
    made = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "s.json")
    made.advisor.chances = Chances(made.index, judged(made.index))
    draw(made, pygame.Surface((1280, 720)))
    return made


def starts(screen):
    return [screen.index.starts["play"][number] for number in (3, 6, 7)]


def picture(screen):
    surface = pygame.Surface((1280, 720))
    draw(screen, surface)
    return pygame.image.tobytes(surface, "RGB")


def test_the_keys_stand_still_at_each_marked_play_and_go_back(screen):
    for t in starts(screen):
        key(screen, pygame.K_n)
        assert (screen.clock.t, screen.clock.paused) == (t, True)
    key(screen, pygame.K_n)
    assert screen.clock.t == starts(screen)[-1]
    assert screen.bar_state().words == "there is no mark after this"
    key(screen, pygame.K_n, mod=pygame.KMOD_SHIFT)
    assert screen.clock.t == starts(screen)[1]
    assert "the only good play" in screen.bar_state().words
    for _ in range(2):
        key(screen, pygame.K_n, mod=pygame.KMOD_SHIFT)
    assert screen.bar_state().words == "there is no mark before this"
    screen.advisor.chances = Chances(screen.index, {})
    key(screen, pygame.K_n)
    assert screen.bar_state().words == "no play has a mark"
    screen.clock.seek(screen.clock.t + 5)
    screen.update(0.1)
    assert "mark" not in screen.bar_state().words


def test_no_key_of_a_replay_means_something_else_anywhere():
    anywhere = {name for action in ANYWHERE for name in KEYS["screen"][action]}
    assert not anywhere & {name.removeprefix("shift ") for command in COMMANDS for name in command.keys}


def test_the_best_play_is_drawn_where_one_lost_points_and_nowhere_else(screen):
    key(screen, pygame.K_n)
    drawn = picture(screen)
    assert "34 points lost" in screen.bar_state().words
    key(screen, pygame.K_c)
    hidden = picture(screen)
    assert hidden != drawn
    assert "points" not in screen.bar_state().words
    key(screen, pygame.K_c, pygame.K_n)
    assert screen.advisor.best_at(screen.clock.t, screen._scene) is None
    assert "the only good play" in screen.bar_state().words


def test_the_chances_are_said_after_each_play_that_has_been_shown(screen):
    screen.clock.seek(screen.index.ends[3])
    assert screen.bar_state().words.startswith("16 : 84")
    screen.clock.seek(screen.index.starts["play"][0])
    assert screen.bar_state().words.startswith("SPACE")


def test_a_click_on_a_mark_goes_to_its_play_and_the_mouse_says_what_was_best(screen):
    bar, mark = screen.bar, screen.advisor.chances.marks[0]
    at = tuple(map(round, bar.place(mark)))
    assert "34 points lost; best: step ahead" in screen.hint_at(at)
    mouse(screen, pygame.MOUSEBUTTONDOWN, at)
    assert (screen.clock.t, screen.clock.paused) == (mark.t, True)


def test_at_a_mark_one_plays_on_from_before_the_mistake(screen):
    key(screen, pygame.K_n, pygame.K_g)
    (dialog,) = screen.ui.pushed
    assert dialog._place == (1, 1, 1)  # the fourth play ends turn 2


def test_a_session_is_analysed_beside_its_replay_and_the_window_takes_what_was_found(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = DATA / "couch_match.json"
    made = ReplayScreen(*parts(FakeShell()), open_timeline(path, DisplayOptions(), lambda words: None), path)
    made.advisor.start(asked=False)
    made.advisor.task.join(60)
    assert made.advisor.task.share == 1.0
    made.update(0.0)
    assert len(made.advisor.chances.curves[0]) == len(made.index.plays) + 1
    assert made.advisor.words == ""


def test_a_session_that_cannot_be_read_says_so_and_a_long_one_waits_to_be_asked(screen, tmp_path, monkeypatch):
    made = ReplayScreen(*parts(FakeShell()), TIMELINE, tmp_path / "gone.json")
    monkeypatch.setattr("batllm_arcade.app.replay.advisor.MOST_UNASKED", 3)
    made.advisor.start(asked=False)
    assert made.advisor.task is None
    key(made, pygame.K_n)
    made.advisor.task.join(60)
    made.update(0.0)
    assert "cannot be read" in made.advisor.words
