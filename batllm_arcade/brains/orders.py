"""What a player's orders ask for: words looked up, and a small language model's guesses as weights of eleven styles."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple, Protocol

from batllm_arcade.brains.cases import CONDITIONS, patterns_in
from batllm_arcade.brains.manner import Axis, Manner, axes_of, read_manner

_WORD = re.compile(r"[^\W_]+")


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
    text = re.sub(r"(?<=\w)['-](?=\w)", " ", orders.replace("s'il", "si il"))  # l'angolo, approche-toi
    return " ".join(_WORD.sub(lambda found: known.get(_plain(found[0]), found[0]), text).split())


def _plain(word: str) -> str:
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
    return frozenset(word for line in _lines()[1:] for word in line[0].split())


SAID = {
    "no_fire": "never fires", "stand": "stands still", "no_shield": "no shield", "no_retreat": "never retreats",
    "open": "not at a shield", "spare": "spares its shots", "empty": "only at an empty foe",
    "full": "loads up first", "flank": "goes for its back", "circle": "circles it", "kite": "backs off, gun on it",
    "bank": "off the walls", "unfaced": "never at its front", "facing": "keeps facing it",
    "single": "one shot at a time", "often": "fires all it can", "spray": "fires all around",
}  # fmt: skip
"""The rules that orders can give, and what the window calls them."""
PLACE, PRESS, AFAR, MOVES, SPIN, UNREAD = "place", "press", "afar", "moves", "spin", "unread"
"""Rules none of play: a clause names a place, says to go at the foe, not to or not to rest, or what no bot can do."""
_CLAUSES = re.compile(
    r"\s*[.;:!?,]+\s*(?:(?:and|but|then)\s+)*|\s+(?:and then|then|and|but(?! not(?:$|[.;:!?,])))\s+"
    r"|\s+(?=without (?:(?:ever|to) )?(?:(?:shoot|fir|mov|us|attack|fight)ing|shoot|fire|attack|fight)\b)"
)
_CONDITION = re.compile(r"\b(?:unless|until|till|except)\b")
"""What makes "don't shoot" beside it hold for a while only."""
_NEGATED = re.compile(r"\b(?:never|not|don't|dont|no|without|let (?:him|it))\b")
_SHOOTS = re.compile(r"\b(?:shoot|fir(?:e|ing)\b)")
_FILLER = re.compile(
    r"(?:(?:and|but|so|also|then|please|pls|lol|thanks|bot|i|want|would like|that|just"
    r"|(?:turn )?(?:a?round|yourself)|circle|always|only|ok|okay|now|you|it|him|go|do|not|even|once|ever"
    r"|aim|guns?|bullets?|shooting|firing"
    r"|keep (?:(?:on|from|to) )?(?:aim(?:ing)?|facing)"
    r"|(?:keep|hold) (?:your |the )?(?:gun|eyes?|aim|barrel|weapon) (?:on|at)|face)\b"
    r"[\s,]*)*"
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
    found |= {"spray"} if SPIN in found and _SHOOTS.search(left) else set()
    found -= {"circle"} if "spray" in found else set()  # round itself, not round the other
    if not found or ("no_fire" in found and _CONDITION.search(left)):
        return Outright((), orders)
    said = (*SAID, PLACE, PRESS, AFAR, MOVES, SPIN, UNREAD)
    return Outright(tuple(rule for rule in said if rule in found), "" if _FILLER.fullmatch(left) else left)


def unread(orders: str) -> tuple[str, ...]:
    """Return clauses of orders, which are `normalised`, that ask for what no bot can do, and the numbers of others."""
    if "spray" in outright(orders).rules:  # which is what a bot can do of spinning
        return ()
    found: list[str] = []
    for clause in filter(None, _CLAUSES.split(orders)):
        found += [clause] if _given(clause)[0] & {SPIN, UNREAD} else re.findall(r"\b\d+\b", clause)
    return tuple(found)


def strange(orders: str) -> tuple[str, ...]:
    """Return the clauses with words that no reader was fitted with, and none that one was; no rule reads them."""
    neutral, known = _known()
    found = []
    for clause in filter(None, _CLAUSES.split(orders)):
        words = words_of(clause) - neutral
        if words and not words & known and not _given(clause)[0]:
            found.append(clause)
    return tuple(found)


ENDS = ("", "s", "ed", "ing", "ly")
"""What known words may end in besides."""


def words_of(orders: str) -> set[str]:
    """Return the words of orders, without accents."""
    return {_plain(word) for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", orders)}


def without(orders: str, clauses: Sequence[str]) -> str:
    """Return orders that are `normalised` without some of their clauses; all of them where nothing would be left."""
    left = [clause for clause in _CLAUSES.split(orders) if clause and clause not in clauses]
    return ", ".join(left) if clauses and left else orders


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that say nothing alone, and those that readers were fitted with."""
    from importlib.resources import files

    neutral, *lines = (files("batllm_arcade.assets") / "orders" / "known.txt").read_text("utf-8").splitlines()
    words = " ".join(lines).split()
    return frozenset(neutral.split()), frozenset(word + end for word in words for end in ENDS)


