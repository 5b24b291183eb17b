"""Games that are made play by play, for what is told of them."""

from __future__ import annotations

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import outcome, read_command, step
from batllm_arcade.match.records import GameEnded, GameStarted, Play
from batllm_arcade.settings import config

COUCH = config.load("couch").rules
NOON = "2026-01-01T12:00:00.000000Z"
SEATS = (SeatInfo("Ann", "keyboard", human=True), SeatInfo("Bob", "fake"))
ANN, BOB = 0, 1


def bot(x, rot, shield=False, charge=9, health=100):
    return BotState(x, 500, rot, health, shield, charge)


FACED = (bot(200, 0), bot(800, 180))


def plays(records):
    """The plays of a game."""
    return [record for record in records if isinstance(record, Play)]


def single(token, me, foe, rules=COUCH):
    """The records of a game of one play: of the bot at the left, then the end."""
    return game(f"A {token}", bots=(me, foe), rules=rules)


def game(*commands, bots=FACED, rules=COUCH, result=None):
    """The records of these plays, `A B` is Ann's shot, `B late` a play of Bob's that came too late."""
    arena, records = Arena(*bots), []
    records.append(GameStarted(1, 1, rules, SEATS, arena))
    for number, (who, token) in enumerate((each.split(" ") for each in commands), 1):
        actor, late = "AB".index(who), token == "late"
        command = Nothing("too late") if late else read_command(token, rules)
        after, events = step(arena, actor, command, rules)
        decision, status = Decision("", None if late else token), "timeout" if late else "ok"
        play = Play(1, 1, number, number, actor, decision, command, status, "", 0.1, NOON, arena, after, events)
        records.append(play)
        arena = after
    records.append(GameEnded(1, 1, result or outcome(arena, rules), arena))
    return records
