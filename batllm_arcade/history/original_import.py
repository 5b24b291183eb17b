"""Sessions of the original game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Command, Nothing, canonical, parse
from batllm_arcade.core.flight import rounded_health
from batllm_arcade.core.geometry import rounded, wrapped
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import quoted
from batllm_arcade.history import schema
from batllm_arcade.history.manager import HistoryManager
from batllm_arcade.history.schema import STATES_ALONE, HistoryError, Node
from batllm_arcade.match.records import (
    Ended,
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SessionEnded,
    SessionStarted,
    Status,
)

_SHIELD_MORE = 18  # degrees that its shields block beyond `shield_size`
_SAME = 1e-6  # how far apart two figures may be that mean the same: it rounds nothing, we round every play
_RAW_LIMIT = 64 * 1024
_FIGURES = {
    "bot_diameter": 0.1,
    "bot_step_length": 0.03,
    "bullet_damage": 5,
    "shield_size": 70,
    "shield_initial_state": True,
    "initial_health": 30,
    "turns_per_round": 8,
    "total_rounds": 2,
}
"""Its settings, as shipped, for a file that leaves one out."""
_FIGURES_2025 = {
    "bot_step_length": 0.02, "bullet_damage": 10, "shield_size": 35 - _SHIELD_MORE, "turns_per_round": 20,
    "total_rounds": 3,
}  # fmt: skip
"""Those of its first versions, which they did not write into their files."""
_ALWAYS = {"arena_width": 1, "arena_height": 1, "bots_collide": False, "free_move": True}
"""Figures that the original game has no setting for."""


def turns_of(entry: Node) -> list[Node]:
    """Return a round's turns that have plays."""
    turns = entry["turns"].items("turn")
    return [turn for turn in turns if turn["plays"].value]


def start_of(entry: Node) -> Node:
    """Return the bots' states at the start of a round; those of its first turn if the round has none."""
    given = entry.get("initial_state", None)
    return turns_of(entry)[0]["pre_state"] if given.value is None else given


def ids(states: Node) -> tuple[str, str]:
    """Return the two bots' ids, the lower number first; raise HistoryError unless there are two."""
    if not isinstance(states.value, dict) or len(states.value) != 2:
        raise states.refuse("does not hold two bots")
    left, right = sorted(states.value, key=lambda name: (len(name), name))
    return left, right


def rules_of(entry: Node, rounds: list[Node]) -> Rules:
    """Convert the original's settings to rules long enough for all turns; raise HistoryError if they are invalid."""
    snapshot = entry.get("gameplay_settings_snapshot", {})
    if not isinstance(snapshot.value, dict):
        raise snapshot.refuse("is no object")
    figure = {name: snapshot.value.get(name, default) for name, default in _FIGURES.items()}
    turns, length = figure["turns_per_round"], figure["total_rounds"]
    longest = max(len(turns_of(one)) for one in rounds)
    node = {name: Node(value, name, snapshot) for name, value in figure.items()}
    try:
        return rules_from(
            {
                **_ALWAYS,
                "bot_radius": node["bot_diameter"].number() / 2,
                "step_length": node["bot_step_length"].number(),
                "bullet_damage": figure["bullet_damage"],
                "shield_degrees": min(180, node["shield_size"].number() + _SHIELD_MORE),
                "initial_health": figure["initial_health"],
                "initial_shield": figure["shield_initial_state"],
                "total_rounds": max(length, len(rounds)) if type(length) is int else length,
                "turns_per_round": max(turns, longest) if type(turns) is int else turns,
            }
        )
    except RulesError as error:
        raise HistoryError(f"{snapshot.where}: {error}") from None


def state(node: Node) -> BotState:
    """Return a recorded bot state, rounded as ours are; raise HistoryError if it is invalid."""
    x, y, rot, health = (node[key].number() for key in ("x", "y", "rot", "health"))
    up = node["shield"].one_of((True, False, 0, 1))
    return BotState(rounded(x), rounded(y), wrapped(rot), rounded_health(health), bool(up))


