"""The part of the reference that tells of the public names, and of what they hold."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from itertools import pairwise
from typing import Any, get_args

from markup import anchor, cell, code, section, table
from source_text import Row, constructor, fields_of, function_tree, methods_of, parameters, sentences
from words import CONSTANTS, OWN, SHARED

import batllm_arcade
from batllm_arcade.brains import bots, protocol
from batllm_arcade.brains import protocol as options
from batllm_arcade.core import commands, events, flight, model
from batllm_arcade.core import rules as outcome
from batllm_arcade.match import records, series

GROUPS: dict[str, tuple[str, ...]] = {
    "Playing and reading games": ("play", "Games", "read_session", "plays"),
    "Records": (
        "SessionStarted", "GameStarted", "RoundStarted", "SeatSwapped", "SeatAdapted", "Play", "RoundEnded",
        "NotesWritten", "GameEnded", "SessionEnded", "Record",
    ),
    "Events": tuple(each.__name__ for each in get_args(events.Event)),
    "Bots": ("bot", "BotView", "BotClock", "Reply", "turn_token", "BotBrain"),
    "Brains": (
        "BrainKind", "Option", "SeatState", "PullProgress", "Spec",
        "Brain", "View", "PastTurn", "Decision", "Live", "SeatInfo", "SEATS", "Cancelled",
        "BrainError", "UsageError", "ArcadeError",
    ),
    "Model servers": (
        "ModelBrain", "ModelProvider", "ModelRequest", "ModelReply", "ModelServer", "pull_model",
        "ChatCompletions", "MessagesAPI", "closed_schema", "spoken_messages", "ReplyParts", "dialogue_of",
        "instructed", "InvalidReply", "NotesFormat", "portable_schema", "payload_messages", "command_grammar",
        "command_schema", "unwrap", "think_block",
    ),
    "Observers and files": (
        "Observer", "Session", "hookimpl", "SessionWriter", "HistoryManager", "Transcript", "describe_result",
        "write_lines",
    ),
    "Tactics and orders": (
        "Situation", "TACTICS", "carry_out", "tactic_weights", "STYLES", "Reading", "ReadsOrders", "OrdersReader",
        "Tactician", "StylePlay", "level_of", "rookie_lapse", "likely_plays", "outlook",
    ),
    "Processes and pages": (
        "ProcessBrain", "BOT_OPTIONS", "hosted_bot", "hosted_policy", "bot_file_command", "split_command",
        "ModelProcess", "ProcessReply", "PageSeat", "page_observer", "pages_missing",
        "agent_seat", "agent_observer", "agents_missing",
    ),
}  # fmt: skip
"""The public names, each in one group."""
VALUES: dict[str, tuple[Any, ...]] = {
    "Bots and rules": (model.Arena, model.BotState, model.Rules, outcome.Result, series.Series),
    "Commands": (
        commands.Rotate, commands.Move, commands.StepBack, commands.Shield, commands.Fire, commands.Nothing,
    ),
    "What a view answers with": (bots.Strike, bots.Simulated, bots.Sightline, flight.BankShot),
    "What a brain's view holds": (protocol.PastPlay, options.PayloadStyle, options.Gamepad),
}  # fmt: skip
"""What is met as a value of a record, a view or an answer; it is not imported from `batllm_arcade`."""
BUTTONS = dict.fromkeys(options.BUTTONS, 'What the button does: a command, `A` or `C` alone, or "" for nothing.')
SHORT = {
    "Command": commands.Command, "Event": events.Event, "Part": model.Part, "Status": records.Status,
    "Ended": records.Ended, "Why": records.Why, "Reason": outcome.Reason,
}  # fmt: skip
"""Types that rows name in one word, and what they are one of."""


def public(name: str) -> Any:
    """Return what a public name stands for."""
    return getattr(batllm_arcade, name)


def told(cls: type, row: Row) -> str:
    """Return the sentence of a field; raise KeyError that names a field without one."""
    button = BUTTONS.get(row.name) if cls is options.Gamepad else None
    own = OWN.get(f"{cls.__name__}.{row.name}")
    found = row.sentence or button or own or _from_docstring(cls, row.name) or SHARED.get(row.name)
    if not found:
        raise KeyError(f"{cls.__name__}.{row.name} has no sentence: write one below it in {cls.__module__}")
    return found


def _from_docstring(cls: type, name: str) -> str:
    """Return what the class's own docstring says of a field: from its name to the end of the clause."""
    _, found, rest = sentences(cls.__doc__).replace("\n", " ").partition(f"`{name}`")
    clause = re.split(r"[.;](?: |$)|, (?:and )?`|:? ?$", rest.removeprefix(":").strip(), maxsplit=1)[0]
    clause = re.sub(r"^(is|are) ", "", clause.strip(" ,"))
    whole = found and clause and not re.match(r"(and|or) ", clause)
    return f"{clause[0].upper()}{clause[1:]}." if whole else ""


