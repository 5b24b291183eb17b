"""BatLLM Arcade: two bots fight, and a plugin decides for each of them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # that of `typing`, while whose import a signal may come
if TYPE_CHECKING:
    from batllm_arcade.analysis.lookahead import likely_plays as likely_plays
    from batllm_arcade.analysis.lookahead import outlook as outlook
    from batllm_arcade.brains.bot_view import BotView as BotView
    from batllm_arcade.brains.bot_view import turn_token as turn_token
    from batllm_arcade.brains.functions import BotBrain as BotBrain
    from batllm_arcade.brains.functions import BotClock as BotClock
    from batllm_arcade.brains.functions import Reply as Reply
    from batllm_arcade.brains.functions import bot as bot
    from batllm_arcade.brains.kinds import Option as Option
    from batllm_arcade.brains.kinds import PullProgress as PullProgress
    from batllm_arcade.brains.kinds import SeatState as SeatState
    from batllm_arcade.brains.live import Cancelled as Cancelled
    from batllm_arcade.brains.live import Live as Live
    from batllm_arcade.brains.orders import STYLES as STYLES
    from batllm_arcade.brains.orders import Reading as Reading
    from batllm_arcade.brains.orders import ReadsOrders as ReadsOrders
    from batllm_arcade.brains.protocol import Brain as Brain
    from batllm_arcade.brains.protocol import BrainError as BrainError
    from batllm_arcade.brains.protocol import BrainKind as BrainKind
    from batllm_arcade.brains.protocol import Decision as Decision
    from batllm_arcade.brains.protocol import PastTurn as PastTurn
    from batllm_arcade.brains.protocol import SeatInfo as SeatInfo
    from batllm_arcade.brains.protocol import Spec as Spec
    from batllm_arcade.brains.protocol import View as View
    from batllm_arcade.brains.tactician import StylePlay as StylePlay
    from batllm_arcade.brains.tactician import Tactician as Tactician
    from batllm_arcade.brains.tactician import level_of as level_of
    from batllm_arcade.brains.tactician import rookie_lapse as rookie_lapse
    from batllm_arcade.brains.tactics import TACTICS as TACTICS
    from batllm_arcade.brains.tactics import Situation as Situation
    from batllm_arcade.brains.tactics import carry_out as carry_out
    from batllm_arcade.brains.tactics import tactic_weights as tactic_weights
    from batllm_arcade.core.events import BotHit as BotHit
    from batllm_arcade.core.events import BotKnockedOut as BotKnockedOut
    from batllm_arcade.core.events import BotMoved as BotMoved
    from batllm_arcade.core.events import BotTurned as BotTurned
    from batllm_arcade.core.events import BulletFlew as BulletFlew
    from batllm_arcade.core.events import CommandIgnored as CommandIgnored
    from batllm_arcade.core.events import FireRefused as FireRefused
    from batllm_arcade.core.events import ShieldBroke as ShieldBroke
    from batllm_arcade.core.events import ShieldFaded as ShieldFaded
    from batllm_arcade.core.events import ShieldLowered as ShieldLowered
    from batllm_arcade.core.events import ShieldRaised as ShieldRaised
    from batllm_arcade.core.events import ShieldRefused as ShieldRefused
    from batllm_arcade.core.events import ShotBlocked as ShotBlocked
    from batllm_arcade.core.events import ShotMissed as ShotMissed
    from batllm_arcade.core.model import SEATS as SEATS
    from batllm_arcade.errors import ArcadeError as ArcadeError
    from batllm_arcade.errors import UsageError as UsageError
    from batllm_arcade.history.manager import HistoryManager as HistoryManager
    from batllm_arcade.history.writer import SessionWriter as SessionWriter
    from batllm_arcade.isolation.environment import file_command as bot_file_command
    from batllm_arcade.isolation.environment import split_command as split_command
    from batllm_arcade.isolation.process_brain import BOT_OPTIONS as BOT_OPTIONS
    from batllm_arcade.isolation.process_brain import ProcessBrain as ProcessBrain
    from batllm_arcade.match.records import GameEnded as GameEnded
    from batllm_arcade.match.records import GameStarted as GameStarted
    from batllm_arcade.match.records import Play as Play
    from batllm_arcade.match.records import Record as Record
    from batllm_arcade.match.records import RoundEnded as RoundEnded
    from batllm_arcade.match.records import RoundStarted as RoundStarted
    from batllm_arcade.match.records import SeatAdapted as SeatAdapted
    from batllm_arcade.match.records import SeatSwapped as SeatSwapped
    from batllm_arcade.match.records import SessionEnded as SessionEnded
    from batllm_arcade.match.records import SessionStarted as SessionStarted
    from batllm_arcade.match.series import describe_result as describe_result
    from batllm_arcade.match.transcript import Transcript as Transcript
    from batllm_arcade.match.transcript import plays as plays
    from batllm_arcade.models.answers import ModelReply as ModelReply
    from batllm_arcade.models.answers import ReplyParts as ReplyParts
    from batllm_arcade.models.base import ModelBrain as ModelBrain
    from batllm_arcade.models.base import dialogue_of as dialogue_of
    from batllm_arcade.models.chat_completions import ChatCompletions as ChatCompletions
    from batllm_arcade.models.http_client import ModelServer as ModelServer
    from batllm_arcade.models.llama import ModelProcess as ModelProcess
    from batllm_arcade.models.llama import ProcessReply as ProcessReply
    from batllm_arcade.models.messages_api import MessagesAPI as MessagesAPI
    from batllm_arcade.models.messages_api import closed as closed_schema
    from batllm_arcade.models.messages_api import conversation as spoken_messages
    from batllm_arcade.models.model_request import ModelRequest as ModelRequest
    from batllm_arcade.models.orders_reader import OrdersReader as OrdersReader
    from batllm_arcade.models.provider import ModelProvider as ModelProvider
    from batllm_arcade.models.search import pull_model as pull_model
    from batllm_arcade.plugin.hookspecs import Observer as Observer
    from batllm_arcade.plugin.hookspecs import Session as Session
    from batllm_arcade.plugin.hookspecs import hookimpl as hookimpl
    from batllm_arcade.plugin.isolated import hosted_bot as hosted_bot
    from batllm_arcade.plugin.isolated import hosted_policy as hosted_policy
    from batllm_arcade.prompts.formats import InvalidReply as InvalidReply
    from batllm_arcade.prompts.formats import gbnf as command_grammar
    from batllm_arcade.prompts.formats import instructed as instructed
    from batllm_arcade.prompts.formats import json_schema as command_schema
    from batllm_arcade.prompts.formats import portable as portable_schema
    from batllm_arcade.prompts.payload import messages as payload_messages
    from batllm_arcade.prompts.unwrap import thought as think_block
    from batllm_arcade.prompts.unwrap import unwrap as unwrap
    from batllm_arcade.session.games import Games as Games
    from batllm_arcade.session.games import play as play
    from batllm_arcade.session.recorded import read_session as read_session
    from batllm_arcade.terminal.output import write_lines as write_lines

_HOME = {
    "BotBrain": "brains.functions", "BotClock": "brains.functions", "BotView": "brains.bot_view",
    "bot": "brains.functions", "turn_token": "brains.bot_view", "Reply": "brains.functions",
    "Brain": "brains.protocol", "BrainError": "brains.protocol", "BrainKind": "brains.protocol",
    "Cancelled": "brains.live", "Decision": "brains.protocol", "Live": "brains.live", "PastTurn": "brains.protocol",
    "SeatInfo": "brains.protocol", "Spec": "brains.protocol", "View": "brains.protocol", "SEATS": "core.model",
    "ArcadeError": "errors", "UsageError": "errors", "HistoryManager": "history.manager",
    "SessionWriter": "history.writer", "describe_result": "match.series", "Observer": "plugin.hookspecs",
    "Session": "plugin.hookspecs", "hookimpl": "plugin.hookspecs", "ChatCompletions": "models.chat_completions",
    "ReplyParts": "models.answers", "ModelBrain": "models.base", "ModelReply": "models.answers",
    "ModelRequest": "models.model_request", "dialogue_of": "models.base", "ModelProcess": "models.llama",
    "ProcessReply": "models.llama", "InvalidReply": "prompts.formats", "instructed": "prompts.formats",
    "portable_schema": "prompts.formats:portable", "command_grammar": "prompts.formats:gbnf",
    "command_schema": "prompts.formats:json_schema", "payload_messages": "prompts.payload:messages",
    "think_block": "prompts.unwrap:thought", "unwrap": "prompts.unwrap", "GameEnded": "match.records",
    "GameStarted": "match.records", "Play": "match.records", "Record": "match.records",
    "RoundEnded": "match.records", "RoundStarted": "match.records", "SeatAdapted": "match.records",
    "SeatSwapped": "match.records", "SessionEnded": "match.records", "SessionStarted": "match.records",
    "Transcript": "match.transcript", "ModelServer": "models.http_client", "TACTICS": "brains.tactics",
    "level_of": "brains.tactician", "rookie_lapse": "brains.tactician", "likely_plays": "analysis.lookahead",
    "outlook": "analysis.lookahead", "STYLES": "brains.orders", "Reading": "brains.orders",
    "ReadsOrders": "brains.orders", "StylePlay": "brains.tactician", "Tactician": "brains.tactician",
    "OrdersReader": "models.orders_reader", "Option": "brains.kinds", "pull_model": "models.search",
    "ModelProvider": "models.provider", "MessagesAPI": "models.messages_api",
    "closed_schema": "models.messages_api:closed", "spoken_messages": "models.messages_api:conversation",
    "PullProgress": "brains.kinds", "SeatState": "brains.kinds", "Situation": "brains.tactics",
    "carry_out": "brains.tactics", "tactic_weights": "brains.tactics", "write_lines": "terminal.output",
    "BOT_OPTIONS": "isolation.process_brain", "ProcessBrain": "isolation.process_brain",
    "bot_file_command": "isolation.environment:file_command", "split_command": "isolation.environment",
    "hosted_bot": "plugin.isolated", "hosted_policy": "plugin.isolated", "Games": "session.games",
    "play": "session.games", "plays": "match.transcript", "read_session": "session.recorded",
    "BotHit": "core.events", "BotKnockedOut": "core.events", "BotMoved": "core.events", "BotTurned": "core.events",
    "BulletFlew": "core.events", "CommandIgnored": "core.events", "FireRefused": "core.events",
    "ShieldBroke": "core.events", "ShieldFaded": "core.events", "ShieldLowered": "core.events",
    "ShieldRaised": "core.events", "ShieldRefused": "core.events", "ShotBlocked": "core.events",
    "ShotMissed": "core.events",
}  # fmt: skip

__all__ = [
    "ArcadeError", "BOT_OPTIONS", "BotBrain", "BotClock", "BotHit", "BotKnockedOut", "BotMoved", "BotTurned", "BotView",
    "Brain", "BrainError", "BrainKind", "BulletFlew", "Cancelled", "ChatCompletions", "CommandIgnored", "Decision",
    "FireRefused", "GameEnded", "GameStarted", "Games", "HistoryManager", "InvalidReply", "Live", "MessagesAPI",
    "ModelBrain", "ModelProcess", "ModelProvider", "ModelReply", "ModelRequest", "ModelServer", "Observer", "Option",
    "OrdersReader", "PastTurn", "Play", "ProcessBrain", "ProcessReply", "PullProgress", "Reading", "ReadsOrders",
    "Record", "Reply", "ReplyParts", "RoundEnded", "RoundStarted", "SEATS", "STYLES", "SeatAdapted", "SeatInfo",
    "SeatState", "SeatSwapped", "Session", "SessionEnded", "SessionStarted", "SessionWriter", "ShieldBroke",
    "ShieldFaded", "ShieldLowered", "ShieldRaised", "ShieldRefused", "ShotBlocked", "ShotMissed", "Situation", "Spec",
    "StylePlay", "TACTICS", "Tactician", "Transcript", "UsageError", "View",
    "bot", "bot_file_command", "carry_out", "closed_schema", "command_grammar", "command_schema", "describe_result",
    "dialogue_of", "hookimpl", "hosted_bot", "hosted_policy", "instructed", "level_of", "likely_plays", "outlook",
    "payload_messages", "play", "plays", "portable_schema", "pull_model", "read_session", "rookie_lapse",
    "split_command", "spoken_messages",
    "tactic_weights", "think_block", "turn_token", "unwrap", "write_lines",
]  # fmt: skip


def __getattr__(name: str) -> object:
    # Looked up when first used: the command line's --help must not pay for what it does not need.
    if name not in _HOME:
        raise AttributeError(f"module 'batllm_arcade' has no attribute {name!r}")
    module, _, attribute = _HOME[name].partition(":")
    return getattr(import_module(f"batllm_arcade.{module}"), attribute or name)


def __dir__() -> list[str]:
    """Return the public names, of which most are looked up only when they are used."""
    return sorted(__all__)
