"""The text of a brain as one writes it: options between commas, values in double quotes where they hold any."""

from __future__ import annotations

import re


def split_options(text: str) -> list[str]:
    """Return the parts between commas, of which those within double quotes do not count."""
    # A quote counts at the start of a value only, so that a value such as 5" is what it looks like.
    parts = re.findall(r'(?:^|,)((?:[^,="]*=)?\s*(?:"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]*))', text, re.DOTALL)
    return [str(part) for part in parts]


def unquoted(text: str) -> str:
    """Return a value without the double quotes around it; within them a backslash takes the next quote as it is."""
    if len(text) >= 2 and text[0] == text[-1] == '"' and re.fullmatch(r'"(?:[^"\\]|\\.)*"', text, re.DOTALL):
        return re.sub(r'\\(["\\])', r"\1", text[1:-1])
    return text


def in_quotes(text: str, also: str = "") -> str:
    """Return a value as it can be written again, quoted where it has to be, also where it holds one of `also`."""
    if text == text.strip() and text[:1] != '"' and not any(each in text for each in f",{also}"):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
