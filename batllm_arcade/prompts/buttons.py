"""Buttons: the form in which a model answers with one of the commands by name."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from batllm_arcade.brains.protocol import BUTTONS, Decision, Gamepad, View
from batllm_arcade.core.commands import Fire, Rotate, canonical, parse
from batllm_arcade.core.events import FireRefused, ShotBlocked, ShotMissed
from batllm_arcade.core.rules import step
from batllm_arcade.errors import quoted
from batllm_arcade.prompts.formats import InvalidReply, ReplyFormat, without
from batllm_arcade.prompts.unwrap import split_thought

if TYPE_CHECKING:
    from batllm_arcade.prompts.button_schema import ButtonReply


class NotJson(InvalidReply):
    """Criterion 1: the response is not valid JSON."""


class WrongField(InvalidReply):
    """Criterion 2: a required field is missing, or a field has a wrong value."""


class WrongButton(InvalidReply):
    """Criterion 3: button_presses is not a list of one to three of the eight buttons."""


class TooLong(InvalidReply):
    """Criterion 4: a text is longer than its limit."""


class ExtraText(InvalidReply):
    """Criterion 5: the response is not the JSON object alone."""


class Prohibited(ExtraText):
    """Criterion 5, within the texts: markdown, role play, hype or narrative where facts are asked for."""


def read(raw: str) -> ButtonReply:
    """Return the response in a model's text, whose thought is no part of it; raise the first criterion's error."""
    reply = _validated(_object(split_thought(raw)[1]))
    for field in ("reasoning", "observations"):
        for what, pattern in _PROHIBITED.items():
            if pattern.search(getattr(reply, field).replace("\u2019", "'")):
                raise Prohibited(f"{field} must be plain facts without {what}")
    return reply


_ROLE = r"(?:the|an?|your) (?:[\w-]+ ){0,5}(?:bot|robot|fighter|soldier|defender|machine|knight)\b"
_HYPE = """
adrenaline agony alas amazing angry arrogan* assassin* astonish* aveng* awesome beast* behold blaz* blood* boom brave*
brutal* carnage champion* chaos cheer* clash* comrade* conquer* coward* cower* crush* cunning daring darkness deadly
destin* devastat* devil* doom* drama* dread* eager* enrage* epic evil excit* fabulous fantastic* fate* fearless*
fearsome ferocious* fierc* fiery foolish fun furious* fury gasp* ghost* gladiator* glor* grin grinning grins haha*
heart hearts heaven* hell hero* hooray hungr* hush* incredibl* insane* intense* invincib* laugh* legendary lightning
magnificen* majestic* marvel* menac* mighty monster* nemesis nerves nightmare* noble oh omen* pathetic phenomenal*
pray prayer* prey pride proud* prowl* puny rage rages raging relentless* revenge rival* roar* ruthless* scared scream*
showdown sinister smirk* soul* spectacular* stunning surrender* swear* sweat* sword* taste* tension terrif* terror
thirst* thrill* thunder* titan* trembl* triumph* trusty unforgettable unstoppable valiant* vanquish* vengeance
villain* vow vows warrior* whisper* wicked wonderful* woohoo wow wrath yay
"""
"""Words that no description of an arena needs; `*` stands for any ending."""
_BY_LETTER = [
    f"{letter}(?:{'|'.join(word[1:] for word in words)})" for letter, words in groupby(_HYPE.split(), itemgetter(0))
]
_PROHIBITED = {
    "markdown, such as **bold**, *italic* or a code block": re.compile(
        r"```|(?<![\w*])(\*{1,3})(?=\S)[^*\n]*[^*\s]\1(?![\w*])|(?<![\w_])__(?=\S)[^_\n]+__(?![\w_])"
    ),
    "role play": re.compile(
        # Whoever gives itself a name, a role, feelings or vows: "I'm 12 degrees off" and "my shield is up" are facts.
        rf"\bI(?:'m| am),? (?:(?-i:[A-Z])[a-z]+\b(?<!ed)(?<!ing)|{_ROLE}|your\b|(?:an?|the) (?!bit|few|little|step|turn"
        r"|long|short|couple|easy|open|first|second|one|only|closer|nearer|left|right)\w+)"
        rf"|\bI, {_ROLE}|(?:^|[.!?]\s)As (?!the){_ROLE}"
        r"|\bmy (?:[\w-]+ ){1,3}(?:is|are) ready (?:for|to) (?:battle|war|action|fight|duel|rumble)"
        r"|\bI(?:'ll| will| shall| must)? (?:never |now )?(?:destroy|annihilate|prevail|feel (?!no)|fear no|love|hate"
        r"|dash|leap|lunge|charge (?:at|in|into|forward|ahead))\b"
        r"|\b(?:prepare to|take that|bring it on|eat this|fear me|greetings|you (?:missed|can't|cannot|fool)"
        r"|(?:shall|will) be mine|our (?:hero|eyes))\b",
        re.IGNORECASE,
    ),
    "narrative": re.compile(
        r"(?:^|[.!?]\s)\s*(?:let me|let's|let the (?:games?|battle|fight|duel) begin|here's my|here we go"
        r"|(?:it's |it is )?time to \w+ th(?:e|is)|once (?:again|upon)|suddenly|meanwhile|as the (?:dust|smoke))\b"
        r"|\b(?:the (?:crowd|audience)|(?:holds? (?:its|his|her|their)|bated) breath|stands? (?:alone|tall)"
        r"|far from over|stage is set|(?:circle|stare at)s? each other"
        r"|(?:battle|fight|duel) (?:begins|unfolds|heats|rages))\b",
        re.IGNORECASE,
    ),
    "hype": re.compile(rf"\b(?:{'|'.join(_BY_LETTER)})\b|\bha(?=[,!])|!(?=\s|$)".replace("*", r"\w*"), re.IGNORECASE),
}


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("the response is nested too deeply to be valid JSON") from None
    except ValueError as error:
        if _contains_json(text):
            raise ExtraText("the response must contain ONLY the JSON object: no text or code fence around it") from None
        position = f" ({error.msg}, character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
        raise NotJson(f"the response is not valid JSON{position}") from None
    if not isinstance(value, dict):
        kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
        raise ExtraText(f"the response must be a JSON object, not {kinds.get(type(value), 'a number')}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"the response is not valid JSON: {quoted(twice)} occurs twice")
    return value


def _no_number(word: str) -> NoReturn:
    raise NotJson(f"the response is not valid JSON: {word} is not a JSON number")


def _contains_json(text: str) -> bool:
    if text.startswith("```"):
        return True
    decoder = json.JSONDecoder()
    for start in [found.start() for found in re.finditer(r"\{", text[:4000])][:20]:
        try:
            if isinstance(decoder.raw_decode(text, start)[0], dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _validated(value: dict[str, Any]) -> ButtonReply:
    from pydantic import ValidationError

    from batllm_arcade.prompts.button_schema import ButtonReply

    try:
        return ButtonReply.model_validate(value)
    except ValidationError as error:
        problems = [_problem(each["type"], each["loc"], each["input"]) for each in error.errors(include_url=False)]
        criteria = (WrongField, WrongButton, TooLong)
        raise min(problems, key=lambda problem: criteria.index(type(problem))) from None


def _problem(kind: str, path: tuple[int | str, ...], value: Any) -> WrongField | WrongButton | TooLong:
    field = str(path[0])
    if kind == "missing":
        return WrongField(f"the required field {field} is missing")
    if field == "button_presses" and kind in ("too_short", "too_long"):
        return WrongButton(f"button_presses must hold 1 to 3 buttons, not {len(value)}")
    if field == "button_presses" and kind == "list_type":
        return WrongButton(f"button_presses must be a list of 1 to 3 buttons, not {_as_json(value)}")
    if field == "button_presses":
        return WrongButton(f"{_as_json(value)} is not a button; the buttons are {', '.join(BUTTONS)}")
    if kind == "string_too_long":
        limit = 200 if field == "reasoning" else 300
        return TooLong(f"{field} must have at most {limit} characters, not {len(value)}")
    return WrongField(f"{field} must be {_MUST[field]}, not {_as_json(value)}")


def _as_json(value: Any) -> str:
    """Return a value as quoted in a sentence, spelt as the model wrote it: `null`, `true`."""
    return json.dumps(value) if value is None or isinstance(value, bool) else quoted(value)


_MUST = {
    "reasoning": "a text",
    "observations": "a text",
    "context_detected": "exactly one of battle, navigation, menu, unknown",
    "confidence": "high, medium or low, or left out",
    "turn_degrees": "a number above 0, at most 360, or left out",
}


Template = Literal["battle", "navigation", "recovery"]
Shot = Literal["hit", "block", "miss", "charge"]
"""What would become of a shot; `charge`: there is too little for one."""

STUCK = 3
"""Own plays in a row without an effect after which the recovery template is used."""


# Asking


def template(view: View) -> Template:
    """Return the template for this play: recovery if stuck, else battle if a shot now would hit, else navigation."""
    return "recovery" if stuck(view) else "battle" if _shot(view) == "hit" else "navigation"


def stuck(view: View) -> bool:
    """Return True if each of the last three own plays of this round left both bots as they were.

    Only an own play changes a bot's place, direction and shield, and the opponent's health; a charge that
    rises or falls is a change, too.
    """
    states = [view.initial, *(turn.after for turn in view.history)][-STUCK - 1 :]
    mine = [replace(arena.bot(view.seat), health=arena.bot(1 - view.seat).health) for arena in states]
    return len(states) > STUCK and len(set(mine)) == 1


def _shot(view: View) -> Shot:
    arena = view.arena.replaced(view.seat, view.arena.bot(view.seat).shielded(False))
    happened = {type(event) for event in step(arena, view.seat, Fire(), view.rules)[1]}
    if FireRefused in happened:
        return "charge"
    return "miss" if ShotMissed in happened else "block" if ShotBlocked in happened else "hit"


_FORMAT = """\
This replaces any output format above: you write no token, you press buttons on a gamepad.
One press per response is best: you see the arena again before the next. Up to three are carried out \
one after the other, one a turn, without another look:
{buttons}
left and right turn by {degrees} degrees; for another angle add "turn_degrees": a number above 0, at most 360.

