"""What is kept of a child's log, and how it is shown."""

from __future__ import annotations

import re

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
