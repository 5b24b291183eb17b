"""A league's folder: torn lines, two coordinators, everything that must not change while a league is played."""

from __future__ import annotations

import json

import pytest
from leagues import begun, line, small

from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.league_file import LEAGUE, open_league
from batllm_arcade.league.plan_file import load_plan
from batllm_arcade.league.store import PAIRS, LeagueStore, pair_of

PLAN = small("a=scripted:dancer", "b=scripted:turtle", pairs=5)


@pytest.fixture
def folder(tmp_path):
    begun(tmp_path / "league", PLAN)
    return tmp_path / "league"


def add(folder, *numbers):
    store = LeagueStore(folder, PLAN)
    store.add([PlayedPair(line(number, PLAN, ("a", "b")), {0: "{}"}) for number in numbers])
    store.close()


def test_lines_are_read_again_and_a_torn_last_one_is_dropped(folder):
    add(folder, 1, 2)
    whole = (folder / PAIRS).read_bytes()
    (folder / PAIRS).write_bytes(whole + b'{"pair": 3, "players": ["a"')
    store = LeagueStore(folder, PLAN)
    assert (store.played, store.tally.outcomes) == (2, {(0, 1): {"WL": 2}})
    store.close()
    assert (folder / PAIRS).read_bytes() == whole
    assert sorted(path.name for path in (folder / "sessions").iterdir()) == ["1-1.json", "2-1.json"]


@pytest.mark.parametrize("text", ["{}", "[]", "null", "not JSON", '{"pair": 3, "players": ["a", "b"], "seed": 9}'])
def test_a_line_of_another_league_is_refused(folder, text):
    add(folder, 1, 2)
    with (folder / PAIRS).open("a") as file:
        file.write(f"{text}\n")
    with pytest.raises(UsageError, match=r"line 3 of pairs.jsonl"):
        LeagueStore(folder, PLAN)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"reason": "points"}, "it is no knock-out, and a health is 0"),
        ({"health": {"a": 50, "b": 50}}, "its winner is not the one whose health was left"),
        ({"health": {"a": 50, "b": float("nan")}}, "a figure that is no number"),
        ({"health": {"a": 50, "b": -1}}, "'b' of 'health' of game 1 of it must be 0 or more, not -1"),
        ({"health": {"a": 50}}, "'health' does not have both players"),
        ({"winner": None}, "its winner does not go with the reason 'knockout'"),
        ({"reason": "luck"}, "its reason must be one of knockout, points, draw, forfeit, not 'luck'"),
        ({"left": "b"}, "its players are others"),
        ({"first": "c"}, "its players are others"),
        ({"turns": 4.0}, "'turns' of game 1 of it must be a whole number, not 4.0"),
        ({"written": {"a": 9, "b": 0}}, "tokens written are more than all tokens"),
        ({"by_fallback": {"a": 9, "b": 0}}, "plays by a fallback are more than there were plays"),
        ({"loss": {"a": {"plays": 9, "sum": 8.0}, "b": {"plays": 0, "sum": 0.0}}}, "judged are more than there were"),
        ({"loss": {"a": {"plays": 1, "sum": 1.5}, "b": {"plays": 0, "sum": 0.0}}}, "judged are more than there were"),
    ],
)
def test_a_game_that_contradicts_itself_is_none(change, why):
    pair = line(1, PLAN, ("a", "b"))
    assert pair_of(pair) == pair
    pair["games"][0].update(change)
    with pytest.raises(UsageError) as refused:
        pair_of(pair)
    assert why in str(refused.value)


def test_two_programs_cannot_play_the_same_league(folder):
    store = LeagueStore(folder, PLAN)
    with pytest.raises(UsageError, match="being played by another program"):
        LeagueStore(folder, PLAN)
    store.close()
    LeagueStore(folder, PLAN).close()


def changed(folder, change):
    values = json.loads((folder / LEAGUE).read_text())
    change(values)
    (folder / LEAGUE).write_text(json.dumps(values))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda values: values["plan"].update(pairs=6), "pairs of the plan"),
        (lambda values: values["plan"].update(seed=2), "seed of the plan"),
        (lambda values: values["plan"]["players"][0].update(brain="scripted:random"), "players of the plan"),
        (lambda values: values["plan"]["players"][1].update(orders="hide"), "the orders of b"),
        (lambda values: values["config"]["rules"].update(step_length=7), "rules of the configuration"),
        (lambda values: values["hashes"]["plugins"].update(scripted="0"), "the plugin 'scripted' has changed"),
        (lambda values: values["hashes"]["plugins"].update(lost="0"), "the plugin 'lost' has gone"),
        (lambda values: values.update(program="batllm-arcade 9"), "the program was batllm-arcade 9"),
    ],
)
def test_what_has_changed_since_is_named(folder, change, named):
    assert open_league(folder)[0].plan == PLAN
    changed(folder, change)
    with pytest.raises(UsageError, match=named):
        open_league(folder)


def test_files_that_a_league_was_begun_with_must_not_change(tmp_path):
    (tmp_path / "plugins").mkdir()
    bot, orders, config = tmp_path / "plugins" / "still.py", tmp_path / "hide.txt", tmp_path / "tiny.yaml"
    bot.write_text("from batllm_arcade import bot\n@bot('still')\ndef decide(me, foe, clock):\n    return None\n")
    orders.write_text("hide")
    config.write_text("rules: {total_rounds: 1}")
    (tmp_path / "league.yaml").write_text(
        "config: tiny.yaml\nplugins_dir: plugins\nplayers: [still, {name: b, brain: embedded, orders: '@hide.txt'}]"
    )
    plan, _ = load_plan(tmp_path / "league.yaml")
    begun(tmp_path / "out", plan)
    for path, text, named in (
        (bot, "import os\n", "the plugin 'still'"),
        (orders, "run", "the orders of b"),
        (config, "rules: {total_rounds: 2}", "rules of the configuration 'tiny.yaml'"),
    ):
        before = path.read_text()
        path.write_text(text)
        with pytest.raises(UsageError, match=named):
            open_league(tmp_path / "out")
        path.write_text(before)
    config.unlink()
    orders.unlink()
    assert open_league(tmp_path / "out")[0].plan == plan  # the folder holds all that is needed