def same(one: BotState, other: BotState) -> bool:
    """Return whether two states agree within the original's precision."""
    turned = abs(one.rot - other.rot) % 360
    away = max(abs(one.x - other.x), abs(one.y - other.y), min(turned, 360 - turned))
    return away <= _SAME and one.health == other.health and one.shield == other.shield


def answer(play: Node | None) -> tuple[Decision, Command, str]:
    """Return a play's decision and command, and the reason if the bot does nothing."""
    if play is None:
        return Decision("", None), Nothing("the file has no play here"), "the file has no play here"
    raw = text_of(play, "llm_response")
    written = text_of(play, "cmd") or raw
    command = parse(_token(written), free_move=True)
    decision = Decision(raw[:_RAW_LIMIT], None if isinstance(command, Nothing) else command.token)
    if len(raw) > _RAW_LIMIT:
        decision = replace(decision, raw_cut=len(raw))
    if not isinstance(command, Nothing):
        return decision, command, ""
    reason = command.reason if raw.strip() and written != "ERR" else "the original game took it for no command"
    return decision, Nothing(reason), reason


def _token(written: str) -> str:
    """Return a command in our spelling: the original takes angles of any size and sign, and exponents."""
    text = written.strip()
    head, rest = text[:1].upper(), text[1:]
    if head not in ("M", "C", "A") or not rest or rest != rest.strip() or len(rest) > 40:
        return text
    try:
        figure = float(rest)
    except ValueError:
        return text
    if not math.isfinite(figure) or abs(figure) > 1e9:
        return text
    if head != "M":
        turn = (
            math.fmod(figure if head == "C" else -figure, 360) if abs(figure) > 360 else figure * (-1) ** (head == "A")
        )
        head, figure = ("A", -turn) if turn < 0 else ("C", turn)
    return head + canonical(f"{figure:.9f}")


def _acted(before: Arena, after: Arena, bot: int) -> Arena:
    """Return what one bot's play made of a turn's states: how it stands itself, and the other one's health."""
    me, foe = after.bot(bot), before.bot(1 - bot).hurt(after.bot(1 - bot).health)
    return Arena(foe, me.hurt(before.bot(bot).health)) if bot else Arena(me.hurt(before.bot(bot).health), foe)


def text_of(node: Node, key: str) -> str:
    """Return the text under a key, "" if it is missing or of another type."""
    value = node.value.get(key) if isinstance(node.value, dict) else None
    return value if isinstance(value, str) else ""


# -- Convert saved sessions of the original game

_TYPE, _VERSION = "batllm_saved_session", 2
_TRACE, _TRACE_VERSION = "batllm_research_session", 3


