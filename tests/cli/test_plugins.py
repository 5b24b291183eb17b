"""Plugins of packages and of a folder: listed, left out by a word, and what a league does with observers."""

from __future__ import annotations

import pytest

from batllm_arcade.cli.main import main

OBSERVER = (
    "from batllm_arcade import bot, hookimpl\n@bot('{name}')\ndef decide(me, foe, clock): return me.turn_to(foe)\n"
    "class Told:\n    def notify(self, record): pass\n@hookimpl\ndef batllm_observer(session): return Told()\n"
)
LEAGUE = ("league", "scripted:turtle", "scripted:dancer", "--dry-run")


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    """A package with a bot and an observer, and a folder with another such file."""
    information, folder = tmp_path / "site" / "batllm_hits-1.2.dist-info", tmp_path / "mine"
    for each in (information, folder):
        each.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: batllm-hits\nVersion: 1.2\n")
    (information / "entry_points.txt").write_text("[batllm_arcade]\nhits = installed_hits\n")
    (tmp_path / "site" / "installed_hits.py").write_text(OBSERVER.format(name="hits"))
    (folder / "own.py").write_text(OBSERVER.format(name="own"))
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.chdir(tmp_path)


def said(capsys, *arguments):
    code = main(list(arguments))
    return (code, *capsys.readouterr())


def test_plugins_are_listed_with_their_packages_and_what_they_offer(capsys):
    code, out, _ = said(capsys, "plugins", "--plugins-dir", "mine", "--trust", "own")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert code == 0
    assert rows["hits"] == ["batllm-hits", "1.2", "brains:", "hits;", "an", "observer"]
    assert rows["own"] == ["own.py", "brains:", "own;", "an", "observer"]
    assert rows["scripted"][0] == "batllm-arcade"


def test_an_installed_observer_forbids_no_league_and_is_told_of(capsys):
    code, _, told = said(capsys, *LEAGUE)
    assert code == 0
    assert "the installed plugin 'hits' has an observer, which no league tells anything" in told
    code, _, told = said(capsys, *LEAGUE, "--without", "hits")
    assert (code, "hits" in told) == (0, False)


def test_an_observer_of_a_folder_is_refused_until_it_is_left_out(capsys):
    folder = ("--plugins-dir", "mine", "--trust", "own")
    code, _, told = said(capsys, *LEAGUE, *folder)
    assert code == 2
    assert "leave it out: --without own" in told
    assert said(capsys, *LEAGUE, *folder[:2], "--without", "own")[0] == 0


@pytest.mark.parametrize("name", ["nobody", "scripted"])  # a bundled one stays
def test_what_cannot_be_left_out_is_named(name, capsys):
    code, _, told = said(capsys, "brains", "--without", name)
    assert (code, f"no plugin {name!r} can be left out" in told) == (2, True)


def test_a_plugin_that_was_left_out_has_no_brains(capsys):
    assert "hits" in said(capsys, "brains")[1]
    assert "hits" not in said(capsys, "brains", "--without", "hits")[1]
