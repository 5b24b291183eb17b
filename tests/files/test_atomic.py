"""A file is replaced in one step, or not at all."""

from __future__ import annotations

import os

import pytest

from batllm_arcade.files.atomic import create_beside, move_into_place, replacing, write_text


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


def test_a_temporary_file_takes_no_name_that_is_there_and_follows_no_link(tmp_path):
    path = tmp_path / "a.txt"
    (tmp_path / "precious").write_text("notes")
    for name in (".a.txt.tmp", "a.txt.tmp"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    with replacing(path) as one, replacing(path) as other:
        assert one != other
        one.write_text("one")
        other.write_text("two")
    assert path.read_text() == "one"  # the outer one was moved last
    assert (tmp_path / "precious").read_text() == "notes"
    assert sorted(each.name for each in tmp_path.iterdir()) == [".a.txt.tmp", "a.txt", "a.txt.tmp", "precious"]


def test_a_working_file_gets_a_number_where_its_name_is_in_use_even_by_a_broken_link(tmp_path):
    out = tmp_path / "film.mp4"
    (tmp_path / "film.partial.mp4").write_text("of somebody else")
    (tmp_path / "film.partial-2.mp4").symlink_to(tmp_path / "nowhere")
    assert create_beside(out, "partial").name == "film.partial-3.mp4"
    assert (tmp_path / "film.partial.mp4").read_text() == "of somebody else"
    assert not (tmp_path / "nowhere").exists()
