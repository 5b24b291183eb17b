"""Forged sessions: `verify` finds what can be derived, and what nobody can prove is listed with the reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from duels import Duel
from fakes import written

from batllm_arcade.brains.protocol import SeatInfo, View
from batllm_arcade.cli.main import main
from batllm_arcade.core import outcome as game_outcome
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena, rules_from
from batllm_arcade.history import schema
from batllm_arcade.history.node import Node
from batllm_arcade.history.states import arena_of
from batllm_arcade.match import runner
from batllm_arcade.match.runner import Answer, MatchPlan

Session = dict[str, Any]


class TimedDuel(Duel):
    """Two scripts, a tick of the clock for every time that is asked for."""

    def __init__(self, *names: str) -> None:
        super().__init__(*names)
        self.names, self.ticks = names, 0

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        left, right = (SeatInfo(name, f"scripted:{name}") for name in self.names)
        return left, right

    def ask(self, bot: int, view: View) -> Answer:
        return Answer(self.brains[bot].decide(view), "ok", "", 0.25, self.now())

    def now(self) -> str:
        self.ticks += 1
        return f"2026-01-01T12:{self.ticks // 60:02}:{self.ticks % 60:02}.000000Z"


def played(folder: Path, seed: int) -> Session:
    rules = rules_from({"total_rounds": 3, "turns_per_round": 12, "initial_health": 200, "bullet_damage": 10})
    plan = MatchPlan(rules, seed, 3, ("win", "hide"), header_template="hit for $bullet_damage")
    records = runner.play(plan, TimedDuel("sharpshooter", "turtle"))
    return json.loads(written(records, folder / f"{seed}.json").read_text())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Session:
    return played(tmp_path_factory.mktemp("good"), 5)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Another session, of another seed."""
    return played(tmp_path_factory.mktemp("other"), 6)


