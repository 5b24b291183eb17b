"""JSON-only responses: the prompt that asks for one, its validation, and the gamepad that turns presses into plays."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from batllm_arcade.brains.options import BUTTONS, Gamepad
from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.core.commands import Fire, Rotate, canonical, parse
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import step
from batllm_arcade.errors import quoted
from batllm_arcade.prompts.formats import InvalidReply, without

if TYPE_CHECKING:
    from batllm_arcade.prompts.button_models import ButtonReply

Template = Literal["battle", "navigation", "recovery"]

STUCK = 3
"""Own plays in a row without an effect after which the recovery template is used."""


class NotJson(InvalidReply):
    """Criterion 1: the response is no valid JSON."""


class WrongField(InvalidReply):
    """Criterion 2: a required field is missing, or a field does not hold what it must."""


class WrongButton(InvalidReply):
    """Criterion 3: the buttons are not one to three of the eight."""


class TooLong(InvalidReply):
    """Criterion 4: a text is longer than its limit."""


class ExtraText(InvalidReply):
    """Criterion 5: the response is not the JSON object alone."""


# ---------------------------------------------------------------------------------- asking


def template(view: View) -> Template:
    """Which template this play calls for: stuck first, then whether a shot now would hit, battle by default."""
    if stuck(view):
        return "recovery"
    return "battle" if has_line(view) else "navigation"


def stuck(view: View) -> bool:
    """Whether each of the last three own plays of this round left both bots as they were.

    Only an own play changes a bot's place, direction and shield, and the opponent's health; a charge that
    rises or falls is a change, too.
    """
    states = [view.initial, *(turn.after for turn in view.history)][-STUCK - 1 :]
    return len(states) > STUCK and len({_doing(arena, view.seat) for arena in states}) == 1


def _doing(arena: Arena, me: int) -> tuple[float, ...]:
    bot = arena.bot(me)
    return bot.x, bot.y, bot.rot, bot.shield, bot.charge, arena.bot(1 - me).health


def has_line(view: View) -> bool:
    """Whether a shot along the own direction, with the own shield down, would hit the opponent now.

    With a battery also whether there is enough in it: a refused shot hits nobody.
    """
    me, foe = view.arena.bot(view.seat), view.arena.bot(1 - view.seat)
    bare = BotState(me.x, me.y, me.rot, me.health, False, me.charge)
    arena = Arena(foe, bare) if view.seat else Arena(bare, foe)
    return any(isinstance(event, BotHit) for event in step(arena, view.seat, Fire(), view.rules)[1])


_FORMAT = """\
This replaces any output format above: you write no token, you press buttons on a gamepad.
One to three presses per response, carried out one after the other, one a turn:
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
- context_detected and confidence: exactly one of their words.

**PROHIBITED:**
- No role play: not "I'm the mighty left bot and I see...", but "Opponent ahead, shield down".
- No narrative: not "Let me analyze this exciting battle...", only factual observations.
- No code blocks, no **bold** or *italic*, no <think> blocks: the raw JSON object only.

**CORRECT:**
{{"button_presses": ["a"], "reasoning": "Lined up", "observations": "Opponent ahead", "context_detected": "battle"}}

**INCORRECT:**
Here's my analysis: The battle is intense!
```json
{{"button_presses": ["a"]}}
```

**THIS TURN:** {template}"""

_ABOUT: dict[Template, str] = {
    "battle": "a shot now would hit. Add battle_phase (such as \"aiming\" or \"firing\") and move_strategy "
    '(such as "offensive" or "defensive") to the object.',
    "navigation": "a shot now would not hit. Add exploration_goal (such as \"line_up_a_shot\") to the object.",
    "recovery": "your last three turns changed nothing, try something else. Add recovery_strategy "
    '(such as "perpendicular_escape") to the object.',
}  # fmt: skip


def instructions(view: View) -> str:
    """The text to append to the system message."""
    pad = view.gamepad
    return _FORMAT.format(
        buttons="; ".join(f"{button}: {_told(pad, button)}" for button in BUTTONS),
        degrees=_figure(pad.turn_degrees),
        names=", ".join(BUTTONS),
        template=_ABOUT[template(view)],
    )


def _told(pad: Gamepad, button: str) -> str:
    return _token(pad, button, pad.turn_degrees) or "nothing"


_UNSENT = ("title", "description", "default", "exclusiveMinimum")


@cache
def schema(name: Template) -> dict[str, Any]:
    """The JSON schema of a template's response, derived from its model, without what a constraint has no use for."""
    from batllm_arcade.prompts.button_models import TEMPLATES

    return without(TEMPLATES[name].model_json_schema(), _UNSENT)


# ---------------------------------------------------------------------------------- reading


