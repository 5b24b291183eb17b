"""What a bot in a sandbox may read, and when there is a sandbox at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files import bot_folder
from batllm_arcade.files.bot_folder import MARKER, holds_more
from batllm_arcade.isolation import sandbox
from batllm_arcade.isolation.sandbox import (
    BotIsolation,
    Sandboxes,
    bot_files,
    bot_isolation,
    bot_launch,
    files_of,
    here,
    in_words,
    no_sandbox,
    sandbox_command,
    sandbox_environment,
    shared_files,
    without_covered,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder, and nothing that was found out before."""
    found = tmp_path / "outer" / "home"
    found.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(found))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    bot_folder._private.cache_clear()
    yield found
    bot_folder._private.cache_clear()


@pytest.mark.parametrize("folder", ["bots", "bots/deep"])
def test_a_bot_reads_the_folder_it_is_in_only_where_that_is_marked_as_its_own(folder, home):
    (home / folder).mkdir(parents=True)
    file = home / folder / "bot.py"
    file.touch()
    assert bot_files(file) == (str(file),)
    (home / folder / MARKER).touch()
    assert bot_files(file) == (str(home / folder),)
    (home / folder / "_data").mkdir()  # bots of a plugins folder share what begins so
    for name in ("rival.py", "_helper.py"):
        (home / folder / name).touch()
    assert shared_files(str(home / folder)) == (str(home / folder / "_data"), str(home / folder / "_helper.py"))


@pytest.mark.parametrize(
    "folder",
    [
        "", "..", ".config", ".local", ".local/share", ".config/batllm-arcade", ".local/share/batllm-arcade",
        "Downloads", "Desktop", "Documents",
        "T\u00e9l\u00e9chargements", "Bureau",
    ],
)  # fmt: skip
def test_no_mark_opens_a_folder_where_other_things_are_too(folder, home):
    (home / ".config").mkdir()
    (home / ".config" / "user-dirs.dirs").write_text(
        '# made by a program\nXDG_DESKTOP_DIR="$HOME/Bureau"\nXDG_DOWNLOAD_DIR="$HOME/T\u00e9l\u00e9chargements"\n',
        "utf-8",
    )
    bot_folder._private.cache_clear()
    (home / folder).mkdir(parents=True, exist_ok=True)
    file = Path(os.path.normpath(home / folder / "bot.py"))
    for each in (file, file.parent / MARKER, file.parent / "_helper.py"):
        each.touch()
    assert bot_files(file) == (str(file),)
    assert shared_files(str(file.parent)) == ()


@pytest.mark.parametrize("folder", [".gnupg", ".mozilla/profile", ".aws", ".config/bots", "bots/.git"])
def test_no_mark_opens_a_hidden_folder_of_the_home_folder(folder, home):
    (home / folder).mkdir(parents=True)
    for name in ("bot.py", MARKER):
        (home / folder / name).touch()
    assert bot_files(home / folder / "bot.py")[0] == str(home / folder / "bot.py")


@pytest.mark.parametrize(
    ("folder", "name", "command"),
    [("bots", "python-bot", ["--fast"]), ("bin", "python-bot", []), ("bots", "python-bot", []), ("bin", "python3", [])],
)
def test_a_bot_called_python_opens_nothing_above_it(folder, name, command, home):
    """Whatever a stranger has put there so that it looks like a Python's folder."""
    (home / "work" / folder).mkdir(parents=True)
    (home / "work" / "lib" / "python3.12").mkdir(parents=True)
    if name != "python3":
        (home / "work" / "pyvenv.cfg").touch()
    bot = home / "work" / folder / name
    bot.touch()
    assert set(files_of([str(bot), *command])) == {str(bot)}


@pytest.mark.parametrize("folder", ["/", "/tmp", "/etc", "/home", "/var", "/dev", "/proc", "/var/tmp"])
def test_folders_of_everybody_hold_more_than_a_bot(folder, home):
    assert holds_more(folder)


def test_of_links_a_bot_reads_what_its_own_points_to_and_nothing_beside_that(home, tmp_path):
    for folder in ("bots", "work"):
        (home / folder).mkdir()
    (home / "work" / "real.py").touch()
    (home / "bots" / "bot.py").symlink_to(home / "work" / "real.py")
    assert bot_files(home / "bots" / "bot.py") == (str(home / "bots" / "bot.py"),)
    (tmp_path / "link").symlink_to(home)  # which holds what the home folder holds
    (tmp_path / "link" / "bot.py").touch()
    assert bot_files(tmp_path / "link" / "bot.py")[0] == str(tmp_path / "link" / "bot.py")


def test_a_command_reads_its_program_and_its_files(home):
    for name in ("program", "data", "other"):
        (home / name).touch()
    found = files_of([str(home / "program"), str(home / "data"), "--flag", "other", str(home), str(home / "none")])
    assert set(found) == {str(home / "program"), str(home / "data")}


def test_python_reads_its_prefixes_and_this_program_wherever_they_are():
    found = files_of([sys.executable, "-c", "pass"])
    program = Path(sandbox.__file__).parents[1]
    assert str(program) in found
    for place in {sys.prefix, sys.base_prefix} - {"/usr"}:
        assert place in found
    assert not any(holds_more(path) for path in found)


