"""The tactician: a bot that plays orders that were read."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import ClassVar, NamedTuple

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.cases import CONDITIONS
from batllm_arcade.brains.foresight import better
from batllm_arcade.brains.orders import STYLES, UNCLEAR, Reading, Weights
from batllm_arcade.brains.protocol import Spec, View
from batllm_arcade.brains.styles import (
    BINDING,
    BINDS,
    CHANGING,
    DOING,
    PEACEFUL,
    WAYS,
    hide,
    play_style,
    way_of,
    within,
    without_firing,
)
from batllm_arcade.brains.styles import carry_out as carry_out_way
from batllm_arcade.brains.tactics import Situation, covered, tactic_weights
from batllm_arcade.brains.temper import HOLDS, tempered
from batllm_arcade.errors import UsageError

LEVELS = ("rookie", "regular", "merciless")
FORESEES = {"rookie": (1, 2.0), "regular": (1, 0.5), "merciless": (2, 0.2)}
"""How many plays each level looks ahead, and by how many bullets a play must be better than its style's."""
LED = 0.5
"""By how many bullets more where the manner has its say."""
CHARACTERS = {
    "charge": ("M+", "-"), "shield": ("MTSN-", "M+B"), "dodge": ("M+T", "N-"),
    "camp": ("M+TSN-", "M-+T"), "snipe": ("+-", "M"),
    "circle": ("M+T", "-"), "kite": ("-", "M"), "flank": ("M+", ""), "bank": ("T", "B"),
    "stand": ("", "M-+"), "spray": ("TB", "M-+S"),
}  # fmt: skip
"""What styles and ways are known by, which is left to them whatever is foreseen; all others leave the choice."""
HESITATES = 0.25
"""A rookie's chance to do nothing in a play."""
FORGETS = 0.5
"""A rookie's chance to forget about its shield when it would raise it."""


