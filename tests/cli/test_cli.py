"""The command line: exit codes, one line for every bad argument, what goes to which stream, ctrl-C, kill -9."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from approved import approve
from batllm_arcade_plugins.scripted import VARIANTS
from conversations import console_lines
from fakes import eventful, session_values, written
from paths import ROOT
from resources import HANGS_S
from signals import heard

from batllm_arcade.cli.main import main
from batllm_arcade.cli.recorded import NOT_CHECKED
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import clear_session_path, journal_of
from batllm_arcade.history.reader import load
from batllm_arcade.settings import config
from batllm_arcade.settings.store import SettingsFile

TWO = ["--left", "scripted:sharpshooter", "--right", "scripted:turtle"]
SHORT = [*TWO, "--rounds", "1", "--turns", "2", "--seed", "7"]


def simple(name: str, body: str, before: str = "") -> str:
    """A bot whose decision is this."""
    return f"{before}from batllm_arcade import bot\n@bot({name!r})\ndef decide(me, foe, clock):\n    {body}\n"


DROPINS = {
    "broken": simple("broken", "raise ValueError('no luck')"),
    "idle": simple("idle", "return None"),
    "slow": simple("slow", "time.sleep(0.02); return 'C10'", "import time\n"),
    "chatty": simple("chatty", "print('thinking aloud'); return 'C10'", "print('loaded, by the way')\n"),
    "nosy": simple("nosy", "Path(__file__).with_name('not there').read_text()", "from pathlib import Path\n"),
    "stuck": """\
import threading
from batllm_arcade import BotBrain, BrainKind, hookimpl
@hookimpl
def batllm_brains():
    wait = threading.Event().wait
    return [
        BrainKind("stuck", "waits for ever", lambda spec: BotBrain("stuck", wait), missing=lambda spec: wait()),
        BrainKind("blunt", "fails", lambda spec: None, missing=lambda spec: 1 / 0),
        BrainKind("unready", "is not there", lambda spec: None, missing=lambda spec: "nothing is\\nthere; get it"),
    ]
""",
    "unprepared": """\
from batllm_arcade import BotBrain, BrainError, BrainKind, hookimpl
class Unprepared(BotBrain):
    def prepare(self, report):
        raise BrainError("the model 'x' is missing; run 'get x'")
@hookimpl
def batllm_brains():
    return [BrainKind("unprepared", "never ready", lambda spec: Unprepared("unprepared", None))]
