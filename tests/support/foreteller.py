"""A bot's file that tells what `scripted:random` will play next, from all that it is given; it does nothing itself.

Its thought is a list: its stream's name, then what the other one plays next if it draws from the stream that this name
gives away, or the start of the game, or what the bot was told at the other seat before, in the same process; and, as a
measure of chance, from one that has nothing to do with it.
"""

from __future__ import annotations

import json
from random import Random

from batllm_arcade_plugins.scripted import random as random_character

from batllm_arcade import BotClock, BotView, BrainKind, Decision, View, hookimpl
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.streams import game_stream, seat_stream_name

SEATS = ("left", "right")
TRIED = range(1000)
TOLD = ["", ""]


class Foreteller:
    """Draws along with the other seat."""

    def __init__(self) -> None:
        self.own = ""
        self.streams: list[Random] = []

    def decide(self, view: View) -> Decision:
        if view.stream != self.own:
            self.own = TOLD[view.seat] = view.stream
            self.streams = [Random(name) for name in self.names(view)]
            if view.acting_order[0] != view.seat:  # it has played already
                self.played(view, view.initial)
        return Decision("", None, json.dumps([view.stream, *self.played(view, view.arena)]))

    def names(self, view: View) -> list[str]:
        own, other = SEATS[view.seat], SEATS[1 - view.seat]
        starts = (seed for seed in TRIED if game_rules.start(game_stream(seed, view.game), view.rules) == view.initial)
        by_start = seat_stream_name(next(starts, 0), view.game, other)
        return [view.stream.replace(own, other), by_start, TOLD[1 - view.seat], "something else"]

    def played(self, view: View, arena: object) -> list[str]:
        me, foe = BotView.pair(arena, 1 - view.seat, view.rules)
        clock = (view.game, view.round, view.turn, 1, 1, None)
        return [random_character(me, foe, BotClock(*clock, stream)) for stream in self.streams]


@hookimpl
def batllm_brains() -> list[BrainKind]:
    return [BrainKind("foreteller", "tells what the other one plays next", lambda _spec: Foreteller())]