def level_of(spec: Spec) -> str:
    """Return the option `level` of a brain, `regular` without it; raise UsageError for any other word."""
    level = spec.text("level", "regular")
    if level not in LEVELS:
        raise UsageError(f"level of {spec.name} must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def rookie_lapse(command: str | None, rng: Random) -> str:
    """Return why a rookie does nothing instead of a command, "" if it carries it out; draws once or twice."""
    if rng.random() < HESITATES:
        return "hesitating"
    return "forgetting the shield" if command == "S1" and rng.random() < FORGETS else ""


SHARPNESS = 0.5
"""The temperature of the draw: below 1 the style that fits best is played more often."""
LEAST_PEACEFUL = 0.15
"""Share of the peaceful styles below which who holds fire merely strolls."""
SIGHT = 0.4
"""Share of the diagonal beyond which a rookie does not notice that it is aimed at."""
GUARDS = 0.14
"""Share of the shield, or of dodging, from which who camps hides behind it there, or walks along its wall."""
LIVELY = 0.65
"""How lively a manner is from which that is so without a share of dodging."""
CHANGES = (3, 6)
"""After how many plays who mixes changes its mind, at least and at most."""
BACKS = 7.0
"""How near, in radii, who steps back from a foe that is near finds it so."""
FIRST = 8
"""Plays that what orders want first lasts, before what they want then."""


class StylePlay(NamedTuple):
    """What is done in a play: the style that was drawn, the command (None: nothing), and why in a few words.

    `unclear` is True of the first play under orders that may mean something else; `when` is the case that counts.
    """

    style: str
    command: str | None
    why: str
    reading: Reading | None = None
    unclear: bool = False
    when: str = ""

    @property
    def thought(self) -> str:
        """Return how the orders that count now were read, and what the bot does."""
        said = f"{UNCLEAR}, {self.sentence}" if self.unclear else self.sentence
        if self.reading is None:
            return said
        when = f"{self.when}: " if self.when else ""
        return f"{when}{' · '.join(filter(None, [self.reading.shown(), self.reading.aside]))} — {said}"

    @property
    def sentence(self) -> str:
        """Return what the bot does, such as `camping: in the corner, shield up`."""
        return f"{WAYS.get(self.style) or DOING[self.style]}: {self.why}"


class Tactician:
    """Plays for one seat. `sharpness` is the temperature of the draw, `level` one of `levels.LEVELS`.

    A rookie hesitates, forgets its shield and notices no gun that is far away; each looks ahead as far as `FORESEES`
    says, and leaves the style's own command for one that is clearly better, where the style leaves it the choice.
    """

    SHARPNESS: ClassVar[float] = SHARPNESS

    def __init__(self, sharpness: float = SHARPNESS, level: str = "regular") -> None:
        self._sharpness, self._level = sharpness, level
        self._begun, self._spends, self._fired = "", False, False
        self._changing, self._left = "", 0
        self._heard, self._plays = "", 0
        self._counts: Reading | None = None

    def play(self, view: View, reading: Reading) -> StylePlay:
        """Return what to do now; draws from the view's stream, once unless a style binds or is mixed."""
        if view.round == 1 and view.turn == 1:
            self._begun, self._changing, self._left = "", "", 0
            self._counts = None
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        now = Situation(me, foe, self._begun)
        when, reading = self._turned_to(view, reading, now)
        unclear, self._counts = reading.unclear and reading != self._counts, reading
        if self._level == "rookie" and now.distance > SIGHT * hypot(me.rules.arena_width, me.rules.arena_height):
            now.menaced = now.threatened = False
        style = binding(reading) or drawn(reading.weights, style_weights(now), self._sharpness, view.rng)
        way = way_of(style, reading.rules)
        command, why = carry_out_way(way, now) if way else self._carry_out(style, now, view, reading)
        own, inner = command, why.partition(",")[0]  # what who mixes tries now
        if reading.manner is not None and {"idle", "hold_fire", "stand", "spray"}.isdisjoint((style, *reading.rules)):
            command, why = tempered(reading.manner, way or style, now, command, why, view.rng.random())
        if style not in ("hold_fire", "idle", "retreat"):
            depth, slack = FORESEES[self._level]
            slack += LED * (command != own)
            command, why = better(now, command, why, (depth, slack), CHARACTERS.get(way or style, ("", "")))
        if style == "mixed" and not way and not why.startswith(inner):
            why = f"{inner}, {why}"
        if self._level == "rookie" and style != "idle":
            lapse = rookie_lapse(command, view.rng)
            command, why = (None, lapse) if lapse else (command, why)
        self._spends = me.loaded and (now.full or self._spends)
        idle = {"full"} if self._spends else set()
        idle |= set() if self._fired else {"single"}
        command, why = within([rule for rule in reading.rules if rule not in idle], now, command, why)
        self._fired = command == "B"
        if command == "S1" and not me.shield and not covered(me, foe):
            command, why = me.turn_to(foe), "turning to face it"
        # A turn or a lowered shield is a beginning; a step, a shot, a raised shield is a deed.
        self._begun = "" if command in ("M", "B", "S1", me.back, None) else style
        return StylePlay(way or style, command, why, reading, unclear, when)

    def _turned_to(self, view: View, reading: Reading, now: Situation) -> tuple[str, Reading]:
        """Return what the orders ask for now: in a case of theirs, which it names, or one thing first, another then."""
        if (view.round == 1 and view.turn == 1) or view.prompt != self._heard:
            self._heard, self._plays = view.prompt, 0
        self._plays += 1
        for condition, case in reading.cases:
            steps_back = condition == "near" and "kite" in case.rules and now.distance < BACKS * now.me.rules.bot_radius
            if HOLDS[condition](now) or steps_back:
                return CONDITIONS[condition], case
        return ("", reading) if reading.then is None or self._plays <= FIRST else ("then", reading.then)

    def _carry_out(self, style: str, now: Situation, view: View, reading: Reading) -> tuple[str | None, str]:
        if style == "hold_fire":
            return self._hold_fire(now, view, reading)
        if style == "shield" and reading.weights["shield"] >= BINDS:
            return hide(now)
        if style == "mixed":
            style = self._change(view.rng)
            command, why = play_style(style, now, view.prompt)
            return command, f"{DOING[style]}, {why}"
        # Whether the other bot's last play of this round, as far as it is told, was a shot.
        past = [play.cmd for turn in view.history[-1:] for play in turn.plays if play.bot != view.seat]
        lively = "dodge" * (reading.manner is not None and reading.manner.lively > LIVELY)
        there = next((each for each in ("shield", "dodge") if reading.weights.get(each, 0.0) >= GUARDS), lively)
        return play_style(style, now, reading.place or view.prompt, foe_fired=past[-1:] == ["B"], there=there)

    def _hold_fire(self, now: Situation, view: View, reading: Reading) -> tuple[str | None, str]:
        peaceful = {style: reading.weights.get(style, 0.0) for style in PEACEFUL}
        if sum(peaceful.values()) < LEAST_PEACEFUL:
            return play_style("hold_fire", now)
        return without_firing(max(peaceful, key=peaceful.__getitem__), now, reading.place or view.prompt)

    def _change(self, rng: Random) -> str:
        if self._left <= 0:
            self._changing = rng.choice([style for style in CHANGING if style != self._changing])
            self._left = rng.randint(*CHANGES)
        self._left -= 1
        return self._changing


def binding(reading: Reading) -> str:
    """Return the style that holds for the whole round, "" where each play draws one."""
    share = reading.weights.get
    hides_there = share("camp", 0.0) >= GUARDS and share("camp", 0.0) + share("shield", 0.0) >= 0.8
    return next((style for style in BINDING if share(style, 0.0) >= BINDS), "camp" * hides_there)


def style_weights(now: Situation) -> dict[str, float]:
    """Return how much the situation speaks for each style: 1 where it says nothing."""
    factor = dict.fromkeys(STYLES, 1.0) | tactic_weights(now)
    if now.begun and now.begun not in tactic_weights(now):
        factor[now.begun] *= 30.0
    return factor


def drawn(weights: Weights, factor: Weights, sharpness: float, rng: Random) -> str:
    """Return a style, drawn by its share and what the situation says for it."""
    likely = [max(weights.get(style, 0.0), 0.0) ** (1 / sharpness) * factor[style] for style in STYLES]
    return rng.choices(STYLES, likely)[0]
