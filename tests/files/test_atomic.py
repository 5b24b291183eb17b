"""A file is replaced in one step, or not at all."""

from __future__ import annotations

import os

import pytest

from batllm_arcade.files.atomic import move_into_place, replacing, write_text


def test_a_text_takes_the_old_one_s_place_as_it_is(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_text(path, ["é\n", "\u2028", "end\n"])
    assert path.read_bytes() == "é\n\u2028end\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_until_it_is_whole_a_reader_sees_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replacing(path) as unfinished:
        unfinished.write_text("new")
        assert path.read_text() == "old"
        assert unfinished.parent == path.parent
    assert path.read_text() == "new"


def test_what_fails_on_the_way_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def parts():
        yield "half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_text(path, parts())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("write", ["text", "moved"])
def test_it_is_flushed_to_the_disk_before_it_takes_the_place(tmp_path, monkeypatch, write):
    path, order = tmp_path / "a.txt", []
    flush, replace = os.fsync, os.replace
    monkeypatch.setattr("os.fsync", lambda handle: (order.append(("fsync", os.fstat(handle).st_size)), flush(handle)))
    monkeypatch.setattr("os.replace", lambda old, new: (order.append(("replace", new)), replace(old, new)))
    if write == "text":
        write_text(path, ["abc"])
    else:
        (tmp_path / "part").write_text("abc")
        move_into_place(tmp_path / "part", path)
    assert order == [("fsync", 3), ("replace", path)]


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_text(path, ["new"])
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
