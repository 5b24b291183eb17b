"""HistoryManager by itself: the document's names and shapes, what it fills in, and that its files verify."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fakes import eventful, written

from batllm_arcade import HistoryManager, SeatInfo
from batllm_arcade.cli.main import main
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.history import reader, schema
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.history.verification import verify


def state(x: float, y: float, rot: float, shield: int, health: int) -> dict[str, Any]:
    return {"x": x, "y": y, "rot": rot, "shield": shield, "health": health}


def document_round(number: int, prompts: list[str], *turns: tuple[int, str, Any, Any]) -> dict[str, Any]:
    """A round as the document writes it; a turn is given as order, answer, state before and after."""
    keys = ("order", "llm_response", "pre_state", "post_state")
    shown = [{"turn_number": place, **dict(zip(keys, turn, strict=True))} for place, turn in enumerate(turns, 1)]
    return {
        "round_number": number, "prompts": prompts, "augmented": True, "independent_llms": False, "turns": shown,
    }  # fmt: skip


ANN, BOB = state(0.7, 0.8, 270, 1, 8), state(0.5, 0.3, 90, 0, 10)
EXAMPLE = {
    "games": [
        {
            "game_number": 1,
            "total_rounds": 2,
            "turns_per_round": 2,
            "rounds": [
                document_round(
                    1, ["Try to dodge the enemy.", "Aim and shoot at player1"],
                    (1, "M", state(0.5, 0.2, 90, 0, 10), BOB), (0, "B", ANN, ANN),
                ),
                document_round(
                    2, ["Close in on the enemy.", "Fall back and raise shield"],
                    (0, "M", ANN, state(0.7, 0.7, 270, 1, 8)), (1, "S1", BOB, state(0.5, 0.3, 90, 1, 10)),
                ),
            ],
        }
    ],
}  # fmt: skip
"""The shape of the history document's example, in numbers that its game's rules lead to."""
RULES: dict[str, Any] = {
    "arena_width": 1, "arena_height": 1, "bot_radius": 0.05, "step_length": 0.1, "bullet_damage": 5,
    "shield_degrees": 88, "initial_health": [8, 10], "initial_shield": False, "bots_collide": False,
    "free_move": True, "total_rounds": 2, "turns_per_round": 1,
}  # fmt: skip
START = [
    {"x": 0.7, "y": 0.8, "rot": 270, "shield": True, "health": 8},
    {"x": 0.5, "y": 0.2, "rot": 90, "shield": False, "health": 10},
]
RESULT = {"winner": None, "reason": "draw"}


def playing(start: Any = START) -> HistoryManager:
    """A session whose first game has begun."""
    manager = HistoryManager()
    manager.start_session()
    manager.start_game(RULES, ["Ann", "Bob"], start)
    return manager


def recorded(manager: HistoryManager) -> HistoryManager:
    """The example, told by nothing but the document's words."""
    manager.start_session()
    for game in EXAMPLE["games"]:
        manager.start_game(RULES, ["Ann", "Bob"], START)
        for entry in game["rounds"]:
            manager.start_round(entry["prompts"], entry["augmented"], entry["independent_llms"])
            for turn in entry["turns"]:
                manager.add_turn(turn["order"], turn["llm_response"], turn["pre_state"], turn["post_state"])
            manager.end_round()
        manager.end_game(RESULT)
    manager.end_session()
    return manager


def same_shape(document: Any, found: Any) -> Any:
    """What was found, without the keys that the document does not have."""
    if isinstance(document, dict):
        return {key: same_shape(value, found[key]) for key, value in document.items()}
    if isinstance(document, list):
        assert len(document) == len(found)
        return [same_shape(one, other) for one, other in zip(document, found, strict=True)]
    assert type(document) is type(found)
    return found


def test_the_document_s_example_is_recorded_in_its_shape_and_verifies(tmp_path, capsys):
    recorded(HistoryManager()).save(tmp_path / "s.json")
    session = json.loads((tmp_path / "s.json").read_text())
    assert same_shape(EXAMPLE, session) == EXAMPLE
    assert session["session_start"] <= session["session_end"]
    assert main(["verify", str(tmp_path / "s.json")]) == 0
    assert "1 game, 4 plays, all as recorded" in capsys.readouterr().out


