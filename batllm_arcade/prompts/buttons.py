"""JSON-only responses: the prompt that asks for one, and the gamepad that turns button presses into commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from batllm_arcade.brains.options import BUTTONS, Gamepad
from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.core.commands import Fire, Rotate, canonical, parse
from batllm_arcade.core.events import FireRefused, ShotBlocked, ShotMissed
from batllm_arcade.core.model import Arena
from batllm_arcade.core.rules import step
from batllm_arcade.prompts.button_reply import read
from batllm_arcade.prompts.formats import without

if TYPE_CHECKING:
    from batllm_arcade.prompts.button_schema import ButtonReply

Template = Literal["battle", "navigation", "recovery"]
Shot = Literal["hit", "block", "miss", "charge"]
"""What would become of a shot; `charge`: there is too little for one."""

STUCK = 3
"""Own plays in a row without an effect after which the recovery template is used."""


# ---------------------------------------------------------------------------------- asking


def template(view: View) -> Template:
    """Return the template for this play: recovery if stuck, else battle if a shot now would hit, else navigation."""
    if stuck(view):
        return "recovery"
    return "battle" if has_line(view) else "navigation"


def stuck(view: View) -> bool:
    """Return True if each of the last three own plays of this round left both bots as they were.

    Only an own play changes a bot's place, direction and shield, and the opponent's health; a charge that
    rises or falls is a change, too.
    """
    states = [view.initial, *(turn.after for turn in view.history)][-STUCK - 1 :]
    return len(states) > STUCK and len({_effects(arena, view.seat) for arena in states}) == 1


def _effects(arena: Arena, me: int) -> tuple[float, ...]:
    bot = arena.bot(me)
    return bot.x, bot.y, bot.rot, bot.shield, bot.charge, arena.bot(1 - me).health


def has_line(view: View) -> bool:
    """Return True if a shot along the own direction, with the own shield down, would hit the opponent now.

    A shot that there is not enough charge for hits nobody.
    """
    return _shot(view) == "hit"


def _shot(view: View) -> Shot:
    """Return what would become of a shot now, with the own shield down."""
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
- No narrative: not "Let me analyze this exciting battle...", only factual observations.
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


def instructions(view: View) -> str:
    """Return the text to append to the system message, the same for every play."""
    pad = view.gamepad
    return _FORMAT.format(
        buttons="; ".join(f"{button}: {_token(pad, button, pad.turn_degrees) or 'nothing'}" for button in BUTTONS),
        degrees=_number(pad.turn_degrees),
        names=", ".join(BUTTONS),
        fields="\n".join(f"- {name}: {fields}" for name, fields in _FIELDS.items()),
    )


def this_turn(view: View) -> str:
    """Return what holds for this play: its template's name, what a shot would do, what bars it."""
    name = template(view)
    stuck_now = f"{_STUCK} " if name == "recovery" else ""
    return f"{name}: {stuck_now}{_prospect(view)}"


def _prospect(view: View) -> str:
    shot = _SHOT[_shot(view)]
    if not view.arena.bot(view.seat).shield:
        return f"a shot now {shot}"
    lower = [button for token in ("S0", "S") for button in BUTTONS if getattr(view.gamepad, button).upper() == token]
    by = f" ({lower[0]})" if lower else ""
    return f"your shield is up, so a shot does nothing; lower it{by} and a shot {shot}"


_UNNEEDED = ("title", "description", "default", "exclusiveMinimum")


@cache
def schema(name: Template) -> dict[str, Any]:
    """Return the JSON schema of a template's response, without keywords that servers do not need."""
    from batllm_arcade.prompts.button_schema import TEMPLATES

    return without(TEMPLATES[name].model_json_schema(), _UNNEEDED)


# ---------------------------------------------------------------------------------- pressing


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
    """Return the command of a button when turns are by `degrees`; None for nothing."""
    token: str = getattr(pad, button)
    return f"{token.upper()}{_number(degrees)}" if token.upper() in ("A", "C") else token or None


def _repeated(token: str | None, count: int) -> str | None:
    if token is None or count == 1:
        return token
    degrees = count * float(token[1:])
    return f"{token[0]}{_number(degrees if degrees <= 360 else degrees % 360)}"


def _number(degrees: float) -> str:
    return canonical(f"{degrees:.9f}")


@dataclass(frozen=True, slots=True)
class ButtonFormat:
    """The JSON-only response as a model's answer."""

    max_tokens: int = 800  # 500 characters, some of more than a token

    def instructions(self, view: View) -> str:
        """Return the response format, the buttons, the prohibitions and the examples."""
        return instructions(view)

    def this_turn(self, view: View) -> str:
        """Return what a shot would do now, and this play's template."""
        return this_turn(view)

    def schema(self, view: View) -> dict[str, Any]:
        """Return the schema of this play's template."""
        return schema(template(view))

    def grammar(self, view: View) -> str:
        """Return "": the schema is enough."""
        return ""

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """Return a play for each press; raise the error of the criterion that the response fails."""
        reply = read(raw)
        return tuple(_plays(reply, raw, view.gamepad))


def _plays(reply: ButtonReply, raw: str, pad: Gamepad) -> Iterator[Decision]:
    for number, command in enumerate(commands(reply, pad)):
        yield Decision("" if number else raw, command, thought="" if number else _thought(reply))


def _thought(reply: ButtonReply) -> str:
    # This game has no menu a model could see, so "menu" counts as "unknown".
    context = "unknown" if reply.context_detected == "menu" else reply.context_detected
    return f"{reply.reasoning} ({context}, {reply.confidence} confidence)"
