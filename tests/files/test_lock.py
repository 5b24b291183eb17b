"""A file that another program writes is neither written nor removed; the lock ends with the program."""

from __future__ import annotations

import errno
import subprocess
import sys

import pytest
from fakes import played

from batllm_arcade.core.model import Rules
from batllm_arcade.files.atomic import is_still_at, lock, remove_unlocked
from batllm_arcade.history.writer import SessionWriter

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no open file")
HOLDER = """
import sys
from batllm_arcade.files.atomic import lock
file = open(sys.argv[1], "w")
lock(file.fileno())
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_lock_lasts_as_long_as_the_program_even_if_it_is_killed(tmp_path):
    path = tmp_path / "s.journal"
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(BlockingIOError):
            remove_unlocked(path)
        with open(path) as file, pytest.raises(BlockingIOError):
            lock(file.fileno())
        assert path.exists()
        holder.kill()
    remove_unlocked(path)
    assert not path.exists()
    remove_unlocked(path)  # nothing is there: nothing to do


def test_a_file_that_was_replaced_is_not_at_its_place_any_more(tmp_path):
    path = tmp_path / "a"
    with open(path, "w") as file:
        assert is_still_at(file.fileno(), path)
        path.unlink()
        assert not is_still_at(file.fileno(), path)
        path.write_text("another")
        assert not is_still_at(file.fileno(), path)


def test_a_link_is_removed_and_what_it_names_stays(tmp_path):
    (tmp_path / "precious").write_text("notes")
    (tmp_path / "s.journal").symlink_to(tmp_path / "precious")
    remove_unlocked(tmp_path / "s.journal")
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_where_there_are_no_locks_the_name_alone_protects_a_file(code, tmp_path, monkeypatch):
    def flock(*_):
        raise OSError(code, "no locks")

    monkeypatch.setattr("fcntl.flock", flock)
    path = tmp_path / "s.journal"
    path.write_text("of another program, perhaps")
    with open(path) as file:
        assert not lock(file.fileno())
    with pytest.raises(BlockingIOError):
        remove_unlocked(path)
    assert path.exists()
    records = played(["M"], ["M"], rules=Rules(total_rounds=1, turns_per_round=1))
    writer = SessionWriter(tmp_path / "a.json")
    for record in records:
        writer.notify(record)
    assert (tmp_path / "a.json").exists()