**RESPONSE FORMAT (MANDATORY):**
Return ONLY a JSON object with no additional text:

{{
  "button_presses": ["button"],
  "reasoning": "why this action",
  "observations": "what you see",
  "context_detected": "battle|navigation|menu|unknown",
  "confidence": "high|medium|low"
}}

Do not include any text before or after the JSON. No markdown, no code blocks, no explanations.
- button_presses: 1 to 3 of {names}.
- reasoning: at most 200 characters. observations: at most 300 characters.
- context_detected: battle (somebody could be hit now), navigation (nobody is lined up: turn or move), menu (this game \
shows none) or unknown (you cannot tell).
- confidence: high, medium or low.

**PROHIBITED:**
- No role play: not "I'm the mighty left bot and I see...", but "Opponent ahead, shield down".
- No hype, no narrative: not "Let me analyze this exciting battle...", only factual observations.
- No code blocks, no **bold** or *italic*, no <think> blocks: the raw JSON object only.

**SITUATIONS:** THIS TURN (or this_turn), at the very end of the last message, names this turn's situation and says \
what a shot would do. Each adds fields of its own to the object:
{fields}

**CORRECT:** (one turn of each situation; press what yours needs)
{{"button_presses": ["a"], "reasoning": "Lined up", "observations": "Opponent ahead", "context_detected": "battle", \
"confidence": "high", "battle_phase": "firing", "move_strategy": "offensive"}}
{{"button_presses": ["left"], "reasoning": "Not lined up", "observations": "Opponent far to the left", \
"context_detected": "navigation", "confidence": "high", "exploration_goal": "line_up_a_shot"}}
{{"button_presses": ["up"], "reasoning": "Nothing changed, stepping away", \
"observations": "Same position for three turns", "context_detected": "navigation", "confidence": "medium", \
"recovery_strategy": "perpendicular_escape"}}

