"""What files a bot in a sandbox reads and how many it may write; what of the environment a bot without one is given."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from resources import nothing_left
from sandboxing import bot_program, log_of, require_sandbox

from batllm_arcade.brains.protocol import BrainError, Spec
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.files.bot_folder import MARKER
from batllm_arcade.isolation.sandbox import shared_files
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import ISOLATED

linux = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")
READING = """
here = os.path.dirname(os.path.abspath(sys.argv[0]))
for folder, _, names in os.walk(here):
    for name in filter(os.path.isfile, [os.path.join(folder, name) for name in names]):
        with open(name, errors="replace") as file:
            print(os.path.relpath(name, here), file.read(20), file=sys.stderr, flush=True)
"""
DROP_IN = """\
import os, sys
from batllm_arcade import bot
HERE = os.path.dirname(__file__)
for name in sorted(os.listdir(HERE)):
    print("sees", name, file=sys.stderr)
for name in ("rival.py", "session.json.journal", "_helper.py"):
    try:
        print("reads", open(os.path.join(HERE, name)).read(), file=sys.stderr)
    except OSError:
        pass
@bot("curious")
def decide(me, foe, clock):
    return "M"
"""


def said_by(path: Path, **options: str) -> list[str]:
    """What a bot has written to its log by the time it is ready."""
    with nothing_left():
        return log_of(manager.load().kinds["proc"].make(Spec("proc", str(path), {"isolation": "sandbox", **options})))


def said_by_drop_in(bots: Path, *about: str) -> list[str]:
    """What the bot `curious` of a plugins folder has said about some things."""
    brain = manager.load(bots, ISOLATED).kinds["curious"].make(Spec("curious", "", {"isolation": "sandbox"}))
    return [line for line in log_of(brain) if line.startswith(about)]


@pytest.fixture
def folder(tmp_path):
    """A folder with a bot, and what else people have beside one."""
    (tmp_path / "bots" / "helpers").mkdir(parents=True)
    for name in ("taxes.txt", "rival.py", "session.json", "session.json.journal", "_notes", "helpers/arena.txt"):
        (tmp_path / "bots" / name).write_text("canary")
    bot_program(tmp_path / "bots" / "bot.py", READING)
    return tmp_path / "bots"


@linux
def test_a_bot_s_file_gets_itself_alone(folder):
    require_sandbox()
    assert [line.split()[0] for line in said_by(folder / "bot.py")] == ["bot.py"]


@linux
def test_a_bot_reads_its_folder_where_that_is_marked_as_one_bot_s(folder):
    require_sandbox()
    (folder / MARKER).touch()
    assert "helpers/arena.txt canary" in said_by(folder / "bot.py")


@linux
def test_of_a_plugins_folder_each_bot_gets_itself_and_what_begins_with_an_underscore(folder):
    """Neither rivals nor the journal, also where the folder is marked."""
    require_sandbox()
    (folder / "bot.py").unlink()
    (folder / "rival.py").write_text("CANARY = 1")
    (folder / "_helper.py").write_text("SHARED = 1")
    (folder / "curious.py").write_text(DROP_IN)
    (folder / MARKER).touch()
    said = said_by_drop_in(folder, "sees", "reads")
    assert said == ["sees _helper.py", "sees _notes", "sees curious.py", "reads SHARED = 1"]


LINKED = """\
import os, socket, sys
from batllm_arcade import bot
HERE = os.path.dirname(__file__)
for name in sorted(os.listdir(HERE)):
    print("sees", name, file=sys.stderr)
for folder in (HERE, os.path.join(HERE, "_files")):
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        try:
            held = sorted(os.listdir(path)) if os.path.isdir(path) else open(path).read(20)
            print("reads", name, held, file=sys.stderr)
        except OSError:
            pass
        try:
            socket.socket(socket.AF_UNIX).connect(path)
            print("asks", name, file=sys.stderr)
        except OSError:
            pass
@bot("curious")
def decide(me, foe, clock):
    return "M"
