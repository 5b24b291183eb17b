"""The rules against a second telling of them, written from their description alone and as plainly as possible."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

from batllm_arcade.core.events import BotHit, BulletFlew, FireRefused, ShotBlocked
from batllm_arcade.core.model import rules_from
from batllm_arcade.core.rules import read_command, start, step

COUCH = {
    "bot_radius": 60, "step_length": 100, "bullet_damage": 12, "shield_degrees": 50, "initial_shield": False,
    "battery": 9, "side_damage": 2, "back_damage": 3, "initial_health": 600,
}  # fmt: skip
TIGHT = {**COUCH, "arena_width": 420, "arena_height": 300}
"""So little room that walls and bots are met at nearly every step."""
ODD = {
    "bot_radius": 40.5, "step_length": 77.7, "bullet_damage": [7.3, 11], "shield_degrees": 100, "battery": 4,
    "initial_charge": 4, "shot_charge": 2, "block_charge": 3, "shield_charge": 0, "step_charge": 2, "rest_charge": 0,
    "side_damage": 0.7, "back_damage": 1.5, "bots_collide": False, "free_move": True, "initial_health": 400,
}  # fmt: skip
GUNS_ONLY = {**COUCH, "side_damage": 1, "back_damage": 1, "shot_charge": 9, "initial_charge": 9}
ARENA = {**COUCH, "ricochet": 1, "back_step": 60}
CAPPED = {**TIGHT, "ricochet": 1, "bounce_cap": 1.5, "back_step": 30, "battery": 30, "initial_charge": 30}
UNCAPPED = {**ODD, "free_move": False, "ricochet": 1, "bounce_cap": 0, "back_step": 77}
ARMOUR_ONLY = {**COUCH, "battery": 0, "initial_health": 2000}


def angle(dx, dy):
    return math.degrees(math.atan2(dy, dx))


def apart(one, other):
    """How far two directions are apart, 0 to 180 degrees."""
    return abs((one - other + 180) % 360 - 180)


def unit(rot):
    exact = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}
    return exact.get(rot, (math.cos(math.radians(rot)), math.sin(math.radians(rot))))


def round_angle(value):
    value = round(value % 360, 9)
    return 0.0 if value == 360 else value


def struck_at(me, foe, radius):
    """Where a bullet meets the foe: the nearer root of a quadratic equation; None where there is none ahead."""
    ux, uy = unit(me["rot"])
    gap = math.dist((me["x"], me["y"]), (foe["x"], foe["y"]))
    if gap == 0:
        return foe["x"] - radius * ux, foe["y"] - radius * uy
    if gap <= radius:
        share = radius / gap
        return foe["x"] + (me["x"] - foe["x"]) * share, foe["y"] + (me["y"] - foe["y"]) * share
    b = (me["x"] - foe["x"]) * ux + (me["y"] - foe["y"]) * uy
    c = gap * gap - radius * radius
    if b >= 0 or b * b < c:
        return None
    t = -b - math.sqrt(b * b - c)
    return me["x"] + t * ux, me["y"] + t * uy


def struck_off_a_wall(me, foe, rules):
    """Where a bullet meets the foe after a wall: where it would meet the foe's mirror image, mirrored back."""
    ux, uy = unit(me["rot"])
    until_x = math.inf if ux == 0 else ((rules.arena_width if ux > 0 else 0) - me["x"]) / ux
    until_y = math.inf if uy == 0 else ((rules.arena_height if uy > 0 else 0) - me["y"]) / uy
    corner = math.isclose(until_x, until_y, rel_tol=1e-9)

    def mirrored(x, y):
        if corner or until_x < until_y:
            x = 2 * rules.arena_width - x if ux > 0 else -x
        if corner or until_y < until_x:
            y = 2 * rules.arena_height - y if uy > 0 else -y
        return x, y

    x, y = mirrored(foe["x"], foe["y"])
    point = struck_at(me, {"x": x, "y": y}, rules.bot_radius)
    return point and mirrored(*point)


