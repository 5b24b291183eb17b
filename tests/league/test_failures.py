"""Players that fail: the game or the seat is lost after three failures in a row, and the table says so."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from leagues import ANSWER_AND_DIE, begun, line, small, winners_of

from batllm_arcade.league.coordinator import FAILING, FAILING_AFTER_GOOD, Failures
from batllm_arcade.league.engines import processes
from batllm_arcade.league.engines.pair_play import NotReady, PairPlayer, PlayedPair
from batllm_arcade.league.output import words
from batllm_arcade.league.output.words import markdown
from batllm_arcade.league.plan import PairSchedule, plan_from
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.plugin.isolated import IsolationChoice

BROKEN = """
from batllm_arcade import bot

@bot("broken")
def decide(me, foe, clock):
    if clock.rng.random() < {share}:
        raise ValueError("no ammunition")
    return "M"
"""


@pytest.fixture
def player(tmp_path):
    """What plays pairs of a bot that always raises against one that does nothing, with these changes of its plan."""
    made = []

    def make(*, share=1, fallback="", **more):
        (tmp_path / "broken.py").write_text(BROKEN.format(share=share))
        plan = small("broken", "scripted:turtle", turns=8, sessions="all", plugins_dir=str(tmp_path), **more)
        plan = replace(plan, players=(replace(plan.players[0], fallback=fallback), plan.players[1]))
        made.append(PairPlayer(set_up(plan, load_config(plan), IsolationChoice("nothing", "none"))))
        return plan, made[-1]

    yield make
    for each in made:
        each.close()


def test_three_failures_in_a_row_forfeit_that_game_and_the_next_begins_with_the_player_again(player):
    plan, plays = player()
    played = plays.play(PairSchedule(plan).pair(1))
    for game in played.line["games"]:
        assert (game["winner"], game["reason"]) == ("turtle", "forfeit")
        assert game["faults"]["broken"]["error"] == 3
        assert game["by_fallback"] == {"broken": 0, "turtle": 0}
    reasons = played.failures["broken"]
    assert (len(reasons), all("ValueError: no ammunition" in why for why in reasons)) == (2, True)


@pytest.mark.parametrize("more", [{"on_failure": "fallback"}, {"fallback": "scripted:dancer"}])
def test_where_a_fallback_is_wished_it_plays_on_and_its_plays_are_counted(player, more):
    plan, plays = player(**more)
    played = plays.play(PairSchedule(plan).pair(1))
    for game in played.line["games"]:
        assert game["reason"] != "forfeit"
        assert game["by_fallback"]["broken"] == game["latency_s"]["broken"]["plays"] - 3 > 0
    assert len(played.failures["broken"]) == 2


def test_a_server_that_has_gone_pauses_the_league_and_costs_its_player_no_game(player, monkeypatch):
    plan, plays = player()
    plays._asking["broken"] = True

    def gone(name):
        raise NotReady(f"{name}: no server answers")

    monkeypatch.setattr(plays, "_ready", gone)
    with pytest.raises(NotReady, match="broken: no server answers"):
        plays.play(PairSchedule(plan).pair(1))


def test_a_league_of_before_plays_on_with_fallbacks():
    values = small().values()
    assert plan_from(values).on_failure == "forfeit"
    del values["on_failure"]
    assert plan_from(values).on_failure == "fallback"


def pairs(*failed):
    """Pairs of a and b, in each of which a failed in so many games."""
    plan = small("a=scripted", "b=scripted", pairs=len(failed))
    return [
        PlayedPair(line(number, plan), {}, {"a": ["crashed: at once"] * games})
        for number, games in enumerate(failed, 1)
    ]


@pytest.mark.parametrize(
    ("failed", "pauses_after"),
    [
        ([2] * 3, FAILING // 2),
        ([1] * 50, None),
        ([2, 1, 2, 2, 2], None),
        ([0, *[2] * 12], 1 + FAILING_AFTER_GOOD // 2),
        ([0] * 5, None),
    ],
)
def test_a_player_that_fails_in_every_game_pauses_the_league(failed, pauses_after):
    failures = Failures()
    said = [failures.add(played) for played in pairs(*failed)]
    assert [number for number, why in enumerate(said, 1) if why][:1] == ([] if pauses_after is None else [pauses_after])
    for why in filter(None, said):
        assert why.startswith("a has failed in each of its last ")
        assert why.endswith("games: crashed: at once")


def test_a_rating_that_is_not_the_players_alone_has_a_mark_and_a_sentence():
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=2)
    tally = LeagueTally(plan)
    for pair in PairSchedule(plan).from_number(1):
        made = line(pair.number, plan, winners_of(pair, plan))
        for game in made["games"]:
            if "a" in made["players"]:
                game["by_fallback"] = {name: 3 * (name == "a") for name in made["players"]}
            if made["players"] == ["b", "c"]:
                game.update(winner="b", reason="forfeit")
        tally.add(made)
    found = table(plan, tally, complete=True)
    rows = {row.name: row for row in found.players}
    assert [(rows[name].by_fallback, rows[name].forfeits) for name in "abc"] == [(24, 0), (0, 0), (0, 4)]
    assert {name: words.mark(row) for name, row in rows.items()} == {"a": "*", "b": "", "c": "*"}
    said = [
        "a * at a: 24 of its 32 plays were its fallback's",
        "a * at c: 4 of its 8 games were forfeited after three failures in a row",
    ]
    assert sorted(words.marked(found)) == said
    assert type(found).read(found.values()) == found
    assert "A * at a: 24" in markdown(found, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_the_last_words_of_a_process_that_was_killed_are_heard(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "WORKER", [sys.executable, "-I", "-S", "-c", ANSWER_AND_DIE])
    plan = small()
    pool = processes.ProcessPool(begun(tmp_path / "out", plan), 1, tmp_path / "log")
    try:
        (first,) = pool.pids
        pool.submit(7, [PairSchedule(plan).pair(1)])
        (dead,) = pool._workers
        dead.child.join()
        told = pool.reports(10)
        assert [(report.chunk, report.ended) for report in told] == [(7, True)]
        assert pool.pids != [first], "another one is started in its place"
    finally:
        pool.close()