""",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test; the program must write nowhere else."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(folder))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


@pytest.fixture
def dropins(tmp_path: Path) -> Callable[..., list[str]]:
    def offer(*names: str) -> list[str]:
        folder = tmp_path / "dropins"
        folder.mkdir()
        for name in names:
            (folder / f"{name}.py").write_text(DROPINS[name])
        return ["--plugins-dir", str(folder), "--trust-plugins"]  # as they are, inside the program

    return offer


def run(*arguments: str) -> int:
    return main(["run", *arguments])


def test_a_transcript_prints_what_the_run_printed(capsys):
    assert run(*SHORT, "--games", "2", "--left-prompt", "Tu dúvida é \U0001f600", "--history", "s.json") == 0
    live = capsys.readouterr().err
    assert live.startswith("🧠 System: You control SELF")
    assert main(["transcript", "s.json"]) == 0
    results = "game 1: draw\n", "game 2: draw\n", "session: s.json\n"
    for line in results:
        assert line in live
        live = live.replace(line, "")
    assert capsys.readouterr() == (live, ""), "nothing is said of journals"


def test_a_transcript_of_one_seat_is_that_bots_conversation(capsys):
    assert run(*SHORT, "--quiet", "--left-prompt", "win", "--history", "s.json") == 0
    capsys.readouterr()
    assert main(["transcript", "s.json", "--json"]) == 0
    (game,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for seat in ("left", "right"):
        assert main(["transcript", "s.json", "--seat", seat]) == 0
        assert capsys.readouterr().out.splitlines() == console_lines(game["conversations"][seat])


def test_a_terminal_without_the_text_renderer_gets_them_spelt_out():
    assert run(*SHORT, "--quiet", "--left-prompt", "café 🎯", "--history", "s.json") == 0
    Path("p.txt").write_text("café 🎯", "utf-8")
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    log = [sys.executable, "-m", "batllm_arcade", "run", *SHORT, "--left-prompt", "@p.txt", "--history", "t.json"]
    for command, stream in (([*log[:3], "transcript", "s.json"], "stdout"), (log, "stderr")):
        done = subprocess.run(command, env=plain, capture_output=True, check=True, timeout=60)
        assert b"\\U0001f464 User <@left> [Turn 1]" in getattr(done, stream)
        assert b"> caf\\xe9 \\U0001f3af" in getattr(done, stream)


def test_a_run_leaves_a_session_file_that_verify_passes(capsys):
    assert run(*SHORT, "--plays", "--history", "s.json") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "Game 1: Sharpshooter (left) against Turtle (right)" in err
    assert err.endswith("session: s.json\n")
    assert os.listdir() == ["s.json"]
    assert main(["verify", "s.json"]) == 0


def test_quiet_leaves_out_the_plays_and_tells_who_won(capsys):
    assert run(*SHORT, "--history", "s.json", "--quiet", "--games", "2") == 0
    assert capsys.readouterr().err == "game 1: draw\ngame 2: draw\nsession: s.json\n"
    match = ("--left", "scripted:sharpshooter,name=Ann", "--right", "scripted:random", "--config", "couch")
    assert run(*match, "--seed", "7", "--history", "t.json", "--quiet") == 0
    assert capsys.readouterr().err == "game 1: Ann (left) wins by knock-out\nsession: t.json\n"


@pytest.mark.parametrize("how", [(), ("--plays",), ("--json",), ("--json", "--quiet")])
def test_a_run_ends_with_who_won_in_every_form(capsys, how):
    assert run(*SHORT, "--history", "s.json", *how) == 0
    assert capsys.readouterr().err.endswith("game 1: draw\nsession: s.json\n")


@pytest.mark.parametrize(("how", "shown"), [("--plays", "   1 left  -  "), ("--quiet", "(command: -)")])
def test_nothing_done_on_purpose_is_no_error_of_the_console(capsys, dropins, how, shown):
    assert run(*dropins("idle"), "--left", "idle", *SHORT[2:], how, "--history", "s.json") == 0
    assert main(["transcript", "s.json"]) == 0
    told = "".join(capsys.readouterr())
    assert shown in told
    assert "ERR" not in told
    assert '"cmd":"ERR"' in Path("s.json").read_text()


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_log_shows_what_bots_print_and_whole_tracebacks_with_their_seat(capsys, dropins, isolation):
    folder = dropins("chatty", "broken")[:2]
    players = ["--left", "chatty", "--right", "broken:name=Bob", "--rounds", "1", "--turns", "1"]
    run(*folder, "--isolation", isolation, *players, "--seed", "1", "--log", "--quiet", "--history", "s.json")
    lines = capsys.readouterr().err.splitlines()
    assert "left chatty: thinking aloud" in lines
    trace = [line.removeprefix("right Bob: ") for line in lines if line.startswith("right Bob: ")]
    assert trace[:1] == ["Traceback (most recent call last):"]
    assert re.fullmatch(r'  File ".*broken\.py", line 4, in decide', trace[1])
    assert trace[-1] == "ValueError: no luck"


def test_a_forfeit_and_who_stood_in_are_told(capsys, dropins):
    match = [*dropins("broken"), "--left", "broken", "--right", "scripted:turtle", "--rounds", "1", "--turns", "4"]
    assert run(*match, "--quiet", "--history", "s.json") == 1
    said = capsys.readouterr().err
    assert re.search(r"game 1: (draw|Random \(left\) wins|Turtle \(right\) wins)", said)
    assert "left: broken failed, scripted:random plays on" in said
    assert "left: scripted:random played for broken to the end of game 1; it failed with: " in said


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert re.fullmatch(r"batllm-arcade \d+(\.\w+)+\n", capsys.readouterr().out)


def test_json_prints_one_object_per_game_on_standard_output_and_nothing_else(capsys, dropins):
    arguments = [*dropins("chatty"), "--left", "chatty", "--right", "scripted:random", "--games", "3", "--seed", "7"]
    assert run(*arguments, "--rounds", "1", "--turns", "2", "--json", "--history", "s.json") == 0
    out, err = capsys.readouterr()
    printed = [json.loads(line) for line in out.splitlines()]
    recorded = json.loads(Path("s.json").read_text())["games"]
    for game in recorded:
        del game["rounds"]
    assert printed == [{**game, "history": "s.json"} for game in recorded]
    assert [game["game_number"] for game in printed] == [1, 2, 3]
    assert "thinking aloud" in err
    assert "loaded, by the way" in err


def test_rounds_turns_games_prompts_and_seed_are_those_of_the_command_line(capsys):
    Path("prompt.txt").write_text("  from a file\n")
    given = ["--rounds", "2", "--turns", "3"]
    prompts = ["--left-prompt", "be quick", "--right-prompt", "@prompt.txt"]
    before = ["--games", "2", "--seed", "-5"]  # options before the command count, too
    assert main([*before, "run", *TWO, *given, *prompts, "--history", "s.json", "--quiet"]) == 0
    session = json.loads(Path("s.json").read_text())
    assert session["seed"] == -5
    assert len(session["games"]) == 2
    for game in session["games"]:
        assert (game["rules"]["total_rounds"], game["rules"]["turns_per_round"], game["seed"]) == (2, 3, -5)
        assert [entry["prompts"] for entry in game["rounds"]] == [["be quick", "from a file"]] * 2


def test_without_a_seed_one_is_drawn_and_recorded(capsys):
    seeds = set()
    for name in "abc":
        assert run(*TWO, "--rounds", "1", "--turns", "1", "--history", name, "--quiet") == 0
        seeds.add(json.loads(Path(name).read_text())["seed"])
    assert len(seeds) > 1


def test_the_same_seed_gives_byte_equal_files_apart_from_times():
    texts = []
    for name in ("a.json", "b.json"):
        assert run(*TWO, "--config", "couch", "--games", "3", "--seed", "7", "--history", name, "--quiet") == 0
        session = json.loads(Path(name).read_text())
        times = {"session_start", "session_end", "timestamp", "latency_s"}
        session = {key: value for key, value in session.items() if key not in times}
        for game in session["games"]:
            for entry in game["rounds"]:
                entry["turns"] = [{k: v for k, v in turn.items() if k not in times} for turn in entry["turns"]]
        texts.append(json.dumps(session))
    assert texts[0] == texts[1]


def test_without_history_the_session_is_kept_in_the_users_data_folder(home, capsys):
    assert run(*SHORT, "--quiet") == 0
    assert run(*SHORT, "--quiet") == 0
    told = capsys.readouterr().err.splitlines()
    named = [line.removeprefix("session: ") for line in told if line.startswith("session: ")]
    assert len(set(named)) == 2
    for name in named:
        assert Path(name).is_relative_to(home)
        assert main(["verify", name]) == 0
    assert os.listdir() == []


def test_a_session_that_does_not_begin_leaves_no_file(dropins, capsys):
    folder = dropins("unprepared")
    assert run(*folder, "--left", "scripted:random", "--right", "unprepared", "--history", "s.json") == 2
    assert capsys.readouterr().err == "batllm-arcade: right: the model 'x' is missing; run 'get x'\n"
    assert os.listdir() == []


@pytest.mark.parametrize("there", ["s.json", "s.json.journal"])
def test_an_existing_file_is_refused_without_force(there, capsys):
    Path(there).write_text("precious")
    assert run(*SHORT, "--history", "s.json") == 2
    assert f"'{there}' exists already; name another file or add --force" in capsys.readouterr().err
    assert Path(there).read_text() == "precious"
    assert run(*SHORT, "--history", "s.json", "--force", "--quiet") == 0
    assert os.listdir() == ["s.json"]
    assert main(["verify", "s.json"]) == 0


def test_a_run_that_is_refused_takes_nothing_away_even_with_force(capsys):
    Path("s.json").write_text("precious")
    assert run("--left", "scripted:ninja", "--right", "scripted:turtle", "--history", "s.json", "--force") == 2
    assert Path("s.json").read_text() == "precious"


def test_a_recorder_that_fails_is_a_sentence_and_exit_code_1(monkeypatch, capsys):
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert run(*SHORT, "--games", "2", "--history", "s.json", "--json", "--quiet") == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1, "nobody plays, or pays for, what is not recorded"
    assert re.fullmatch(
        r"batllm-arcade: the session cannot be recorded any more \(No space left on device\); the journal "
        r"'.*s\.json\.journal' keeps 1 whole game, which verify and replay read; make room .*\n",
        err.removeprefix("game 1: draw\n"),
    )  # fmt: skip
    assert main(["verify", "s.json"]) == 0


def test_orders_and_names_are_what_was_typed_in_a_locale_without_utf_8(capsys):
    bytes_of = "Grüße".encode().decode("ascii", "surrogateescape")
    left = f"scripted:turtle,name={bytes_of}"
    done = run(*SHORT[2:], "--left", left, "--left-prompt", bytes_of, "--history", "s.json", "--quiet")
    assert done == 0
    game = json.loads(Path("s.json").read_text())["games"][0]
    assert (game["rounds"][0]["prompts"][0], game["seats"][0]["name"]) == ("Grüße", "Grüße")


def test_the_arcade_opens_where_no_session_can_be_kept_and_says_so(tmp_path, monkeypatch, capsys):
    (tmp_path / "data").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shown = []
    monkeypatch.setattr("batllm_arcade.app.launch.arcade", lambda plan, plugins: shown.append((plan, plugins)) or 0)
    assert main([]) == 0
    ((plan, plugins),) = shown
    assert "sessions cannot be kept in" in plugins.problems[-1]
    assert "sessions cannot be kept in" in capsys.readouterr().err
    with pytest.raises(UsageError):
        clear_session_path(plan.history, force=False)
    assert main(["play"]) == 2, "a match that was asked for is refused at once"
    assert "; add --history FILE, or set XDG_DATA_HOME" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("played", "options", "name"),
    [
        (False, [], "couch"),
        (True, [], "arena"),
        (True, ["--config", "couch"], "couch"),
        (False, ["--config", "arena"], "arena"),
    ],
)
@pytest.mark.parametrize("command", [[], ["play"]])
def test_a_window_starts_with_the_arena_and_a_persons_first_match_with_the_couch(
    command, played, options, name, monkeypatch
):
    shown = []
    for start in ("arcade", "play"):
        monkeypatch.setattr(f"batllm_arcade.app.launch.{start}", lambda plan, *_, **__: shown.append(plan) or 0)
    own = SettingsFile()
    own.save(replace(own.settings, played=played))
    assert main([*command, *options]) == 0
    assert shown[0].config.rules == config.load(name).rules


def test_a_plugin_that_cannot_be_loaded_is_named_and_the_run_goes_on(dropins, capsys, tmp_path):
    folder = dropins("chatty")
    (tmp_path / "dropins" / "broken.py").write_text("1 / 0")
    assert run(*SHORT, *folder, "--history", "s.json", "--quiet") == 0
    assert "batllm-arcade: the plugin 'broken' was dropped: ZeroDivisionError" in capsys.readouterr().err


def test_a_bad_argument_is_one_line_and_exit_code_2(capsys):
    Path("bad.yaml").write_text("rules: {gravity: 9.81}")
    Path("taken").mkdir()

    def refusal(arguments):
        try:
            code = main(arguments)
        except SystemExit as left:  # argparse leaves this way
            code = left.code
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), arguments
        assert err.startswith("batllm-arcade: ")
        assert err.count("\n") == 1
        assert len(err) < 600
        assert sorted(os.listdir()) == ["bad.yaml", "taken"], arguments
        return re.sub("(choose|it takes) (one of|from) .*", r"\1 \2 ...", err.replace(str(Path.cwd()), "HERE"))

    approve(Path(__file__).parent / "approved" / "refusals.txt", refusal)


def test_brains_lists_what_is_installed_and_whether_it_could_play(capsys, dropins):
    assert main(["brains", *dropins("stuck")]) == 0  # although one waits for ever
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:2] == ["scripted", "ready"] for line in lines)
    assert any(f"({', '.join(VARIANTS)})" in line for line in lines)
    for name, problem in {
        "stuck": "it did not say in time whether it could play",
        "blunt": "it failed with ZeroDivisionError: division by zero",
        "unready": "nothing is there; get it",
    }.items():
        (index,) = [number for number, line in enumerate(lines) if line.startswith(name)]
        assert "not ready" in lines[index]
        assert lines[index + 1].strip() == problem


class started:
    """The program in a process of its own, killed at the end."""

    def __init__(self, *arguments: str, **how: Any) -> None:
        how.setdefault("stdout", subprocess.DEVNULL)
        command = [sys.executable, "-m", "batllm_arcade", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **how)

    def __enter__(self) -> subprocess.Popen[str]:
        return self.process

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()


def slow_run(dropins: Any, *more: str) -> list[str]:
    seats = ["--left", "slow", "--right", "scripted:random"]
    return ["run", *dropins("slow"), *seats, "--plays", "--history", "s.json", *more]


def shown(process: subprocess.Popen[str], plays: int) -> int:
    """Read the console log until this many plays were shown."""
    assert process.stderr is not None
    count = 0
    while count < plays:
        line = process.stderr.readline()
        assert line, "the program ended early"
        count += line.split()[1:2] in (["left"], ["right"]) and line.startswith("   ")
    return count


def test_after_kill_9_the_journal_holds_everything_shown_and_verify_reads_it(dropins, capsys):
    with started(*slow_run(dropins, "--rounds", "1", "--turns", "2", "--games", "50")) as process:
        count = shown(process, 7)
        process.kill()
        assert process.stderr is not None
        rest = process.stderr.read()
    count += sum(line.startswith("   ") for line in rest.splitlines())
    assert os.listdir() == ["s.json.journal"]
    for name in ("s.json", "s.json.journal"):
        games = load(Path(name))["games"]
        assert len(games) >= 2
        assert sum(len(entry["turns"]) for game in games for entry in game["rounds"]) >= count
        assert main(["verify", name]) == NOT_CHECKED  # what the script draws is keyed with a secret that is lost
        told = "all as recorded (the session never ended; read from the journal 's.json.journal')"
        assert told in capsys.readouterr().out


@pytest.mark.parametrize("unfinished_file", [False, True], ids=["no file", "an older file"])
@pytest.mark.parametrize("command", ["transcript", "verify", "import", "video", "replay"])
def test_every_reader_takes_the_journal_where_the_file_is_missing_and_names_it(
    command, unfinished_file, capsys, monkeypatch
):
    records = eventful()[:30]
    written(records, Path("s.json"))
    if unfinished_file:  # as written by versions that wrote the file after every game
        Path("s.json").write_text(json.dumps(session_values(records[:20])), "utf-8")
    told: list[Any] = []
    made = SimpleNamespace(complete=True, sentence="")
    monkeypatch.setattr("batllm_arcade.video.film_job.make", lambda job, *_: told.append(job) or made)
    monkeypatch.setattr("batllm_arcade.app.application.App.run", lambda *_: told.append(True) or 0)
    more = ["-o", "a.mp4"] if command == "video" else []
    assert main([command, "s.json", *more]) == (2 if command == "import" else 0)
    out, err = capsys.readouterr()
    if command in ("transcript", "video", "replay"):
        why = "was never finished" if unfinished_file else "is not there"
        assert f"'s.json' {why}; it is read from the journal 's.json.journal'\n" in err
        assert bool(out) == (command == "transcript")
        assert bool(told) == (command != "transcript")
    else:
        assert "s.json.journal'" in out + err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to one process")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_match_with_a_complete_file_and_an_exit_code_of_its_own(name, dropins):
    number = getattr(signal, name)
    arguments = slow_run(dropins, "--games", "5", "--json")
    with heard(number), started(*arguments, stdout=subprocess.PIPE) as process:
        shown(process, 3)
        process.send_signal(number)
        out, err = process.communicate(timeout=HANGS_S)
        assert process.returncode == 128 + number
    assert "Traceback" not in err
    assert os.listdir() == ["s.json"]
    session = json.loads(Path("s.json").read_text())
    assert session["session_end"]
    assert [game["result"] for game in session["games"]] == [{"winner": None, "reason": "aborted"}]
    assert json.loads(out)["result"]["reason"] == "aborted"
    assert main(["verify", "s.json"]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send to one process")
def test_a_second_ctrl_c_leaves_at_once(dropins, tmp_path):
    arguments = slow_run(dropins)
    (tmp_path / "dropins" / "slow.py").write_text(DROPINS["slow"].replace("time.sleep(0.02)", "pass"))
    (tmp_path / "dropins" / "clingy.py").write_text(
        "import signal, time\n"
        "from pathlib import Path\n"
        "from batllm_arcade import hookimpl\n"
        "class Clingy:\n"
        "    def notify(self, record):\n"
        "        while type(record).__name__ == 'Play':\n"
        "            again = signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "            Path('asked once' if again else 'clinging').touch()\n"
        "            time.sleep(0.01)\n"
        "@hookimpl\n"
        "def batllm_observer(session):\n"
        "    return Clingy()\n"
    )
    with started(*arguments, "--quiet") as process:
        for reached in ("clinging", "asked once"):
            wait_for(Path(reached).exists)
            process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=HANGS_S)
    assert process.returncode == 130
    assert err == "batllm-arcade: stopped\n"
    assert journal_of(Path("s.json")).exists()


def wait_for(true: Callable[[], bool]) -> None:
    """Wait until it is true; what never is, pytest's time limit ends."""
    while not true():
        time.sleep(0.01)


