"""Orders in other languages, word by word in English, because the small model knows hardly any other language.

The words are a table that ships with the program, `assets/orders/glossary.tsv`: a line for each English word, a column
for each language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

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
