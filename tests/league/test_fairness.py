"""Models of a league play alike: their own orders alone, one way of thinking, one temperature."""

from __future__ import annotations

from dataclasses import replace

import pytest
from leagues import small
from model_server import ScriptedServer, answer, endless
from providers import completion

from batllm_arcade.league.engines.pair_play import NotReady, PairPlayer
from batllm_arcade.league.output import words
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally


def server(*, thought="", refuses="", says='{"cmd": "M"}', limits=()):
    """An OpenAI-style server whose model is of version 7, thinks this, and knows no parameter of the refused name.

    Its first plays it refuses with these words, for longer than a play may take.
    """
    refusals = list(limits)

    def step(to):
        if to.request.method == "GET":
            return answer({"data": [{"id": name} for name in ("m", "gpt-5-mini", "claude-x")]})(to)
        if refusals and b"history" in to.request.body:
            error = answer({"error": {"message": refusals.pop(0)}}, 429, headers=("retry-after-ms: 1200",))
            return error(to)
        if refuses and refuses in to.request.json:
            message = f"Unrecognized request argument supplied: {refuses}"
            return answer({"error": {"message": message, "type": "invalid_request_error", "param": refuses}}, 400)(to)
        said = completion(says)
        said["choices"][0]["message"]["reasoning_content"] = thought
        return answer({**said, "model": f"{to.request.json['model']}-7"})(to)

    return ScriptedServer(endless(step))


def played(there, brain="openai:model=m", **more):
    """The line of one pair of a model against a turtle, its plan, and what the server was sent."""
    plan = small(f"a={brain},base_url={there.url}", "b=scripted:turtle", turns=2, pairs=1, **more)
    first, second = plan.players
    plan = replace(plan, players=(replace(first, orders="ATTACK"), replace(second, orders="SECRET")))
    player = PairPlayer(set_up(plan, load_config(plan)))
    try:
        line = player.play(PairSchedule(plan).pair(1)).line
    finally:
        player.close()
    tally = LeagueTally(plan)
    tally.add(line)
    bodies = [request.json for request in there.requests if b"game_id" in request.body or b"history" in request.body]
    return next(row for row in table(plan, tally, complete=True).players if row.name == "a"), plan, tally, bodies


@pytest.mark.parametrize(("shared", "told"), [(False, False), (True, True), (None, True)])
def test_a_model_is_sent_its_rivals_orders_only_where_that_is_wished(shared, told):
    with server() as there:
        _, plan, tally, bodies = played(there, shared=shared)
    assert bodies
    assert all(("SECRET" in str(body)) == told for body in bodies)
    assert all("ATTACK" in str(body) for body in bodies)
    said = "\n".join(words.lines(table(plan, tally, complete=True)))
    assert ("its own orders alone" in said, "its rival's orders, too" in said) == (shared is False, shared is True)


@pytest.mark.parametrize(
    ("brain", "how", "more", "as_played"),
    [
        ("model=m", {}, {}, ("reasoning_effort none", "0.8")),
        ("model=m", {}, {"think": "low", "temperature": "none"}, ("reasoning_effort low", "")),
        ("model=m,think=high,temperature=0.5", {"thought": "Hm."}, {}, ("reasoning_effort high", "0.5")),
        ("model=m", {"refuses": "reasoning_effort"}, {}, ("", "0.8")),  # who cannot think does not
        ("model=m", {"refuses": "reasoning_effort"}, {"think": "low"}, "a cannot be told how much to think"),
        ("model=m", {"thought": "Hm."}, {}, "a cannot be kept from thinking"),
        ("model=gpt-5-mini", {}, {}, "a cannot be kept from thinking"),
        ("model=gpt-5-mini", {}, {"think": "auto"}, ("", "0.8")),
        ("model=claude-x", {}, {}, "a does not take the temperature"),
        ("model=claude-x", {"refuses": "temperature"}, {"temperature": "0.3"}, "a does not take the temperature"),
        ("model=claude-x", {}, {"temperature": "auto"}, ("reasoning_effort none", "")),
    ],
)
def test_models_think_alike_or_are_refused_and_the_table_has_how_they_played(brain, how, more, as_played):
    with server(**how) as there:
        if isinstance(as_played, str):
            with pytest.raises(NotReady, match=as_played):
                played(there, f"openai:{brain}", **more)
        else:
            row, *_ = played(there, f"openai:{brain}", **more)
            name = brain.partition(",")[0].removeprefix("model=")
            assert (row.think, row.temperature, row.model) == ([as_played[0]], [as_played[1]], [f"{name}-7"])


BUSY, QUOTA = "too many requests", "insufficient_quota: buy more"


@pytest.mark.parametrize("limits", [[BUSY], [QUOTA, QUOTA]])
def test_a_limit_costs_a_player_no_play(limits):
    with server(limits=limits) as there:
        row, *_ = played(there, "openai:model=m,deadline_s=1")
    assert (row.legal, sum(row.faults.values())) == (1.0, 0)


def test_a_limit_that_does_not_end_pauses_the_league():
    with server(limits=[QUOTA] * 1000) as there, pytest.raises(NotReady, match=r"^a: the quota at .* is used up"):
        played(there)


def test_a_model_without_a_command_in_half_of_its_plays_is_marked():
    with server(says="I move") as there:
        row, plan, tally, _ = played(there)
    assert (row.legal, words.mark(row)) == (0.0, "*")
    assert words.marked(table(plan, tally, complete=True)) == ["a * at a: it gave no command in 4 of its 4 plays"]