@dataclass(slots=True)
class ImportReport:
    """The outcome of an import: counts of plays, and the first one whose states differ."""

    games: int = 0
    plays: int = 0
    differing: int = 0
    first: str = ""
    after_the_end: int = 0
    missing: int = 0
    changed_settings: list[str] = field(default_factory=list)
    other_start: str = ""
    """The first round that begins in other states than the play before it left, where no play differs before it."""
    states_alone: bool = False

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for every kind of difference between the two games."""
        if self.states_alone:
            yield "it tells where its bots stood, not what led them there: it can be shown, 'verify' cannot check it"
        if self.differing:
            many = f"{self.differing} of {self.plays}"
            yield f"plays that end in other states under these rules: {many}, the first is {self.first}"
        if self.other_start:
            yield f"{self.other_start} begins in other states than the last round left"
        if self.after_the_end:
            yield f"plays left out because they come after a knock-out, which ends the game here: {self.after_the_end}"
        if self.missing:
            yield f"plays missing in the file, in whose place the bot does nothing: {self.missing}"
        for place in self.changed_settings:
            yield f"{place} was played with other settings; here those of the first round hold for the whole game"


@dataclass(frozen=True, slots=True)
class Converted:
    """The session as records and as the values of a session file, and the report."""

    records: tuple[Record, ...]
    session: dict[str, Any]
    report: ImportReport


def is_original(values: Any) -> bool:
    """Return whether JSON values are a session of the original game, of whatever version."""
    if isinstance(values, list):  # its first files were nothing but a list of games
        return bool(values) and isinstance(values[0], dict) and "rounds" in values[0]
    return isinstance(values, dict) and ("schema_version" in values or "session_type" in values)


def import_session(values: Any, name: str) -> Converted:
    """Convert the values of a file of this name; raise HistoryError unless it is a session of the original game."""
    if isinstance(values, dict) and values.get("schema") == schema.SCHEMA:
        raise HistoryError(f"{name!r} is a session of this program already; 'batllm-arcade replay' opens it as it is")
    if not is_original(values):
        raise HistoryError(f"{name!r} is no saved session of the original game: it has no 'schema_version'")
    return convert(values)


def convert(values: Any) -> Converted:
    """Convert a session of the original game to ours; raise HistoryError if it cannot be."""
    alone = isinstance(values, list)
    if alone:
        values = _as_saved_list(Node(values, "the session"))
    elif (values.get("session_type"), values.get("schema_version")) == (_TRACE, _TRACE_VERSION):
        values = _as_saved(Node(values, "the session"))
    if values.get("session_type") != _TYPE or values.get("schema_version") != _VERSION:
        version, kind = quoted(values.get("schema_version")), quoted(values.get("session_type"))
        raise HistoryError(
            f"this session has the schema_version {version} and the session_type {kind}; "
            f"of the original game {_VERSION} and {_TYPE!r} are read, and {_TRACE_VERSION} and {_TRACE!r}"
        )
    report = ImportReport(states_alone=alone)
    records = tuple(_session(Node(values, "the session"), report))
    history = HistoryManager()
    for record in records:
        history.append(schema.entry(record))
    return Converted(records, history.session, report)


def _as_saved(trace: Node) -> dict[str, Any]:
    """Return a trace, schema 3, as the same session would have been saved, schema 2; hashed texts are ""."""
    model, program = trace.get("model_provenance", {}), trace.get("application_provenance", {})
    return {
        "schema_version": _VERSION,
        "session_type": _TYPE,
        "app_version": text_of(program, "version"),
        "saved_at": text_of(trace, "created_at"),
        "llm_metadata": {"configured_model": text_of(model, "requested_model")},
        "games": [
            {
                "start_time": text_of(game, "started_at"),
                "rounds": [_saved_round(entry) for entry in game["rounds"].items("round")],
            }
            for game in trace["games"].items("game")
        ],
    }


def _saved_round(entry: Node) -> dict[str, Any]:
    plays = list(entry["plays"].items("play"))
    pairs = [plays[first : first + 2] for first in range(0, len(plays), 2)]
    asked = plays[0].get("context_policy", {}) if plays else Node({}, "the plays")
    return {
        "gameplay_settings_snapshot": entry.get("gameplay_settings_snapshot", {}).value,
        "initial_state": entry["initial_state"].value,
        "prompt_augmentation": asked.get("prompt_augmentation", False).value,
        "prompts": [
            {"bot_id": prompt["bot_id"].value, "prompt": _words(prompt, "prompt")}
            for prompt in entry.get("prompts", []).items("prompt")
        ],
        "turns": [
            {
                "start_time": text_of(pair[0], "request_started_at"),
                "pre_state": pair[0]["pre_state"].value,
                "post_state": pair[-1]["post_state"].value,
                "plays": [
                    {
                        "bot_id": play["bot_id"].value,
                        "cmd": text_of(play, "normalized_command"),
                        "llm_response": _words(play, "response") or text_of(play, "normalized_command"),
                    }
                    for play in pair
                ],
            }
            for pair in pairs
        ],
    }


def _as_saved_list(games: Node) -> dict[str, Any]:
    """Return a list of games, as the original's first versions wrote it, in the form of schema 2; angles in degrees."""
    told = []
    for game in games.items("game"):
        rounds = list(game["rounds"].items("round"))
        if rounds:
            start = rounds[0]["initial_state"]
            health = max(start[name]["health"].number() for name in ids(start))
            figures = {**_FIGURES_2025, "initial_health": health}
            told.append(
                {
                    "start_time": text_of(game, "start_time"),
                    "rounds": [{**_listed_round(entry), "gameplay_settings_snapshot": figures} for entry in rounds],
                }
            )
    return {"schema_version": _VERSION, "session_type": _TYPE, "games": told}


