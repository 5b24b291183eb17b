"""A small text is read whole or refused: only a regular file, UTF-8, up to a limit."""

from __future__ import annotations

import os
import sys

import pytest

from batllm_arcade.files.reading import argument_text, read_text, read_within


def test_a_text_has_plain_line_ends(tmp_path):
    (tmp_path / "a").write_bytes("é\r\nb\rc\n".encode())
    assert read_text(tmp_path / "a") == "é\nb\nc\n"
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfwin")
    assert read_text(tmp_path / "a") == "win", "a byte order mark is none of the text"


def test_the_limit_is_the_last_size_that_is_read(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 1024)
    assert len(read_text(tmp_path / "a", 1024)) == 1024
    (tmp_path / "a").write_bytes(b"x" * 1025)
    with pytest.raises(OSError, match="it is larger than 1 KiB"):
        read_text(tmp_path / "a", 1024)


def test_what_is_no_text_is_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"\xff\xfe")
    with pytest.raises(OSError, match="it is not UTF-8 text"):
        read_text(tmp_path / "a")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_and_a_folder_are_refused_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError, match=r"it is not a regular file|directory"):
            read_text(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_in_a_folder_of_somebody_else_no_link_is_followed_also_none_on_the_way(tmp_path):
    for name in ("own", "far"):
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "a").write_text(name)
    os.mkfifo(tmp_path / "own" / "pipe")
    (tmp_path / "own" / "link").symlink_to(tmp_path / "far" / "in" / "a")
    (tmp_path / "own" / "linked").symlink_to(tmp_path / "far" / "in")
    (tmp_path / "named").symlink_to(tmp_path / "own")  # the folder itself may be named by one
    assert read_within(tmp_path / "named", "in/a", 99) == "own"
    for name in ("link", "linked/a", "pipe", "in"):
        with pytest.raises(OSError, match="it is a link, or no regular file"):
            read_within(tmp_path / "own", name, 99)
    with pytest.raises(FileNotFoundError):
        read_within(tmp_path / "own", "in/b", 99)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("Grüße, 東京", "Grüße, 東京"),
        ("Gr\udcc3\udcbc\udcc3\udc9fe", "Grüße"),  # as a locale without UTF-8 gives its bytes
        ("a\udcffb", "a\ufffdb"),
        ("lone \ud800", "lone ?"),
    ],
)
def test_a_text_of_the_command_line_is_utf_8_whatever_the_locale_says(given, text):
    assert argument_text(given) == text
