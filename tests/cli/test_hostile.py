"""Hostile plugins, servers, files and outputs: each is one plain sentence and an exit code, and no play is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from model_server import ScriptedServer, answer

from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import load

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files and signals")
BRAINS = """\
import os, sys, threading
from batllm_arcade import BotBrain, BrainKind, hookimpl
class Evil(BotBrain):
    def __init__(self, spec):
        self.variant = spec.variant
        super().__init__("evil", self.play)
        if spec.variant == "make": sys.exit(0)
        if spec.variant == "makehang": threading.Event().wait()
        if spec.variant == "options": spec.options.clear(); spec.options[7] = 9
    @property
    def model(self):
        if self.variant == "model": sys.exit(0)
        if self.variant == "modelhang": threading.Event().wait()
        return "ev\\x1b]0;owned\\x07\\u202e\\r\\nFAKE"
    @property
    def title(self):
        if self.variant == "title": raise SystemExit
        return ""
    def prepare(self, report):
        report("load\\x1b[2Jing")
        if self.variant == "prepare": sys.exit(0)
        if self.variant == "hang": threading.Event().wait()
    def play(self, me, foe, clock):
        if self.variant == "chdir": os.chdir("/")
        if self.variant == "raise": raise ValueError("bad\\x1b[2J at https://bob:hunter2@models.example/v1?key=zzz")
        return "C10"
    def decide(self, view):
        if self.variant == "getstate": view.rng.getstate = None
        if self.variant == "gauss": del view.rng.gauss_next
        if self.variant == "live": view.live.seconds_left = None
        return super().decide(view)
@hookimpl
def batllm_brains():
    return [BrainKind("evil", "sum\\x1b[2Jmary", Evil, variants=tuple(sorted(VARIANTS)))]
VARIANTS = "make makehang options model modelhang title prepare hang chdir raise getstate gauss live".split()
"""
OBSERVERS = """\
import sys
from batllm_arcade import hookimpl
class Evil:
    calls = 0
    @property
    def required(self):
        self.calls += 1
        if {required} and self.calls >= {required}: sys.exit(0)
        return False
    def notify(self, record):
        if type(record).__name__ == {fails!r}: sys.exit("\\x1b[2J")
@hookimpl
def batllm_observer(session):
    return Evil()
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for every test, with the plugins in a folder beside it."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "evil.py").write_text(BRAINS)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def command(left: str = "scripted:turtle", *more: str) -> list[str]:
    seats = ["--left", left, "--right", "scripted:random", "--plugins-dir", "../bots", "--trust-plugins"]
    return ["run", *seats, "--turns", "2", "--rounds", "1", "--seed", "7", "--history", "s.json", *more]


def is_plain(text: str) -> bool:
    return all(line.isprintable() for line in text.splitlines())


@pytest.mark.parametrize("variant", ["model", "title", "options", "chdir", "getstate"])
def test_a_brain_that_misbehaves_beside_its_answers_plays_on(variant, work, capsys):
    assert main(command(f"evil:{variant},shade=dark", "--quiet")) == 0
    assert capsys.readouterr().err.endswith("session: s.json\n")
    (game,) = json.loads((work / "s.json").read_text())["games"]
    assert [play["status"] for play in game["rounds"][0]["turns"]] == ["ok"] * 4
    assert game["seats"][0]["options"] == {"shade": "dark"}


@pytest.mark.parametrize("variant", ["gauss", "live"])
def test_a_brain_that_breaks_what_it_was_given_gives_an_error(variant, capsys):
    assert main(command(f"evil:{variant}", "--quiet")) == 1
    assert f"batllm-arcade: left ({variant}) gave not a single answer; the last time: " in capsys.readouterr().err
    turns = load(Path("s.json"))["games"][0]["rounds"][0]["turns"]
    assert {play["status"] for play in turns if play["order"] == 0} == {"error"}
    assert main(["verify", "s.json"]) == 0


@pytest.mark.parametrize(
    ("variant", "sentence"),
    [
        ("make", "left: evil:make could not be made: SystemExit: 0 (evil.py, line 7)"),
        ("makehang", "left: evil:makehang could not be made within 0.05 s; give it more with prepare_s"),
        ("modelhang", "left: evil:modelhang could not be made within 0.05 s; give it more with prepare_s"),
        ("prepare", "left: evil:prepare could not start: SystemExit: 0 (evil.py, line 21)"),
        ("hang", "left: evil:hang could not start within 0.05 s; give it more with prepare_s"),
    ],
)
def test_a_brain_that_cannot_get_ready_is_named_and_nothing_begins(variant, sentence, work, capsys):
    assert main(command(f"evil:{variant},prepare_s=0.05")) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"batllm-arcade: {sentence}"
    assert os.listdir(work) == []


