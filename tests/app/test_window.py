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

from batllm_arcade.history.reader import load, read
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify
from batllm_arcade.view import theme


def _open(screen: Screen, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "batllm_arcade", *arguments],
        env=screen.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _wait(what, program: subprocess.Popen[str]):
    """What it gives, once that is something; however long that takes, pytest's limit for the test counts."""
    while not (found := what()):
        assert program.poll() is None, program.communicate()
        time.sleep(0.05)
    return found


def _journal_plays(journal: Path) -> list[dict]:
    if not journal.exists():
        return []
    try:
        session = load(journal)
    except HistoryError:  # half of its first line is written
        return []
    return [play for game in session["games"] for tape in game["rounds"] for play in tape["turns"]]


def _plays_of_left(journal: Path) -> int:
    return sum(play["order"] == 0 for play in _journal_plays(journal))


@pytest.mark.timeout(300)
def test_a_whole_game_is_played_in_a_real_window_with_real_keys(screen, tmp_path):
    file = tmp_path / "match.json"
    journal = Path(f"{file}.journal")
    program = _open(
        screen, "play", "--left", "keyboard", "--right", "scripted:turtle", "--seed", "11", "--rounds", "1",
        "--turns", "2", "--history", str(file),
    )  # fmt: skip
    try:
        _wait(lambda: _your_turn(screen) and _aims_ahead(screen), program)
        first = _heading(screen)
        screen.key("keydown", "Right")
        _wait(lambda: not _aims_ahead(screen), program)
        screen.key("keyup", "Right")
        _wait(lambda: _plays_of_left(journal) == 1, program)
        screen.key("key", "equal", "equal")  # up to four times as fast
        _wait(lambda: _your_turn(screen) and _heading(screen) != first, program)
        screen.key("key", "space")
        _wait(lambda: _plays_of_left(journal) == 2, program)
        _wait(lambda: load(journal)["games"][0].get("result"), program)
        _wait(lambda: _rematch_offered(screen), program)
        while program.poll() is None:  # who won is shown for a moment in any case
            screen.key("key", "Escape")
            time.sleep(0.2)
    finally:
        program.kill()
        out, err = program.communicate()
    assert program.returncode == 0
    assert "Traceback" not in err
    assert out == ""
    plays = [play for tape in read(file).games[0].rounds for play in tape.plays]
    mine = [play.cmd for play in plays if play.bot == 0]
    assert mine[0].startswith("C")
    assert mine[1:] == ["B"]
    assert len(plays) == 4
    assert not list(verify(read(file)))
    assert not journal.exists()


FOCUS = theme.GOLD
"""The colour that marks which button has the focus."""


def _your_turn(screen: Screen) -> bool:
    """The words "your turn" in the left panel."""
    return screen.count(FOCUS, (225, 80, 318, 98)) > 0


def _aims_ahead(screen: Screen) -> bool:
    """The line of a shot to the right, where the left bot looks at first; nothing else is as light there."""
    return bool((screen.pixels()[285:312, 760:930].max(axis=2) > 110).any())


def _heading(screen: Screen) -> bytes:
    """Which turn it is, as the picture above the arena has it."""
    return screen.pixels()[10:50, 650:815].tobytes()


def _rematch_offered(screen: Screen) -> bool:
    """The page after the game, with the focus on its first button, which is then filled with yellow."""
    red, green, blue = np.moveaxis(screen.pixels()[505:540, 350:630].astype(int), 2, 0)
    return ((red > 180) & (green > 140) & (blue < 140)).mean() > 0.5


def test_a_display_that_goes_away_ends_the_match_in_good_order_and_says_where_it_is(screen, tmp_path):
    file = tmp_path / "match.json"
    program = _open(
        screen, "play", "--left", "scripted:random", "--right", "scripted:random", "--seed", "3", "--history", str(file)
    )  # fmt: skip
    try:
        _wait(lambda: _journal_plays(Path(f"{file}.journal")), program)
        kill = ["xdotool", "search", "--onlyvisible", "--class", ".", "windowkill"]
        _wait(lambda: not subprocess.run(kill, env=screen.environment, check=False).returncode, program)
        program.wait()
    finally:
        program.kill()
        _, err = program.communicate()
    assert program.returncode == 1
    assert err == f"batllm-arcade: the display is gone, and the window with it; what was played is kept: {file}\n"
    assert read(file).games[0].result.reason == "aborted"
    assert not list(verify(read(file)))
    assert not Path(f"{file}.journal").exists()


def test_a_clipboard_that_another_program_filled_can_be_pasted_and_ours_read(screen):
    code = (
        "import pygame; pygame.display.init(); pygame.display.set_mode((200, 100))\n"
        "assert pygame.display.get_driver() == 'x11'\n"
        "from batllm_arcade.app.input import sdl as clipboard\n"
        "clipboard.copy('h\\u00e9llo\\nworld'); pygame.event.pump(); print(repr(clipboard.paste()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=screen.environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[-1] == repr("h\u00e9llo\nworld"), done.stderr


def test_without_a_display_the_arcade_says_what_to_do(tmp_path):
    displays = ("DISPLAY", "SDL_VIDEODRIVER", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")
    environment = {key: value for key, value in os.environ.items() if key not in displays}
    command = [sys.executable, "-m", "batllm_arcade", "play", "--history", str(tmp_path / "a.json")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "'batllm-arcade run'" in done.stderr
    assert done.stderr.startswith("batllm-arcade: ")
    assert len(done.stderr.splitlines()) == 1, "what the libraries print of displays that are not there is not shown"
