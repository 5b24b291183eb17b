"""BatLLM Arcade: two bots fight, and a plugin decides for each of them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # that of `typing`, while whose import a signal may come
if TYPE_CHECKING:
    from batllm_arcade.agents.here import agent_observer as agent_observer
    from batllm_arcade.agents.here import agent_seat as agent_seat
    from batllm_arcade.agents.here import agents_missing as agents_missing
    from batllm_arcade.analysis.game import likely_plays as likely_plays
    from batllm_arcade.analysis.game import outlook as outlook
    from batllm_arcade.brains.bots import BotBrain as BotBrain
    from batllm_arcade.brains.bots import BotClock as BotClock
    from batllm_arcade.brains.bots import BotView as BotView
    from batllm_arcade.brains.bots import Reply as Reply
    from batllm_arcade.brains.bots import bot as bot
    from batllm_arcade.brains.bots import turn_token as turn_token
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
    from batllm_arcade.core.events import BotBumped as BotBumped
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
    from batllm_arcade.isolation.process_brain import BOT_OPTIONS as BOT_OPTIONS
    from batllm_arcade.isolation.process_brain import ProcessBrain as ProcessBrain
    from batllm_arcade.isolation.sandbox import bot_file_command as bot_file_command
    from batllm_arcade.isolation.sandbox import split_command as split_command
    from batllm_arcade.match.records import GameEnded as GameEnded
    from batllm_arcade.match.records import GameStarted as GameStarted
    from batllm_arcade.match.records import NotesWritten as NotesWritten
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
    from batllm_arcade.models.answers import ModelRequest as ModelRequest
    from batllm_arcade.models.answers import ReplyParts as ReplyParts
    from batllm_arcade.models.base import ModelBrain as ModelBrain
    from batllm_arcade.models.base import dialogue_of as dialogue_of
    from batllm_arcade.models.chat_completions import ChatCompletions as ChatCompletions
    from batllm_arcade.models.http_client import ModelServer as ModelServer
    from batllm_arcade.models.llama import ModelProcess as ModelProcess
    from batllm_arcade.models.llama import ProcessReply as ProcessReply
    from batllm_arcade.models.messages_api import MessagesAPI as MessagesAPI
    from batllm_arcade.models.messages_api import closed_schema as closed_schema
    from batllm_arcade.models.messages_api import spoken_messages as spoken_messages
    from batllm_arcade.models.orders_reader import OrdersReader as OrdersReader
    from batllm_arcade.models.provider import ModelProvider as ModelProvider
    from batllm_arcade.models.provider import pull_model as pull_model
    from batllm_arcade.plugin.hookspecs import Observer as Observer
    from batllm_arcade.plugin.hookspecs import Session as Session
    from batllm_arcade.plugin.hookspecs import hookimpl as hookimpl
    from batllm_arcade.plugin.isolated import hosted_bot as hosted_bot
    from batllm_arcade.plugin.isolated import hosted_policy as hosted_policy
    from batllm_arcade.prompts.formats import InvalidReply as InvalidReply
    from batllm_arcade.prompts.formats import command_grammar as command_grammar
    from batllm_arcade.prompts.formats import command_schema as command_schema
    from batllm_arcade.prompts.formats import instructed as instructed
    from batllm_arcade.prompts.formats import portable_schema as portable_schema
    from batllm_arcade.prompts.notes import NotesFormat as NotesFormat
    from batllm_arcade.prompts.payload import payload_messages as payload_messages
    from batllm_arcade.prompts.unwrap import think_block as think_block
    from batllm_arcade.prompts.unwrap import unwrap as unwrap
    from batllm_arcade.serve.seat import PageSeat as PageSeat
    from batllm_arcade.serve.seat import page_observer as page_observer
    from batllm_arcade.serve.seat import pages_missing as pages_missing
    from batllm_arcade.session.games import Games as Games
    from batllm_arcade.session.games import play as play
    from batllm_arcade.session.recorded import read_session as read_session
    from batllm_arcade.terminal.output import write_lines as write_lines

_NAMES = {
    "agents.here": "agent_observer agent_seat agents_missing",
    "analysis.game": "likely_plays outlook",
    "brains.bots": "BotBrain BotClock BotView Reply bot turn_token",
    "brains.kinds": "Option PullProgress SeatState",
    "brains.live": "Cancelled Live",
    "brains.orders": "STYLES Reading ReadsOrders",
    "brains.protocol": "Brain BrainError BrainKind Decision PastTurn SeatInfo Spec View",
    "brains.tactician": "StylePlay Tactician level_of rookie_lapse",
    "brains.tactics": "TACTICS Situation carry_out tactic_weights",
    "core.events": (
        "BotBumped BotHit BotKnockedOut BotMoved BotTurned BulletFlew CommandIgnored FireRefused ShieldBroke "
        "ShieldFaded ShieldLowered ShieldRaised ShieldRefused ShotBlocked ShotMissed"
    ),
    "core.model": "SEATS",
    "errors": "ArcadeError UsageError",
    "history.manager": "HistoryManager",
    "history.writer": "SessionWriter",
    "isolation.process_brain": "BOT_OPTIONS ProcessBrain",
    "isolation.sandbox": "bot_file_command split_command",
    "match.records": (
        "GameEnded GameStarted NotesWritten Play Record RoundEnded RoundStarted SeatAdapted SeatSwapped SessionEnded "
        "SessionStarted"
    ),
    "match.series": "describe_result",
    "match.transcript": "Transcript plays",
    "models.answers": "ModelReply ModelRequest ReplyParts",
    "models.base": "ModelBrain dialogue_of",
    "models.chat_completions": "ChatCompletions",
    "models.http_client": "ModelServer",
    "models.llama": "ModelProcess ProcessReply",
    "models.messages_api": "MessagesAPI closed_schema spoken_messages",
    "models.orders_reader": "OrdersReader",
    "models.provider": "ModelProvider pull_model",
    "plugin.hookspecs": "Observer Session hookimpl",
    "plugin.isolated": "hosted_bot hosted_policy",
    "prompts.formats": ("InvalidReply command_grammar instructed command_schema portable_schema"),
    "prompts.notes": "NotesFormat",
    "prompts.payload": "payload_messages",
    "prompts.unwrap": "think_block unwrap",
    "serve.seat": "PageSeat page_observer pages_missing",
    "session.games": "Games play",
    "session.recorded": "read_session",
    "terminal.output": "write_lines",
}
"""The public names by the module that has them."""
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    # Looked up when first used: the command line's --help must not pay for what it does not need.
    if name not in _HOME:
        raise AttributeError(f"module 'batllm_arcade' has no attribute {name!r}")
    return getattr(import_module(f"batllm_arcade.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names, of which most are looked up only when they are used."""
    return list(__all__)