def _listed_round(entry: Node) -> dict[str, Any]:
    """Return a round of which only the states before and after each turn are known.

    A bot's answer stands in its state from the time it has acted on: before a turn ends, or before the next begins.
    """
    before, turns = _in_degrees(entry["initial_state"]), []
    prompts = [{"bot_id": name, "prompt": text_of(entry["initial_state"][name], "prompt")} for name in before]
    for turn in entry["turns"].items("turn"):
        for key in ("pre_state", "post_state"):
            if turn.get(key, None).value is None:
                continue  # the game was left in this turn
            after = _in_degrees(turn[key])
            acted = [
                {"bot_id": name, "llm_response": text_of(turn[key][name], "llm_response")}
                for name in after
                if {**after[name], "health": 0} != {**before.get(name, {}), "health": 0}
                or (key == "post_state" and after[name]["llm_response"])
            ]
            if acted:
                time = text_of(turn, "start_time")
                turns.append({"start_time": time, "pre_state": before, "post_state": after, "plays": acted})
            before = after
    return {"initial_state": _in_degrees(entry["initial_state"]), "prompts": prompts, "turns": turns}


def _in_degrees(states: Node) -> dict[str, Any]:
    return {
        name: {
            **{key: states[name][key].value for key in ("x", "y", "health", "shield")},
            "rot": math.degrees(states[name]["rot"].number()),
            "llm_response": text_of(states[name], "llm_response"),
        }
        for name in ids(states)
    }


def _words(node: Node, key: str) -> str:
    """Return a text of a trace, which is there or only its length and hash."""
    held = node.get(key, "")
    return text_of(node, key) or text_of(held, "text") or text_of(held, "content")


def _session(node: Node, report: ImportReport) -> Iterator[Record]:
    games = list(node["games"].items("game"))
    version, saved = text_of(node, "app_version"), text_of(node, "saved_at")
    start = next((text_of(game, "start_time") for game in games), "") or saved
    yield SessionStarted(0, start, f"BatLLM {version}".strip())
    for game in games:
        rounds = [entry for entry in game["rounds"].items("round") if turns_of(entry)]
        if rounds:  # it also keeps the game it was about to begin
            report.games += 1
            yield from _OriginalGame(node, rounds, report).records()
    if not report.games:
        raise HistoryError("this session of the original game holds no turn to watch")
    yield SessionEnded(saved or start)