"""


@pytest.fixture
def listening():
    """The path of a socket on which somebody listens; a short one, as they have to be."""
    with TemporaryDirectory(prefix="b") as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{folder}/s")
        server.listen()
        yield f"{folder}/s"


@linux
def test_what_a_plugins_folder_shares_are_files_and_nothing_that_a_link_leads_to(tmp_path, listening, monkeypatch):
    require_sandbox()
    private, bots = tmp_path / "private", tmp_path / "bots"
    for folder in (private, bots / "_files", bots / "_pipe", bots / "_asked"):
        folder.mkdir(parents=True)
    (private / "secret.txt").write_text("canary")
    (bots / "_files" / "data.txt").write_text("shared")
    for name, target in (("_root", "/"), ("_key", private / "secret.txt"), ("_private", private), ("_sock", listening),
                         ("_env", "/proc/self/environ"), ("_zeros", "/dev/zero"), ("_files/key", "../_key"),
                         ("_files/out", private), ("_files/sock", listening)):  # fmt: skip
        (bots / name).symlink_to(target)
    os.mkfifo(bots / "_pipe" / "pipe")
    os.mkfifo(bots / "_fifo")
    monkeypatch.chdir(bots / "_asked")  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        server.listen()
        (bots / "curious.py").write_text(LINKED)
        said = [line for line in said_by_drop_in(bots, "sees", "reads", "asks") if "curious" not in line]
    assert said == ["sees _files", "reads _files ['data.txt', 'key', 'out', 'sock']", "reads data.txt shared"]


@linux
@pytest.mark.parametrize("inside", ["a link", "a socket", "a pipe"])
def test_a_marked_folder_shows_no_link_s_target_and_no_socket(inside, folder, monkeypatch):
    require_sandbox()
    (folder / MARKER).touch()
    (folder / "secret.txt").write_text("canary")
    if inside == "a link":
        (folder.parent / "private").mkdir()
        (folder.parent / "private" / "secret.txt").write_text("CANARY")
        (folder / "key").symlink_to(folder.parent / "private" / "secret.txt")
        assert not [line for line in said_by(folder / "bot.py") if "CANARY" in line]
        (folder / "linked.py").symlink_to(folder.parent / "private" / "bot.py")
        bot_program(folder.parent / "private" / "bot.py", READING)
        with pytest.raises(BrainError, match="crashed"):
            said_by(folder / "linked.py")
    elif inside == "a socket":
        monkeypatch.chdir(folder)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("s")
            assert [line.split()[0] for line in said_by(folder / "bot.py")] == ["bot.py"]
    else:
        os.mkfifo(folder / "helpers" / "pipe")
        assert [line.split()[0] for line in said_by(folder / "bot.py")] == ["bot.py"]


def test_a_file_of_a_plugins_folder_that_is_a_link_is_left_out(folder):
    """A stranger's helpers beside it would run in the process that reads what it leads to."""
    (folder / "bot.py").unlink()
    (folder.parent / "mine.py").write_text(DROP_IN)
    (folder / "curious.py").symlink_to(folder.parent / "mine.py")
    plugins = manager.load(folder, ISOLATED)
    assert "curious" not in plugins.kinds
    assert [each for each in plugins.problems if each.startswith("the file 'curious.py' is a link; it was left out")]


def test_no_session_and_no_league_is_written_where_a_bot_reads_it(folder, capsys):
    (folder / MARKER).touch()
    seats = ["--left", "scripted:turtle", "--right", "scripted:turtle", "--quiet"]
    assert main(["run", *seats, "--history", str(folder / "deep" / "new.json")]) == 2
    assert f"has {MARKER}); name another place" in capsys.readouterr().err
    plan = folder.parent / "plan.yaml"
    plan.write_text("players: [{brain: scripted:turtle}, {brain: scripted:dancer}]\nconfig: couch\npairs: 1\n")
    assert main(["league", str(plan), "--out", str(folder / "league")]) == 2
    assert f"has {MARKER}); name another place" in capsys.readouterr().err
    assert not (folder / "league").exists()


@pytest.mark.parametrize("name", ["_session.json", "_kept/deep/session.json"])
def test_no_session_is_written_where_the_bots_of_a_plugins_folder_share(name, folder, capsys):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    seats = ["--left", "scripted:turtle", "--right", "scripted:turtle", "--quiet"]
    assert main(["run", *seats, "--history", str(folder / name)]) == 2
    assert "beside Python files, which bots there may read; name another place" in capsys.readouterr().err


def test_what_python_keeps_is_not_shared_and_too_much_is_told(folder):
    (folder / "__pycache__").mkdir()
    assert shared_files(str(folder)) == (str(folder / "_notes"),)
    for number in range(500):
        (folder / f"_{number}").touch()
    with pytest.raises(UsageError, match="has 501 files whose names begin with _, and 500 are allowed"):
        shared_files(str(folder))


MANY = """
for number in range(int(options["count"])):
    folder = ("/tmp", "/dev/shm")[number % 2]
    os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
"""


@linux
def test_a_bot_with_too_many_files_is_ended(tmp_path):
    require_sandbox()
    bot_program(tmp_path / "bot.py", MANY)
    said_by(tmp_path / "bot.py", count="9000")
    with pytest.raises(BrainError, match=r"crashed: it had \d+ files in /tmp and /dev/shm, and 10000 are allowed"):
        said_by(tmp_path / "bot.py", count="2000000")


SECRETS = [
    "ANTHROPIC_API_KEY", "PASSPHRASE", "MYSQL_PWD", "PASSWD", "JWT", "BEARER", "COOKIE", "PRIVATE_PEM",
    "SLACK_WEBHOOK", "SENTRY_DSN", "DATABASE_URL", "GH_PAT", "AWS_SESSION", "http_proxy", "HTTPS_PROXY",
    "DISPLAY", "XAUTHORITY", "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "OLDPWD",
    "EDITOR", "PGPASSFILE", "NETRC", "DOCKER_CONFIG", "KUBECONFIG", "BATLLM_PLAIN",
]  # fmt: skip
TELLING = "for name, value in os.environ.items(): print(name, value, file=sys.stderr, flush=True)"


@pytest.mark.parametrize("mode", ["process", "sandbox"])
def test_of_the_environment_a_bot_is_given_what_is_on_a_list_and_nothing_else(mode, tmp_path, monkeypatch):
    if mode == "sandbox":
        require_sandbox()
    for name in SECRETS:
        monkeypatch.setenv(name, "canary-5e1f")
    monkeypatch.setenv("LC_TIME", "C")
    bot_program(tmp_path / "bot.py", TELLING)
    said = said_by(tmp_path / "bot.py", isolation=mode)
    found = {line.partition(" ")[0] for line in said}
    assert not [line for line in said if "canary" in line]
    assert not found & set(SECRETS)
    assert "PATH" in found
    if mode == "process":
        assert "LC_TIME" in found
        assert [line for line in said if line == f"HOME {os.environ['HOME']}"]
