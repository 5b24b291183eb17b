"""Words of orders: the glossary, and phrases whose meaning is certain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

# -- Orders in other languages, word by word in English, because the small model knows hardly any

_WORD = re.compile(r"[^\W_]+")
_ENGLISH = (
    "a all an and are as at back be being but by camper can centre coin come constant damage defence defense die "
    "do don't down enemy fire foe for from get give go gun halt he him his hold i if immobile in is it keep kill "
    "let like loop man me my never no non not nothing of off on one open or out over patience ran rest run seven "
    "shot side so stay still stop storm super take that the them then they this time tire to turn until up us use "
    "wait wall we what when wild with you your"
)
"""Words that make an order English, besides those the table gives as English."""


@lru_cache(maxsize=500)
def in_english(orders: str) -> str:
    """Return orders whose words belong mostly to another language word by word in English, any other unchanged.

    A word that the table does not have stays as it is. Accents may be left out.
    """
    words = [_plain(word) for word in _WORD.findall(orders)]
    counts = {language: sum(word in known for word in words) for language, known in _table().items()}
    language = max(counts, key=counts.__getitem__)
    if counts[language] <= sum(word in _english() for word in words):
        return orders
    known = _table()[language]
    text = re.sub(r"(?<=\w)['-](?=\w)", " ", orders)  # l'angolo, approche-toi
    return " ".join(_WORD.sub(lambda found: known.get(_plain(found[0]), found[0]), text).split())


def _plain(word: str) -> str:
    """Return a word in small letters without accents."""
    import unicodedata

    parts = unicodedata.normalize("NFKD", word.casefold().replace("ł", "l"))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


@cache
def _lines() -> list[list[str]]:
    from importlib.resources import files

    text = (files("batllm_arcade.assets") / "orders" / "glossary.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    """Return the English of each plain word, by language; the first line that has a word counts."""
    languages, *lines = _lines()
    tables: dict[str, dict[str, str]] = {language: {} for language in languages[1:]}
    for english, *columns in lines:
        for table, words in zip(tables.values(), columns, strict=True):
            for word in words.split():
                table.setdefault(_plain(word), "" if english == "-" else english)
    return tables


@cache
def _english() -> frozenset[str]:
    return frozenset(_ENGLISH.split()) | {word for line in _lines()[1:] for word in line[0].split()}


# -- What orders say outright, looked up plainly, no model needed: a small one cannot put "never"

SAID = {
    "no_fire": "never fires", "stand": "stands still", "no_shield": "no shield", "no_retreat": "never retreats",
    "open": "not at a shield", "spare": "spares its shots", "flank": "goes round it", "bank": "off the walls",
}  # fmt: skip
"""The rules that orders can give, and what the window calls them."""
_CLAUSES = re.compile(
    r"\s*[.;:!,]+\s*(?:(?:and|but|then)\s+)*|\s+(?:and then|then|and|but)\s+"
    r"|\s+(?=without (?:ever )?(?:shoot|fir|mov|us)ing\b)"
)
_CONDITION = re.compile(r"\b(?:unless|until|till|except)\b")
"""What makes "don't shoot" beside it hold for a while only."""
_NEGATED = re.compile(r"\b(?:never|not|don't|dont|no|without|let (?:him|it))\b")
_FILLER = re.compile(
    r"(?:(?:and|but|so|also|then|please|just|always|only|ok|okay|now|you|it|him|go|do|not|even|once|ever)\b[\s,]*)*"
)
_STAGES = re.compile(
    r"(?:first(?: of all)?|firstly|at first|to begin with|begin by|start by|start with|initially)[\s,:]+(?P<first>.+?)"
    r"[\s,;.]+(?:and )?(?:then|after that|afterwards?|later(?: on)?|next|finally|in the end)[\s,:]+(?P<then>.+)"
)
_MORE = re.compile(r"\b(?:then|again)\b")
"""What makes two stages more of them, which are read as one order."""


class Outright(NamedTuple):
    """The `rules` that orders give outright, in the order of `SAID`, and the `rest` for a model to read ("": none)."""

    rules: tuple[str, ...]
    rest: str


@lru_cache(maxsize=500)
def outright(orders: str) -> Outright:
    """Return what orders, which are `normalised`, say outright, and the rest; all of them where they give no rule."""
    found: set[str] = set()
    rest = []
    for clause in filter(None, _CLAUSES.split(orders)):
        rules, whole = _given(clause)
        found |= rules
        rest += [] if whole else [clause]
    left = ", ".join(rest)
    if not found or ("no_fire" in found and _CONDITION.search(left)):
        return Outright((), orders)
    return Outright(tuple(rule for rule in SAID if rule in found), "" if _FILLER.fullmatch(left) else left)


def stages(orders: str) -> tuple[str, ...]:
    """Return what orders such as "first hide, then attack" ask for in turn; the orders alone if they name no first."""
    found = _STAGES.fullmatch(orders)
    return (found["first"], found["then"]) if found and not _MORE.search(found["then"]) else (orders,)


def _given(clause: str) -> tuple[set[str], bool]:
    """Return the rules a clause gives, and whether that leaves nothing of it to read."""
    patterns = _patterns()
    said = {each.rule for each in patterns if each.where == "all" and each.pattern.fullmatch(clause)}
    if said or _NEGATED.search(clause):
        return said, bool(said)
    inside = [each for each in patterns if each.where != "all" and each.pattern.search(clause)]
    return {each.rule for each in inside}, any(each.where == "instead" for each in inside)


class _Pattern(NamedTuple):
    rule: str
    where: str
    pattern: re.Pattern[str]


@cache
def _patterns() -> list[_Pattern]:
    from importlib.resources import files

    text = (files("batllm_arcade.assets") / "orders" / "rules.tsv").read_text("utf-8")
    parts: dict[str, str] = {}
    rules = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, *where, pattern = line.split("\t")
        for part, meaning in parts.items():
            pattern = pattern.replace(part, meaning)
        if not where:
            parts[name] = pattern
            continue
        whole = f"(?:{parts['<LEAD>']} )*(?:{pattern}){parts['<EVER>']}"
        rules.append(_Pattern(name, where[0], re.compile(whole if where[0] == "all" else pattern)))
    return rules
