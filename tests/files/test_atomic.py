"""A file is replaced in one step, or not at all."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from batllm_arcade.files.atomic import create_beside, move_into_place, replacing, write_text


def test_a_text_takes_the_old_one_s_place_as_it_is_and_not_before_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_text(path, ["é\n", "\u2028", "end\n"])
    assert path.read_bytes() == "é\n\u2028end\n".encode()
    with replacing(path) as unfinished:
        unfinished.write_text("new")
        assert path.read_text() != "new"
        assert unfinished.parent == path.parent
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("full", [False, True])
def test_what_fails_on_the_way_and_a_full_disk_leave_the_old_file_and_no_other(tmp_path, monkeypatch, full):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def no_room(_handle):
        raise OSError(28, "No space left on device")

    def parts():
        yield "half"
        if not full:
            raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", no_room)
    with pytest.raises(OSError if full else KeyboardInterrupt):
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


@pytest.mark.parametrize("links", [True, False])
def test_what_appears_meanwhile_is_not_replaced_where_a_new_file_is_wanted(tmp_path, monkeypatch, links):
    path = tmp_path / "a.txt"
    if not links:

        def refuse(*_names):
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr("os.link", refuse)
    write_text(path, ["new"], new=True)
    assert path.read_text() == "new"
    path.unlink()

    def parts():
        path.write_text("precious")
        yield "new"

    with pytest.raises(FileExistsError):
        write_text(path, parts(), new=True)
    assert path.read_text() == "precious"
    (tmp_path / "part").write_text("filmed")
    with pytest.raises(FileExistsError):
        move_into_place(tmp_path / "part", path, new=True)
    assert (path.read_text(), (tmp_path / "part").read_text()) == ("precious", "filmed")
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "part"]


@pytest.mark.parametrize("new", [True, False])
def test_a_link_is_followed_also_to_another_disk_and_to_what_is_not_there_yet(tmp_path, monkeypatch, new):
    (tmp_path / "far").mkdir()
    path, target = tmp_path / "a.txt", tmp_path / "far" / "b.txt"
    path.symlink_to(target)
    if not new:
        target.write_text("old")
    write_text(path, ["text"], new=new)
    assert (path.is_symlink(), target.read_text()) == (True, "text")
    if new:
        target.unlink()
    (tmp_path / "part").write_text("moved")
    for name in ("link", "replace"):
        monkeypatch.setattr(f"os.{name}", _not_across_disks(getattr(os, name)))
    move_into_place(tmp_path / "part", path, new=new)
    assert (path.is_symlink(), target.read_text()) == (True, "moved")
    assert (os.listdir(tmp_path / "far"), sorted(os.listdir(tmp_path))) == (["b.txt"], ["a.txt", "far"])


def _not_across_disks(move):
    def moved(old, new):
        if os.path.dirname(old) != os.path.dirname(new):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        move(old, new)

    return moved


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_what_is_no_regular_file_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link"):
        with pytest.raises(OSError, match="it is no regular file"):
            write_text(tmp_path / name, ["text"])
    assert stat.S_ISFIFO(os.lstat(tmp_path / "pipe").st_mode)
    assert sorted(os.listdir(tmp_path)) == ["link", "pipe"]


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
