"""Output paths are checked before any work, and a name that is in use gets a number."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import check_output, free_path


@pytest.mark.parametrize("force", [True, False])
@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "is a folder; name a file to write"),
        ("missing/a.mp4", "does not exist; create it or name another file"),
        ("x" * 300, "cannot be written: File name too long"),
        ("y" * 250, "cannot be written: File name too long"),
        ("\0", "cannot be written: .*null"),
    ],
    ids=["folder", "no folder", "long", "long with its working file", "no name"],
)
def test_a_place_where_nothing_can_be_written_is_one_sentence(tmp_path, name, complaint, force):
    path = tmp_path / name
    with pytest.raises(UsageError, match=complaint) as refused:
        check_output(path, force=force, working_files=[path.parent / f"{path.name}.working"])
    assert "\n" not in str(refused.value)


def test_an_existing_file_is_refused_without_force(tmp_path):
    path = tmp_path / "a.mp4"
    check_output(path, force=False)
    path.write_text("precious")
    with pytest.raises(UsageError, match=r"a.mp4' exists already; name another file or add --force$"):
        check_output(path, force=False)
    check_output(path, force=True)
    assert path.read_text() == "precious"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("force", [True, False])
def test_a_pipe_a_device_and_a_link_to_one_are_refused_also_by_force(tmp_path, force):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/null")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/null")):
        with pytest.raises(UsageError, match="it is no regular file"):
            check_output(path, force=force)


def test_a_link_counts_as_what_it_leads_to(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "missing" / "a.mp4")
    with pytest.raises(UsageError, match=r"missing' does not exist; create it"):
        check_output(tmp_path / "link", force=False)


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(UsageError, match="cannot be written to; name a file somewhere else"):
        check_output(tmp_path / "a.mp4", force=False)


def test_a_name_in_use_gets_the_next_number(tmp_path):
    def taken():
        path = free_path(tmp_path, "match.v1.json")
        path.write_text("")
        return path.name

    assert [taken() for _ in range(3)] == ["match.v1.json", "match.v1-2.json", "match.v1-3.json"]


def test_what_counts_as_in_use_can_be_said(tmp_path):
    used = {tmp_path / "a.mp4", tmp_path / "a-2.mp4"}
    assert free_path(tmp_path, "a.mp4", in_use=used.__contains__) == tmp_path / "a-3.mp4"