def read(raw: str) -> ButtonReply:
    """The response in a model's text; raises the error of the first criterion it fails."""
    return _validated(_object(raw.strip().removeprefix("\ufeff").strip()))


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("the response is nested too deeply to be valid JSON") from None
    except ValueError as error:
        if _packed(text):
            raise ExtraText(
                "the response must contain ONLY the JSON object: no text, code fence or <think> block around it"
            ) from None
        where = f" ({error.msg}, character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
        raise NotJson(f"the response is not valid JSON{where}") from None
    if not isinstance(value, dict):
        raise ExtraText(f"the response must be a JSON object, not {_kind(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"the response is not valid JSON: {quoted(twice)} is there twice")
    return value


def _no_number(word: str) -> NoReturn:
    raise NotJson(f"the response is not valid JSON: {word} is no JSON number")


def _packed(text: str) -> bool:
    """Whether a JSON object hides in the text, or what usually surrounds one."""
    if re.match(r"```|<think>", text):
        return True
    decoder = json.JSONDecoder()
    for start in [found.start() for found in re.finditer(r"\{", text[:4000])][:20]:
        try:
            if isinstance(decoder.raw_decode(text, start)[0], dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _validated(value: dict[str, Any]) -> ButtonReply:
    from pydantic import ValidationError

    from batllm_arcade.prompts.button_models import ButtonReply

    try:
        return ButtonReply.model_validate(value)
    except ValidationError as error:
        problems = [_problem(each["type"], each["loc"], each["input"]) for each in error.errors(include_url=False)]
        criteria = (WrongField, WrongButton, TooLong)
        raise min(problems, key=lambda problem: criteria.index(type(problem))) from None


def _problem(kind: str, where: tuple[int | str, ...], value: Any) -> WrongField | WrongButton | TooLong:
    field = str(where[0])
    if kind == "missing":
        return WrongField(f"the required field {field} is missing")
    if field == "button_presses":
        return WrongButton(_button_problem(kind, value))
    if kind == "string_too_long":
        limit = 200 if field == "reasoning" else 300
        return TooLong(f"{field} must have at most {limit} characters, not {len(value)}")
    return WrongField(f"{field} must be {_MUST[field]}, not {quoted(value)}")


_MUST = {
    "reasoning": "a text",
    "observations": "a text",
    "context_detected": "exactly one of battle, navigation, menu, unknown",
    "confidence": "high, medium or low, or left out",
    "turn_degrees": "a number above 0, at most 360, or left out",
}


def _button_problem(kind: str, value: Any) -> str:
    if kind in ("too_short", "too_long"):
        return f"button_presses must hold 1 to 3 buttons, not {len(value)}"
    if kind == "list_type":
        return f"button_presses must be a list of 1 to 3 buttons, not {quoted(value)}"
    return f"{quoted(value)} is no button; the buttons are {', '.join(BUTTONS)}"


# ---------------------------------------------------------------------------------- pressing


def commands(reply: ButtonReply, pad: Gamepad) -> list[str | None]:
    """What the presses do, one play each; equal turns in a row are one."""
    merged: list[tuple[str | None, int]] = []
    for token in (_token(pad, button, reply.turn_degrees or pad.turn_degrees) for button in reply.button_presses):
        if merged and merged[-1][0] == token and isinstance(parse(token), Rotate):
            merged[-1] = (token, merged[-1][1] + 1)
        else:
            merged.append((token, 1))
    return [_times(token, count) for token, count in merged]


def _token(pad: Gamepad, button: str, degrees: float) -> str | None:
    """What a button does when turns are by `degrees`; None for nothing."""
    token: str = getattr(pad, button)
    return f"{token.upper()}{_figure(degrees)}" if token.upper() in ("A", "C") else token or None


def _times(token: str | None, count: int) -> str | None:
    if token is None or count == 1:
        return token
    degrees = count * float(token[1:])
    return f"{token[0]}{_figure(degrees if degrees <= 360 else degrees % 360)}"


def _figure(degrees: float) -> str:
    return canonical(f"{degrees:.9f}")


@dataclass(frozen=True, slots=True)
class ButtonFormat:
    """The JSON-only response as a model's answer."""

    max_tokens: int = 800  # 500 characters, some of more than a token

    def instructions(self, view: View) -> str:
        """The response format, the buttons, the prohibitions, the examples and this play's template."""
        return instructions(view)

    def schema(self, view: View) -> dict[str, Any]:
        """That of this play's template."""
        return schema(template(view))

    def grammar(self, view: View) -> str:
        """None: the schema says it all."""
        return ""

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """A play for each press; raises the error of the criterion that the response fails."""
        reply = read(raw)
        return tuple(_plays(reply, raw, view.gamepad))


def _plays(reply: ButtonReply, raw: str, pad: Gamepad) -> Iterator[Decision]:
    for number, command in enumerate(commands(reply, pad)):
        yield Decision("" if number else raw, command, thought="" if number else _thought(reply))


def _thought(reply: ButtonReply) -> str:
    # No screen of this game is a menu: who sees one does not know what it sees.
    context = "unknown" if reply.context_detected == "menu" else reply.context_detected
    return f"{reply.reasoning} ({context}, {reply.confidence} confidence)"
