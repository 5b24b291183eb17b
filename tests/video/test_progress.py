"""Whoever makes a film is told how far it is: the terminal by a bar, other programs by a callback."""

from __future__ import annotations

import io

from films import SMALL, session

from batllm_arcade.video import films
from batllm_arcade.video.arguments import parsed
from batllm_arcade.video.film_job import Progress


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def test_a_caller_is_told_the_share_that_is_done_and_what_became_of_the_film(tmp_path, capsys):
    options = parsed([str(session(tmp_path)), "-o", str(tmp_path / "50% x.gif"), *SMALL[:2], "--to", "2"])
    shares, messages = [], []
    assert films.film(options, lambda share, text: shares.append(share), messages.append) == 0
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(messages) == 1
    assert messages[0].startswith("50% x.gif: ")
    assert capsys.readouterr() == ("", "")


def test_progress_comes_five_times_a_second_at_most_and_after_the_last_frame():
    now = 0.0
    calls: list[tuple[float, str]] = []
    progress = Progress(100, lambda share, text: calls.append((share, text)), lambda: now)
    for done in range(1, 101):
        now += 0.01
        progress.show(done)
    assert [share for share, _ in calls] == [0.01, 0.21, 0.41, 0.61, 0.81, 1.0]
    assert calls[2][1] == "100 frames/s, 1 s left"


def test_a_terminal_shows_a_bar_that_the_result_replaces():
    out = Terminal()
    report = films.TerminalReport(out)
    report.progress(0.5, "30 frames/s, 12 s left")
    report.message("a.mp4: 2.0 s")
    bar, result = out.getvalue().split("\x1b[K")[0], out.getvalue().split("\x1b[K")[-1]
    assert bar == "\r[############------------]  50%  30 frames/s, 12 s left"
    assert result == "a.mp4: 2.0 s\n"


def test_what_is_no_terminal_gets_no_bar():
    out = io.StringIO()
    report = films.TerminalReport(out)
    report.progress(0.5, "30 frames/s, 12 s left")
    report.message("a.mp4: 2.0 s")
    assert out.getvalue() == "a.mp4: 2.0 s\n"