def of_class(cls: type, level: int = 3) -> str:
    """Return the section of a class."""
    own = {row.name: row for each in reversed(shown_with(cls)) for row in fields_of(each)}
    fields = list(own.values())
    methods = list({row.name: row for each in reversed(shown_with(cls)) for row in methods_of(each)}.values())
    data = any(row.default for row in fields)
    heads = ("field", "type", "default", "what it is") if data else ("field", "type", "what it is")
    rows = [
        [code(row.name), code(row.type), *([code(row.default)] if data else []), cell(told(cls, row))] for row in fields
    ]
    calls = [[code(f"{row.name}{row.call}"), code(row.type), cell(row.sentence)] for row in methods]
    for row in methods:
        if not row.sentence:
            raise KeyError(f"{cls.__name__}.{row.name} has no docstring")
    bases = [base.__name__ for base in cls.__bases__ if base.__name__ in batllm_arcade.__all__]
    made = constructor(cls)
    return section(
        cls.__name__,
        f"Derives from [{bases[0]}](#{anchor(bases[0])})." if bases else "",
        sentences(cls.__doc__).replace("\n", "\n\n") if not _is_generated(cls) else "",
        f"Made by `{cls.__name__}{made}`" if made and ": _" not in made and not issubclass(cls, BaseException) else "",
        table(heads, rows),
        table(("method", "returns", "what it does"), calls),
        level=level,
    )


def shown_with(cls: type) -> list[type]:
    """Return the class and those bases of it that authors cannot name: what they have is shown with the class."""
    hidden = [base for base in cls.__mro__[1:] if base.__module__.startswith("batllm_arcade.")]
    return [cls, *(base for base in hidden if base.__name__ not in batllm_arcade.__all__)]


def _is_generated(cls: type) -> bool:
    """Return whether the docstring is only the one that Python makes of a named tuple's fields."""
    return (cls.__doc__ or "").startswith(f"{cls.__name__}(")


def of_function(name: str) -> str:
    """Return the section of a function under its public name."""
    node = function_tree(public(name))
    returns = f" -> {_returns(node)}" if _returns(node) else ""
    said = sentences(public(name).__doc__).replace("\n", "\n\n")
    return section(name, f"`{name}{parameters(node)}{returns}`", said, level=3)


def _returns(node: Any) -> str:
    return "" if node.returns is None else ast.unparse(node.returns)


def of_name(name: str) -> str:
    """Return the section of a public name."""
    value = public(name)
    if inspect.isclass(value):
        return of_class(value)
    if inspect.isfunction(value):
        return of_function(name)
    shown = code(repr(value)) if isinstance(value, tuple) else ""
    return section(name, CONSTANTS.get(name) or _constant(name), shown, level=3)


def _constant(name: str) -> str:
    """Return what stands below a constant where it is defined."""
    body = ast.parse(inspect.getsource(import_module(f"batllm_arcade.{batllm_arcade._HOME[name]}"))).body
    for node, after in pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == name and isinstance(after, ast.Expr):
            return sentences(ast.literal_eval(after.value))
    raise KeyError(f"{name} has no docstring below it")


def sections() -> list[str]:
    """Return the sections of all public names; raise KeyError for one that is in no group."""
    grouped = [name for names in GROUPS.values() for name in names]
    missing = sorted(set(batllm_arcade.__all__) ^ set(grouped))
    if missing:
        raise KeyError(
            f"{', '.join(missing)}: each public name belongs into one of the GROUPS of docs/make/python_names.py"
        )
    found = [section(title, *map(of_name, names)) for title, names in GROUPS.items()]
    intro = "What the records, views and answers above hold. It is met as a value, not imported."
    values = [section(title, *(of_class(cls, 4) for cls in classes), level=3) for title, classes in VALUES.items()]
    rows = [[code(name), ", ".join(map(_one_of, get_args(kind)))] for name, kind in SHORT.items()]
    return [*found, section("Values", intro, table(("type", "one of"), rows), *values)]


def _one_of(each: Any) -> str:
    return f"[{code(each.__name__)}](#{anchor(each.__name__)})" if inspect.isclass(each) else code(each)