**INCORRECT:**
Here's my analysis: The battle is intense!
```json
{{"button_presses": ["a"]}}
```"""

_FIELDS: dict[Template, str] = {
    "battle": "battle_phase (aiming, firing...) and move_strategy (offensive, defensive...)",
    "navigation": "exploration_goal (line_up_a_shot, get_away...)",
    "recovery": "recovery_strategy (perpendicular_escape, turn_back...)",
}
_STUCK = "your last three turns changed nothing, try something else;"
_SHOT: dict[Shot, str] = {
    "hit": "would hit",
    "block": "would be blocked by the opponent's shield",
    "miss": "would miss",
    "charge": "is not possible, there is too little charge",
}


_UNNEEDED = ("title", "description", "default", "exclusiveMinimum")


@cache
def schema(name: Template) -> dict[str, Any]:
    """Return the JSON schema of a template's response, without keywords that servers do not need."""
    from batllm_arcade.prompts.button_schema import TEMPLATES

    return without(TEMPLATES[name].model_json_schema(), _UNNEEDED)


# Pressing


def commands(reply: ButtonReply, pad: Gamepad) -> list[str | None]:
    """Return the commands of the presses, one play each; equal turns in a row are merged into one."""
    merged: list[tuple[str | None, int]] = []
    for token in (_token(pad, button, reply.turn_degrees or pad.turn_degrees) for button in reply.button_presses):
        if merged and merged[-1][0] == token and isinstance(parse(token), Rotate):
            merged[-1] = (token, merged[-1][1] + 1)
        else:
            merged.append((token, 1))
    return [_repeated(token, count) for token, count in merged]