def stages(orders: str) -> tuple[str, ...]:
    """Return what orders such as "first hide, then attack" ask for in turn; the orders alone if they name no first."""
    found = _STAGES.fullmatch(orders)
    whole = found is None or _MORE.search(found["then"]) or outright(f"first {found['first']}") == (("full",), "")
    return (orders,) if found is None or whole else (found["first"], found["then"])


def _given(clause: str) -> tuple[set[str], bool]:
    patterns = _patterns()
    said = {each.rule for each in patterns if each.where == "all" and each.pattern.fullmatch(clause)}
    free = () if _NEGATED.search(clause) else ("inside", "instead")
    where = () if said else ("ever", *free)
    inside = [each for each in patterns if each.where in where and each.pattern.search(clause)]
    return said | {each.rule for each in inside}, bool(said) or any(each.where == "instead" for each in inside)


class _Pattern(NamedTuple):
    rule: str
    where: str
    pattern: re.Pattern[str]


@cache
def _patterns() -> list[_Pattern]:
    rules = []
    for (name, where), pattern, parts in patterns_in("rules.tsv"):
        whole = f"(?:{parts['<LEAD>']} )*(?:{pattern}){parts['<EVER>']}"
        rules.append(_Pattern(name, where, re.compile(whole if where == "all" else pattern)))
    return rules


STYLES = ("attack", "charge", "retreat", "shield", "dodge", "camp", "snipe", "counter", "hold_fire", "idle", "mixed")
"""What orders may ask for; `brains.tactics` and `brains.styles` play them."""
CALLED = {
    "attack": "attacks", "charge": "closes in", "retreat": "gets away", "shield": "shield", "dodge": "dodges",
    "camp": "corner", "snipe": "from afar", "counter": "waits for an opening", "hold_fire": "holds fire",
    "idle": "does nothing", "mixed": "mixes",
}  # fmt: skip
"""What the window calls the styles."""
NO_ORDERS: Mapping[str, float] = {"attack": 0.7, "shield": 0.2, "dodge": 0.1}
"""How a bot without orders plays; nothing is read."""
MOST_WORDS = 40
"""Words of an order that are read: forty take a second and a half, ten a third of one."""
LONGEST = 1000
"""Bytes of an order that are read, for scripts that put no spaces between words."""
IN_DOUBT = 0.6
"""A reading whose top share is lower is right about half of the time."""
UNCLEAR = "unclear orders"
"""What a thought begins with where such a reading begins to count."""
PEACE = 0.6
"""The share that holding fire has where orders say so outright; the rest of them says what is done instead."""
THERE = 0.7
"""The share that holding a place has where orders name one outright; the rest of them says what is done there."""
FLOOR = 1e-12
"""The least probability a word is given."""
Weights = Mapping[str, float]


