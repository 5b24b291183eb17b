"""A cgroup for a child: made beside this program's own where the controllers are left to this user, else not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from batllm_arcade.processes.guard import ChildCgroup


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A tree of cgroups in which this program is in `app/mine`, whose parent leaves memory and pids to the user."""
    (tmp_path / "cgroup" / "app" / "mine").mkdir(parents=True)
    (tmp_path / "cgroup" / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "cgroup" / "app" / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "own").write_text("3:cpu:/old\n0::/app/mine\n")
    return tmp_path


def made(top: Path) -> ChildCgroup:
    return ChildCgroup(99, 7, str(top / "cgroup"), str(top / "own"))


def test_it_is_made_beside_this_programs_own_with_its_limits(top):
    group = made(top)
    path = Path(group.path)
    assert path.parent == top / "cgroup" / "app"
    group.take(4711)
    assert {each.name: each.read_text() for each in path.iterdir()} == {
        "memory.max": str(99 * 2**20), "pids.max": "7", "cgroup.procs": "4711",
    }  # fmt: skip
    for each in path.iterdir():  # in a real tree they go with their folder
        each.unlink()
    group.remove()
    assert not path.exists()


@pytest.mark.parametrize("what", ["no memory", "version 1", "no cgroups", "not ours"])
def test_without_what_it_needs_there_is_none_and_nothing_fails(what, top):
    if what == "no memory":
        (top / "cgroup" / "app" / "cgroup.subtree_control").write_text("cpu pids\n")
    elif what == "version 1":
        (top / "cgroup" / "cgroup.controllers").unlink()
    elif what == "no cgroups":
        (top / "own").unlink()
    else:
        (top / "own").write_text("0::/elsewhere/x\n")
    group = made(top)
    assert group.path == ""
    group.take(1)
    group.remove()
    assert [path.name for path in (top / "cgroup" / "app").iterdir() if path.is_dir()] == ["mine"]