def walked(me, foe, length, rules):
    """Where a walk ends: clamped into the walls, then stopped by the other bot; found by halving."""
    ux, uy = unit(me["rot"])
    radius = rules.bot_radius
    x = sorted((radius, me["x"] + length * ux, rules.arena_width - radius))[1]
    y = sorted((radius, me["y"] + length * uy, rules.arena_height - radius))[1]

    def at(part):
        return me["x"] + part * (x - me["x"]), me["y"] + part * (y - me["y"])

    def gap(part):
        return math.dist(at(part), (foe["x"], foe["y"]))

    nearer = (me["x"] - foe["x"]) * (x - me["x"]) + (me["y"] - foe["y"]) * (y - me["y"])
    if rules.bots_collide and nearer < -1e-8 * gap(0) * math.dist(at(0), at(1)):
        if gap(0) <= 2 * radius + 1e-9:
            return at(0)
        closest = min(1.0, -nearer / math.dist(at(0), at(1)) ** 2)
        if gap(closest) < 2 * radius:
            free, stopped = 0.0, closest
            for _ in range(200):
                middle = (free + stopped) / 2
                free, stopped = (middle, stopped) if gap(middle) >= 2 * radius else (free, middle)
            return at(free)
    return x, y


def oracle(bots, actor, text, rules):
    """Play one token on two dictionaries; returns them and words for what happened."""
    me, foe = dict(bots[actor]), dict(bots[1 - actor])
    words, fired, gain = [], False, rules.rest_charge
    if text[0] in "CA":
        me["rot"] = round_angle(me["rot"] + float(text[1:]) * (1 if text[0] == "C" else -1))
    elif text[0] == "M":
        back = rules.back_step and len(text) > 1
        x, y = walked(me, foe, -rules.back_step if back else float(text[1:] or rules.step_length), rules)
        x, y = round(x, 9), round(y, 9)
        if not back and round(math.dist((x, y), (me["x"], me["y"])), 9) >= rules.step_length / 2:
            gain = rules.step_charge
        me.update(x=x, y=y)
    elif text in ("S", "S1", "S0"):
        up = not me["shield"] if text == "S" else text == "S1"
        if up and not me["shield"] and rules.battery and me["charge"] <= rules.shield_charge:
            words.append("ShieldRefused")
        else:
            me["shield"] = up
            words.append("ShieldRaised" if up else "ShieldLowered")
    elif text == "B":
        if me["shield"]:
            words.append("FireRefused shield")
        elif rules.battery and me["charge"] < rules.shot_charge:
            words.append("FireRefused charge")
        else:
            fired = True
            words += shot(me, foe, actor, rules)
    if rules.battery and me["shield"]:
        me["charge"] = max(0, me["charge"] - rules.shield_charge)
        if me["charge"] == 0:
            me["shield"] = False
            words.append("ShieldFaded")
    elif rules.battery and not fired:
        me["charge"] = min(rules.battery, me["charge"] + gain)
    return ((me, foe) if actor == 0 else (foe, me)), words


def shot(me, foe, actor, rules):
    if rules.battery:
        me["charge"] -= rules.shot_charge
    point, bounced = struck_at(me, foe, rules.bot_radius), ""
    if point is None and rules.ricochet:
        point, bounced = struck_off_a_wall(me, foe, rules), " off a wall"
    if point is None:
        return ["ShotMissed"]
    off = round(apart(foe["rot"], angle(point[0] - foe["x"], point[1] - foe["y"])), 9)
    if foe["shield"] and off <= rules.shield_degrees:
        if rules.battery:
            foe["charge"] = max(0, foe["charge"] - rules.block_charge)
            foe["shield"] = foe["charge"] > 0
        return [f"ShotBlocked{bounced}", *([] if foe["shield"] else ["ShieldBroke"])]
    part, times = "side", rules.side_damage
    if off <= rules.shield_degrees:
        part, times = "front", 1
    elif off >= 180 - rules.shield_degrees:
        part, times = "back", rules.back_damage
    if bounced and rules.bounce_cap:
        times = min(times, rules.bounce_cap)
    foe["health"] = max(0, round(foe["health"] - round(rules.bullet_damage[actor] * times, 9), 9))
    return [f"BotHit {part}{bounced}", *(["BotKnockedOut"] if foe["health"] == 0 else [])]