ALIKE = 0.1
"""Share of plays in which two readings may differ that are called alike."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How orders were read: `weights` by style, shares of 1, all eleven; `note` is what a player should know, or "".

    `rules` are what the orders say outright, names of `SAID`; `then` is what they ask for afterwards, if anything;
    `cases` are what counts instead while a condition of `CONDITIONS` holds, the first one that does; `manner` is how
    the styles are played, None for each as it is. `place` names where who camps goes, "" for the nearest corner;
    `unread` are the clauses that reached nothing.
    """

    weights: Weights
    note: str = ""
    tokens: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    then: Reading | None = None
    cases: tuple[tuple[str, Reading], ...] = ()
    manner: Manner | None = None
    place: str = ""
    unread: tuple[str, ...] = ()

    @property
    def ranked(self) -> list[tuple[str, float]]:
        """The styles and their shares, the largest first."""
        return sorted(self.weights.items(), key=lambda item: -item[1])

    @property
    def in_doubt(self) -> bool:
        """Whether no style stands out enough to be relied on, now or in a case."""
        return self.doubtful is not None

    @property
    def doubtful(self) -> Reading | None:
        """The first part in which no style stands out: this, or what counts in a case; None where all are clear."""
        return self if self._undecided else next((part for _, each in self._later if (part := each.doubtful)), None)

    @property
    def not_understood(self) -> str:
        """What reached nothing, now or in a case: `Not understood: "spin around there"`; "" where all was read."""
        clauses = dict.fromkeys([*self.unread, *(each for _, later in self._later for each in later.unread)])
        return "Not understood: " + ", ".join(f'"{clause}"' for clause in clauses) if clauses else ""

    @property
    def unclear(self) -> bool:
        """Whether what counts first is a guess: no style stands out, and nothing is said outright."""
        return self._undecided and not self._besides

    def alike(self, other: Reading | None) -> bool:
        """Return whether both will hardly play otherwise: the same said outright, all else by a tenth at most."""
        if (
            other is None
            or (self.rules, self.place) != (other.rules, other.place)
            or [*dict(self._later)] != [*dict(other._later)]
        ):
            return False
        if any(abs(mine - its) > ALIKE for mine, its in zip(self.manner or (), other.manner or (), strict=False)):
            return False
        apart = sum(abs(share - other.weights.get(style, 0.0)) for style, share in self.weights.items()) / 2
        return apart <= ALIKE and all(
            mine.alike(its) for (_, mine), (_, its) in zip(self._later, other._later, strict=True)
        )

    def shown(self, least: float = 0.05) -> str:
        """Return the styles with at least that share as plays record them, such as `camp 0.81 · hold_fire 0.12`."""
        said = [f"{rule} 1.00" for rule in self._besides]
        return " · ".join([*said, *(f"{style} {share:.2f}" for style, share in self._shown(least))])

    def summary(self, least: float = 0.05) -> str:
        """Return the styles with at least that share, such as `camp 81%, hold_fire 12%`; always the first one.

        What was said outright stands before it, what comes afterwards behind it: `no_fire; dodge 92%; then attack 99%`.
        """
        parts = [*self.rules, ", ".join(f"{self._named(style)} {share:.0%}" for style, share in self._shown(least))]
        return "; ".join([*parts, *(f"{when} {later.summary(least)}" for when, later in self._later)])

    def in_words(self) -> str:
        """Return what was said outright, the two likeliest styles, the manner and what counts in other cases.

        Such as `corner 81%, holds fire 12%`, or `stands still, attacks 98%; when hurt: shield 90%`.
        """
        usual = ", ".join(filter(None, [self._likeliest, self.manner_in_words]))
        return "; ".join([usual, *(f"{when} {reading._likeliest}" for when, reading in self._later)])

    @property
    def manner_in_words(self) -> str:
        """The manner as the window tells it, "" where it changes nothing."""
        top = self.ranked[0][0]
        tempers = self.manner is not None and top not in ("idle", "hold_fire") and "stand" not in self.rules
        played = next((rule for rule in self.rules if rule in ("flank", "bank", "circle", "kite")), top)
        return self.manner.in_words(played) if self.manner is not None and tempers else ""

    @property
    def aside(self) -> str:
        """What panels tell beside the shares: place, manner and cases, such as `keeps 150 away, when hurt: shield`."""
        later = (
            f"{when} {', '.join(SAID[rule] for rule in reading._besides) or reading._called(reading.ranked[0][0])}"
            for when, reading in self._later
        )
        told = [f"to the {self.place}" * bool(self.place), self.manner_in_words, *later]
        return ", ".join(filter(None, [*told, "part not understood" * bool(self.not_understood)]))

    @property
    def _likeliest(self) -> str:
        said = [SAID[rule] for rule in self._besides]
        return ", ".join([*said, *(f"{self._called(style)} {share:.0%}" for style, share in self._shown(0.05)[:2])])

    def _named(self, style: str) -> str:
        return f"{style} ({self.place})" if style == "camp" and self.place else style

    def _called(self, style: str) -> str:
        return self.place if style == "camp" and self.place else CALLED[style]

    @property
    def _later(self) -> list[tuple[str, Reading]]:
        cases = [(f"{CONDITIONS[name]}:", reading) for name, reading in self.cases]
        return cases + ([("then", self.then)] if self.then is not None else [])

    @property
    def _undecided(self) -> bool:
        return self.ranked[0][1] < IN_DOUBT

    @property
    def _besides(self) -> list[str]:
        """The rules that no style's share shows."""
        return [rule for rule in self.rules if rule != "no_fire"]

    def _shown(self, least: float) -> list[tuple[str, float]]:
        return [item for number, item in enumerate(self.ranked) if item[1] >= least or number == 0]


