"""A play in words: what was meant, done and read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from batllm_arcade.brains.orders import GOES_ON
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield, StepBack
from batllm_arcade.core.events import BotBumped, BotMoved, FireRefused, ShieldRefused
from batllm_arcade.core.flight import flight, lined_up, strikes
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.match.records import Play
from batllm_arcade.story.games import is_loaded
from batllm_arcade.story.moments import degrees_off
from batllm_arcade.view import theme
from batllm_arcade.view.cut_words import ended, reading_seconds
from batllm_arcade.view.play_text import doing, level_of, outcome
from batllm_arcade.view.reading_words import reading_of
from batllm_arcade.view.telegraph.lines import threatened
from batllm_arcade.view.theme import Color

# What a play says

PLAN = "PLAN"
"""What stands above a plan, as against a reply."""
MOST_WORDS = 8
"""Words of a caption; the rest of a thought is in the panel."""
_LONGEST = 90
"""Characters of a caption, for words that have no spaces between them."""
_READ = 2000
"""Characters of a thought that are looked at."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_CLAUSE = re.compile(
    r"(\S+\s+){2,}\S+(?=[,;:.!?](\s|$)| [\u2013\u2014]( |$))|.{8,}(?=[\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b])"
)
"""The longest beginning of a text that ends where a clause does, of three words at least."""
_SPACELESS = {"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff": 0.5, "\u0e01-\u0e5b": 0.2}
"""Characters of scripts that put no spaces between words, and how much of a word one is."""
_EACH = "".join(_SPACELESS)
_UNIT = re.compile("|".join(rf"\s*([{each}])" for each in _SPACELESS) + rf"|\s*([^\s{_EACH}]+)")
_WORTH = (0.0, *_SPACELESS.values(), 1.0)
"""How much of a word a unit is, by its group in the expression."""
_ROUNDING = 1e-6
_UNSPOKEN = re.compile(r"[\W_]|\b(?:cmd|command|action|reply)\b")
"""What of a reply that holds nothing but a command is not the command."""
_LONGEST_REPLY = 20
"""Characters of a reply that is shown whole, beside other words."""


def play_words(play: Play) -> str:
    """Return what the bot thought, else what it said, in at most eight words; "" if it told neither."""
    thought = play.decision.thought
    if reading := reading_of(thought):
        return shortened_to_words(reading.does)
    return shortened_to_words(_sentence(thought) or _sentence(play.decision.say))


def short_reply(play: Play, seat: SeatInfo) -> str:
    """Return what the model at a seat answered in quotation marks, "" if that is long or nothing but the command."""
    if not seat.model or seat.human:
        return ""
    reply = play.decision.raw.strip()
    if not reply or reply == str(play.decision.command or "") or len(reply) > _LONGEST_REPLY or "\n" in reply:
        return ""
    return f"\u201c{reply.replace('_', ' ') if reply_heading(play) == PLAN else reply}\u201d"


def reply_heading(play: Play) -> str:
    """Return what stands above a reply, which is a plan where the embedded model's tactician carries it out."""
    return PLAN if reading_of(play.decision.thought) else "REPLY"


def model_asked(play: Play, seat: SeatInfo) -> bool:
    """Return whether the model at a seat was asked for this play: not for one that a tactician made, or that was
    announced before."""
    return bool(seat.model) and not seat.human and play.decision.queued_from is None and reply_heading(play) != PLAN


def reply_says_more(play: Play, seat: SeatInfo) -> bool:
    """Return whether what the model at a seat answered tells more than what it plays."""
    if not model_asked(play, seat):
        return False
    bare, token = (_UNSPOKEN.sub("", text.lower()) for text in (play.decision.raw, str(play.decision.command or "")))
    return bare != token


def brain_words(seat: SeatInfo, level: str, fits: Callable[[str], bool]) -> str:
    """Return a seat's brain, its level and as many parts of its model's name as fit."""
    model = seat.model if seat.model not in seat.brain else ""
    while "-" in model and not fits(f"{seat.brain}  {model}"):
        model = model.rpartition("-")[0]  # its last parts tell least: how it was trained, made smaller and packed
    words = "  ".join(part for part in (seat.brain, level, model) if part)
    return f"{seat.brain}  {level}" if level and not fits(words) else words  # of a cut model little would be left


def thought_heading(play: Play) -> str:
    """Return what stands above a thought: who has it."""
    return "TACTICIAN" if reply_heading(play) == PLAN else "THOUGHT"


def reads_orders(records: Iterable[object], seat: int) -> bool:
    """Return whether the model at a seat reads its orders alone and a tactician plays them, as its plays tell."""
    return any(isinstance(play, Play) and play.bot == seat and reply_heading(play) == PLAN for play in records)


