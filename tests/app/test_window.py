"""The real window on a virtual screen, played with real keys."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from display import Screen

from batllm_arcade.history.loader import load
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification.verify import verify


def _open(screen: Screen, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "batllm_arcade", *arguments],
        env=screen.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _wait(what, program: subprocess.Popen[str], seconds: float = 40.0, pause: float = 0.05):
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        assert program.poll() is None, program.communicate()
        found = what()
        if found:
            return found
        time.sleep(pause)
    raise AssertionError("what was waited for did not happen")


def _journal_plays(journal: Path) -> list[dict]:
    if not journal.exists():
        return []
    session = load(journal)
    return [play for game in session["games"] for tape in game["rounds"] for play in tape["turns"]]


def _plays_of_left(journal: Path) -> int:
    return sum(play["order"] == 0 for play in _journal_plays(journal))


@pytest.mark.timeout(180)
def test_a_whole_game_is_played_in_a_real_window_with_real_keys(screen, tmp_path):
    file = tmp_path / "match.json"
    journal = Path(f"{file}.journal")
    program = _open(
        screen, "play", "--left", "keyboard", "--right", "scripted:turtle", "--seed", "11", "--rounds", "1",
        "--turns", "2", "--history", str(file),
    )  # fmt: skip
    try:
        keys = [("keydown", "Right"), ("key", "space")]
        for number, press in enumerate(keys, 1):
            _press_until_played(screen, program, press, lambda number=number: _plays_of_left(journal) >= number)
            screen.key("key", "equal", "equal")  # up to four times as fast
        _wait(lambda: load(journal)["games"][0].get("result"), program)
        _wait(lambda: _rematch_offered(screen), program)
        _wait(lambda: not _rematch_offered(screen) or screen.key("key", "Escape"), program, pause=1.0)
        screen.key("key", "Down", "Return")  # it asked
        assert program.wait(40) == 0
    finally:
        program.kill()
        out, err = program.communicate()
    assert "Traceback" not in err
    assert out == ""
    plays = [play for tape in read(file).games[0].rounds for play in tape.plays]
    mine = [play.cmd for play in plays if play.bot == 0]
    assert mine[0].startswith("C")
    assert mine[1:] == ["B"]
    assert len(plays) == 4
    assert not list(verify(read(file)))
    assert not journal.exists()


def _press_until_played(screen: Screen, program, press: tuple[str, str], played) -> None:
    """Press a key now and then until the play is in the journal: before it is the person's turn nothing happens."""
    ends = time.monotonic() + 40
    while not played():
        assert time.monotonic() < ends, "the key was never taken"
        assert program.poll() is None, program.communicate()
        screen.key(*press)
        if press[0] == "keydown":
            time.sleep(0.4)
            screen.key("keyup", press[1])
        time.sleep(0.25)


def _rematch_offered(screen: Screen) -> bool:
    """The page after the game, with the focus on its first button, which is then filled with yellow."""
    red, green, blue = np.moveaxis(screen.pixels()[450:485, 350:630].astype(int), 2, 0)
    return ((red > 180) & (green > 140) & (blue < 140)).mean() > 0.5


def test_a_clipboard_that_another_program_filled_can_be_pasted_and_ours_read(screen):
    code = (
        "import pygame; pygame.display.init(); pygame.display.set_mode((200, 100))\n"
        "assert pygame.display.get_driver() == 'x11'\n"
        "from batllm_arcade.app.input import clipboard\n"
        "clipboard.copy('h\\u00e9llo\\nworld'); pygame.event.pump(); print(repr(clipboard.paste()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=screen.environment, capture_output=True, text=True, timeout=30
    )
    assert done.stdout.splitlines()[-1] == repr("h\u00e9llo\nworld"), done.stderr


def test_without_a_display_the_arcade_says_what_to_do(tmp_path):
    environment = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "SDL_VIDEODRIVER")}
    command = [sys.executable, "-m", "batllm_arcade", "play", "--history", str(tmp_path / "a.json")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "'batllm-arcade run'" in done.stderr
    assert "Traceback" not in done.stderr
