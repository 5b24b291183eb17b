"""What all who play for a league must share: the program, bots' files, what lies beside them; on resume, too."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from leagues import begun, line, small

from batllm_arcade.cli.main import main
from batllm_arcade.errors import UsageError
from batllm_arcade.league import identity as fingerprint
from batllm_arcade.league.engines.cluster import brains_of, identity_here
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.identity import identity_from, identity_of
from batllm_arcade.league.league_file import LEAGUE, open_league
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.store import LeagueStore


@pytest.fixture
def bots(tmp_path):
    """A folder with a bot, a helper, data, and what is none of its files."""
    folder = tmp_path / "bots"
    (folder / "helpers").mkdir(parents=True)
    (folder / "bot.py").write_text("print()")
    (folder / "helpers" / "aim.py").write_text("HARD = 3")
    (folder / "weights.json").write_text("[1]")
    for name in (".hidden", "run.log", "__pycache__/bot.pyc", "logs/today.txt", "old/league.json", "old/pairs.jsonl"):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("then")
    (folder / "large.bin").write_bytes(bytes(fingerprint.BESIDE_BYTES + 1))
    return folder


def plan_of(bots, **more):
    return small(f"mine=proc:{bots / 'bot.py'},isolation=process", "scripted:dancer", **more)


def words(plan, before):
    return [each.since() for each in before.differences(identity_of(plan, None))]


def test_a_bots_file_and_those_beside_it_are_its_identity_and_nothing_else_is(bots):
    plan = plan_of(bots)
    before = identity_of(plan, None)
    for name in (
        ".hidden",
        "run.log",
        "__pycache__/bot.pyc",
        "logs/today.txt",
        "old/pairs.jsonl",
        "large.bin",
        "new.py",
    ):
        (bots / name).write_text("now")
    assert words(plan, before) == []
    (bots / "helpers" / "aim.py").write_text("HARD = 4")
    (bots / "weights.json").unlink()
    assert words(plan, before) == [
        "the file 'weights.json' beside bots in 'bots' has gone since the league began",
        "the file 'helpers/aim.py' beside bots in 'bots' has changed since the league began",
    ]
    (bots / "bot.py").unlink()
    assert words(plan, before)[0] == "the file 'bot.py' of mine has gone since the league began"


def test_a_folder_that_holds_more_than_bots_is_not_looked_through(bots, monkeypatch):
    monkeypatch.setattr(fingerprint, "holds_more", lambda folder: folder == str(bots))
    assert identity_of(plan_of(bots), None).folders == {}
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(bots))
    assert identity_of(plan_of(bots), None).folders == {}


def test_what_lies_in_the_folder_of_drop_ins_counts_and_each_plugin_once(bots):
    plan = small()
    found = identity_of(plan, bots)
    assert set(found.folders[bots.as_posix()]) == {"helpers/aim.py", "weights.json"}
    assert found.plugins["bot"] == fingerprint.of_file(bots / "bot.py")


def test_another_program_of_the_same_or_another_version_is_named():
    own = identity_of(small(), None)
    newer, patched = replace(own, program="batllm-arcade 99", core="x"), replace(own, core="x")
    assert [each.there() for each in own.differences(newer)] == [
        f"it runs batllm-arcade 99, and the league {own.program}"
    ]
    (found,) = own.differences(patched)
    assert found.there() == f"the code of {own.program} (its version is the same) is another one there"
    assert fingerprint.CORE[0] == "core"
    assert len(own.core) == 64


def test_a_worker_is_asked_with_plain_texts_and_answers_with_plain_values(bots):
    plan = plan_of(bots)
    setup = set_up(plan, load_config(plan))
    answer = json.loads(json.dumps(identity_here(brains_of(setup), "")))
    assert list(setup.agreed.differences(identity_from(answer))) == []
    (bots / "bot.py").write_text("print('other')")
    (found,) = setup.agreed.differences(identity_from(identity_here(brains_of(setup), "")))
    assert found.there() == "the file 'bot.py' of mine is another one there"


@pytest.fixture
def league(bots, tmp_path):
    """A league of a bot with two pairs played."""
    folder, plan = tmp_path / "out", plan_of(bots, pairs=2)
    begun(folder, plan)
    store = LeagueStore(folder, plan)
    store.add([PlayedPair(line(number, plan, ("mine", None)), {}) for number in (1, 2)])
    store.close()
    return folder


def test_a_league_goes_on_with_a_changed_helper_only_by_force_and_its_table_says_so(league, bots, capsys):
    (bots / "helpers" / "aim.py").write_text("HARD = 4")
    assert main(["league", "--resume", str(league)]) == 2
    assert (
        "beside bots in 'bots' has changed since the league began; change it back, go on all the same with --force"
        in (capsys.readouterr().err)
    )
    said = "from pair 3 on: the file 'helpers/aim.py' beside bots in 'bots' has changed since the league began"
    assert main(["league", "--resume", str(league), "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [said]
    assert said in (league / "table.md").read_text().replace("\\", "").replace("From", "from")
    assert "From pair 3 on" in (league / "report.html").read_text()
    assert main(["league", "--resume", str(league), "--json"]) == 0, "it is agreed on now"
    assert json.loads(capsys.readouterr().out)["notes"] == [said]


def test_another_version_is_refused_with_both_and_goes_on_by_force(league):
    values = json.loads((league / LEAGUE).read_text())
    now, values["program"] = values["program"], "batllm-arcade 0.0.1"
    (league / LEAGUE).write_text(json.dumps(values))
    with pytest.raises(UsageError, match=f"the program was batllm-arcade 0.0.1 and is {now} now"):
        open_league(league)
    setup = open_league(league, force=True).setup
    assert setup.notes == (f"from pair 3 on: the program was batllm-arcade 0.0.1 and is {now} now",)
    assert setup.agreed.program == now


def test_a_league_of_before_knows_less_and_goes_on(league):
    values = json.loads((league / LEAGUE).read_text())
    for key in ("core", "folders"):
        del values["hashes"][key]
    del values["notes"]
    (league / LEAGUE).write_text(json.dumps(values))
    assert open_league(league)[0].notes == ()


def test_a_league_that_cannot_begin_leaves_nothing_behind(tmp_path, capsys):
    out, players = tmp_path / "out", ["scripted:dancer", "scripted:turtle"]
    missing = ["--cluster", "tcp://127.0.0.1:9"]
    unreachable = UsageError("no cluster can be reached")

    def refuse(*_):
        raise unreachable

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("batllm_arcade.cli.league_plan.DaskCluster", refuse)
        assert main(["league", *players, *missing, "--out", str(out)]) == 2
        assert capsys.readouterr().err == "batllm-arcade: the league could not begin: no cluster can be reached\n"
        assert not out.exists()
        out.mkdir()
        (out / "mine.txt").write_text("kept")
        assert main(["league", *players, *missing, "--out", str(out)]) == 2
        assert [path.name for path in out.iterdir()] == ["mine.txt"]
        begun(tmp_path / "begun", small(*players, pairs=1))
        capsys.readouterr()
        assert main(["league", "--resume", str(tmp_path / "begun"), *missing]) == 1
    assert "go on with: batllm-arcade league --resume" in capsys.readouterr().err
