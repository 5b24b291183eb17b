"""Removing a child's folder: all that is in it, nothing that it only points to, whatever was put in its place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import batllm_arcade
from batllm_arcade.processes.descendants import hold, remove

ORDINARY_USER = 65534

pytestmark = pytest.mark.skipif(os.rmdir not in os.supports_dir_fd, reason="folders have no descriptors here")


def made(tmp_path: Path) -> tuple[Path, int, Path]:
    """A folder, its descriptor, and a folder beside it that holds a file to keep."""
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (other / "keep").write_text("precious")
    return own, hold(str(own)), other


def kept(other: Path) -> bool:
    return [path.name for path in other.iterdir()] == ["keep"] and (other / "keep").read_text() == "precious"


def test_all_that_is_in_it_goes_and_what_it_points_to_stays(tmp_path):
    own, held, other = made(tmp_path)
    (own / "a" / "b" / "c").mkdir(parents=True)
    (own / "a" / "b" / "file").write_text("x")
    (own / "a" / "empty").mkdir()
    for place in (own / "link", own / "a" / "b" / "link"):
        place.symlink_to(other)
    (own / "a" / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(own / "fifo")
    remove(str(own), held)
    assert not own.exists()
    assert kept(other)


def test_a_link_in_its_place_is_unlinked_and_the_folder_is_found_where_it_is(tmp_path):
    own, held, other = made(tmp_path)
    (own / "mine").mkdir()
    own.rename(tmp_path / "moved")
    own.symlink_to(other)
    remove(str(own), held)
    assert kept(other)
    assert [path.name for path in tmp_path.iterdir()] == ["other"]


def test_a_link_that_was_there_from_the_start_is_not_followed(tmp_path):
    (tmp_path / "link").symlink_to(made(tmp_path)[2])
    assert hold(str(tmp_path / "link")) == -1
    remove(str(tmp_path / "link"), -1)
    assert kept(tmp_path / "other")
    assert not (tmp_path / "link").is_symlink()


def test_another_folder_in_its_place_is_left_alone(tmp_path):
    own, held, other = made(tmp_path)
    own.rename(tmp_path / "moved")
    other.rename(own)
    remove(str(own), held)
    assert kept(own)
    assert not (tmp_path / "moved").exists()


DEEP = """
import os, sys
os.chdir(sys.argv[1])
for number in range(int(sys.argv[2])):
    os.mkdir("d"); os.chdir("d")
open("f", "w").close()
"""


@pytest.mark.parametrize("depth", [3, 1100])
def test_however_deep_it_is_nested(depth, tmp_path):
    own, held, other = made(tmp_path)
    subprocess.run([sys.executable, "-I", "-S", "-c", DEEP, str(own), str(depth)], check=True)
    remove(str(own), held)
    assert not own.exists()
    assert kept(other)


ORDINARY = "import sys; sys.path.append(sys.argv[1]); from batllm_arcade.processes.descendants import remove; "
ORDINARY += "remove('/no/such/folder', int(sys.argv[2]))"


def test_a_folder_whose_mode_keeps_everybody_out_goes_too(tmp_path):
    own, held, _ = made(tmp_path)
    (own / "shut" / "in").mkdir(parents=True)
    (own / "shut" / "in" / "file").write_text("x")
    for place in (own / "shut" / "in", own / "shut", own):
        os.chown(place, ORDINARY_USER, ORDINARY_USER) if os.getuid() == 0 else None
        place.chmod(0o700 if place == own else 0)
    # By the descriptor alone, as an ordinary user, for the superuser is kept out of nothing.
    line = [sys.executable, "-I", "-S", "-c", ORDINARY, str(Path(batllm_arcade.__file__).parents[1]), str(held)]
    user = {"user": ORDINARY_USER, "group": ORDINARY_USER, "extra_groups": []} if os.getuid() == 0 else {}
    try:
        ran = subprocess.run(line, pass_fds=[held], cwd="/", stderr=subprocess.PIPE, text=True, check=False, **user)
    except PermissionError:
        pytest.skip("an ordinary user cannot read this Python here")
    finally:
        os.close(held)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert list(own.iterdir()) == []