def test_what_the_document_leaves_out_is_filled_in():
    (game,) = recorded(HistoryManager()).session["games"]
    assert game["seats"] == [{"name": "Ann", "brain": "Ann"}, {"name": "Bob", "brain": "Bob"}]
    assert game["result"] == RESULT
    first, second = game["rounds"]
    assert (first["acting_order"], second["acting_order"]) == ([1, 0], [0, 1])
    assert first["initial_state"] == [{**state, "shield": int(state["shield"])} for state in START]
    assert second["initial_state"] == [first["turns"][1]["post_state"], first["turns"][0]["post_state"]]
    assert (first["ended"], second["ended"]) == ("complete", "complete")
    assert [turn["turn"] for turn in first["turns"]] == [1, 1]
    assert [turn["cmd"] for turn in first["turns"]] == ["M", "B"]
    assert first["turns"][1]["opponent_state"] == first["turns"][0]["post_state"]


def test_session_is_plain_data_that_says_as_much_as_its_file(tmp_path):
    manager = recorded(HistoryManager())
    manager.save(str(tmp_path / "s.json"))
    assert reader.load(tmp_path / "s.json") == manager.session == json.loads(json.dumps(manager.session))


def duel(manager: HistoryManager, seed: int) -> None:
    """A game of two bots that do anything, told in the document's words and in our types."""
    rng = Random(f"duel {seed}")
    rules = Rules(400, 400, total_rounds=3, turns_per_round=6, initial_health=(5, 7), initial_shield=False)
    arena = game_rules.start(rng, rules)
    manager.start_game(rules, [SeatInfo("Ann", "x", "m"), {"name": "Bob", "brain": "y"}], arena)
    for _ in range(rules.total_rounds):
        order = game_rules.acting_order(rng)
        manager.start_round(("a", "b"), augmented=False, independent_llms=True)
        for number in range(2 * rules.turns_per_round):
            bot = order[number % 2]
            said = rng.choice(["B", "B", " b ", "M", "S", f"C{rng.randrange(360)}", "A3.5", "well, fire", ""])
            before, (arena, _) = arena, game_rules.step(arena, bot, parse(said), rules)
            manager.add_turn(bot, said, before.bot(bot), arena.bot(bot), thought="hm")
            if game_rules.knocked_out(arena) is not None:
                break
        manager.end_round()
        if game_rules.knocked_out(arena) is not None:
            break
    manager.end_game(game_rules.outcome(arena, rules))


def test_whole_sessions_told_turn_by_turn_verify(tmp_path):
    manager = HistoryManager()
    manager.start_session(seed=7)
    for seed in range(20):
        duel(manager, seed)
    manager.end_session()
    manager.save(tmp_path / "s.json")
    tape = read(tmp_path / "s.json")
    assert [str(each) for each in verify(tape)] == []
    assert {game.rounds[-1].ended for game in tape.games} == {"complete", "knockout"}
    plays = [play for game in tape.games for entry in game.rounds for play in entry.plays]
    assert {play.status for play in plays} == {"ok", "invalid"}
    assert {play.decision.thought for play in plays} == {"hm"}
    assert len(list(replay(tape))) > len(plays)


def test_what_the_caller_says_stands_over_what_would_be_filled_in():
    manager = HistoryManager()
    manager.start_session(program="BatLLM 2", session_start="2025-07-25T13:10:56.123456")
    manager.start_game(RULES, ["Ann", "Bob"], START, turns_per_round=8, venue="the attic")
    manager.start_round(["", ""], False, False, acting_order=[0, 1])
    manager.add_turn(
        1, "I fire!", START[1], START[1], cmd="B", opponent_state=START[0] | {"health": 3}, latency_s=2.5, mood="cross"
    )
    manager.end_session("2025-07-25T13:30:00.654321")
    (game,) = manager.session["games"]
    (entry,) = game["rounds"]
    (turn,) = entry["turns"]
    assert (manager.session["program"], manager.session["session_start"][:4]) == ("BatLLM 2", "2025")
    assert manager.session["session_end"] == "2025-07-25T13:30:00.654321"
    assert (game["turns_per_round"], game["venue"], entry["acting_order"]) == (8, "the attic", [0, 1])
    assert (turn["cmd"], turn["status"], turn["llm_response"]) == ("B", "ok", "I fire!")
    assert (turn["opponent_state"]["health"], turn["latency_s"], turn["mood"]) == (3, 2.5, "cross")


