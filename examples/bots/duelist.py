"""A bot without chance in plain Python: batllm-arcade run --left proc:examples/bots/duelist.py ..."""

import json
import sys
from math import asin, atan2, cos, degrees, floor, hypot, radians, sin


def bearing(a, b):
    """How far `a` has to turn to face `b`: -180 to 180, positive clockwise."""
    return (degrees(atan2(b["y"] - a["y"], b["x"] - a["x"])) - a["rot"] + 900) % 360 - 180


def distance(a, b):
    return hypot(b["x"] - a["x"], b["y"] - a["y"])


def aims(a, b, const):
    reach = max(distance(a, b), const["bot_radius"])
    return abs(bearing(a, b)) <= degrees(asin(const["bot_radius"] / reach))


def shielded(a, b, const):
    """Whether `a` would stop a bullet of `b`."""
    return a["shield"] == 1 and abs(bearing(a, b)) <= const["shield_degrees"]


def loaded(a, const):
    return "battery" not in const or a["charge"] >= const["battery"]["shot"]


def walks(a, b, const):
    """Whether there is room for half a step, and nobody in the way."""
    radius, angle = const["bot_radius"], radians(a["rot"])
    x, y = a["x"] + cos(angle) * const["step_length"] / 2, a["y"] + sin(angle) * const["step_length"] / 2
    inside = radius <= x <= const["arena_width"] - radius and radius <= y <= const["arena_height"] - radius
    return inside and not (distance(a, b) < 2.1 * radius and abs(bearing(a, b)) < 90)


def turn(angle):
    """The command for a turn, the shorter way round, to a tenth of a degree."""
    angle = (angle + 900) % 360 - 180
    return f"{'C' if angle >= 0 else 'A'}{floor(abs(angle) * 10 + 0.5) / 10:.1f}"


def decide(me, foe, const):
    off = bearing(me, foe)
    menaced = foe["shield"] == 0 and loaded(foe, const) and aims(foe, me, const)
    charge = me.get("charge", 99)
    if abs(off) > 5 or not aims(me, foe, const):
        return turn(off), "facing it"
    if me["shield"]:
        waits = menaced and charge >= 2 and not loaded(me, const)
        return (None, "staying behind the shield") if waits else ("S0", "lowering the shield")
    if loaded(me, const) and not shielded(foe, me, const):
        return "B", "fire"
    if menaced and charge >= 3:
        return "S1", "it could fire: shield up"
    if walks(me, foe, const):
        return "M", "closing in, which loads the gun"
    return ("B", "hammering its shield") if "battery" not in const else (None, "resting to load")


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "duelist"}), flush=True)
    elif message["type"] == "decide":
        state = message["view"]["current_state"]
        command, thought = decide(state["self"], state["opp"], message["view"]["const"])
        print(json.dumps({"type": "play", "id": message["id"], "command": command, "thought": thought}), flush=True)
    elif message["type"] == "quit":
        break
