"""An answer's text without thoughts and wrappings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from batllm_arcade.core.commands import canonical

_TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",  # Seed-OSS
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "\u25c1think\u25b7": "\u25c1/think\u25b7",  # Kimi
    "[think]": "[/think]",  # Mistral
    "<|channel>thought": "<channel|>",  # Gemma
}
_HEADER = re.compile(
    r"(?:<\|start\|>[^<]{0,100})?(?:<\|channel\|>([^<]{0,200}))?(?:<\|constrain\|>[^<]{0,100})?<\|message\|>"
)
"""What begins a message of gpt-oss: its channel is `analysis`, `commentary` or, for the answer, `final`."""
_FINAL = (r"<\|end\|>(?:<\|start\|>[^<]{0,100})?", r"<\|start\|>[^<]{0,100}", "")
"""What ends the message before, and begins the final one."""


def _any(marks: list[str]) -> re.Pattern[str]:
    """Return a pattern of any of these expressions, in small letters or capitals; each begins with `<` or a bracket."""
    in_angles = "|".join(each[1:] for each in marks if each.startswith("<"))
    in_brackets = "|".join(each[2:] for each in marks if each.startswith(r"\["))
    in_triangles = "|".join(each[1:] for each in marks if each.startswith("\u25c1"))
    others = f"|\u25c1(?i:{in_triangles})" if in_triangles else ""
    # What they begin with has no case: with it outside, text without marks is searched twelve times faster.
    return re.compile(rf"<(?i:{in_angles})|\[(?i:{in_brackets}){others}")


_OPENING = _any([re.escape(mark) for mark in _TAGS])
_CLOSING = {mark: re.compile(re.escape(close), re.IGNORECASE) for mark, close in _TAGS.items()}
_ANY_CLOSING = _any(
    [*map(re.escape, _TAGS.values()), *(rf"{before}<\|channel\|>final<\|message\|>" for before in _FINAL)]
)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_BLANK = re.compile(r"[\s\ufeff]*")
_MARKS = (*_TAGS, "<|start|>assistant", "<|channel|>analysis<|message|>", "<|channel|>final<|message|>")


def split_thought(raw: str) -> tuple[str, str]:
    """Return the thought that a text begins with and the answer after it, both stripped, either may be "".

    A thought is a block in tags, also one whose opening tag is missing, or a message in a channel that is not the
    final one. A thought without its end is all there is. Splitting the answer again finds no more.
    """
    found, at, final = [], 0, False
    while True:
        at = _BLANK.match(raw, at).end()  # type: ignore[union-attr] # it matches everywhere
        block = _block(raw, at) or _message(raw, at) or _rest_of_block(raw, at)
        if block is None:
            break
        start, stop, at = block
        found.append(raw[start:stop].strip())
        final = final or raw.endswith("<|message|>", 0, at)
    end = _MESSAGE_END.search(raw, at) if final else None
    return "\n\n".join(filter(None, found)), _bare(raw[at : end.start() if end else len(raw)].rstrip())


_LEAKED = re.compile(r"(?:<\|[\w ]{1,40}\|>|</s>|<end_of_turn>|\s)+\Z")
"""Marks with which models end what they write, where a server leaves them in it."""
_ANSWER = re.compile(
    r"(?:<(answer|response)>(.*)</\1>|<\|begin_of_box\|>(.*)<\|end_of_box\|>)", re.DOTALL | re.IGNORECASE
)

_CALL = re.compile(r"<tool_call>\s*(\{.*\})\s*(?:</tool_call>)?", re.DOTALL)


def _bare(answer: str) -> str:
    """Return an answer without the marks around all of it: Granite's, Hunyuan's and GLM's, and those of its end."""
    while answer.endswith(">"):
        inside = _ANSWER.fullmatch(answer)
        bare = (inside[2] if inside[1] else inside[3]).strip() if inside else _LEAKED.sub("", answer)
        if bare == answer:
            break
        answer = bare
    call = _CALL.fullmatch(answer)
    return _called(json_object(call[1]) or {}) or answer if call else answer


def _called(call: Mapping[str, Any]) -> str:
    """Return what a tool that is called in the text was given, as if it were called beside it; "" if nothing."""
    name, given = call.get("name"), call.get("arguments")
    given = json_object(given) if isinstance(given, str) else given
    named = {"toolCall": name} if name in ("playCommand", "postMessage") else {}
    return json.dumps({**named, **given}, ensure_ascii=False) if isinstance(given, Mapping) else ""


def joined_thoughts(*texts: str) -> str:
    """Return several thoughts as one, each once."""
    return "\n\n".join(dict.fromkeys(text.strip() for text in texts if text.strip()))


def partial_text(text: str, thought: str = "") -> str:
    """Return what is shown of an answer that still grows: its text once that has begun, before that the thought."""
    inside, answer = split_thought(text)
    begun = answer and not any(mark.startswith(answer.lower()) for mark in _MARKS)
    if not begun:
        return inside or thought
    return answer if inside else text


def _block(raw: str, at: int) -> tuple[int, int, int] | None:
    """Return where the thought in tags at this place starts and stops, and where the text goes on."""
    opening = _OPENING.match(raw, at)
    if opening is None:
        return None
    closing = _CLOSING[opening[0].lower()].search(raw, opening.end())
    stop, after = closing.span() if closing else (len(raw), len(raw))
    return opening.end(), stop, after