def test_a_virtual_environment_of_its_own_is_read_with_the_python_it_is_made_of(home):
    for folder in ("venv/bin", "venv/lib", "base/bin", "base/lib/python3.12"):
        (home / folder).mkdir(parents=True)
    (home / "venv" / "pyvenv.cfg").touch()
    (home / "base" / "bin" / "python3.12").touch()
    (home / "venv" / "bin" / "python").symlink_to(home / "base" / "bin" / "python3.12")
    found = files_of([str(home / "venv" / "bin" / "python"), "bot.py"])
    assert {str(home / "venv"), str(home / "base")} <= set(found)


def test_what_lies_in_what_is_shown_is_not_shown_twice(tmp_path):
    for name in ("a", "a/b", "ab"):
        (tmp_path / name).mkdir()
    paths = [str(tmp_path / name) for name in ("a/b", "ab", "a", "nowhere")]
    assert without_covered([*paths, "/usr/bin/env"], ["/usr"]) == [str(tmp_path / "a"), str(tmp_path / "ab")]


def test_the_command_hides_everything_that_it_does_not_show(tmp_path):
    command = sandbox_command(["/bin/true", "x"], [str(tmp_path)], Sandboxes("/usr/bin/bwrap"))
    assert command[command.index("--") :] == ["--", "/bin/true", "x"]
    for space in ("user", "pid", "ipc", "uts", "cgroup", "net"):
        assert f"--unshare-{space}" in command
    for word in ("--disable-userns", "--die-with-parent", "--new-session", "--remount-ro"):
        assert word in command
    shown = [command[at + 1] for at, word in enumerate(command) if word == "--ro-bind"]
    assert str(tmp_path) in shown
    assert not [path for path in shown if path in ("/", "/etc", "/tmp", os.path.expanduser("~"))]
    assert "/etc/resolv.conf" not in command
    assert not [word for word in command if word in ("--bind", "--dev-bind", "--share-net")]
    networked = sandbox_command(["/bin/true"], [], Sandboxes("/usr/bin/bwrap"), network=True)
    assert {"--unshare-net", "/etc/hosts"} <= set(networked), "it has a network of its own all the same"
    assert not {"/etc/resolv.conf", "/etc/passwd"} & set(networked)


def test_nothing_of_this_environment_is_handed_on(monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "canary")
    monkeypatch.setenv("HARMLESS", "canary")
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert not set(sandbox_environment()) - {"PATH", "HOME", "TMPDIR", "LANG", "PYTHONUSERBASE", "PYTHONUNBUFFERED"}
    assert "canary" not in str(sandbox_environment())


OLD = "#!/bin/sh\necho bubblewrap 0.6.2\n"
BROKEN = "#!/bin/sh\n[ $1 = --version ] && echo bubblewrap 0.11.0 && exit\necho 'bwrap: no map' >&2\nexit 1\n"
NO_PROC = '#!/bin/sh\n[ $1 = --version ] && echo bubblewrap 0.9.0 && exit\ncase "$*" in *--proc*) exit 1;; esac\n'
MUTE = "#!/bin/sh\nexit 3\n"


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("", "bubblewrap (the program bwrap) is not installed"),
        (OLD, "bwrap 0.6 is too old; it takes 0.8 or newer"),
        (BROKEN, "bwrap cannot make a sandbox here (no map)"),
        (MUTE, "bwrap does not tell its version"),
        (NO_PROC, ""),
    ],
)
def test_whether_there_is_a_sandbox_is_tried_and_the_reason_kept(script, problem, tmp_path, monkeypatch):
    if script:
        (tmp_path / "bwrap").write_text(script)
        (tmp_path / "bwrap").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox.sandboxes.cache_clear()
    try:
        found = sandbox.sandboxes()
        assert found.problem == problem
        monkeypatch.setenv("PATH", "/nowhere")
        assert sandbox.sandboxes() is found
        assert here("auto") == ("process" if problem else "sandbox")
        assert (problem in no_sandbox()) == bool(problem) or not problem
        assert in_words("auto", {}).startswith("in a process" if problem else "in a sandbox: ")
        if problem:
            with pytest.raises(UsageError, match=r"no sandbox can be made: .*--isolation process"):
                bot_isolation(Spec("proc", "x", {"isolation": "sandbox"}))
        elif script == NO_PROC:
            assert not found.proc
    finally:
        sandbox.sandboxes.cache_clear()


def test_what_a_bot_asks_for_is_what_it_gets_or_an_error():
    asked = Spec("proc", "x", {"isolation": "process", "network": "yes"})
    assert bot_isolation(asked) == BotIsolation("process", "yes")
    assert "every server but those of this computer" in str(BotIsolation("sandbox", "yes"))
    assert "what this computer serves" in str(BotIsolation("sandbox", "loopback"))
    assert "your files" in str(BotIsolation("process", "yes"))
    for options in ({"isolation": "none"}, {"isolation": "jail"}, {"isolation": "process", "network": "some"}):
        with pytest.raises(UsageError):
            bot_isolation(Spec("proc", "x", options))


def test_where_no_folder_takes_temporary_files_a_process_says_what_to_set(monkeypatch):
    def nowhere(*_arguments, **_options):
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("tempfile.mkdtemp", nowhere)
    with pytest.raises(OSError, match="set TMPDIR"):
        bot_launch(["bot"])
