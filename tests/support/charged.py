"""A short match with battery and armour in which everything happens that they bring."""

from __future__ import annotations

from dataclasses import replace

from fakes import aim, played

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Record

RULES = Rules(
    bot_radius=60,
    step_length=100,
    bullet_damage=(12, 12),
    shield_degrees=50,
    initial_shield=False,
    total_rounds=1,
    turns_per_round=13,
    battery=9,
    side_damage=2,
    back_damage=3,
)
SEATS = (SeatInfo("gemma3", "ollama:model=gemma3:4b", "gemma3:4b"), SeatInfo("turtle", "scripted:turtle"))
THOUGHT = "Its shield cannot take another one: I fire now, then I walk to load again."


def charged_match(rules: Rules = RULES) -> list[Record]:
    """Right's shield fades, then another breaks; left hits front, side and back; both are refused something."""
    loud = Decision('{"cmd": "B"}', "B", THOUGHT)
    left = [aim, "M", loud, "B", "B", "M", aim, "B", "B", "M", "C0", "B", "S1"]
    right = [aim, "S1", "C0", "S1", "C80", "C0", "C0", "C100", aim, "B", "S1", "S1", "M"]
    records = played(left, right, rules=rules, seed=11, prompts=("attack", "hide"))
    return [replace(r, seats=SEATS) if isinstance(r, GameStarted) else r for r in records]