class _OriginalGame:
    def __init__(self, session: Node, rounds: list[Node], report: ImportReport) -> None:
        self._rounds, self._report, self._alone = rounds, report, report.states_alone
        self._rules = rules_of(rounds[0], rounds)
        self._ids = ids(start_of(rounds[0]))
        model = session.get("llm_metadata", {}).value
        named = text_of(session["llm_metadata"], "configured_model") if isinstance(model, dict) and model else ""
        brain = STATES_ALONE if self._alone else schema.ORIGINAL
        left, right = (SeatInfo(f"Bot {name}", brain, named) for name in self._ids)
        self._seats = (left, right)
        self._arena = self._recorded = self._states(start_of(rounds[0]))
        self._played = 0

    def records(self) -> Iterator[Record]:
        """Yield the game's records until it is over by our rules."""
        game = self._report.games
        yield GameStarted(game, 0, self._rules, self._seats, self._arena, drawn=False)
        number = 0
        for entry in self._rounds:
            if game_rules.knocked_out(self._arena) is not None:
                self._report.after_the_end += sum(len(list(turn["plays"].items("play"))) for turn in turns_of(entry))
                continue
            number += 1
            yield from self._round(number, entry)
        whole = self._played == 2 * self._rules.turns_per_round and number == self._rules.total_rounds
        over = whole or game_rules.knocked_out(self._arena) is not None
        result = game_rules.outcome(self._arena, self._rules) if over else Result(None, "aborted")
        yield GameEnded(game, number, result, self._arena)

    def _round(self, number: int, entry: Node) -> Iterator[Record]:
        if number > 1 and rules_of(entry, self._rounds) != self._rules:
            self._report.changed_settings.append(f"game {self._report.games}, round {number}")
        turns = turns_of(entry)
        first = next(self._bot(play) for play in turns[0]["plays"].items("play"))
        order = (first, 1 - first)
        self._recorded = self._reconciled(self._states(start_of(entry)))
        if self._alone:
            self._arena = self._recorded
        elif self._recorded != self._arena and not self._report.differing:
            self._report.other_start = self._report.other_start or f"game {self._report.games}, round {number}"
        augmented = entry.get("prompt_augmentation", False).value is True
        yield RoundStarted(
            self._report.games, number, order, self._recorded, self._prompts(entry), augmented, False, ("", "")
        )
        self._played = 0
        for turn_number, turn in enumerate(turns, 1):
            yield from self._turn(number, turn_number, turn, order, last=turn_number == len(turns))
        knocked_out = game_rules.knocked_out(self._arena) is not None
        whole = self._played == 2 * self._rules.turns_per_round
        ended: Ended = "knockout" if knocked_out else "complete" if whole else "abandoned"
        yield RoundEnded(self._report.games, number, ended, self._arena)

    def _turn(self, number: int, turn: int, node: Node, order: tuple[int, int], *, last: bool) -> Iterator[Record]:
        made: dict[int, Node] = {}
        for play in node["plays"].items("play"):
            made.setdefault(self._bot(play), play)
        self._recorded = self._reconciled(self._states(node["pre_state"]))
        for bot in order:
            if bot not in made and last and bot == order[1]:
                continue  # the game was left in the middle of its last turn
            if game_rules.knocked_out(self._arena) is not None:
                self._report.after_the_end += bot in made
                continue
            self._played += 1
            closes = bot == order[1] or (last and order[1] not in made)
            yield self._play(number, turn, bot, made.get(bot), node if closes else None, node)

    def _play(self, number: int, turn: int, bot: int, play: Node | None, closed: Node | None, node: Node) -> Play:
        decision, command, reason = answer(play)
        if play is None:
            self._report.missing += 1
        before, was = self._recorded, self._arena
        self._arena, events = game_rules.step(self._arena, bot, command, self._rules)
        expected, _ = game_rules.step(before, bot, command, self._rules)
        over = game_rules.knocked_out(self._arena) is not None
        found = self._states(closed["post_state"]) if closed is not None and not over else expected
        if self._alone:
            found = self._arena = expected = _acted(before, self._states(node["post_state"]), bot)
        self._recorded = self._reconciled(found)
        self._report.plays += 1
        if before != was or self._recorded != self._arena:
            self._report.differing += 1
            place = f"game {self._report.games}, round {number}, play {self._played}"
            self._report.first = self._report.first or place
        status: Status = "ok" if not isinstance(command, Nothing) else "invalid" if decision.raw.strip() else "error"
        return Play(
            self._report.games, number, turn, self._played, bot, decision, command, status, reason, 0.0,
            text_of(node, "start_time"), before, self._recorded, events,
        )  # fmt: skip

    def _reconciled(self, recorded: Arena) -> Arena:
        """Return the recorded arena, with the simulated states wherever they agree."""
        left, right = (
            mine if same(mine, theirs) else theirs
            for mine, theirs in ((self._arena.left, recorded.left), (self._arena.right, recorded.right))
        )
        return Arena(left, right)

    def _states(self, node: Node) -> Arena:
        left, right = (state(node[name]) for name in self._ids)
        return Arena(left, right)

    def _bot(self, play: Node) -> int:
        name = str(play["bot_id"].value)
        if name not in self._ids:
            raise play.refuse(f"is of bot {quoted(name)}; the bots are {' and '.join(self._ids)}")
        return self._ids.index(name)

    def _prompts(self, entry: Node) -> tuple[str, str]:
        given = {name: text_of(start_of(entry)[name], "current_prompt") for name in self._ids}
        if isinstance(entry.get("prompts", []).value, list):
            for prompt in entry.get("prompts", []).items("prompt"):
                if isinstance(prompt.value, dict):
                    given[str(prompt.value.get("bot_id"))] = text_of(prompt, "prompt")
        left, right = (given[name] for name in self._ids)
        return left, right
