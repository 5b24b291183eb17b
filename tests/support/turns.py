"""Moments of a person's turn, as they are drawn."""

from __future__ import annotations

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.settings import config
from batllm_arcade.view.scene import Aim, BotPose, Scene, Scoreboard, Thinking
from batllm_arcade.view.telegraph.advice import Choice
from batllm_arcade.view.telegraph.lines import PlayerKeys
from batllm_arcade.view.telegraph.person_turn import PersonTurn

RULES = config.load("couch").rules
ARENA = config.load("arena").rules
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X", "Q")
SEATS = (SeatInfo("Ann", "keyboard", human=True), SeatInfo("turtle", "scripted:turtle"))
CHOSEN: dict[str, Choice] = {"step": "move", "shield": "shield", "back": "retreat", "bump": "move"}
MOMENTS = {
    # name: left, right, whose turn it is, degrees turned
    "threat": (BotState(430, 420, 284, 100, False, 3), BotState(880, 490, 189, 76, False, 4), 0, 0.0),
    "holds": (BotState(300, 600, 332, 64, True, 4), BotState(720, 380, 152, 76, False, 7), 0, 0.0),
    "empty": (BotState(300, 600, 332, 64, False, 1), BotState(720, 380, 110, 76, False, 2), 0, 0.0),
    "turning": (BotState(300, 900, 20, 64, False, 6), BotState(620, 420, 110, 30, False, 6), 0, -76.0),
    "corner": (BotState(60, 60, 45, 64, True, 2), BotState(180, 150, 217, 30, True, 4), 1, 0.0),
    # what a person chooses and has not done yet; where the other one would step; lines off the wall
    "step": (BotState(300, 380, 75, 100, False, 3), BotState(760, 480, 180, 76, False, 6), 0, 0.0),
    "shield": (BotState(300, 600, 332, 64, False, 4), BotState(720, 380, 152, 76, False, 7), 0, 0.0),
    "lead": (BotState(250, 500, 16, 64, False, 6), BotState(700, 500, 90, 76, False, 1), 0, 0.0),
    "bounce": (BotState(300, 500, 300.96, 100, False, 3), BotState(900, 500, 239.03, 76, False, 6), 0, 0.0),
    "back": (BotState(500, 500, 20, 64, False, 1), BotState(618, 530, 90, 76, False, 2), 0, 0.0),
    "bump": (BotState(420, 520, 350, 64, False, 3), BotState(590, 490, 175, 76, False, 6), 0, 0.0),
}


def scene(name: str) -> Scene:
    """Return the moment of that name, five seconds after the match began."""
    left, right, who, turned = MOMENTS[name]
    rules = ARENA if name in ("bounce", "back", "bump") else RULES
    arena = Arena(left, right)
    left_pose, right_pose = (
        BotPose(b.x, b.y, b.rot, float(b.shield), b.health / 100, b.health / 100, b.health, True, 1.0, b.charge)
        for b in (left, right)
    )
    seats = SEATS if who == 0 else (SEATS[1], SEATS[0])
    board = Scoreboard(rules, 3, 1, seats, round=1, turn=4)
    aim = Aim(who, arena.bot(who).rot + turned, turned)
    shown = PersonTurn(arena, rules, who, KEYS, "YOUR TURN").telegraph(turned, CHOSEN.get(name, ""))
    poses = (left_pose, right_pose)
    return Scene(5.0, arena, poses, board, thinking=Thinking(who, 3.0, "", True), aim=aim, telegraph=shown)
