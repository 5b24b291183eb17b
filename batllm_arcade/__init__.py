"""BatLLM Arcade: two bots fight, and a plugin decides for each of them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from batllm_arcade.bots import BotBrain as BotBrain
    from batllm_arcade.bots import BotClock as BotClock
    from batllm_arcade.bots import BotView as BotView
    from batllm_arcade.bots import bot as bot
    from batllm_arcade.bots import turn_token as turn_token
    from batllm_arcade.brains import Brain as Brain
    from batllm_arcade.brains import BrainError as BrainError
    from batllm_arcade.brains import BrainKind as BrainKind
    from batllm_arcade.brains import Cancelled as Cancelled
    from batllm_arcade.brains import Decision as Decision
    from batllm_arcade.brains import Live as Live
    from batllm_arcade.brains import PastTurn as PastTurn
    from batllm_arcade.brains import SeatInfo as SeatInfo
    from batllm_arcade.brains import Spec as Spec
    from batllm_arcade.brains import View as View
    from batllm_arcade.core.model import SEATS as SEATS
    from batllm_arcade.errors import ArcadeError as ArcadeError
    from batllm_arcade.errors import UsageError as UsageError
    from batllm_arcade.history.writer import SessionWriter as SessionWriter
    from batllm_arcade.hookspecs import Observer as Observer
    from batllm_arcade.hookspecs import Session as Session
    from batllm_arcade.hookspecs import hookimpl as hookimpl
    from batllm_arcade.model_brain import ModelBrain as ModelBrain
    from batllm_arcade.model_brain import ModelReply as ModelReply
    from batllm_arcade.model_brain import ModelRequest as ModelRequest
    from batllm_arcade.model_brain import dialogue_of as dialogue_of
    from batllm_arcade.model_process import ModelProcess as ModelProcess
    from batllm_arcade.model_process import ProcessReply as ProcessReply
    from batllm_arcade.prompts.forms import InvalidReply as InvalidReply
    from batllm_arcade.prompts.forms import instructed as instructed
    from batllm_arcade.prompts.forms import portable as portable_schema
    from batllm_arcade.prompts.grammar import gbnf as command_grammar
    from batllm_arcade.prompts.grammar import json_schema as command_schema
    from batllm_arcade.prompts.payload import messages as payload_messages
    from batllm_arcade.prompts.reply import thought as think_block
    from batllm_arcade.prompts.reply import unwrap as unwrap
    from batllm_arcade.records import GameEnded as GameEnded
    from batllm_arcade.records import GameStarted as GameStarted
    from batllm_arcade.records import Play as Play
    from batllm_arcade.records import Record as Record
    from batllm_arcade.records import RoundEnded as RoundEnded
    from batllm_arcade.records import RoundStarted as RoundStarted
    from batllm_arcade.records import SeatSwapped as SeatSwapped
    from batllm_arcade.records import SessionEnded as SessionEnded
    from batllm_arcade.records import SessionStarted as SessionStarted
    from batllm_arcade.transcript import Transcript as Transcript
    from batllm_arcade.transport import ModelServer as ModelServer

_HOME = {
    "BotBrain": "bots", "BotClock": "bots", "BotView": "bots", "bot": "bots", "turn_token": "bots",
    "Brain": "brains", "BrainError": "brains", "BrainKind": "brains", "Cancelled": "brains", "Decision": "brains",
    "Live": "brains", "PastTurn": "brains", "SeatInfo": "brains", "Spec": "brains", "View": "brains",
    "SEATS": "core.model", "SessionWriter": "history.writer",
    "ArcadeError": "errors", "UsageError": "errors",
    "Observer": "hookspecs", "Session": "hookspecs", "hookimpl": "hookspecs",
    "ModelBrain": "model_brain", "ModelReply": "model_brain", "ModelRequest": "model_brain",
    "InvalidReply": "prompts.forms", "dialogue_of": "model_brain", "instructed": "prompts.forms",
    "portable_schema": "prompts.forms:portable",
    "command_grammar": "prompts.grammar:gbnf", "command_schema": "prompts.grammar:json_schema",
    "payload_messages": "prompts.payload:messages",
    "think_block": "prompts.reply:thought", "unwrap": "prompts.reply",
    "GameEnded": "records", "GameStarted": "records", "Play": "records", "Record": "records",
    "RoundEnded": "records", "RoundStarted": "records", "SeatSwapped": "records", "SessionEnded": "records",
    "SessionStarted": "records",
    "ModelProcess": "model_process", "ProcessReply": "model_process",
    "ModelServer": "transport", "Transcript": "transcript",
}  # fmt: skip

__all__ = [
    "ArcadeError", "BotBrain", "BotClock", "BotView", "Brain", "BrainError", "BrainKind", "Cancelled",
    "Decision", "GameEnded", "GameStarted", "InvalidReply", "Live", "ModelBrain", "ModelProcess", "ModelReply",
    "ModelRequest", "ModelServer", "Observer", "PastTurn", "Play", "ProcessReply", "Record", "RoundEnded",
    "RoundStarted", "SEATS", "SeatInfo", "SeatSwapped", "Session", "SessionEnded", "SessionStarted",
    "SessionWriter", "Spec", "Transcript", "UsageError", "View", "bot", "command_grammar", "command_schema",
    "dialogue_of", "hookimpl", "instructed", "payload_messages", "portable_schema", "think_block", "turn_token",
    "unwrap",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Looked up when first used: the command line's --help must not pay for what it does not need.
    if name not in _HOME:
        raise AttributeError(f"module 'batllm_arcade' has no attribute {name!r}")
    module, _, attribute = _HOME[name].partition(":")
    return getattr(import_module(f"batllm_arcade.{module}"), attribute or name)