ALL = {
    "BotHit front", "BotHit side", "BotHit back", "ShotBlocked", "ShotMissed", "ShieldRaised", "ShieldLowered",
    "FireRefused shield", "FireRefused charge", "ShieldRefused", "ShieldBroke", "ShieldFaded",
}  # fmt: skip
OFF_A_WALL = {f"{event} off a wall" for event in ("BotHit front", "BotHit side", "BotHit back", "ShotBlocked")}
MISSING = {
    "UNCAPPED": {"BotHit side", "BotHit side off a wall", "ShieldFaded"},
    "ODD": {"BotHit side", "ShieldFaded"},
    "ARMOUR_ONLY": {"FireRefused charge", "ShieldRefused", "ShieldBroke", "ShieldFaded"},
}
"""What cannot happen under some rules; all else must have, or the comparison says little."""
SILENT = {"BotTurned", "BotMoved", "BulletFlew", "CommandIgnored"}
"""Events that the oracle does not tell of: its states do."""


def told(events):
    for event in events:
        name = type(event).__name__
        detail = event.part if isinstance(event, BotHit) else event.reason if isinstance(event, FireRefused) else ""
        if isinstance(event, BulletFlew):
            off_a_wall = " off a wall" if event.bounce else ""
        if isinstance(event, (BotHit, ShotBlocked)):
            detail += off_a_wall
        if name not in SILENT:
            yield f"{name} {detail.strip()}".strip()


def figures(bot):
    return {name: getattr(bot, name) for name in ("x", "y", "rot", "health", "shield", "charge")}


def token(rng, arena, actor, rules):
    """Anything a bot may do, aimed at the other more often than luck would."""
    me, foe = arena.bot(actor), arena.bot(1 - actor)
    kind = rng.choice("TTAAMMMMMBBBBSS10." + "WWWWBBK" * rules.ricochet)
    if kind in "TAW":
        x = rng.choice((-foe.x, foe.x, 2 * rules.arena_width - foe.x)) if kind == "W" else foe.x
        y = rng.choice((-foe.y, foe.y, 2 * rules.arena_height - foe.y)) if kind == "W" else foe.y
        aim = angle(x - me.x, y - me.y) - me.rot if kind in "AW" else rng.choice((45, -90, 180, rng.random()))
        aim = (aim + (rng.uniform(-200, 200) if rng.random() < 0.3 else 0)) % 360
        return rng.choice((f"C{aim:.6f}", f"A{360 - aim:.6f}"))
    if kind == "M" and rules.free_move:
        return f"M{rng.uniform(-200, 200):.4f}"
    if kind == "K":
        return f"M-{rules.back_step}"
    return {"M": "M", "B": "B", "S": "S", "1": "S1", "0": "S0", ".": "wait"}[kind]


@pytest.mark.parametrize("name", ["COUCH", "TIGHT", "ODD", "GUNS_ONLY", "ARMOUR_ONLY", "ARENA", "CAPPED", "UNCAPPED"])
def test_a_second_telling_of_the_rules_plays_the_same(name):
    rules, seen = rules_from(globals()[name]), Counter()
    for seed in range(40):
        rng = Random(f"{name}/{seed}")
        arena = start(rng, rules)
        for number in range(100):
            actor = number % 2
            text = token(rng, arena, actor, rules)
            expected, words = oracle((figures(arena.left), figures(arena.right)), actor, text, rules)
            arena, events = step(arena, actor, read_command(text, rules), rules)
            for bot, figure in zip((arena.left, arena.right), expected, strict=True):
                assert figures(bot) == pytest.approx(figure, abs=1e-8), (seed, number, text)
                assert (bot.shield, bot.charge, bot.health) == (figure["shield"], figure["charge"], figure["health"])
            assert list(told(events)) == words, (seed, number, text)
            seen.update(words)
            if min(arena.left.health, arena.right.health) <= 0:
                break
    assert (ALL | OFF_A_WALL if rules.ricochet else ALL) - MISSING.get(name, set()) <= set(seen)
