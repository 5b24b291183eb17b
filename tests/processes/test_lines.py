"""Bytes to lines and lines to messages, whatever comes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.processes.child import LineSplitter, Unreadable, json_line, message_of


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r\n", b"x" * 9, b""]), max_size=12), st.integers(1, 9))
def test_lines_are_the_same_however_the_bytes_arrive(parts, limit):
    data = b"".join(parts)
    whole, pieces = LineSplitter(limit), LineSplitter(limit)
    assert whole.feed(data) == [line for each in data for line in pieces.feed(bytes([each]))]
    overlong = Unreadable("a line of more than 0 KiB")
    expected = [overlong if len(line) > limit else line.removesuffix(b"\r") for line in data.split(b"\n")[:-1]]
    rest = data.split(b"\n")[-1]
    assert LineSplitter(limit).feed(data) == expected + ([overlong] if len(rest) > limit else [])


def test_a_line_of_json_is_read_as_what_was_written_and_anything_else_is_refused():
    values = {"id": 7, "text": "h\u00e4 \ud800\u2028\n", "nothing": None}
    line = json_line(values)
    assert line.count(b"\n") == 1
    assert message_of(line) == values
    for bad in (b"", b"[1]", b"7", b"{", b"\xff", Unreadable("too much")):
        with pytest.raises(ValueError):
            message_of(bad)