def test_no_name_of_the_machine_or_the_person_and_no_path_is_in_a_written_file(dropins, home, tmp_path):
    spec = f"nosy:base_url=http://me:secret-canary@127.0.0.1,api_key=secret-canary,model={home}/x.gguf"
    (Path("prompt.txt")).write_text("win")
    folder = dropins("nosy")
    text = (tmp_path / "dropins" / "nosy.py").read_text()
    kinds = (
        "from batllm_arcade import BotBrain, BrainKind, hookimpl\n@hookimpl\ndef batllm_brains():\n"
        "    return [BrainKind('nosy', '', lambda spec: BotBrain('nosy', decide))]\n"
    )
    (tmp_path / "dropins" / "nosy.py").write_text(text.replace("@bot('nosy')\n", "") + kinds)
    arguments = ["--left", spec, "--right", "scripted:turtle", "--left-prompt", "@prompt.txt", "--config", "couch"]
    assert run(*arguments, *folder, "--history", str(home / "s.json"), "--json") == 1  # the fallback plays on
    written = (home / "s.json").read_text()
    assert "No such file or directory: '.../not there'" in written
    assert '"model":"x.gguf"' in written
    private = [str(tmp_path), str(Path.cwd()), str(ROOT), str(home), "secret-canary", "prompt.txt"]
    for word in [*private, socket.gethostname(), f"{os.environ.get('USER', 'root')}/", "/tmp", "/home", "/Users"]:
        assert word not in written


HEAVY = ("pygame", "requests", "numpy", "yaml", "pluggy", "xllamacpp", "urllib3", "asyncio")


@pytest.mark.parametrize("command", [[], ["run"], ["verify"], ["brains"]])
def test_help_imports_nothing_heavy(command):
    code = (
        "import sys\nfrom batllm_arcade.cli.main import main\n"
        f"try: main({[*command, '--help']})\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: batllm-arcade")
    assert done.stderr == "[]\n"


def test_a_run_imports_no_window_and_no_model():
    code = (
        "import sys\nfrom batllm_arcade.cli.main import main\n"
        f"main({['run', *SHORT, '--quiet', '--history', 's.json']})\n"
        f"print([name for name in {('pygame', 'requests', 'numpy', 'xllamacpp')} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_that_goes_away_is_no_traceback(dropins):
    arguments = slow_run(dropins, "--rounds", "1", "--turns", "1", "--games", "50", "--json", "--quiet")
    with started(*arguments, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(20) == 1
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