def observe(work: Path, required: int = 0, fails: str = "") -> None:
    (work.parent / "bots" / "watch.py").write_text(
        OBSERVERS.replace("{required}", str(required)).replace("{fails!r}", repr(fails))
    )


@pytest.mark.parametrize(
    ("fails", "required"),
    [*((record, 0) for record in ("SessionStarted", "GameStarted", "Play", "GameEnded", "SessionEnded")),
     ("", 1), ("Play", 2)],
)  # fmt: skip
def test_an_observer_that_exits_at_any_moment_is_named_and_the_match_goes_on(fails, required, work, capsys):
    observe(work, required=required, fails=fails)
    assert main(command("scripted:turtle", "--quiet")) == 0
    assert (
        f"the plugin 'watch' was dropped: SystemExit{'' if required else ': ' + chr(92) + 'x1b[2J'}"
        in capsys.readouterr().err
    )
    assert main(["verify", "s.json"]) == 0


def test_whatever_exits_where_nobody_expects_it_is_no_silent_success(monkeypatch, capsys):
    monkeypatch.setattr("batllm_arcade.session.headless.run", lambda *_, **__: sys.exit(0))
    assert main(command()) == 1
    assert "a plugin ended the program" in capsys.readouterr().err


def test_a_plugin_that_is_a_pipe_is_named_and_not_waited_for(work, capsys):
    os.mkfifo(work.parent / "bots" / "pipe.py")
    assert main(command("scripted:turtle", "--quiet")) == 0
    assert "the plugin 'pipe' was dropped: pipe.py is no regular file" in capsys.readouterr().err


@pytest.mark.parametrize("console", ["--quiet", "--plays", "--json"])
def test_nothing_a_plugin_says_acts_on_the_terminal(console, capsys):
    assert main(command("evil:raise,name=Ann\x1b[2J", console)) == 1
    out, err = capsys.readouterr()
    assert is_plain(out)
    assert is_plain(err)
    assert "load\\x1b[2Jing" in err
    assert "hunter2" not in out + err + Path("s.json").read_text()
    assert "zzz" not in out + err + Path("s.json").read_text()


def test_brains_paths_and_options_are_printed_plain(work, capsys):
    assert main(["brains", "--plugins-dir", "../bots", "--trust-plugins"]) == 0
    assert "sum\\x1b[2Jmary" in capsys.readouterr().out
    assert main(["brains", "evil", "--plugins-dir", "../bots", "--trust-plugins"]) == 0
    out, err = capsys.readouterr()
    assert is_plain(out + err)
    assert "plays ev\\x1b]0;owned\\x07\\u202e\\r\\nFAKE" in out
    for arguments in (["verify", "a\x1b[2J.json"], ["run", "--\x1b[2J"], command("scripted:\x1b[2J")):
        with suppress(SystemExit):  # argparse leaves this way
            assert main(arguments) == 2
        assert is_plain(capsys.readouterr().err)
    named = [*command()[:-1], "a\x1b[2J.json", "--quiet"]
    assert main(named) == 0
    assert "session: a\\x1b[2J.json" in capsys.readouterr().err