def bound(rules: Sequence[str], weights: Weights) -> dict[str, float]:
    """Return the share of each style under what orders say outright; `weights` are those of the rest of them."""
    held = dict(weights)
    if "no_shield" in rules and (left := 1.0 - held.get("shield", 0.0)) > 0.2:
        held = {style: 0.0 if style == "shield" else share / left for style, share in held.items()}
    if "no_retreat" in rules:
        held["charge"], held["retreat"] = held.get("charge", 0.0) + held.get("retreat", 0.0), 0.0
    if PRESS in rules:
        held["charge"] = sum(held.get(style, 0.0) for style in ("charge", "attack", "snipe"))
        held["attack"] = held["snipe"] = 0.0
    if AFAR in rules:
        held["snipe"] = sum(held.get(style, 0.0) for style in ("charge", "attack", "snipe"))
        held["charge"] = held["attack"] = 0.0
    if MOVES in rules:
        left = 2 - 2 * held.get("idle", 0.0) or 1.0
        held = {
            style: (share / left if style != "idle" else 0.0) + (style == "dodge") / 2 for style, share in held.items()
        }
    if "open" in rules:  # who waits for an opening would never fire at a foe that has no shield up
        held["attack"], held["counter"] = held.get("attack", 0.0) + held.get("counter", 0.0), 0.0
    if "unfaced" in rules:  # who only gets away never has a side or back before its gun
        held["snipe"], held["retreat"] = held.get("snipe", 0.0) + held.get("retreat", 0.0), 0.0
    if PLACE in rules and held.get("camp", 0.0) < THERE:
        left = 1.0 - held.get("camp", 0.0)
        held = {style: (1 - THERE) * share / left for style, share in held.items()} | {"camp": THERE}
    if "no_fire" in rules and held.get("idle", 0.0) < PEACE:
        held = {style: (1 - PEACE) * share + PEACE * (style == "hold_fire") for style, share in held.items()}
    return held


def outspoken(rules: Sequence[str]) -> dict[str, float]:
    """Return the share of each style for orders that say nothing besides their rules."""
    peaceful = "no_fire" in rules
    for rule, style in ((PLACE, "camp"), (MOVES, "dodge"), (AFAR, "retreat" if peaceful else "snipe")):
        if rule in rules:
            return bound(rules, {each: float(each == style) for each in STYLES})
    if peaceful:
        style = "idle" if "stand" in rules else "hold_fire"
    else:
        style = "charge" if "no_retreat" in rules else "attack"
    return {each: float(each == style) for each in STYLES}


class ReadsOrders(Protocol):
    """Reads orders as a brain does: `prepare` once, then `read_orders` from one thread; `close` at any time.

    They raise BrainError if something is missing or failed, Cancelled after `close`.
    """

    def prepare(self, report: Callable[[str], None]) -> None:
        """Do what takes time; `report` shows a line of progress."""

    def read_orders(self, orders: str) -> Reading:
        """Return how orders are read."""
        ...

    def close(self) -> None:
        """Release what `prepare` took."""


GOES_ON = re.compile(
    r"(?:[.,;:!?]|\b(?:the|an?|and|or|but|so|to|of|in|at|on|by|from|with|if|when|while|until|his|its|your|only|not))$",
    re.I,
)
"""How a line ends whose clause ends there by itself, or goes on in the next one."""


