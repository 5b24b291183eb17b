"""What is kept of a child's log, and how it is shown."""

from __future__ import annotations

import re

import pytest

from batllm_arcade.processes.child import KEPT, ChildLog


def test_a_log_is_bounded_and_without_escape_sequences():
    log = ChildLog()
    log.write(b"one\n\x1b[31mred\x1b[0m\x1b]0;title\x07 \x1b(B\x9b2J\rover\x07\xff\tend")
    log.note("crashed")
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", "".join(log.lines()))
    assert log.lines()[1].startswith("red ")
    assert log.last_words().startswith("red ")
    log.write(b"x" * 3 * KEPT)
    assert sum(map(len, log.lines())) <= KEPT
    assert log.cut


NODE = "file:///b/oops.mjs:5\n  m.veiw.x\n         ^\n{error}\n    at file:///b/oops.mjs:5:80\nNode.js v20"
PYTHON = 'Traceback:\n  File "/b/mine.py", line 9\n  File "/usr/lib/python3/json.py", line 1\n{error}\nbye'


@pytest.mark.parametrize(
    ("lines", "error", "place"),
    [
        (NODE, "TypeError: no x", " (oops.mjs, line 5)"),
        (PYTHON, "ValueError: bad", " (mine.py, line 9)"),
        ("node:internal/modules:265\n{error}\nNode.js v20", "Error [ERR]: Cannot find module 'x'", ""),
        ("{error}", "error: file main.c:3 is strange", " (main.c, line 3)"),
        ("loading\nno errors so far in a.py:3\n{error}", "ready", ""),
        ("", "", ""),
    ],
)
def test_the_last_words_are_the_line_with_the_error_and_its_place(lines, error, place):
    log = ChildLog()
    log.write(lines.format(error=error).encode())
    log.note("crashed")
    assert log.last_words() == error + place