def test_brains_checks_a_brain_as_it_would_play(work, capsys):
    seats = ["scripted:turtle", "evil:prepare", "evil:hang,prepare_s=0.05"]
    assert main(["brains", *seats, "--plugins-dir", "../bots", "--trust-plugins"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["scripted", "ready", "turtle"]
    assert lines[2].strip() == "evil:prepare could not start: SystemExit: 0 (evil.py, line 21)"
    assert lines[4].strip() == "evil:hang could not start within 0.05 s; give it more with prepare_s"
    assert main(["brains", "nobody"]) == 2
    (work.parent / "c.yaml").write_text("right: scripted:turtle\nleft: evil:prepare\nplugins_dir: bots\n")
    assert main(["brains", "--config", "../c.yaml", "--trust-plugins"]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("evil         not ready  prepare")
    assert sum(line.startswith(("evil ", "scripted ")) for line in out.splitlines()) == 2
    assert "keyboard     ready" in out


def test_brains_checks_the_address_and_the_model_of_a_configuration(work, capsys):
    listing = answer({"object": "list", "data": [{"id": "small", "object": "model"}]})
    known, unknown = answer({"choices": []}), answer({"error": {"message": "no such model"}}, 404)
    checked = (("small", 0, "openai       ready", known), ("large", 1, "openai       not ready", unknown))
    for model, code, told, asked in checked:
        with ScriptedServer(listing, asked) as server:
            (work / "c.yaml").write_text(f"right: openai:base_url={server.url},model={model}\n")
            assert main(["brains", "--config", "c.yaml"]) == code
        out = capsys.readouterr().out
        assert out.startswith(f"{told}")
        assert server.url in out
        assert out.count("openai ") == 1


@POSIX
@pytest.mark.parametrize("option", ["--config", "--left-prompt"])
@pytest.mark.parametrize("kind", ["pipe", "device", "large"])
def test_a_text_is_read_from_a_regular_file_and_up_to_a_limit(option, kind, work, capsys):
    file = work / "file"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "large":
        file.write_bytes(b"#" * (1024 * 1024 + 1))
    path = "/dev/zero" if kind == "device" else "file"
    assert main(command("scripted:turtle", option, path if option == "--config" else f"@{path}")) == 2
    assert ("larger than 1024 KiB" if kind == "large" else "not a regular file") in capsys.readouterr().err


def test_a_session_that_is_being_written_is_refused_even_with_force(capsys):
    turns: list[int] = []

    def second(record: object) -> None:
        if not turns:
            turns.append(main(command("scripted:dancer", "--force", "--quiet")))

    from batllm_arcade.session.games import AnswerCount

    original = AnswerCount.notify
    AnswerCount.notify = lambda self, record: (second(record), original(self, record))[1]  # type: ignore[method-assign]
    try:
        assert main(command("scripted:turtle", "--force", "--quiet")) == 0
    finally:
        AnswerCount.notify = original  # type: ignore[method-assign]
    assert turns == [2]
    assert "another program is writing" in capsys.readouterr().err
    assert load(Path("s.json"))["games"][0]["seats"][0]["brain"] == "scripted:turtle"
    assert main(["verify", "s.json"]) == 0


def test_files_beside_the_session_are_left_alone_and_links_not_followed(work, capsys):
    for name in ("s.json.tmp", ".s.json.tmp"):
        (work / name).symlink_to(work / "precious")
    (work / "precious").write_text("notes")
    assert main(command("scripted:turtle", "--quiet")) == 0
    assert (work / "precious").read_text() == "notes"
    assert sorted(os.listdir(work)) == [".s.json.tmp", "precious", "s.json", "s.json.tmp"]


def program(*arguments: str, shell: str = "", **how: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "batllm_arcade", *arguments]
    wrapped = ["sh", "-c", f'exec "$@" {shell}', "sh", *line] if shell else line
    return subprocess.run(wrapped, capture_output=True, text=True, check=False, timeout=60, **how)  # type: ignore[call-overload]


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("shell", [">/dev/full", ">&- 2>&-"])
def test_output_that_fails_ends_the_session_in_order(shell, work):
    done = program(*command("scripted:turtle", "--json", "--games", "3"), shell=shell)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert os.listdir(work) == ["s.json"]
    assert load(Path("s.json"))["session_end"]
    assert main(["verify", "s.json"]) == 0


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("options", "shell", "code", "lines"),
    [
        (["--json", "--quiet"], "2>&-", 0, 3),
        (["--json"], "2>/dev/full", 0, 3),
        (["--quiet"], "2>/dev/full", 1, 0),
        ([], "2>&-", 1, 0),
        (["--quiet"], ">&-", 0, 0),
    ],
)
def test_a_match_that_is_recorded_goes_on_where_its_remarks_find_no_reader(options, shell, code, lines):
    done = program(*command("scripted:turtle", *options, "--games", "3"), shell=shell)
    assert (done.returncode, len(done.stdout.splitlines())) == (code, lines), done.stderr
    session = load(Path("s.json"))
    assert [game["result"]["reason"] != "aborted" for game in session["games"]] == [True] * 3


@POSIX
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["brains", "scripted:turtle"], ["--help"]])
def test_a_list_that_cannot_be_printed_is_one_sentence(arguments):
    done = program(*arguments, shell=">/dev/full")
    assert done.returncode == 1
    assert done.stderr == "batllm-arcade: the output cannot be written: No space left on device\n"
