"""The pictures of games that a league keeps."""

from __future__ import annotations

import shutil

import pygame
from paths import DATA

from batllm_arcade.video import films as game_posters


def test_a_kept_game_has_a_picture_where_the_extra_is(tmp_path, monkeypatch):
    (tmp_path / "sessions").mkdir()
    shutil.copyfile(DATA / "couch_match.json", tmp_path / "sessions" / "7-2.json")
    monkeypatch.setattr(game_posters, "find_spec", lambda name: name)
    game_posters.poster_writer(tmp_path)((7, 2), tmp_path / "7-2.png")
    assert pygame.image.load(tmp_path / "7-2.png").get_size() == game_posters.POSTER
    monkeypatch.setattr(game_posters, "find_spec", lambda name: None)
    assert game_posters.poster_writer(tmp_path) is None
