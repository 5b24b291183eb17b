"""A folder is opened by the desktop beside the window; where that fails, a sentence says where it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from batllm_arcade.app.services.film_jobs import short, show_folder

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the opener is a script here")


def opener(folder: Path, monkeypatch, lines: str) -> None:
    """Put a program of this name before all others on the path."""
    folder.mkdir()
    program = folder / "xdg-open"
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_the_desktop_is_given_the_folder_which_is_there_then(tmp_path, monkeypatch):
    opener(tmp_path / "bin", monkeypatch, f'echo "$1" > {tmp_path}/asked')
    task = show_folder(tmp_path / "films")
    task.join(20)
    assert task.error is None
    assert (tmp_path / "asked").read_text().strip() == str(tmp_path / "films")
    assert (tmp_path / "films").is_dir()


@pytest.mark.parametrize("lines", ["exit 3", None])
def test_a_desktop_that_cannot_open_it_is_told_with_the_place(lines, tmp_path, monkeypatch):
    if lines is None:
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        opener(tmp_path / "bin", monkeypatch, lines)
    task = show_folder(tmp_path / "films")
    task.join(20)
    assert str(task.error) == f"the folder cannot be opened from here; it is {tmp_path / 'films'}"


def test_the_users_own_folder_is_shown_short(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    assert short(Path("/home/ann/films")) == "~/films"
    assert short(Path("/var/films")) == "/var/films"
