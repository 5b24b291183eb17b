"""Folders of leagues that others send: read like sessions, one sentence for what is wrong, nothing of elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from leagues import line, small

from batllm_arcade.app.services.leagues import find_leagues, kept_games
from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.league.kept_files import FILES, FOLDERS, LEAGUE, PAIRS, TABLE
from batllm_arcade.league.plan import MOST_PLAYERS
from batllm_arcade.video.films import session_files

PLAN = small("a=scripted:dancer", "b=scripted:turtle", pairs=2, sessions="all")
SECRET = "canary-of-the-home-folder"
Change = Callable[[Any], Any]
posix = pytest.mark.skipif(sys.platform == "win32", reason="links take rights there, and there are no pipes in folders")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A league that was played, with its sessions and pages."""
    folder = tmp_path_factory.mktemp("leagues") / "league"
    options = ["--pairs", "2", "--rounds", "1", "--turns", "6", "--sessions", "all", "--workers", "1"]
    assert main(["league", "a=scripted:dancer", "b=scripted:turtle", *options, "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture
def folder(played, tmp_path):
    return Path(shutil.copytree(played, tmp_path / "league"))


@pytest.fixture
def bare(played, tmp_path):
    """The league without its sessions and pages."""
    folder = tmp_path / "league"
    folder.mkdir()
    for name in (LEAGUE, PAIRS, TABLE):
        shutil.copy(played / name, folder)
    return folder


def site(folder: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code and the words of a site of this folder, and all that is in it."""
    out = folder.parent / "site"
    code = main(["league", "site", str(folder), "-o", str(out)])
    held = "".join(path.read_bytes().decode("utf-8", "replace") for path in out.rglob("*") if path.is_file())
    return code, capfd.readouterr().err, held


def refused(code: int, said: str) -> None:
    """One sentence was said, and no traceback."""
    assert code == 2, said
    assert said.count("\n") == 1, said
    assert "Traceback" not in said


def test_all_that_a_league_writes_is_looked_at(played):
    assert {path.name for path in played.iterdir()} <= {*FILES, *FOLDERS}


# ---------------------------------------------------------------------------------------------- links, devices, sizes

LINKED = (LEAGUE, PAIRS, TABLE, "table.md", "report.html", "workers.log", "sessions/1-1.json", "pages/1-1.html",
          "pairings/1-2.png", "pairings/1-2.html", "sessions/.1-1.json.tmp", *FOLDERS)  # fmt: skip


@posix
@pytest.mark.parametrize(("command", "name"), [("site", name) for name in LINKED] + [
    (command, name) for command in ("--resume", "--from") for name in LINKED[::3]
])  # fmt: skip
def test_no_command_follows_a_link_of_a_league_folder(folder, name, command, capfd):
    there = folder.parent / "elsewhere"
    path = folder / name
    if path.is_dir():
        path.rename(there)
    elif path.exists():
        there.write_bytes(path.read_bytes())
        path.unlink()
    else:
        there.write_text(SECRET)
    path.symlink_to(there)
    before = there.read_bytes() if there.is_file() else sorted(there.iterdir())
    if command == "site":
        code, said, held = site(folder, capfd)
        assert SECRET not in held
    elif command == "--resume":
        code, said = main(["league", "--resume", str(folder), "--pairs", "3", "--workers", "1"]), capfd.readouterr().err
    else:
        new = ["league", "a=scripted:dancer", "b=scripted:turtle", "--rounds", "1", "--turns", "6", "--pairs", "1"]
        code = main([*new, "--from", str(folder), "--out", str(folder.parent / "new"), "--workers", "1"])
        said = capfd.readouterr().err
    refused(code, said)
    assert f"{name!r} in" in said or "no league in" in said
    assert (there.read_bytes() if there.is_file() else sorted(there.iterdir())) == before


@posix
def test_the_window_shows_nothing_of_a_league_with_links(folder):
    (folder / "sessions" / "1-1.json").unlink()
    (folder / "sessions" / "1-1.json").symlink_to("/etc/passwd")
    (entry,) = find_leagues(folder.parent, {}, 0.0)
    assert "is a link" in entry.problem
    assert [(game.pair, game.game) for game in kept_games(folder, ("a", "b"))] == [(1, 2), (2, 1), (2, 2)]
    (folder / PAIRS).rename(folder / "mine")
    (folder / PAIRS).symlink_to("mine")
    assert list(kept_games(folder, ("a", "b"))) == []


@posix
def test_a_film_of_a_league_shows_nothing_that_a_link_leads_to(folder):
    assert len(session_files([folder])) == 4
    (folder / "sessions" / "9-1.json").symlink_to(folder / "sessions" / "1-1.json")
    with pytest.raises(UsageError, match=r"'sessions/9-1\.json' in"):
        session_files([folder])


@posix
@pytest.mark.parametrize("name", ["pages/1-1.html", "sessions/1-1.json", "pairings/1-2.png", PAIRS, LEAGUE])
@pytest.mark.parametrize("kind", ["pipe", "socket", "zeros", "folder"])
def test_a_site_waits_for_no_pipe_and_reads_no_device(folder, name, kind, capfd, monkeypatch):
    path = folder / name
    path.unlink(missing_ok=True)
    monkeypatch.chdir(path.parent)  # the name of a socket is short
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    elif kind == "zeros":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    code, said, _ = site(folder, capfd)
    if kind == "folder" and "/" in name:  # somebody's own, which nobody reads
        assert code == 0, said
    else:
        refused(code, said)


def test_a_session_that_is_too_large_for_one_game_is_refused(folder, capfd):
    os.truncate(folder / "sessions" / "1-1.json", 10**10)  # sparse
    code, said, _ = site(folder, capfd)
    refused(code, said)
    assert "'sessions/1-1.json' in" in said


@posix
def test_a_league_that_is_a_link_in_a_folder_of_leagues_is_not_published(folder, tmp_path, capfd):
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "theirs").symlink_to(folder)
    code, said, _ = site(tmp_path / "many", capfd)
    refused(code, said)
    assert "is a link; name the folder that it leads to" in said


def test_no_script_and_no_picture_of_a_league_folder_gets_into_a_site(folder, capfd):
    for path in (*(folder / "pages").iterdir(), *(folder / "pairings").iterdir(), folder / "report.html"):
        path.write_bytes(path.read_bytes() + f"<script>{SECRET}</script>".encode())
    (folder / "pairings" / "1-2.png").write_text(SECRET)
    code, said, held = site(folder, capfd)
    assert code == 0, said
    assert SECRET not in held
    pages = sorted((folder.parent / "site" / "league" / "pages").iterdir())
    assert [page.name for page in pages] == ["1-1.html", "1-2.html", "2-1.html", "2-2.html"]
    for page in pages:
        assert main(["verify", str(page)]) == 0


def test_a_site_that_was_made_before_keeps_no_page_that_was_copied(folder, tmp_path, capfd):
    assert site(folder, capfd)[0] == 0
    for name in ("pages/1-1.html", "pages/7-1.html", "pairings/1-2.html", "pairings/1-2.png"):
        (tmp_path / "site" / "league" / name).write_text(f"<script>{SECRET}</script>")
    code, said, held = site(folder, capfd)
    assert code == 0, said
    assert SECRET not in held


# ------------------------------------------------------------------------------------------------- lines that are wrong


def at(*place: Any, value: Any) -> Change:
    """A change of what is at this place of a line; without a value it goes."""

    def changed(found: Any) -> Any:
        holder = found
        for key in place[:-1]:
            holder = holder[key]
        if value is GONE:
            del holder[place[-1]]
        else:
            holder[place[-1]] = value
        return found

    return changed


GONE = object()
GAME = ("games", 0)
LINES: dict[str, Change] = {
    **{f"{key} gone": at(key, value=GONE) for key in ("pair", "players", "seed", "games", "outcome", "finished")},
    **{f"outcome {value!r}": at("outcome", value=value) for value in (True, "", "WL", "ww")},
    **{f"pair {value!r}": at("pair", value=value) for value in (0, 2, 1.0, "1", 10**30)},
    **{f"finished {value!r}": at("finished", value=value) for value in (3, "2026-13-45T00:00:00Z")},
    **{f"game's {key} gone": at(*GAME, key, value=GONE) for key in
       ("left", "winner", "reason", "turns", "health", "first", "faults", "tokens", "latency_s")},
    **{f"game's {key} null": at(*GAME, key, value=None) for key in ("health", "written", "requests")},
    "no games": at("games", value=[]),
    "one game": lambda found: {**found, "games": found["games"][:1]},
    "games turned": lambda found: {**found, "games": found["games"][::-1]},
    "no object for a game": at("games", 0, value=7),
    "players turned": lambda found: {**found, "players": found["players"][::-1]},
    "another player": at("players", 0, value="c"),
    "another seed": at("seed", value=9),
    "left is right": at(*GAME, "left", value="b"),
    "first is nobody": at(*GAME, "first", value="c"),
    "the winner flipped": at(*GAME, "winner", value="b"),
    "no winner of a knock-out": at(*GAME, "winner", value=None),
    "both winners flipped": lambda found: {
        **found, "outcome": {"WW": "LL", "LL": "WW"}.get(found["outcome"], found["outcome"]),
        "games": [{**game, "winner": "ab".replace(game["winner"], "")} for game in found["games"]]},
    "won on points with less": lambda found: at(*GAME, "reason", value="points")(
        at(*GAME, "health", value={"a": 3, "b": 4})(found)),
    "a draw that is none": lambda found: at(*GAME, "reason", value="draw")(at(*GAME, "winner", value=None)(found)),
    "an aborted game": at(*GAME, "reason", value="aborted"),
    "more health than there is": at(*GAME, "health", value={"a": 1e6, "b": 0}),
    "health below 0": at(*GAME, "health", value={"a": 5, "b": -1}),
    "health of nobody": at(*GAME, "health", value={"a": 5, "c": 0}),
    "health of one": at(*GAME, "health", value={"a": 5}),
    "turns below 0": at(*GAME, "turns", value=-1),
    "more turns than a game has": at(*GAME, "turns", value=10**6),
    "a fault more": at(*GAME, "faults", "a", "crashed", value=-1),
    "faults of no kind": at(*GAME, "faults", "a", value={}),
    "more faults than plays": at(*GAME, "faults", "a", "error", value=999),
    "tokens without end": at(*GAME, "tokens", "a", value=10**400),
    "more written than tokens": at(*GAME, "written", "a", value=5),
    "a latency below 0": at(*GAME, "latency_s", "a", "max", value=-1),
    "a median over the slowest": at(*GAME, "latency_s", "a", "median", value=1e9),
    "no plays": at(*GAME, "latency_s", "a", "plays", value="4"),
    "a worker of no name": at("worker", value=7),
}  # fmt: skip
TEXTS: dict[str, Callable[[str], str]] = {
    "no JSON": lambda text: text[:-1],
    "a list": lambda text: f"[{text}]",
    "deep within": lambda text: text[:-1] + ',"more":' + "[" * 100_000 + "]" * 100_000 + "}",
    "a key twice": lambda text: text[:-1] + ',"pair":1}',
    "not a number": lambda text: text.replace('"turns": ', '"turns": NaN, "turn": ', 1),
    "a number of 5000 digits": lambda text: text.replace('"turns": ', '"turns": ' + "1" * 5000, 1),
    "no UTF-8": lambda text: text[:-1] + ',"more":"\udcff"}',
    "too long": lambda text: text[:-1] + ',"more":"' + "x" * 2**20 + '"}',
    "twice": lambda text: f"{text}\n{text}",
}


def lines_of(folder: Path) -> list[str]:
    return (folder / PAIRS).read_text("utf-8").splitlines()


def forged(folder: Path, name: str) -> None:
    """The league with its first line changed, of which the first game ended by a knock-out that `a` won."""
    one = json.loads(json.dumps(line(1, PLAN, ("a", "a"))))
    changed = TEXTS[name](json.dumps(one)) if name in TEXTS else json.dumps(LINES[name](deepcopy(one)))
    assert changed != json.dumps(one)
    (folder / PAIRS).write_bytes((changed + "\n" + json.dumps(line(2, PLAN)) + "\n").encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("name", [*LINES, *TEXTS])
def test_a_line_that_no_league_writes_is_refused_with_one_sentence(bare, name, capfd):
    forged(bare, name)
    code, said, _ = site(bare, capfd)
    refused(code, said)
    assert "of pairs.jsonl" in said
    refused(main(["league", "--resume", str(bare)]), capfd.readouterr().err)
    list(kept_games(bare, ("a", "b")))  # which leaves it out


def test_a_line_that_a_league_may_have_written_is_read(bare, capfd):
    good = [line(1, PLAN, ("a", "a")), {**line(2, PLAN), "more": {"known": "later"}}]
    for game in good[1]["games"]:
        del game["written"], game["by_fallback"]  # earlier versions had neither
    (bare / PAIRS).write_text("".join(json.dumps(each) + "\n" for each in good))
    assert site(bare, capfd)[0] == 0


# ---------------------------------------------------------------------------------- league.json, table.json

PLANS: dict[str, Change] = {
    **{f"{key} {value!r}": at(key, value=value) for key in ("plan", "config", "hashes", "run", "program", "notes")
       for value in (None, [1])},
    **{f"plan's {key} {value!r}": at("plan", key, value=value)
       for key in ("players", "config", "seed", "pairs", "schedule", "sessions", "stages", "plugins_dir", "on_failure")
       for value in (-1, 1.5, "x\x00", {"x": 1}) if (key, value) not in (("seed", -1), ("config", "x\x00"),
                                                                              ("plugins_dir", "x\x00"))},
    **{f"player's {key} {value!r}": at("plan", "players", 0, key, value=value)
       for key in ("name", "brain", "orders", "fallback", "max_parallel") for value in (None, 1.5)},
    "a player of no brain": at("plan", "players", 0, "brain", value=""),
    "a name that is long": at("plan", "players", 0, "name", value="x" * 41),
    "a name with an escape": at("plan", "players", 0, "name", value="\x1b[2J"),
    "two of a name": at("plan", "players", 0, "name", value="b"),
    "many players": lambda found: at("plan", "players", value=[
        {**found["plan"]["players"][0], "name": f"n{number}"} for number in range(MOST_PLAYERS + 1)])(found),
    "no length": at("plan", "rounds", value=0),
    "a test of nothing": at("plan", "sprt", value={"elo0": 5, "elo1": "x", "alpha": 1, "beta": 1}),
    "stages that shrink": at("plan", "stages", value=[{"players": 2, "pairs": 9}]),
    "stages of more players": at("plan", "stages", value=[{"players": 3, "pairs": 1}]),
    "rules of no kind": at("config", "rules", value={"x": 1}),
    "a rule in words": at("config", "rules", "total_rounds", value="x"),
    "a style of no kind": at("config", "payload", value={"mode": "x"}),
    "a gamepad of no kind": at("config", "gamepad", value={"up": 7}),
    "a header of no kind": at("config", "system_header", value="$x"),
    "no deadline": at("config", "deadline_s", value=-1),
    "a fallback of no kind": at("config", "fallback", value=7),
    "a price of no kind": at("run", "prices", value={"a": "x"}),
    "workers of no kind": at("run", "workers", value="x"),
    "isolation of no kind": at("run", "isolation", value="x"),
    "a name of no kind": at("run", "name", value="x" * 81),
    "an aim of no kind": at("run", "fail_below", value="x"),
    "a note of no kind": at("notes", value=[{}]),
    "hashes of no kind": at("hashes", "orders", value={"a": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_that_no_league_writes_is_refused_with_one_sentence(bare, name, capfd):
    values = json.loads((bare / LEAGUE).read_text("utf-8"))
    (bare / LEAGUE).write_text(json.dumps(PLANS[name](values)))
    code, said, _ = site(bare, capfd)
    refused(code, said)
    refused(main(["league", "--resume", str(bare)]), capfd.readouterr().err)
    (entry,) = find_leagues(bare.parent, {}, 0.0)
    assert entry.problem


TABLES: dict[str, Change] = {
    **{f"{key} {value!r}": at(key, value=value) for key in
       ("players", "complete", "pairs", "matrix", "circle", "left", "reasons", "turns", "notes", "sprt", "seed")
       for value in (-0.5, "x", [3])},
    **{f"player's {key} {value!r}": at("players", 0, key, value=value) for key in
       ("name", "rank", "rating", "low", "games", "score", "pairs", "los", "faults", "latency_s", "cost")
       for value in ({"crashed": -1}, True, float("inf"))},
    "a player of another league": at("players", 0, "name", value="c"),
    "a pairing of another league": at("matrix", 0, "players", value=["a", "c"]),
    "a score over 1": at("players", 0, "score", value=1.5),
    "deep": lambda found: at("notes", value=json.loads("[" * 500 + "]" * 500))(found),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_window_tells_of_a_table_that_no_league_writes(bare, name):
    values = json.loads((bare / TABLE).read_text("utf-8"))
    (bare / TABLE).write_text(json.dumps(TABLES[name](values)))
    (entry,) = find_leagues(bare.parent, {}, 0.0)
    assert "holds a damaged league" in entry.problem


# ----------------------------------------------------------------------------------------------------- names and cells


@pytest.mark.parametrize("given", [[f"{'x' * 41}=scripted"], ["a.yaml"]])
def test_a_name_that_is_too_long_is_refused_with_one_sentence(given, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(f"players: [{{name: {'x' * 41}, brain: scripted}}, scripted]")
    refused(main(["league", *given, *(["scripted"] if "=" in given[0] else [])]), said := capfd.readouterr().err)
    assert "cannot be a player's name" in said


def test_no_cell_of_a_league_as_csv_is_a_formula(tmp_path, capfd):
    names = [f"{begins}cmd|' /C calc'!A0" for begins in ("=", "+", "-", "@", "＝")]
    players = [*({"name": name, "brain": "scripted:dancer"} for name in names), "scripted:turtle"]
    plan = {"players": players, "schedule": "gauntlet", "rounds": 1, "turns": 1, "pairs": 1, "workers": 1}
    (tmp_path / "plan.yaml").write_text(json.dumps(plan))
    out, table = tmp_path / "out", tmp_path / "table.csv"
    assert main(["league", str(tmp_path / "plan.yaml"), "--out", str(out), "--csv", str(table), "--quiet"]) == 0
    text = table.read_text("utf-8")
    for name in names:
        assert f"'{name}" in text
        assert f",{name[:4]}" not in text
    assert "'turtle" not in text