def shortened_to_words(text: str, most: int = MOST_WORDS) -> str:
    """Return the text's first words, with an ellipsis where some are left out: after a whole clause if one fits."""
    text, end, count = " ".join(text.split()), 0, 0.0
    for unit in _UNIT.finditer(text):
        count += _WORTH[unit.lastindex or 0]
        if count > most or unit.end() > _LONGEST:
            break
        end = unit.end()
    else:
        return text
    kept = text[: end or _LONGEST]
    clause = _CLAUSE.match(kept)
    return ended(clause[0] if clause else kept)


def word_count(words: str) -> int:
    """Return how many words a reader sees, in scripts without spaces between words by their characters."""
    return math.ceil(sum(_WORTH[unit.lastindex or 0] for unit in _UNIT.finditer(words.rstrip("\u2026"))) - _ROUNDING)


def _sentence(text: str) -> str:
    """Return the last sentence that is short enough: who thinks aloud decides at the end; else the first one."""
    sentences = [part for part in (" ".join(piece.split()) for piece in _SENTENCE.split(text[:_READ])) if part]
    whole = [part for part in sentences if 2 <= word_count(part) <= MOST_WORDS]
    return whole[-1] if whole and len(text) <= _READ else sentences[0] if sentences else ""


# What a bot that tells no thought does and why

_FACES = 20.0  # degrees to the other bot at which one that turned looks at it
_NEARER = 0.2  # of a step: a shorter walk is none, and one that changes the distance by less leads around
_OPEN = {"side": "Its side is open: fires", "back": "Its back is open: fires"}


def deed_heading(seat: SeatInfo) -> str:
    """Return what stands above these words: what a model had in mind nobody knows."""
    return "SEEN" if seat.model else "WHY"


def deed_words(play: Play, rules: Rules) -> str:
    """Return what a play does and why, "" for one that failed; nothing that is known only once a bullet lands."""
    if play.status != "ok":
        return ""
    match play.command:
        case Fire():
            return _fires(play, rules)
        case Shield():
            return _shields(play, rules)
        case Rotate():
            return _turns(play, rules)
        case StepBack():
            return "Steps back"
        case Move():
            return _walks(play, rules)
        case Nothing():
            return _waits(play, rules)


def _fires(play: Play, rules: Rules) -> str:
    for event in play.events:
        if isinstance(event, FireRefused):
            return "Fires behind its own shield" if event.reason == "shield" else "Not loaded: cannot fire"
    me, foe = play.before.bot(play.bot), play.before.bot(1 - play.bot)
    part = strikes(me, foe, rules)
    if part is None:
        return "Tries a shot"
    if _off_a_wall(play.before, play.bot, rules):
        return "Lined up off a wall: fires"
    return _OPEN.get(part, "Lined up: fires") if rules.has_armour or foe.shield else "Lined up: fires"


def _shields(play: Play, rules: Rules) -> str:
    before, after = (arena.bot(play.bot) for arena in (play.before, play.after))
    if any(isinstance(event, ShieldRefused) for event in play.events):
        return "No charge for the shield"
    if before.shield == after.shield:
        return f"Keeps the shield {'up' if after.shield else 'down'}"
    if after.shield:
        return f"{'Aimed at: raises' if threatened(play.before, play.bot, rules) else 'Raises'} the shield"
    if not is_loaded(play.before, play.bot, rules):
        return "Shield down to load"
    return "Lined up: shield down to fire" if lined_up(play.before, play.bot, rules) else "Lowers the shield"


def _turns(play: Play, rules: Rules) -> str:
    before, after = (abs(degrees_off(arena, play.bot)) for arena in (play.before, play.after))
    if lined_up(play.after, play.bot, rules):
        return "Turns to aim off a wall" if _off_a_wall(play.after, play.bot, rules) else "Turns to aim"
    if after < before:
        return "Turns to face it" if after <= _FACES else "Turns towards it"
    if threatened(play.before, play.bot, rules):
        return "Aimed at: turns to step aside"
    return "Turns away" if is_loaded(play.before, play.bot, rules) else "Turns to walk and load"


def _walks(play: Play, rules: Rules) -> str:
    bump = next((event for event in play.events if isinstance(event, BotBumped)), None)
    if bump is not None:
        return "Bumps it: it spins" if bump.turned else "Shoves it"
    moved = next((event for event in play.events if isinstance(event, BotMoved)), None)
    if moved is None or math.dist(moved.start, moved.end) < _NEARER * rules.step_length:
        return "Walks, but the way is blocked"
    if threatened(play.before, play.bot, rules) and not threatened(play.after, play.bot, rules):
        return "Aimed at: steps aside"
    if _loads(play, rules):
        return "Walks to load"
    nearer = play.before.apart - play.after.apart
    if abs(nearer) < _NEARER * rules.step_length:
        return "Walks around it"
    return "Walks closer" if nearer > 0 else "Walks away"