def _token(pad: Gamepad, button: str, degrees: float) -> str | None:
    token: str = getattr(pad, button)
    return f"{token.upper()}{_number(degrees)}" if token.upper() in ("A", "C") else token or None


def _repeated(token: str | None, count: int) -> str | None:
    if token is None or count == 1:
        return token
    degrees = count * float(token[1:])
    return f"{token[0]}{_number(degrees if degrees <= 360 else degrees % 360)}"


def _number(degrees: float) -> str:
    return canonical(f"{degrees:.9f}")


@dataclass(frozen=True)
class ButtonFormat(ReplyFormat):
    """The JSON-only response as a model's answer."""

    max_tokens: int = 800  # 500 characters, some of more than a token

    def instructions(self, view: View) -> str:
        pad = view.gamepad
        return _FORMAT.format(
            buttons="; ".join(f"{button}: {_token(pad, button, pad.turn_degrees) or 'nothing'}" for button in BUTTONS),
            degrees=_number(pad.turn_degrees),
            names=", ".join(BUTTONS),
            fields="\n".join(f"- {name}: {fields}" for name, fields in _FIELDS.items()),
        )

    def this_turn(self, view: View) -> str:
        name, shot = template(view), _SHOT[_shot(view)]
        begins = f"{name}: {_STUCK} " if name == "recovery" else f"{name}: "
        if not view.arena.bot(view.seat).shield:
            return f"{begins}a shot now {shot}"
        pad = view.gamepad
        lower = [f" ({button})" for token in ("S0", "S") for button in BUTTONS if getattr(pad, button).upper() == token]
        return f"{begins}your shield is up, so a shot does nothing; lower it{''.join(lower[:1])} and a shot {shot}"

    def schema(self, view: View) -> dict[str, Any]:
        return schema(template(view))

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        reply = read(raw)
        # This game has no menu a model could see, so "menu" counts as "unknown".
        context = "unknown" if reply.context_detected == "menu" else reply.context_detected
        first, *later = commands(reply, view.gamepad)
        thought = f"{reply.reasoning} ({context}, {reply.confidence} confidence)"
        return Decision(raw, first, thought=thought), *(Decision("", command) for command in later)