def normalised(orders: str) -> str:
    """Return the orders as they are read: one line in small letters, at most forty words, no full stop at the end.

    A line is a clause of its own, unless it ends within one. Other languages are read word by word in English.
    """
    lines = [line.strip() for line in orders.splitlines() if line.strip()]
    text = " ".join(line if GOES_ON.search(line) else f"{line}," for line in lines).strip(",")
    words = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()[:MOST_WORDS]
    return in_english(" ".join(words).strip(" .!")).encode()[:LONGEST].decode("utf-8", "ignore").strip()


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt that a language model completes with one word; `header` is the same for all orders."""

    header: str
    tail: str

    def about(self, orders: str) -> str:
        """Return the whole prompt for orders that are `normalised`: one line, which cannot pass for an example."""
        return self.header + self.tail.format(orders)


@dataclass(frozen=True, slots=True)
class FittedReader:
    """A linear layer over the log-probabilities of fixed words, for the one model file with this SHA-256.

    `weights` has a row for each style, one number for each word of each question in turn; `heat` is the temperature
    of the softmax over the scores.
    """

    sha256: str
    size: int
    words: tuple[str, ...]
    questions: tuple[Question, ...]
    heat: float
    bias: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    axes: Mapping[str, Axis] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FittedReader:
        """Return the reader that `training/orders/fit.py` wrote; raise KeyError, TypeError or ValueError if damaged."""
        weights = tuple(tuple(map(float, row)) for row in data["weights"])
        questions = tuple(Question(each["header"], each["tail"]) for each in data["questions"])
        width = len(data["words"]) * len(questions)
        if tuple(data["styles"]) != STYLES or len(weights) != len(STYLES) or {len(row) for row in weights} != {width}:
            raise ValueError("the fitted numbers do not match the styles and words")
        bias = tuple(map(float, data["bias"]))
        return cls(
            data["sha256"], int(data["size"]), tuple(data["words"]), questions, float(data["heat"]), bias, weights,
            axes_of(data.get("axes", {})),
        )  # fmt: skip

    def features(self, probabilities: Sequence[Weights]) -> list[float]:
        """Return the log-probability of each word for each question; a token is a word with a space before it."""
        return [math.log(max(each.get(f" {word}", 0.0), FLOOR)) for each in probabilities for word in self.words]

    def manner(self, features: Sequence[float]) -> Manner | None:
        """Return how the styles are to be played for the features of some orders, None where nothing was measured."""
        return read_manner(self.axes, self.words, features) if self.axes else None

    def read(self, features: Sequence[float]) -> dict[str, float]:
        """Return the share of each style for the features of some orders."""
        scores = [
            (start + sum(weight * value for weight, value in zip(row, features, strict=True))) / self.heat
            for start, row in zip(self.bias, self.weights, strict=True)
        ]
        return shares({style: math.exp(score - max(scores)) for style, score in zip(STYLES, scores, strict=True)})


# A model that nothing was fitted for

EXAMPLES = (
    ("use your gun", "shoot"),
    ("move towards him", "charge"),
    ("go there, to that side, and remain", "corner"),
    ("fear the enemy, go away", "retreat"),
    ("stay behind cover", "shield"),
    ("don't get hit, keep moving", "evade"),
    ("shoot him from over there", "distance"),
    ("act when he makes a mistake", "wait"),
    ("put the weapon down", "peace"),
    ("no action please", "nothing"),
    ("always something new", "random"),
)
"""One line for each style; a word from each is what the model may answer."""
_TAIL = "Orders: {} Tactic:"
FEW_SHOT = Question("".join(f"{_TAIL.format(orders)} {word}\n" for orders, word in EXAMPLES), _TAIL)
PLAIN = Question(
    "In a shooting game, a player gives orders to his robot in plain words.\n", 'The order "{}" means in one word:'
)
STYLE_WORDS: Mapping[str, tuple[str, ...]] = {
    "attack": ("shoot", "attack", "fire", "kill"),
    "charge": ("charge", "advance", "chase", "rush"),
    "retreat": ("retreat", "flee", "escape", "run"),
    "shield": ("shield", "hide", "defend", "block"),
    "dodge": ("evade", "circle", "dance", "move"),
    "camp": ("corner", "wall", "camp", "position"),
    "snipe": ("distance", "far", "long", "aim"),
    "counter": ("wait", "patience", "counter", "opening"),
    "hold_fire": ("peace", "mercy", "hold", "refuse"),
    "idle": ("nothing", "still", "rest", "sleep"),
    "mixed": ("random", "change", "anything", "surprise"),
}
"""The words that stand for each style where nothing is fitted; several even out a small model's whims."""
NEUTRAL = ("n/a", "something", "play", "do it", "...")
"""Orders without content: what a model makes of them is its habit, and is divided out."""
UNFITTED = (
    "read by eleven examples alone, about half of all orders rightly: the fitted reader is for another model file"
)
"""What is said of a reading by a model that nothing was fitted for."""


def unfitted_weights(probabilities: Weights, habits: Weights) -> dict[str, float]:
    """Return the share of each style by its own words, each divided by its probability where orders say nothing."""
    return shares(
        {
            style: sum(probabilities.get(f" {word}", 0.0) / max(habits.get(f" {word}", 0.0), 1e-9) for word in words)
            / len(words)
            + FLOOR
            for style, words in STYLE_WORDS.items()
        }
    )


def shares(weights: Weights) -> dict[str, float]:
    """Return the weights divided by their sum."""
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}