def _message(raw: str, at: int) -> tuple[int, int, int] | None:
    """Return the same for a message in a channel; that of the final one, which is no thought, has no length."""
    header = _HEADER.match(raw, at)
    if header is None:
        return None
    if (header[1] or "final").strip() == "final":
        return at, at, header.end()
    end = _MESSAGE_END.search(raw, header.end())
    stop, after = end.span() if end else (len(raw), len(raw))
    return header.end(), stop, after


def _rest_of_block(raw: str, at: int) -> tuple[int, int, int] | None:
    """Return the same for a thought whose beginning is in the prompt, so that only its end is in the answer."""
    if raw.startswith("{", at):  # an object: what looks like an end is in one of its texts
        return None
    closing = _ANY_CLOSING.search(raw, at)
    if closing is None or _OPENING.search(raw, at, closing.start()):
        return None
    return at, closing.start(), closing.end()


ACTIONS = {"move": "M", "fire": "B", "shield_up": "S1", "shield_down": "S0"}
"""The token of each action that has no angle."""
TURN, BACK, NOTHING = "turn", "step_back", "nothing"
"""The other actions: a turn by `degrees`, a back step where the rules have one, and doing nothing."""

_LONGEST = 1000
"""Characters of a wrapped token at most; a longer text is not parsed."""
_FENCE = re.compile(r"```(?:[\w+-]*[ \t]*\r?\n|json\b)?((?:[^`]|`(?!``))*)```")
"""A code fence, with or without the name of a language, around everything."""


def unwrap(raw: str, back_step: int = 0) -> str:
    """Return the token in `raw`, without its thought, a code fence, JSON quotes, `{"cmd": ...}` or an action.

    `{"action": "turn", "degrees": -30}` is A30, `{"action": "step_back"}` the token of a `back_step` of that
    length. Any other text, and the action `nothing`, is returned unchanged, for the rules to refuse.
    """
    text, value = _parsed(raw)
    if isinstance(value, dict):
        value = value["cmd"] if "cmd" in value else _bare_action(value, back_step) or text
    return value if isinstance(value, str) else text


def command(raw: str, back_step: int = 0) -> str | None:
    """Return the command in `raw` as `unwrap` does, None for the action `nothing`."""
    value = _parsed(raw)[1]
    meant = isinstance(value, dict) and "cmd" not in value and _bare_action(value, back_step) == ""
    return None if meant else unwrap(raw, back_step)


def token_of_action(content: Mapping[str, Any], back_step: int = 0) -> str | None:
    """Return the token of `{"action": ..., "degrees": ...}`, "" for `nothing`, None if it is no such object.

    `degrees`, from -180 to 180 and positive clockwise, matters for a turn only. There is a step back only with the
    rules' `back_step`.
    """
    name = content.get("action")
    if name == TURN:
        degrees: Any = content.get("degrees")
        if type(degrees) not in (int, float) or not -180 <= degrees <= 180:
            return None
        return f"{'A' if degrees < 0 else 'C'}{canonical(f'{abs(degrees):.9f}')}"
    if name == BACK:
        return f"M-{back_step}" if back_step else None
    return "" if name == NOTHING else ACTIONS.get(name) if isinstance(name, str) else None


def _bare_action(content: Mapping[str, Any], back_step: int) -> str | None:
    return None if "toolCall" in content else token_of_action(content, back_step)


def think_block(raw: str) -> str:
    """Return what the text marks as its thought, such as a leading `<think>` block; "" if there is none."""
    return split_thought(raw)[0]


def reasoning_of(raw: str) -> str:
    """Return the `reasoning` in a wrapped command or a tool call, else what the text marks as its thought."""
    text, value = _parsed(raw)
    value = json_object(text) if value is None and text.startswith("{") else value
    why = value.get("reasoning") if isinstance(value, dict) else None
    return why.strip() if isinstance(why, str) else think_block(raw)


def is_json(text: str) -> bool:
    """Return True if the text is one complete JSON value, apart from its thought."""
    try:
        json.loads(split_thought(text)[1])
    except (ValueError, RecursionError):
        return False
    return True


def json_value(text: str) -> Any:
    """Return the JSON value that `text` is, also behind a byte order mark, or None."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is, None if it is none."""
    value = json_value(text)
    return value if isinstance(value, dict) else None


def _parsed(raw: str) -> tuple[str, Any]:
    """Return the text without its thought and fence, and what it is as JSON: a string, an object or None."""
    text = split_thought(raw)[1]
    if text.startswith("```") and text.endswith("```") and (fenced := _FENCE.fullmatch(text)):
        text = fenced[1].strip()
    if len(text) > _LONGEST or text[:1] not in ('"', "{"):
        return text, None
    value = json_value(text)
    return text, _nearly_json(text) if value is None else value


_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


def _nearly_json(text: str) -> Any:
    """Return the command's object that a text means with comments, a comma at its end or single quotes, else None."""
    for pattern in (_COMMENT, _LAST_COMMA):
        text = pattern.sub(lambda match: match[1] or "", text)
    value = json_object(text if '"' in text else text.replace("'", '"'))
    return value if value is not None and ("cmd" in value or "action" in value) else None
