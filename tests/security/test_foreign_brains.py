"""Sessions, pages, leagues and plans that others send: none of them has a key, a variable or a file sent anywhere.

A recorded match asks no server that nobody here has allowed.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pygame
import pytest
from menus import finish_loading, press, shell
from paths import DATA, ROOT
from shells import FakeShell, parts
from strange_files import CANARY, THERE, Strange, league_of, page_of, session_of, spy_in, strange_world

from batllm_arcade.app.kit.dialog import AddressDialog
from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.replay.screen import PlayOnDialog
from batllm_arcade.app.services import league_worker
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cli.main import main
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.league import identity as fingerprint
from batllm_arcade.league import run
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.models import presets
from batllm_arcade.models.presets import Preset
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.settings import foreign
from batllm_arcade.settings.config import load
from batllm_arcade.settings.foreign import FILES, ForeignAddress, Recorded, address_origin, brain_of_file
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings, with_server

Options = dict[str, str]


@pytest.fixture
def world(tmp_path, monkeypatch):
    with strange_world(tmp_path, monkeypatch) as made:
        yield made


def asks(address: str, **more: str) -> tuple[str, Options]:
    return "openai", {"base_url": address, "model": "m", **more}


SEATS: dict[str, tuple[str, Options]] = {
    "a variable to a strange server": asks("{there}/v1", key_env="AWS_SECRET_ACCESS_KEY"),
    "a variable to a server here": asks("{here}/v1", key_env="AWS_SECRET_ACCESS_KEY"),
    "a strange server": asks("{there}/v1"),
    "a strange server by name": asks("http://stranger.example:{port}/v1"),
    "a header to a server here": asks("{here}/v1", header_env="X-Key:AWS_SECRET_ACCESS_KEY"),
    "a password to a server here": asks("{here}/v1", auth_env="AWS_SECRET_ACCESS_KEY"),
    "gemini's key": ("gemini", {"base_url": "{there}", "key_env": "GEMINI_API_KEY"}),
    "mistral's key": ("mistral", {"base_url": "{there}", "key_env": "MISTRAL_API_KEY", "model": "m"}),
    "anthropic's key": ("anthropic", {"base_url": "{there}", "key_env": "ANTHROPIC_API_KEY", "model": "m"}),
    "ollama's key": ("ollama", {"base_url": "{there}", "key_env": "OLLAMA_API_KEY", "model": "m"}),
    "a known name at a strange server": ("openai:groq", {"base_url": "{there}", "model": "m"}),
    "a known name at a server here": ("openai:groq", {"base_url": "{here}", "model": "m"}),
    "a proxy": asks("{here}/v1", proxy="{there}"),
    "a proxy on the way to a provider": ("openai:openai", {"proxy": "{there}", "model": "m"}),
    "a key as it is": asks("{here}/v1", api_key="a key of somebody else"),
    "a header": asks("{here}/v1", header="Authorization: x"),
    "a user's name before the address": asks(f"http://127.0.0.1:80@{THERE}:{{port}}/v1"),
    "a backslash": asks(f"http://127.0.0.1\\@{THERE}:{{port}}/v1"),
    "a fragment": asks(f"http://{THERE}:{{port}}/v1#@127.0.0.1"),
    "our address as a name": asks("http://127.0.0.1.stranger.example:{port}/v1"),
    "our name in another": asks("http://localhost.stranger.example:{port}/v1"),
    "a number as a host": asks("http://2131298569:{port}/v1"),
    "a hexadecimal host": asks("http://0x7f090909:{port}/v1"),
    "an octal host": asks("http://0177.011.011.011:{port}/v1"),
    "an address in another": asks(f"http://[::ffff:{THERE}]:{{port}}/v1"),
    "more behind the bracket": asks(f"http://[::1]{THERE}:{{port}}/v1"),
    "an address of no computer": asks("http://0.0.0.0:{port}/v1"),
    "letters that look like ours": asks("http://l\u043ecalhost.stranger:{port}/v1"),
    "an escaped host": asks("http://127.0.0.1%2estranger.example:{port}/v1"),
    "a provider's name in another": asks("http://api.openai.com.stranger.example:{port}/v1"),
    "below a provider's customers": asks("https://stranger.openai.azure.com/openai/v1"),
    "an address in a model's name": ("openai:openai", {"model": "http://stranger.example:{port}/"}),
    "options in a brain's name": ("openai:openai,base_url={there},key_env=AWS_SECRET_ACCESS_KEY", {"model": "m"}),
    "an option in an option": asks("{here}/v1", name='x",key_env=AWS_SECRET_ACCESS_KEY,base_url="{there}'),
    "an option's name that holds two": asks("{here}/v1", **{"name=x,key_env": "AWS_SECRET_ACCESS_KEY"}),
    "a program": ("proc", {"cmd": "sh -c 'cat {secret} > {work}/stolen'"}),
    "a program's path": ("proc:{work}/thief.py", {}),
    "a program without a fence": ("proc:{work}/thief.py", {"isolation": "process", "network": "yes"}),
    "a policy's path": ("policy:{work}/thief.py", {}),
    "a session's path": ("cassette:{secret}", {}),
    "a session's path as an option": ("cassette", {"file": "{secret}"}),
    "a model's file": ("embedded:raw", {"model": "{secret}"}),
    "a model's file with @": ("embedded", {"model": "@/{secret}"}),
    "a path for a model's name": asks("{here}/v1", model="{secret}"),
}


@pytest.mark.parametrize(
    ("name", "swapped"), [*((name, False) for name in SEATS), *((name, True) for name in list(SEATS)[::20])]
)
def test_no_session_has_anything_sent_by_fork(world, name, swapped):
    (world.work / "thief.py").write_text(f"open({str(world.work / 'stolen')!r}, 'w')")
    brain, options = world.filled(SEATS[name])
    session = session_of(brain, options, world.work / "theirs.json", swapped=swapped)
    out = world.work / "fork.json"
    code = main(["fork", str(session), "--at", "1.17", "--history", str(out), "--quiet"])
    assert code in (0, 1, 2)
    assert world.harm == []
    assert not out.exists() or CANARY not in out.read_text()


@pytest.mark.parametrize(
    ("brain", "options"),
    [
        ("cassette:mine.json", {}), ("cassette", {"file": "mine.json"}), ("embedded:raw", {"model": "mine.gguf"}),
        ("proc:bot.py", {}), ("proc", {"cmd": "sh bot.sh"}), ("policy:bot.py", {}), ("ollama:mine", {"model": "m"}),
        ("nobody", {}), ("openai", {"base_url": "not an address", "model": "m"}), ("openai", {"a b": "1"}),
    ],
)  # fmt: skip
def test_a_brain_that_is_made_of_a_file_has_to_be_named(world, brain, options, capsys):
    shutil.copy(DATA / "couch_match.json", "mine.json")
    Path("mine.gguf").write_bytes(b"GGUF")
    Path("bot.py").write_text("")
    session = session_of(brain, options, world.work / "theirs.json")
    assert main(["fork", str(session), "--at", "1.17", "--history", "fork.json", "--quiet"]) == 2
    assert "add --left BRAIN" in capsys.readouterr().err


@pytest.mark.parametrize("name", list(SEATS)[::30])
def test_no_page_has_anything_sent_by_any_command(world, name, capsys):
    brain, options = world.filled(SEATS[name])
    page = page_of(session_of(brain, options, world.work / "theirs.json"))
    file = str(page)
    commands = [
        ["verify", file], ["transcript", file], ["compare", file, str(DATA / "couch_match.json")],
        ["fork", file, "--at", "1.17", "--history", "fork.json", "--quiet"],
        ["fork", file, "--at", "1.17", "--history", "two.json", "--quiet", "--right-prompt", "win"],
        ["run", "--left", f"cassette:{file}", "--right", f"cassette:{file}", "--quiet", "--history", "again.json"],
        ["share", file, "-o", "again.html"],
    ]  # fmt: skip
    if name == next(iter(SEATS)):
        commands += [["analyse", file], ["video", file, "-o", "one.gif", "--from", "1.1", "--to", "1.1"]]
    for command in commands:
        assert main(command) in (0, 1, 2, 3), command
    assert world.harm == []


def played_on(world: Strange, session: Path, choice: int, *, answers: str = "") -> list[str]:
    """Play on from a session in the window; return the titles of the dialogs that came, to the end of the answers."""
    shown = []
    with shell(None, Plugins.none()) as app:
        app.go.open_session(session)
        finish_loading(app)
        app.go.push(PlayOnDialog(app.ui, app.go, session, TurnPlace(1, 1, 17), ("Ann", "Bob"), (False, False)))
        app.screen.form.widgets[choice].do()
        finish_loading(app)
        shown.append(getattr(app.screen, "title", "") or type(app.screen).__name__)
        for answer in answers:
            assert isinstance(app.screen, AddressDialog)
            press(app, pygame.K_RETURN) if answer == "!" else app.screen.form.widgets[answer == "y"].do()
            finish_loading(app)
            shown.append(getattr(app.screen, "title", "") or type(app.screen).__name__)
        if app.go.session is not None:  # a match: let its brains get ready
            for _ in range(40):
                app.update(2.0)
                if world.here.requests or world.there.requests:
                    break
                pygame.time.wait(10)
    return shown


@pytest.mark.parametrize(
    ("name", "choice"), [*((name, 2) for name in list(SEATS)[:3]), *((name, 1) for name in list(SEATS)[5::14])]
)
def test_no_session_has_anything_sent_when_it_is_played_on_in_the_window(world, name, choice):
    brain, options = world.filled(SEATS[name])
    played_on(world, session_of(brain, options, world.work / "theirs.json"), choice)
    assert world.harm == []


def test_the_window_names_a_strange_address_and_asks_only_where_a_person_says_so(world):
    session = session_of(*world.filled(SEATS["a variable to a strange server"]), world.work / "theirs.json")
    assert played_on(world, session, 1, answers="!") == ["A strange server", "Play on from here"]
    assert world.there.requests == []
    assert played_on(world, session, 1, answers="y")[-1] == "MatchScreen"
    assert world.there.requests
    assert world.leaks == []


def test_the_command_line_names_a_strange_address_and_asks_only_what_is_allowed(world, capsys):
    session = session_of(*world.filled(SEATS["a variable to a strange server"]), world.work / "theirs.json")
    fork = ["fork", str(session), "--at", "1.17", "--history", "fork.json", "--quiet"]
    assert main(fork) == 2
    said = capsys.readouterr().err
    assert f"left asks {world.there.url}, which only the file names" in said
    assert f"add --allow-address {world.there.url} if it may be asked, or add --left BRAIN" in said
    assert main([*fork, "--allow-address", f"http://{THERE}:1"]) == 2
    assert main([*fork, "--allow-address", "stranger"]) == 2
    assert world.there.requests == []
    assert main([*fork, "--allow-address", f"{world.there.url}/v1"]) == 0
    assert "left plays without key_env, which no file decides" in capsys.readouterr().err
    assert world.there.requests
    assert world.leaks == []


# Honest sessions


HONEST: dict[str, tuple[str, Options]] = {
    "ollama here": ("ollama", {"base_url": "{here}", "model": "m", "temperature": "0.2"}),
    "by the name of this computer": ("ollama", {"base_url": "http://localhost:{port}", "model": "m"}),
    "openai's way here": asks("{here}/v1", reply="token", max_tokens="40"),
    "a script": ("scripted:turtle", {"level": "rookie"}),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_session_is_played_on_as_it_was(world, name):
    brain, options = world.filled(HONEST[name])
    session = session_of(brain, options, world.work / "mine.json")
    assert main(["fork", str(session), "--at", "1.17", "--history", "fork.json", "--quiet"]) == 0
    assert bool(world.here.requests) == (brain != "scripted:turtle")
    kinds = manager.load().kinds
    spec = Spec.parse(brain)
    assert brain_of_file(Spec(spec.name, spec.variant, options), "left", Recorded(kinds)).options == options


@pytest.mark.parametrize("text", [
    "embedded", "embedded:tactics,level=merciless", "embedded:raw,context=conversation",
    "ollama:cloud,model=gpt-oss:20b", "openai:groq,model=openai/gpt-oss-20b,price=0.15/0.60",
    "gemini:think=off,deadline_s=9", "keyboard",
])  # fmt: skip
def test_what_only_the_brain_is_concerned_with_is_taken_as_it_was(text):
    spec = Spec.parse(text)
    assert brain_of_file(spec, "left", Recorded(manager.load().kinds)) == spec


def test_a_known_provider_is_asked_with_its_own_key_and_no_other_one(world, monkeypatch):
    monkeypatch.setenv("OURS_API_KEY", "the key that is ours")
    ours = Preset("openai", "ours", "Ours", f"{world.there.url}/v1", key_variable="OURS_API_KEY")
    known = (*presets._known(), ours)
    monkeypatch.setattr(presets, "_known", lambda: known)
    session = session_of(*asks(f"{world.there.url}/v1"), world.work / "mine.json")
    monkeypatch.setenv("OURS_API_KEY", "our-own-key-0123")
    assert main(["fork", str(session), "--at", "1.17", "--history", "fork.json", "--quiet"]) == 0
    assert {each.headers.get("authorization") for each in world.there.requests} == {"Bearer our-own-key-0123"}
    assert world.leaks == []


def test_a_server_in_a_person_s_own_settings_is_known(world):
    session = session_of(*asks(f"{world.there.url}/v1"), world.work / "mine.json")
    SettingsFile().save(with_server(Settings(), f"openai:base_url={world.there.url}/v1,model=other"))
    assert main(["fork", str(session), "--at", "1.17", "--history", "fork.json", "--quiet"]) == 0
    assert world.there.requests


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("http://localhost:11434", True), ("http://127.0.0.1", True), ("http://127.1.2.3:9/v1", True),
        ("http://[::1]:8080/v1", True), ("https://api.openai.com/v1", True), ("https://api.together.xyz", True),
        ("HTTPS://API.OPENAI.COM:443/v1", True), ("http://api.openai.com/v1", False),
        ("https://api.openai.com:444/v1", False), ("https://x.openai.azure.com", False), ("http://localhost.", False),
        ("http://127.0.0.1.", False), ("http://127.1", False), ("http://x.localhost", False),
        ("http://[::ffff:127.0.0.1]", False), ("http://[::]", False), ("http://0.0.0.0", False),
        ("http://192.168.1.2:11434", False), ("http://xn--lcalhost-y9a", False),
    ],
)  # fmt: skip
def test_this_computer_and_known_providers_are_told_from_all_others(address, known):
    spec, kinds = Spec("openai", "", {"base_url": address}), manager.load().kinds
    if known:
        assert brain_of_file(spec, "left", Recorded(kinds)) == spec
        return
    with pytest.raises(ForeignAddress) as caught:
        brain_of_file(spec, "left", Recorded(kinds))
    allowed = frozenset({address_origin(caught.value.origin)})
    assert brain_of_file(spec, "left", Recorded(kinds, allowed)) == spec


# Leagues

LEAGUES: dict[str, dict[str, Any]] = {
    "a variable to a strange server": {"brain": "openai:base_url={there}/v1,model=m,key_env=AWS_SECRET_ACCESS_KEY"},
    "a strange server": {"brain": "openai:base_url={there}/v1,model=m"},
    "gemini's key": {"brain": "gemini:base_url={there},key_env=GEMINI_API_KEY"},
    "a proxy": {"brain": "openai:base_url={here}/v1,model=m,proxy={there}"},
    "a fallback": {"player_fallback": "openai:base_url={there}/v1,model=m,key_env=AWS_SECRET_ACCESS_KEY"},
    "everybody's fallback": {"config_fallback": "openai:base_url={there}/v1,model=m", "on_failure": "fallback"},
    "a program's path": {"brain": "proc:{work}/thief.py"},
    "a program without a fence": {"brain": "proc:{work}/thief.py,isolation=process", "isolation": "process"},
    "a model's file": {"brain": "embedded:raw,model={secret}"},
    "plugins": {"plugins_dir": "{work}/plugins", "config_plugins_dir": "{work}/plugins", "brain": "spy"},
    "plugins inside the program": {"config_plugins_dir": "{work}/plugins", "isolate": "nothing", "isolation": "none"},
    "other folders and files": {"reuse": ["{work}"], "config": "{secret}", "orders_file": "{secret}"},
}
OWN_BOT = "from batllm_arcade import bot\n\n\n@bot('mine')\ndef decide(me, foe, clock):\n    return 'M'\n"
HARMLESS = "other folders and files"
"""The one that goes on, without what it names."""


def resuming(folder):
    return ["league", "--resume", str(folder), "--quiet", "--workers", "1"]


def strange_leagues(world: Strange) -> dict[str, Path]:
    """All of them, a folder each; what they would run leaves a file `stolen`."""
    (world.work / "thief.py").write_text(f"open({str(world.work / 'stolen')!r}, 'w')")
    spy_in(world.work / "plugins", world.work / "stolen")
    return {
        name: league_of(world.work / str(number), **world.filled(LEAGUES[name])) for number, name in enumerate(LEAGUES)
    }


def test_no_league_that_goes_on_has_anything_sent_or_run(world):
    for name, folder in strange_leagues(world).items():
        code = 0 if name == HARMLESS else 2
        resume = resuming(folder)
        untouched = (folder / "league.json").read_bytes()
        assert [main([*resume, "--dry-run"]), main(resume)] == [code, code], name
        if code:
            with pytest.raises(ArcadeError):  # as GO ON does in the window
                league_worker.play({"folder": str(folder), "pairs": None}, lambda report: None)
            assert (folder / "league.json").read_bytes() == untouched, name
        else:
            kept = (folder / "league.json").read_text()
            assert json.loads(kept)["run"]["reuse"] == []
            assert str(world.secret) not in kept
            assert main([*resume, "--pairs", "3"]) == 0
        assert world.harm == [], name


def test_no_league_that_is_shown_or_taken_over_from_has_anything_sent_or_run(world):
    folders = [str(folder) for folder in strange_leagues(world).values()]
    own = ["league", "scripted:turtle", "scripted:dancer", "--pairs", "1", "--turns", "2", "--rounds", "1", "--quiet"]
    for folder in folders:
        code = main([*own, "--dry-run", "--from", folder])
        assert code in (0, 2)
    assert main([*own, "--workers", "1", "--from", folders[-1], "--out", "mine"]) == 0
    for number, folder in enumerate(folders):
        assert main(["league", "site", folder, "-o", f"site{number}"]) in (0, 1, 2)
    assert world.harm == []


def test_a_strange_league_goes_on_once_its_players_and_servers_are_said_here(world, capsys):
    brain = f"openai:base_url={world.there.url}/v1,model=m"
    folder = league_of(world.work, brain=brain)
    resume = resuming(folder)
    assert main(resume) == 2
    assert f"first asks {world.there.url}, which only the file names" in capsys.readouterr().err
    assert main([*resume, "--allow-address", world.there.url]) == 0
    assert world.there.requests
    assert main([*resume, "--pairs", "3"]) == 0, "from now on it is one's own"
    assert world.leaks == []


def test_a_strange_league_with_a_program_goes_on_where_its_players_are_written_again(world, capsys):
    bot = world.work / "bot.py"
    bot.write_text(OWN_BOT)
    folder = league_of(world.work, brain=f"proc:{bot}")
    resume = resuming(folder)
    assert main(resume) == 2
    assert "was not begun by you on this computer, and first is 'proc:" in capsys.readouterr().err
    again = [f"first=proc:{bot}", "scripted:dancer", "--turns", "2", "--rounds", "1", "--sessions", "all"]
    assert main([*resume, *again, "--force"]) == 0
    assert main([*resume, "--pairs", "3"]) == 0, "from now on it is one's own"


def test_one_s_own_league_goes_on_and_needs_nothing_else(world, monkeypatch):
    monkeypatch.setenv("MY_KEY", "my-own-key-0123456")
    bot = world.work / "bot.py"
    bot.write_text(OWN_BOT)
    plugins = spy_in(world.work / "plugins", world.work / "loaded")
    players = [f"server=openai:base_url={world.there.url}/v1,model=m,key_env=MY_KEY", f"proc:{bot}", "spy"]
    begin = ["league", *players, "--pairs", "1", "--turns", "2", "--rounds", "1", "--quiet", "--workers", "1"]
    assert main([*begin, "--plugins-dir", str(plugins), "--isolation", "process", "--out", "mine"]) == 0
    moved = shutil.move("mine", world.work / "moved")
    asked = len(world.there.requests)
    assert main(["league", "--resume", str(moved), "--pairs", "2", "--quiet"]) == 0
    assert len(world.there.requests) > asked
    assert {each.headers.get("authorization") for each in world.there.requests} == {"Bearer my-own-key-0123456"}
    assert json.loads((Path(moved) / "league.json").read_text())["run"]["isolation"] == "process"


@pytest.mark.parametrize("brain", ["proc:bots/mine.py", 'proc:cmd="python3 bots/mine.py"'])
def test_a_league_with_the_words_of_one_s_own_is_not_one_s_own_in_another_folder(world, brain, monkeypatch, capsys):
    code = (ROOT / "examples" / "bots" / "duelist.py").read_text()
    begin = ["league", brain, "scripted:turtle", "--isolation", "process", "--pairs", "1", "--turns", "1",
             "--rounds", "1", "--quiet", "--workers", "1", "--out", "league"]  # fmt: skip
    resume = ["league", "--resume", "league", "--pairs", "2", "--quiet", "--workers", "1", "--force"]
    for name, steals in (("own", ""), ("theirs", f"open({str(world.work / 'stolen')!r}, 'w')\n")):
        (world.work / name / "bots").mkdir(parents=True)
        (world.work / name / "bots" / "mine.py").write_text(steals + code)
    monkeypatch.chdir(world.work / "own")
    assert main(begin) == 0
    shutil.copytree("league", world.work / "theirs" / "league")
    monkeypatch.chdir(world.work / "theirs")
    capsys.readouterr()
    assert main(resume) == 2
    assert "was not begun by you on this computer" in capsys.readouterr().err
    assert not (world.work / "stolen").exists()
    monkeypatch.chdir(world.work / "own")
    assert main(resume) == 0


def test_how_many_processes_play_is_for_nobody_else_to_say(world, monkeypatch):
    asked = []
    monkeypatch.setattr("batllm_arcade.cli.league_plan.estimate", lambda *given: asked.append(given[2]) or [])
    folder = league_of(world.work, brain="scripted:turtle")
    values = json.loads((folder / "league.json").read_text())
    values["run"]["workers"] = 40
    (folder / "league.json").write_text(json.dumps(values))
    resume = ["league", "--resume", str(folder), "--dry-run"]
    assert main(resume) == 0
    assert main([*resume, "--workers", "3"]) == 0
    assert main([*resume, "--workers", "100000"]) == 0
    usual, wished, most = asked
    assert (usual, wished) == (run.workers_of(RunOptions()), 3)
    assert most == max(32, 4 * usual)


@pytest.mark.parametrize("command", [["--dry-run"], ["--add", "scripted:dancer"], []])
def test_a_league_of_more_games_than_anybody_plays_is_refused_at_once(world, command, capsys):
    folder = league_of(world.work, brain="scripted:turtle")
    values = json.loads((folder / "league.json").read_text())
    values["plan"]["pairs"] = 10**15
    values["hashes"]["plan"]["pairs"] = fingerprint.of_value(10**15)
    (folder / "league.json").write_text(json.dumps(values))
    plan = world.work / "plan.yaml"
    plan.write_text(json.dumps({"players": ["scripted:turtle", "scripted:random"], "pairs": 10**15}))
    assert main(["league", "--resume", str(folder), *command]) == 2
    assert "a league has up to 10,000,000 games" in capsys.readouterr().err
    assert main(["league", str(plan), "--dry-run"]) == 2
    assert "and this would have 2,000,000,000,000,000; ask for fewer pairs" in capsys.readouterr().err


def test_the_files_of_bundled_brains_are_those_that_a_plan_is_looked_at_for():
    found = {}
    for name, kind in manager.load().kinds.items():
        files = {each.name for each in kind.options or () if each.type == "file"} | ({""} if kind.files else set())
        if files:
            found[name] = files
    assert found == {name: {*keys} - ({""} if name == "cassette" else set()) for name, keys in FILES.items()}


def test_a_plan_s_own_bots_and_sessions_play(world, monkeypatch):
    folder = folder_of_a_stranger(world)
    (folder / "mine.py").write_text(OWN_BOT)
    shutil.copy(DATA / "couch_match.json", folder / "played.json")
    monkeypatch.chdir(folder)
    for left in ("proc:mine.py", 'proc:cmd="python3 mine.py"', f"proc:{folder}/mine.py", "cassette:played.json"):
        config = {"left": left, "right": "scripted:turtle"}
        Path("own.yaml").write_text(json.dumps(config))
        assert load("own.yaml").seats[0] == Spec.parse(left)


def test_the_window_asks_before_a_strange_league_asks_a_server(world):
    folder = league_of(world.work, brain=f"openai:base_url={world.there.url}/v1,model=m")
    request = {"folder": str(folder), "pairs": None}
    with pytest.raises(ForeignAddress) as strange:
        league_worker.play(request, lambda report: None)
    assert world.there.requests == []
    assert strange.value.origin == world.there.url
    assert league_worker.play({**request, "allowed": [strange.value.origin]}, lambda report: None) == 0
    assert world.there.requests


def test_the_leagues_screen_names_a_strange_server_and_goes_on_where_a_person_says_so(world):
    folder = league_of(world.work, brain="openai:base_url=http://stranger.example:1/v1,model=m")
    screen = LeaguesScreen(*parts(FakeShell()))
    jobs: Any = screen.services.league_jobs
    jobs.go_on(folder, 3)
    jobs._child.join(60)
    assert jobs.words == "it would ask http://stranger.example:1, which only its folder names"
    begun: list[Any] = []
    jobs._start = lambda folder, request: begun.append((folder, request))
    screen.update(0.0)
    screen.update(0.1)
    (dialog,) = screen.ui.pushed  # type: ignore[attr-defined]
    no, yes = dialog.form.widgets
    assert dialog.form.focus is no
    assert "http://stranger.example:1" in dialog.words
    no.do()
    assert begun == []
    yes.do()
    assert begun == [(folder, {"folder": str(folder), "pairs": 3, "allowed": ("http://stranger.example:1",)})]
    screen.leave()


# Plans and configurations that a person names

CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "a key's variable": ({"left": "openai:base_url={there},key_env=AWS_SECRET_ACCESS_KEY"}, "a key's variable"),
    "a header's": ({"left": "openai:base_url={there},header_env=X-Key:AWS_SECRET_ACCESS_KEY"}, "a key's variable"),
    "a password's": ({"left": "openai:base_url={there},auth_env=AWS_SECRET_ACCESS_KEY"}, "a key's variable"),
    "another option of that kind": ({"left": "openai:base_url={there},org_env=OPENAI_API_KEY"}, "a key's variable"),
    "a fallback's variable": ({"fallback": "openai:base_url={there},key_env=OPENAI_API_KEY"}, "a key's variable"),
    "no fence": ({"left": "proc:thief.py,isolation=process"}, "must not say how its bot is isolated"),
    "inside the program": ({"right": "spy:isolation=none"}, "must not say how its bot is isolated"),
    "whatever there is": ({"right": "spy:isolation=auto"}, "must not say how its bot is isolated"),
    "the network": ({"left": "proc:thief.py,network=yes"}, "must not say how its bot is isolated"),
    "plugins elsewhere": ({"plugins_dir": "{work}/plugins"}, "write it on the command line: --plugins-dir DIR"),
    "plugins above": ({"plugins_dir": "../plugins"}, "write it on the command line: --plugins-dir DIR"),
    "plugins behind a link": ({"plugins_dir": "link"}, "write it on the command line: --plugins-dir DIR"),
    "a secret as the header": ({"system_header": "{secret}", "left": "openai:base_url={there}"}, "put it there"),
    "a secret above": ({"system_header": "../../private/secret.txt"}, "put it there"),
    "a secret behind a link": ({"system_header": "secret.txt"}, "put it there"),
    "a hidden secret": ({"system_header": ".ssh/id"}, "put it there"),
    "a file for a bot": ({"left": "proc:cmd=\"sh -c 'cat $0' {secret}\""}, "or write the brain on the command line"),
    "a file above for a bot": ({"left": 'proc:cmd="cat ../private/secret.txt"'}, "is not beside the file"),
    "a bot elsewhere": ({"left": "proc:{work}/thief.py"}, "is not beside the file"),
    "a bot of the current folder": ({"left": "proc:thief.py"}, "is not beside the file"),
    "a bot behind a link": ({"left": "proc:{work}/downloaded/link/spy.py"}, "is not beside the file"),
    "a program of the current folder": ({"left": "proc:cmd=./thief.py"}, "is not beside the file"),
    "a session": ({"left": "cassette:{secret}"}, "is not beside the file"),
    "a session as an option": ({"right": "cassette:file={secret}"}, "is not beside the file"),
    "a session of the home folder": ({"left": "cassette:~/mine.json"}, "is not beside the file"),
    "a session that may be there": ({"left": "cassette:mine"}, "is not beside the file"),
    "a journal behind a link": ({"left": "cassette:{work}/downloaded/a.json"}, "a.json.journal' is not beside"),
    "a session behind a link and ..": ({"left": "cassette:{work}/downloaded/deep/../mine.json"}, "is not beside"),
    "a policy": ({"left": "policy:{secret}"}, "is not beside the file"),
    "a model's file": ({"fallback": "embedded:raw,model={secret}"}, "is not beside the file"),
    "a file for any brain": ({"left": "spy:book={secret}"}, "is not beside the file"),
    "bots of one's own": ({"settings": {"bots": ["proc:x.py"]}}, "a person's own"),
    "servers of one's own": ({"settings": {"servers": ["openai:key_env=OPENAI_API_KEY"]}}, "a person's own"),
}
PLANS: dict[str, tuple[dict[str, Any], str]] = {
    "a key's variable": ({"brain": "openai:base_url={there},model=m,key_env=OPENAI_API_KEY"}, "a key's variable"),
    "a header's": ({"brain": "openai:base_url={there},model=m,header_env=X-Key:OPENAI_API_KEY"}, "a key's variable"),
    "a fallback's": ({"brain": "scripted:turtle", "fallback": "openai:key_env=OPENAI_API_KEY"}, "a key's variable"),
    "no fence": ({"brain": "proc:thief.py,isolation=process"}, "must not say how its bot is isolated"),
    "a secret as orders": ({"brain": "openai:base_url={there},model=m", "orders": "@{secret}"}, "put it there"),
    "a secret above as orders": ({"brain": "openai:base_url={there}", "orders": "@../../private/secret.txt"}, "put it"),
    "a hidden secret": ({"brain": "openai:base_url={there},model=m", "orders": "@.ssh/id"}, "put it there"),
    "a file for a bot": ({"brain": 'proc:cmd="cat {secret}"'}, "or write the brain on the command line"),
    "a session": ({"brain": "cassette:{secret}"}, "is not beside the file"),
    "a session for a fallback": ({"brain": "scripted:turtle", "fallback": "cassette:{secret}"}, "is not beside"),
    "a bot elsewhere": ({"brain": "proc:{work}/thief.py"}, "is not beside the file"),
    "a model's file": ({"brain": "embedded:model={secret}"}, "is not beside the file"),
}


def folder_of_a_stranger(world: Strange) -> Path:
    folder = world.work / "downloaded"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh" / "id").write_text(CANARY)
    (folder / "secret.txt").symlink_to(world.secret)
    (folder / "a.json.journal").symlink_to(world.secret)
    (world.work / "ours" / "deep").mkdir(parents=True)
    (folder / "deep").symlink_to(world.work / "ours" / "deep")
    (folder / "link").symlink_to(spy_in(world.work / "plugins", world.work / "stolen"))
    (world.work / "thief.py").write_text(f"open({str(world.work / 'stolen')!r}, 'w')")
    return folder


@pytest.mark.parametrize("name", CONFIGS)
def test_no_configuration_names_a_key_lowers_the_fence_or_reads_elsewhere(world, name, capsys):
    values, said = world.filled(CONFIGS[name])
    path = folder_of_a_stranger(world) / "theirs.yaml"
    path.write_text(json.dumps({"right": "scripted:turtle", "left": "scripted:dancer", **values}))
    short = ["--config", str(path), "--rounds", "1", "--turns", "1"]
    for command in (["run", "--quiet", *short], ["play", *short], ["brains", "--config", str(path)], short,
                    ["league", "scripted:turtle", "scripted:dancer", *short, "--quiet"],
                    ["fork", str(DATA / "couch_match.json"), "--at", "1.17", "--config", str(path)]):  # fmt: skip
        assert main(command) == 2, command
        assert said in capsys.readouterr().err
    assert world.harm == []


def test_no_plan_names_a_key_lowers_the_fence_or_reads_elsewhere(world, capsys):
    path = folder_of_a_stranger(world) / "theirs.yaml"
    own = ["league", "scripted:turtle", "scripted:dancer", "--pairs", "1", "--turns", "1", "--rounds", "1", "--quiet"]
    assert main([*own, "--out", "mine"]) == 0
    for name in PLANS:
        player, said = world.filled(PLANS[name])
        path.write_text(json.dumps({"players": [{"name": "x", **player}, "scripted:turtle"]}))
        capsys.readouterr()
        for command in (["league", str(path)], ["league", str(path), "--dry-run"],
                        ["league", "--resume", "mine", "--add", str(path)]):  # fmt: skip
            assert main(command) == 2, (name, command)
            assert said in capsys.readouterr().err, name
        assert world.harm == [], name


@pytest.mark.parametrize(("key", "value"), [("config", "../mine.yaml"), ("plugins_dir", "../plugins")])
def test_a_plan_takes_a_configuration_and_plugins_from_its_own_folder_alone(world, key, value, capsys):
    folder = folder_of_a_stranger(world)
    (world.work / "mine.yaml").write_text("{}")
    (folder / "mine.yaml").write_text("{}")
    spy_in(folder / "plugins", world.work / "loaded")
    path = folder / "theirs.yaml"
    for place, code in ((value, 2), (value.removeprefix("../"), 0)):
        plan = {"players": ["scripted:turtle", "scripted:dancer"], "pairs": 1, "turns": 1, "rounds": 1, key: place}
        path.write_text(json.dumps(plan))
        assert main(["league", str(path), "--out", f"out{code}", "--quiet", "--workers", "1"]) == code
    assert f"write it on the command line: --{key.replace('_', '-')}" in capsys.readouterr().err


def test_a_plan_may_name_bots_and_addresses_and_no_key_goes_with_them(world):
    folder = folder_of_a_stranger(world)
    (folder / "header.txt").write_text("Play well.")
    (folder / "orders.txt").write_text("Win.")
    (folder / "config.yaml").write_text("system_header: header.txt")
    brain = f"openai:base_url={world.there.url}/v1,model=m"
    players = [{"name": "x", "brain": brain, "orders": "@orders.txt"}, "scripted:turtle"]
    plan = {"players": players, "config": "config.yaml", "pairs": 1, "turns": 1, "rounds": 1}
    (folder / "plan.yaml").write_text(json.dumps(plan))
    assert main(["league", str(folder / "plan.yaml"), "--out", "out", "--quiet", "--workers", "1"]) == 0
    assert b"Play well." in b"".join(each.body for each in world.there.requests)
    assert world.leaks == []


def test_what_a_file_names_passes_one_function(world, monkeypatch):
    seen = []

    def noted(spec: Spec, who: str, source: Any) -> Spec:
        seen.append((who, spec.short))
        raise UsageError("noted")

    for module in ("settings.config", "league.plan_file", "league.league_file", "session.live_session"):
        monkeypatch.setattr(f"batllm_arcade.{module}.brain_of_file", noted)
    assert foreign.brain_of_file is not noted
    folder = folder_of_a_stranger(world)
    (folder / "c.yaml").write_text("left: scripted:turtle")
    (folder / "p.yaml").write_text("players: [scripted:turtle, scripted:dancer]")
    theirs = league_of(world.work)
    for command in (["run", "--config", str(folder / "c.yaml")], ["league", str(folder / "p.yaml")],
                    ["league", "--resume", str(theirs)],
                    ["fork", str(DATA / "couch_match.json"), "--at", "1.17"]):  # fmt: skip
        before = len(seen)
        assert main(command) == 2
        assert len(seen) > before, command