def test_a_play_is_judged_from_the_state_it_was_made_in():
    manager = HistoryManager()
    manager.start_session()
    manager.start_game(RULES, ["Ann", "Bob"], [START[0] | {"shield": False}, START[1] | {"rot": 0}])
    manager.start_round(["", ""], False, False)
    aiming = {"x": 0.7, "y": 0.2, "rot": 90, "shield": 0, "health": 10}  # not where the start left it
    manager.add_turn(1, "B", aiming, aiming)
    (turn,) = manager.session["games"][0]["rounds"][0]["turns"]
    assert turn["opponent_state"]["health"] == 3


def test_states_are_ours_or_mappings_which_keep_what_else_is_in_them():
    ours = BotState(0.5, 0.2, 90.0, 10.0, False)
    ann, bob = playing([START[0] | {"fuel": 7}, ours]).session["games"][0]["initial_state"]
    assert ann == {"x": 0.7, "y": 0.8, "rot": 270, "shield": 1, "health": 8, "fuel": 7}
    assert bob == {"x": 0.5, "y": 0.2, "rot": 90, "shield": 0, "health": 10}
    arena = Arena(BotState(0.1, 0.2, 3.0, 8.0, True), ours)
    assert playing(arena).session["games"][0]["initial_state"] == schema.states(arena)


def test_a_session_saved_before_its_end_is_read_as_far_as_it_goes(tmp_path):
    manager = playing()
    for step in ("a game", "a round", "a turn"):
        if step == "a round":
            manager.start_round(["", ""], False, False)
        elif step == "a turn":
            manager.add_turn(0, "S0", START[0], {**START[0], "shield": 0})
        manager.save(tmp_path / "s.json")
        assert json.loads((tmp_path / "s.json").read_text())["session_end"] is None
        assert list(verify(read(tmp_path / "s.json"))) == []
    manager.end_game(Result(None, "aborted"))
    (game,) = manager.session["games"]
    assert (game["rounds"][0]["ended"], game["total_rounds"]) == ("abandoned", 1)
    assert game["result"] == {"winner": None, "reason": "aborted"}


OUT_OF_ORDER = {
    "a game": (0, lambda m: m.start_game(RULES, ["a", "b"], START), "no session is open; call start_session first"),
    "a round": (1, lambda m: m.start_round(["", ""], True, False), "no game is open; call start_game first"),
    "a turn": (2, lambda m: m.add_turn(0, "M", START[0], START[0]), "no round is open; call start_round first"),
    "a turn after the round": (4, lambda m: m.add_turn(0, "M", START[0], START[0]), "no round is open"),
    "a round's end": (2, lambda m: m.end_round(), "no round is open; call start_round first"),
    "a game's end": (1, lambda m: m.end_game(RESULT), "no game is open; call start_game first"),
    "a round after the game": (5, lambda m: m.start_round(["", ""], True, False), "no game is open"),
    "a session's end": (0, lambda m: m.end_session(), "no session is open; call start_session first"),
    "a second session": (1, lambda m: m.start_session(), "this session has started already; make a new HistoryManager"),
    "a file": (0, lambda m: m.save("s.json"), "no session to save; call start_session first"),
    "a game after the session": (6, lambda m: m.start_game(RULES, ["a", "b"], START), "no session is open"),
}


@pytest.mark.parametrize("name", OUT_OF_ORDER)
def test_what_comes_out_of_order_says_what_to_call_first(name):
    done, call, complaint = OUT_OF_ORDER[name]
    manager = HistoryManager()
    steps = [
        manager.start_session,
        lambda: manager.start_game(RULES, ["Ann", "Bob"], START),
        lambda: manager.start_round(["", ""], True, False),
        manager.end_round,
        lambda: manager.end_game(RESULT),
        manager.end_session,
    ]
    for step in steps[:done]:
        step()
    with pytest.raises(HistoryError, match=complaint):
        call(manager)


