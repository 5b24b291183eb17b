"""The options that a brain declares, as rows of a card."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.text.number_field import NumberField
from batllm_arcade.app.kit.text.text_field import Field
from batllm_arcade.app.kit.widgets import Choice, Row
from batllm_arcade.brains.kinds.option import YES_NO, Option

ELSEWHERE = ("model", "base_url", "key_env", "name", "level", "deadline_s")
"""Options that have rows of their own."""
USUAL = "usual"
_LABELS = {
    "reply": "Replies", "context": "Memory", "rendering": "Sent as", "think": "Thought",
    "max_tokens": "Max. tokens",
    "temperature": "Temperature", "price": "Price", "proxy": "Proxy", "prepare_s": "May load for", "num_ctx": "Context",
    "n_ctx": "Context", "keep_alive": "Stays loaded", "form": "Form", "cmd": "Command",
}  # fmt: skip
_WORDS = {
    "token": "one word", "json": "JSON", "payload": "this moment", "conversation": "the game so far",
    "array": "one text", "chat": "messages",
}  # fmt: skip
_STEPS = ((2.0, 0.1), (100.0, 1.0), (1000.0, 16.0), (1e5, 512.0))  # up to which default a step is how large
_LONGEST = 400


def option_row(option: Option, value: str, changed: Callable[[str], None]) -> Row:
    """Return a field for an option with its value ("": the default); `changed` gets a new one, as it is written.

    While what is typed is no such value, the field is marked as wrong and the default holds.
    """
    row = _choice(option, value, changed) if option.type in ("choice", "yes_no") else _field(option, value, changed)
    row.mark, row.name = value not in ("", option.default), option.name
    return row


def _field(option: Option, value: str, changed: Callable[[str], None]) -> Field:
    def typed(text: str) -> None:
        text = text.strip()
        row.problem = bool(text and option.problem("", text))
        row.mark = text not in ("", option.default)
        changed("" if row.problem or not row.mark else text)

    label, hint, usual = label_of(option), _sentence(option), option.default or next(iter(option.words), USUAL)
    row: Field
    if option.type in ("number", "whole"):
        limits = (option.least, option.most)
        row = NumberField(label, value, typed, usual=usual, step=_step(option), limits=limits, hint=hint)
    else:
        row = Field(label, value, typed, hint=hint, most=_LONGEST, empty=option.default or "none")
    row.problem = bool(value and option.problem("", value))
    return row


def label_of(option: Option) -> str:
    """Return what an option is called on a card."""
    return _LABELS.get(option.name, option.name.replace("_", " ").capitalize())


def _sentence(option: Option) -> str:
    sentence = option.sentence[:1].upper() + option.sentence[1:]
    values = f" ({option.values})" if option.type in ("number", "whole", "price") and option.values else ""
    return f"{sentence}{values}"


def _choice(option: Option, value: str, changed: Callable[[str], None]) -> Choice:
    values = ["", *(each for each in (option.choices or YES_NO) if each != option.default)]
    usual = _WORDS.get(option.default, option.default)
    shown = [f"{USUAL}: {usual}" if usual else USUAL, *(_WORDS.get(each, each) for each in values[1:])]

    def choose(index: int) -> None:
        row.mark = index > 0
        changed(values[index])

    at = values.index(value) if value in values else 0
    row = Choice(label_of(option), shown, at, choose, hint=_sentence(option))
    return row


def _step(option: Option) -> float:
    try:
        usual = abs(float(option.default))
    except ValueError:
        usual = max(option.least, 1.0)
    step = next((step for most, step in _STEPS if usual <= most), 1024.0)
    return max(1.0, step) if option.type == "whole" else step