def _waits(play: Play, rules: Rules) -> str:
    if _loads(play, rules):
        return "Rests to load"
    if play.before.bot(play.bot).shield:
        return "Waits behind its shield"
    return "Loaded: waits" if rules.battery and is_loaded(play.before, play.bot, rules) else "Waits"


def _loads(play: Play, rules: Rules) -> bool:
    more = play.after.bot(play.bot).charge > play.before.bot(play.bot).charge
    return more and not is_loaded(play.before, play.bot, rules)


def _off_a_wall(arena: Arena, bot: int, rules: Rules) -> bool:
    return flight(arena.bot(bot), arena.bot(1 - bot), rules).bounce is not None


# What the panels of a film say of a play

_FAILED = 10
"""Words of why a play failed."""


def does(play: Play) -> str:
    """Return what a play does in large type."""
    return doing(play) if play.status == "ok" else "FUMBLE!"


def led(play: Play, rules: Rules, *, known: bool) -> tuple[str, Color]:
    """Return what a play led to, once that is `known`, or why it failed, and the colour to say it in."""
    if play.status != "ok":
        return shortened_to_words(play.reason, _FAILED), theme.SOFT
    return outcome(play, rules) if known else ("", theme.SOFT)


def said(play: Play, rules: Rules) -> str:
    """Return what a play's bot thought, else what is seen of its reason."""
    return play_words(play) or deed_words(play, rules)


# What a player without orders does

_CHARACTERS = {
    "sharpshooter": "walks up, fires, tries to step aside",
    "turtle": "raises its shield when threatened, creeps up, fires",
    "dancer": "sidesteps to load, shoots ahead of its foe",
    "random": "does anything at all",
    "strategist": "looks {} ahead",
    "target": "stands still, for practice",
}
_DEPTH, _DEEPEST, _STEPS = "2", 4, {"rookie": -1, "merciless": 1}
"""How many moves the strategist looks ahead: unless told otherwise, at most, and how many more at a level."""


def player_words(seat: SeatInfo) -> str:
    """Return what is told of a player without orders: `Script: looks 2 moves ahead`, `a person`, `no orders`."""
    if seat.human:
        return "a person"
    does = script_words(seat)
    return f"Script: {does}" if does else "no orders"


def kind_words(seat: SeatInfo) -> str:
    """Return what plays at a seat where its name does not say that: its model, or `Script`."""
    words = "Script" if seat.is_script else seat.model
    return "" if words.casefold() in seat.name.casefold() else words


def script_words(seat: SeatInfo) -> str:
    """Return what the script at a seat does, "" where there is none or it is not known."""
    does = _CHARACTERS.get(seat.brain.partition(":")[2]) if seat.is_script else None
    return does.format(_moves(seat)) if does else ""


def _moves(seat: SeatInfo) -> str:
    asked = str(seat.options.get("depth") or _DEPTH)
    moves = int(asked) if asked in ("1", "2", "3", "4") else int(_DEPTH)
    moves = min(max(moves + _STEPS.get(level_of(seat), 0), 1), _DEEPEST)
    return f"{moves} move{'s' if moves > 1 else ''}"


# Orders on one line

_LINE_OF_A_LETTER = 40  # characters: such a line may have been broken anywhere


def in_one_line(orders: str) -> str:
    """Return orders on one line; one of theirs that was a sentence ends like one: `Stay close. Never shoot`."""
    lines = [line.strip().removeprefix("- ") for line in orders.splitlines() if line.strip()]
    ended = [line + _end(line, following) for line, following in pairwise(lines)]
    return " ".join(" ".join([*ended, *lines[-1:]]).split())


def quoted(orders: str) -> str:
    """Return orders on one line in quotation marks, "" if there are none."""
    return f"\u201c{in_one_line(orders)}\u201d" if orders.strip() else ""


def _end(line: str, following: str) -> str:
    """Return what a line lacks before the next one: nothing where it goes on there, as the lines of a letter do."""
    if GOES_ON.search(line):
        return ""
    if following[0].islower():
        return "," if len(line) < _LINE_OF_A_LETTER else ""
    return "."


# How long a watched match waits for a play's words to be read

PLAY_S = 0.5
"""Seconds for which words can be read anyway, while their play is shown."""
_REMEMBERED = 2  # of a bot's last words: those are not read again


class ReadingPace:
    """Remembers what both bots have said."""

    def __init__(self) -> None:
        self._said: tuple[list[str], list[str]] = ([], [])

    def lead(self, play: Play, *, waits: bool) -> float:
        """Return how many seconds longer a play's words need: 0 unless it `waits` for them and they are new."""
        words, said = play_words(play), self._said[play.bot]
        new = words not in said[-_REMEMBERED:]
        said.append(words)
        return max(0.0, reading_seconds(word_count(words)) - PLAY_S) if waits and new else 0.0