def found(session: Session, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    file = folder / "forged.json"
    file.write_text(json.dumps(session))
    code = main(["verify", str(file)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def simulated(session: Session) -> Session:
    """The session with the states and results that its starts and commands lead to."""
    for game in session["games"]:
        rules, arena = rules_from(game["rules"]), arena_of(Node(game["initial_state"], "start"))
        rounds, game["rounds"] = game["rounds"], []
        for entry in rounds:
            if game_outcome.knocked_out(arena) is not None:
                break
            game["rounds"].append(entry)
            entry["initial_state"] = schema.states(arena)
            arena = _plays(entry, arena, rules)
        whole = len(game["rounds"]) == rules.total_rounds or game_outcome.knocked_out(arena) is not None
        end = game_outcome.outcome(arena, rules) if whole else game_outcome.Result(None, "aborted")
        game |= {"result": {"winner": end.winner, "reason": end.reason}, "total_rounds": len(game["rounds"])}
    return session


def _plays(entry: dict[str, Any], arena: Arena, rules: Any) -> Arena:
    turns, entry["turns"] = entry["turns"], []
    for play in turns:
        if game_outcome.knocked_out(arena) is not None:
            break
        bot, command = play["order"], Nothing() if play["cmd"] == "ERR" else game_rules.read_command(play["cmd"], rules)
        play["pre_state"] = schema.state(arena.bot(bot))
        arena, _ = game_rules.step(arena, bot, command, rules)
        play |= {"post_state": schema.state(arena.bot(bot)), "opponent_state": schema.state(arena.bot(1 - bot))}
        entry["turns"].append(play)
    whole = len(entry["turns"]) == 2 * rules.turns_per_round
    over = game_outcome.knocked_out(arena) is not None
    entry["ended"] = "knockout" if over else "complete" if whole else "abandoned"
    return arena


def plays(session: Session) -> list[dict[str, Any]]:
    return [play for game in session["games"] for entry in game["rounds"] for play in entry["turns"]]


def put(path: str, value: Any) -> Callable[[Session], Any]:
    """Put a value at a path of keys; `None` at the end of the path takes it away."""

    def change(session: Session) -> None:
        *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
        node: Any = session
        for key in keys:
            node = node[key]
        if value is GONE:
            del node[last]
        else:
            assert (node[last] if isinstance(node, list) else node.get(last)) != value, "the change changes nothing"
            node[last] = value

    return change


GONE = object()
GAME, ROUND = "games/0", "games/0/rounds/0"
PLAY = f"{ROUND}/turns/5"


def without_shots(bot: int) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        shots = [play for play in plays(session) if play["order"] == bot and play["cmd"] == "B"]
        assert shots
        for play in shots:
            play["cmd"] = "ERR"
        simulated(session)

    return change


def moved(session: Session) -> None:
    session["games"][0]["initial_state"][0]["x"] += 1
    simulated(session)


def other_start(key: str, value: Any) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        for state in session["games"][0]["initial_state"]:
            state[key] = value
        simulated(session)

    return change


def other_health(session: Session) -> None:
    session["games"][0]["rules"]["initial_health"] = 50
    simulated(session)


def other_order(session: Session) -> None:
    for entry in session["games"][0]["rounds"][:1]:
        entry["acting_order"].reverse()
        for play in entry["turns"]:
            play["order"] = 1 - play["order"]
    simulated(session)


def other_seed(*where: str) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        if "session" in where:
            session["seed"] += 1
        for game in session["games"] if "game" in where else ():
            game["seed"] += 1

    return change


def renumbered(session: Session) -> None:
    for number, game in enumerate(session["games"], 1):
        game["game_number"] = number


def games(change: Callable[[list[Any]], Any], *, number: bool = False) -> Callable[[Session], None]:
    def changed(session: Session) -> None:
        change(session["games"])
        if number:
            renumbered(session)

    return changed


def swapped(**values: Any) -> Callable[[Session], None]:
    def change(session: Session) -> None:
        entry = session["games"][0]["rounds"][0]
        swap = {"turn_number": 5, "order": entry["turns"][4]["order"], "brain": "scripted:random", "why": "fallback"}
        entry["swaps"] = [swap | values]

    return change


def cut_short(session: Session) -> None:
    game = session["games"][0]
    game["rounds"] = game["rounds"][:1]
    game["rounds"][0]["turns"] = game["rounds"][0]["turns"][:5]
    simulated(session)


def failing(status: str, many: int) -> Callable[[Session], None]:
    """The left bot's first plays had no answer, and it played on."""

    def change(session: Session) -> None:
        turns = session["games"][0]["rounds"][0]["turns"]
        for play in [play for play in turns if play["order"] == 0][:many]:
            play |= {"cmd": "ERR", "llm_response": "", "status": status, "reason": "late"}
        simulated(session)

    return change


CAUGHT: dict[str, tuple[Callable[[Session], Any], str]] = {
    "the winner's shots never were": (without_shots(0), r"play \d+: cmd is 'ERR' in the file and 'B' by its llm_resp"),
    "a command, not its answer": (put(f"{PLAY}/cmd", "A45"), r"game 1, round 1, play 6: .*turn 1\.1\.3"),
    "an answer, not its command": (put(f"{PLAY}/llm_response", "C359"), r"play 6: cmd is .* by its llm_response"),
    "a script's answer that is no command": (put(f"{PLAY}/llm_response", "well"), r"play 6: llm_response is 'well'"),
    "a script's answer that was no good": (put(f"{PLAY}/status", "invalid"), r"play 6: cmd is"),
    "an altered state": (put(f"{PLAY}/post_state/x", 1.5), r"play 6: post_state\.x"),
    "another start": (moved, r"game 1, left: initial_state\.x is .* as drawn from the seed"),
    "another health at the start": (other_start("health", 90), r"initial_state\.health is 90 .*drawn"),
    "another shield at the start": (other_start("shield", 0), r"initial_state\.shield is 0 .*drawn"),
    "another initial_health": (other_health, r"initial_state\.health is 200 in the file and 50"),
    "another acting order": (other_order, r"round 1: acting_order is .* as drawn"),
    "the session's seed": (other_seed("session"), r"the session: seed is 6 in the file and 5 in its first game"),
    "the games' seeds": (other_seed("game"), r"the session: seed is 5"),
    "all seeds": (other_seed("session", "game"), r"initial_state\.x is .* as drawn"),
    "the seed 0": (lambda s: (put("seed", 0)(s), put(f"{GAME}/seed", 0)(s)), r"game 1, left: initial_state"),
    "no games": (put("games", []), r"the session: games is \[\] in the file and must hold a game"),
    "the first game dropped": (games(lambda g: g.pop(0)), r"game_number is 2 in the file and 1"),
    "the first game dropped, renumbered": (games(lambda g: g.pop(0), number=True), r"initial_state\.x"),
    "a game twice": (games(lambda g: g.insert(1, deepcopy(g[0]))), r"game_number is 1 in the file and 2"),
    "a game twice, renumbered": (games(lambda g: g.insert(1, deepcopy(g[0])), number=True), r"initial_state\.x"),
    "games swapped": (games(lambda g: g.reverse()), r"game_number is 3 in the file and 1"),
    "games swapped, renumbered": (games(lambda g: g.reverse(), number=True), r"initial_state\.x"),
    "a round dropped": (lambda s: s["games"][0]["rounds"].pop(0), r"round_number"),
    "a play dropped": (lambda s: s["games"][0]["rounds"][0]["turns"].pop(3), r"turn_number is 5 in the file and 4"),
    "no result": (put(f"{GAME}/result", GONE), r"game 1: result is None in the file and must be there"),
    "no last result": (put("games/2/result", GONE), r"game 3: result is None"),
    "another winner": (put(f"{GAME}/result/winner", 1), r"result\.winner"),
    "another reason": (put(f"{GAME}/result/reason", "draw"), r"result\.reason"),
    "a round that did not end": (put(f"{ROUND}/ended", GONE), r"round 1: ended is None"),
    "a fallback that never was": (swapped(), r"swaps\.why is 'fallback' .* must come after 3 plays in a row"),
    "a swap of the wrong bot": (lambda s: swapped(order=1 - s["games"][0]["rounds"][0]["turns"][4]["order"])(s),
                                r"swaps\.order"),
    "a swap after the round": (swapped(turn_number=99), r"swaps\.turn_number is 99"),
    "three failures without a fallback": (failing("timeout", 3), r"swaps is 'without a swap here'"),
    "a model that got its seat back and failed": (lambda s: (failing("timeout", 1)(s), swapped(
        why="recovered", order=0, turn_number=1 + s["games"][0]["rounds"][0]["acting_order"].index(0))(s)),
        r"status is 'timeout' .* must be an answer where a model gets its seat back"),
    "a forfeit after one failure": (failing("forfeit", 1), r"status is 'forfeit' .* last of 3 in a row"),
    "an answer that came too late": (lambda s: (failing("timeout", 1)(s), s["games"][0]["rounds"][0]["turns"][
        s["games"][0]["rounds"][0]["acting_order"].index(0)].update(llm_response="S0")), r"no answer in time"),
    "a negative latency": (put(f"{PLAY}/latency_s", -99), r"play 6: latency_s is -99 in the file and must be 0"),
    "yesterday": (put(f"{PLAY}/timestamp", "yesterday"), r"play 6: timestamp is 'yesterday' .* must be a time"),
    "a play before the last": (put(f"{PLAY}/timestamp", "2026-01-01T12:00:01Z"), r"play 6: timestamp .* not be before"),
    "a play before the session": (put(f"{ROUND}/turns/0/timestamp", "2025-01-01T12:00:00Z"), r"play 1: timestamp"),
    "an end before the start": (put("session_end", "2025-01-01T12:00:00Z"), r"session_end .* must not be before"),
    "no session_end": (put("session_end", GONE), r"the session has no 'session_end'"),
    "no timestamp": (put(f"{PLAY}/timestamp", GONE), r"play 6 of .* has no 'timestamp'"),
    "NaN in a seat's options": (put(f"{GAME}/seats/0/options", {"x": float("nan")}), r"one of its numbers is 'NaN'"),
    "infinity in a seat's options": (put(f"{GAME}/seats/0/options", {"x": float("inf")}), r"numbers is 'Infinity'"),
    "NaN under an unknown name": (put("more", [float("nan")]), r"one of its numbers is 'NaN'"),
    "queued from a later play": (put(f"{PLAY}/queued_from", 7), r"play 6: queued_from is 7"),
    "queued, with an answer": (put(f"{PLAY}/queued_from", 4), r"play 6: llm_response is .* must be empty"),
    "cut, though short": (put(f"{PLAY}/raw_cut", 1), r"play 6: raw_cut is 1 in the file and must be more than"),
    "tokens that are none": (put(f"{PLAY}/tokens", [3]), r"'tokens' of play 6 .* is no object"),
    "augmented in one round only": (put(f"{GAME}/rounds/1/augmented", False), r"round 2: augmented is False"),
    "not augmented, with a header": (lambda s: [put(f"{GAME}/rounds/{n}/augmented", False)(s) for n in range(
        len(s["games"][0]["rounds"]))], r"system_header is"),
    "one model for both in one round only": (put(f"{GAME}/rounds/1/independent_llms", True), r"independent_llms"),
}  # fmt: skip
"""Forgeries that `verify` finds, and what it says."""

UNPROVABLE: dict[str, tuple[Callable[[Session], Any], str]] = {
    "names": (put(f"{GAME}/seats/0/name", "Ann"), "a person chooses them"),
    "another model brain": (put(f"{GAME}/seats/0/model", "m"), "no brain plays again"),
    "prompts": (put(f"{ROUND}/prompts", ["a", "b"]), "players write them"),
    "the header": (put(f"{ROUND}/system_header", "hit"), "its template is not in the file"),
    "the program": (put("program", "another"), "nothing follows from it"),
    "a thought": (put(f"{PLAY}/thought", "hm"), "nobody else heard it"),
    "what was said": (put(f"{PLAY}/say", "hi"), "nobody else heard it"),
    "tokens": (put(f"{PLAY}/tokens", {"prompt": 3}), "a server counted them"),
    "a cut where the answer is as long": (put(f"{PLAY}/raw_cut", 99), "what was cut off is gone"),
    "a latency": (put(f"{PLAY}/latency_s", 3), "only its clock saw it"),
    "a time between its neighbours": (put(f"{PLAY}/timestamp", "2026-01-01T12:00:07.5Z"), "only its clock saw it"),
    "the last game dropped": (games(lambda g: g.pop()), "nothing says how many there were"),
    "a game cut short": (cut_short, "ctrl-C and a window end one in the same way"),
    "a swap that a person asked for": (swapped(why="swap"), "who was asked is not in the answer"),
    "a game marked as not drawn": (put(f"{GAME}/drawn", False), "other programs choose starts, too; it is said"),
    "the session's end": (put("session_end", None), "a killed program leaves none, and it is said"),
}
"""Forgeries that nobody can find in the file alone, and why."""


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_the_session_that_is_forged_is_a_good_one(tmp_path, capsys, seed):
    code, said = found(played(tmp_path, seed), tmp_path, capsys)
    assert (code, "all as recorded" in said) == (0, True), said


@pytest.mark.parametrize("name", CAUGHT)
def test_a_forgery_is_found_and_named_with_its_place(good, tmp_path, capsys, name):
    forge, expected = CAUGHT[name]
    session = deepcopy(good)
    forge(session)
    code, said = found(session, tmp_path, capsys)
    assert code in (1, 2), said
    assert re.search(expected, said), said


def test_a_game_of_another_session_is_found(good, other, tmp_path, capsys):
    session = deepcopy(good)
    session["games"][1] = deepcopy(other["games"][1])
    code, said = found(session, tmp_path, capsys)
    assert code == 1, said


@pytest.mark.parametrize("name", UNPROVABLE)
def test_what_nobody_can_prove_is_not_claimed(good, tmp_path, capsys, name):
    forge, why = UNPROVABLE[name]
    session = deepcopy(good)
    forge(session)
    code, said = found(session, tmp_path, capsys)
    assert (code, bool(why)) == (0, True), said