WRONG = {
    "an order": (lambda m: m.add_turn(2, "M", START[0], START[0]), "order must be one of 0, 1, not 2"),
    "a state": (lambda m: m.add_turn(0, "M", {"x": 1}, START[0]), "pre_state has no 'shield'"),
    "a figure": (lambda m: m.add_turn(0, "M", START[0], START[0] | {"x": "1"}), "'x' of post_state must be a number"),
    "prompts": (lambda m: m.start_round({"left": "a", "right": "b"}, True, False), "prompts must be a list of two"),
    "seats": (lambda m: m.start_game(RULES, ["Ann"], START), "seats must be a list of two"),
    "a prompt": (lambda m: m.start_round(["a", None], True, False), "prompts must be a text, not None"),
    "a setting": (lambda m: m.start_round(["a", "b"], "yes", False), "augmented must be one of True, False"),
    "an answer": (lambda m: m.add_turn(0, None, START[0], START[0]), "llm_response must be a text, not None"),
    "a seat": (lambda m: m.start_game(RULES, ["Ann", {"name": "Bob"}], START), "a seat has no 'brain'"),
    "half a result": (lambda m: m.end_game({"winner": 0}), "result has no 'reason'"),
    "a reason": (lambda m: m.end_game({"winner": 0, "reason": "luck"}), "'reason' of result must be one of knockout"),
    "a winner": (lambda m: m.end_game({"winner": "Ann", "reason": "draw"}), "'winner' of result must be one of 0, 1"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_session_file_cannot_hold_is_refused_with_one_sentence(name):
    call, complaint = WRONG[name]
    manager = playing()
    manager.start_round(["", ""], True, False)
    before = json.dumps(manager.session)
    with pytest.raises(HistoryError, match=complaint):
        call(manager)
    assert json.dumps(manager.session) == before, "what is refused must leave nothing behind"


def test_the_recorder_s_files_are_the_manager_s(tmp_path):
    manager = HistoryManager()
    for record in eventful():
        manager.append(schema.entry(record))
    manager.save(tmp_path / "a.json")
    assert (tmp_path / "a.json").read_bytes() == written(eventful(), tmp_path / "b.json").read_bytes()


def test_the_documentation_s_example_makes_a_file_that_verifies(tmp_path, capsys):
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    (code,) = re.findall(r"^```python\n(from batllm_arcade import HistoryManager\n.*?)^```", page, re.M | re.S)
    names: dict[str, Any] = {}
    exec(compile(code, "formats.md", "exec"), names)
    names["record"](tmp_path / "s.json")
    assert main(["verify", str(tmp_path / "s.json")]) == 0
    assert "1 game, 2 plays, all as recorded" in capsys.readouterr().out
    (game,) = read(tmp_path / "s.json").games
    assert (game.rounds[0].ended, game.result) == ("complete", Result(1, "points"))
    assert [play.opponent_state.health for play in game.rounds[0].plays] == [100, 95]


@pytest.mark.parametrize("method", ["start_session", "start_game", "start_round", "add_turn", "end_round", "end_game"])
def test_every_method_is_in_the_documentation(method):
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    assert inspect.isfunction(getattr(HistoryManager, method))
    assert f"| `{method}(" in page


@pytest.mark.parametrize(("health", "ended"), [(0, "knockout"), (0.5, "complete"), (1, "complete")])
def test_a_round_ends_with_a_knock_out_only_where_no_health_is_left(health, ended):
    manager = HistoryManager()
    manager.start_session()
    assert manager.session["seed"] == 0  # nothing was drawn
    manager.start_game({**RULES, "turns_per_round": 1}, ["Ann", "Bob"], START)
    manager.start_round(["", ""], True, False)
    manager.add_turn(0, "S", START[0], START[0], opponent_state=START[1])
    manager.add_turn(1, "S", START[1], {**START[1], "health": health}, opponent_state=START[0])
    manager.end_round()
    assert manager.session["games"][0]["rounds"][0]["ended"] == ended
