"""HistoryManager: a play session as plain dicts and lists, session > games > rounds > turns, saved as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Command, Nothing
from batllm_arcade.core.model import Arena, BotState, Rules, rules_from
from batllm_arcade.core.rules import Result, read_command
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history import schema
from batllm_arcade.history.paths import program
from batllm_arcade.history.schema import HistoryError, Node, result_of, state_of

_STATE = ("x", "y", "rot", "shield", "health")
State = BotState | Mapping[str, Any]
"""A bot's state: ours, or a mapping with at least `x`, `y`, `rot`, `shield` and `health`."""


class HistoryManager:
    """Logs a session: start_session, then per game start_game, per round start_round, a turn per play, and the ends.

    One turn is one bot's play. `session` holds everything so far as plain dicts and lists. Keyword arguments in
    `more` are recorded as they are, over what would be recorded otherwise: they must be JSON values. Every method
    raises HistoryError if it is called out of order or given something that a session file cannot hold.
    """

    def __init__(self) -> None:
        self.session: dict[str, Any] = {}
        self._order_given = False
        self._clock = SessionClock()

    def start_session(self, seed: int = 0, **more: Any) -> None:
        """Start the session; `seed` is what its games are drawn from, 0 if they are not drawn."""
        if self.session:
            raise HistoryError("this session has started already; make a new HistoryManager for the next one")
        self.append({"session": {**schema.session_head(program(), self._clock.now(), seed), **more}})

    def start_game(
        self,
        rules: Rules | Mapping[str, Any],
        seats: Sequence[SeatInfo | Mapping[str, Any] | str],
        initial_state: Arena | Sequence[State],
        **more: Any,
    ) -> None:
        """Start a game: its rules by name, who plays (left first, a name or more), and both bots' states.

        With `drawn=True` these states and the acting orders are those that `run` would draw from the seed.
        """
        games = self._inside("session", "start_session")["games"]
        figures = rules if isinstance(rules, Rules) else rules_from(rules)
        bots = (initial_state.left, initial_state.right) if isinstance(initial_state, Arena) else initial_state
        game = {
            "game_number": len(games) + 1,
            "total_rounds": 0,
            "turns_per_round": 2 * figures.turns_per_round,
            "seed": self.session["seed"],
            "drawn": False,
            "rules": schema.rules(figures),
            "seats": [_seat(each) for each in _two(seats, "seats")],
            "initial_state": [_state(each, "initial_state", figures) for each in _two(bots, "initial_state")],
        }
        self.append({"game": {**game, **more}})

    def start_round(self, prompts: Sequence[str], augmented: bool, independent_llms: bool, **more: Any) -> None:
        """Start a round: the players' prompts, left first, and how the models were asked.

        `acting_order` is that of the first turn and `initial_state` the last states unless they are given.
        """
        rounds = self._inside("game", "start_game")["rounds"]
        entry = {
            "round_number": len(rounds) + 1,
            "prompts": [Node(each, "prompts").text() for each in _two(prompts, "prompts")],
            "augmented": Node(augmented, "augmented").one_of((True, False)),
            "independent_llms": Node(independent_llms, "independent_llms").one_of((True, False)),
            "acting_order": [0, 1],
            "initial_state": self._states(),
        }
        self._order_given = "acting_order" in more
        self.append({"round": {**entry, **more}})

    def add_turn(self, order: int, llm_response: str, pre_state: State, post_state: State, **more: Any) -> None:
        """Add a play: the acting bot (0 left, 1 right), the model's exact answer, its states before and after.

        Unless they are given, `cmd` and `status` are read from the answer, and `opponent_state` (the other bot
        after the play) is what the rules make of it.
        """
        current = self._inside("round", "start_round")
        Node(order, "order").bot()
        rules = rules_from(self.session["games"][-1]["rules"])
        before, number = _state(pre_state, "pre_state", rules), len(current["turns"]) + 1
        command = read_command(str(more.get("cmd", llm_response)), rules)
        other = more.pop("opponent_state", None) or self._opponent_after(order, before, command, rules)
        unread = command if isinstance(command, Nothing) and "cmd" not in more else None
        turn = {
            "turn_number": number,
            "order": order,
            "llm_response": Node(llm_response, "llm_response").text(),
            "pre_state": before,
            "post_state": _state(post_state, "post_state", rules),
            "opponent_state": _state(other, "opponent_state", rules),
            "turn": (number + 1) // 2,
            "cmd": command.token,
            "status": "invalid" if unread else "ok",
            **({"reason": unread.reason} if unread else {}),
            "timestamp": self._clock.now(),
            "latency_s": 0.0,
        }
        if number == 1 and not self._order_given:
            current["acting_order"] = [order, 1 - order]
        self.append({"play": {**turn, **more}})

    def end_round(self, ended: str = "") -> None:
        """End the round: `complete`, `knockout` or `abandoned`; by its plays unless it is given."""
        current = self._inside("round", "start_round")
        if not ended:
            whole = len(current["turns"]) == self.session["games"][-1]["turns_per_round"]
            knocked_out = any(state["health"] <= 0 for state in self._states())
            ended = "knockout" if knocked_out else "complete" if whole else "abandoned"
        self.append({"round_end": ended})

    def end_game(self, result: Result | Mapping[str, Any], **more: Any) -> None:
        """End the game, and its round if that is open: `winner` (0, 1 or None) and `reason`."""
        rounds = self._inside("game", "start_game")["rounds"]
        found = {"winner": result.winner, "reason": result.reason} if isinstance(result, Result) else dict(result)
        result_of(Node(found, "result"))
        if rounds and "ended" not in rounds[-1]:
            self.end_round()
        self.append({"game_end": {"total_rounds": len(rounds), "result": found, **more}})

    def end_session(self, timestamp: str = "") -> None:
        """End the session; until then `session_end` is null in its files."""
        self._inside("session", "start_session")
        self.append({"session_end": timestamp or self._clock.now()})

    def save(self, path: str | Path) -> None:
        """Write the session file, in one step, over what is there; raise OSError if the disk does not take it.

        A session may be saved at any time, also before its end.
        """
        if not self.session:
            raise HistoryError("there is no session to save; call start_session first")
        write_session(Path(path), self.session, map(compact, self.session["games"]))

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add one entry of a journal; raise KeyError or IndexError if it continues nothing."""
        (kind, value), *more = entry.items()
        session = self.session
        if kind == "session_end" and session:
            session.update({kind: value, **{name: each for name, each in more if name == "secret"}})
        elif more:
            raise KeyError(more[0][0])
        elif kind == "session":
            session.update(value, games=[])
        elif kind == "game":
            session["games"].append({**value, "rounds": []})
        elif kind == "round":
            game = session["games"][-1]
            game["total_rounds"] = value["round_number"]
            game["rounds"].append({**value, "turns": []})
        elif kind in ("swap", "notes"):
            session["games"][-1]["rounds"][-1].setdefault("swaps" if kind == "swap" else kind, []).append(value)
        elif kind == "play":
            session["games"][-1]["rounds"][-1]["turns"].append(value)
        elif kind == "adapted":
            _holder(session["games"][-1], value["order"])["adapted"] = value["adapted"]
        elif kind == "round_end":
            session["games"][-1]["rounds"][-1]["ended"] = value
        elif kind == "game_end":
            session["games"][-1].update(value)
        else:
            raise KeyError(kind)

    def _inside(self, level: str, needed: str) -> dict[str, Any]:
        found = self.session if self.session and not self.session["session_end"] else None
        for name, parts, end in (("game", "games", "result"), ("round", "rounds", "ended")):
            if found is not None and level in (name, "round"):
                found = found[parts][-1] if found[parts] and end not in found[parts][-1] else None
        if found is None:
            raise HistoryError(f"no {level} is open; call {needed} first")
        return found

    def _opponent_after(self, order: int, before: Mapping[str, Any], command: Command, rules: Rules) -> dict[str, Any]:
        bots = [_typed(each) for each in self._states()]
        bots[order] = _typed(before)
        after, _ = game_rules.step(Arena(*bots), order, command, rules)
        return schema.state(after.bot(1 - order), battery=bool(rules.battery))

    def _states(self) -> list[dict[str, Any]]:
        game = self.session["games"][-1]
        last = next((entry["turns"][-1] for entry in reversed(game["rounds"]) if entry["turns"]), None)
        if last is None:
            return [dict(state) for state in game["initial_state"]]
        both = [dict(last["post_state"]), dict(last["opponent_state"])]
        return both if last["order"] == 0 else both[::-1]


def _holder(game: dict[str, Any], bot: int) -> dict[str, Any]:
    swaps = (swap for entry in reversed(game["rounds"]) for swap in reversed(entry.get("swaps", [])))
    found: dict[str, Any] = next((swap for swap in swaps if swap["order"] == bot), game["seats"][bot])
    return found


def compact(value: Any) -> str:
    """Return the value as JSON without blanks."""
    return json.dumps(value, separators=(",", ":"))


def write_session(path: Path, session: Mapping[str, Any], games: Iterable[str], *, new: bool = False) -> None:
    """Write a session file in one step: the session's own keys, and its games as JSON texts, one a line.

    With `new` nothing is replaced: raise FileExistsError if anything is there.
    """
    write_text(path, session_parts(session, games), new=new)


def session_parts(session: Mapping[str, Any], games: Iterable[str]) -> Iterator[str]:
    """Yield the text of a session file in parts, for its own keys and its games as JSON texts."""
    own = {key: value for key, value in session.items() if key != "games"}
    yield compact({**own, "games": []}).removesuffix("]}")
    between = "\n"
    for game in games:
        yield between
        yield game
        between = ",\n"
    yield "\n]}\n"


def _two(values: Sequence[Any], name: str) -> Sequence[Any]:
    if isinstance(values, (str, Mapping)) or len(values) != 2:
        raise HistoryError(f"{name} must be a list of two, left first")
    return values


def _seat(seat: SeatInfo | Mapping[str, Any] | str) -> dict[str, Any]:
    if isinstance(seat, SeatInfo):
        return schema.seat(seat)
    found = {"name": seat, "brain": seat} if isinstance(seat, str) else dict(seat)
    for key in ("name", "brain"):
        Node(found, "a seat")[key].text()
    return found


def _state(state: State, name: str, rules: Rules) -> dict[str, Any]:
    if isinstance(state, BotState):
        return schema.state(state, battery=bool(rules.battery))
    given = dict(state)
    if isinstance(given.get("shield"), bool):
        given["shield"] = int(given["shield"])
    checked = schema.state(state_of(Node(given, name)), battery=bool(rules.battery))
    return {**checked, **{key: given[key] for key in given if key not in _STATE}}


def _typed(state: Mapping[str, Any]) -> BotState:
    return state_of(Node(state, "the state"))
