"""What a worker sends of the pairs that it was given, read as a stranger's: whatever plays in it could write there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade.history.node import HistoryError, Node
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.kept_files import LARGEST_SESSION
from batllm_arcade.league.pair_reader import is_pair, pair_of
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

GAMES = ("0", "1")


def read_pair(message: Mapping[str, Any], pair: ScheduledPair, setup: LeagueSetup) -> PlayedPair:
    """Return the pair in a message: its `line`, `sessions` by game, `failures` by player.

    Raise HistoryError if that is not this pair of the league.
    """
    node = Node(message, "what a worker sent")
    line = pair_of(node["line"].value, setup.config.rules)
    if not is_pair(line, pair, [player.name for player in setup.plan.players]):
        raise HistoryError(f"what a worker sent is not pair {pair.number}")
    return PlayedPair(line, _sessions(node["sessions"]), _failures(node["failures"], line["players"]))


def _sessions(node: Node) -> dict[int, str]:
    found = {key: text.text() for key, text in node.members()}
    if not found.keys() <= set(GAMES) or any(len(text) > LARGEST_SESSION for text in found.values()):
        raise node.refuse("are not those of two games")
    return {int(game): text for game, text in found.items()}


def _failures(node: Node, players: list[str]) -> dict[str, list[str]]:
    found = {name: [why.text() for why in whys.items("reason")] for name, whys in node.members()}
    if not found.keys() <= set(players) or any(len(whys) > len(GAMES) for whys in found.values()):
        raise node.refuse("are not those of two games")
    return found
