"""A session file, a journal or a page, read: first as plain values, then as typed tapes; else a one-line error."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

from batllm_arcade.brains.protocol import Decision, SeatInfo, own_name, shown_name
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import quoted
from batllm_arcade.files.reading import NOT_TEXT, content_of, open_regular
from batllm_arcade.history import original_import
from batllm_arcade.history.manager import HistoryManager
from batllm_arcade.history.paths import is_journal, journal_of
from batllm_arcade.history.schema import (
    SCHEMA,
    STATES_ALONE,
    HistoryError,
    Node,
    arena_of,
    no_game,
    result_of,
    state_of,
)
from batllm_arcade.match.records import Ended, ForkedFrom, ForkPoint, NotesWritten, Status, Why
from batllm_arcade.match.series import LENGTHS, Series

MOST_VALUES = 10_000
"""Values of the largest piece that is read."""
_WINDOW = 8 * 1024
"""Characters within which most pieces end."""
_BLANKS = re.compile(r"[ \t\n\r]*")
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{},]', re.DOTALL)


class TooManyValues(ValueError):
    """A piece of the text holds more than MOST_VALUES values."""


class LargeJson:
    """A JSON text of nested lists under known names, read piece by piece.

    `spine` holds the names of the nested lists, outermost first; `keep` the names that are kept at each level, the
    last for the innermost list's elements. All else is a piece. Reading raises ValueError where the text is no
    JSON, TooManyValues, and what the decoder's hooks raise.
    """

    def __init__(
        self, text: str, decoder: json.JSONDecoder, spine: Sequence[str] = (), keep: Sequence[Set[str]] = ()
    ) -> None:
        self._text, self._decoder, self._spine, self._keep = text, decoder, spine, keep

    def value(self) -> Any:
        """Return what the text holds, without the members that are not kept."""
        start = self._skip(0)
        value: Any
        begins = (self._at(start) + self._at(self._skip(start + 1))) if self._spine else ""
        if begins[:1] == "{":
            value, end = self._object(0, start)
        else:  # a list of objects is one of games, as the original's first versions wrote it
            value, end = self._list(1, start) if begins == "[{" else self._piece(start)
        if self._skip(end) != len(self._text):
            raise ValueError("more than one value")
        return value

    def _object(self, level: int, at: int) -> tuple[dict[str, Any], int]:
        pairs: list[tuple[str, Any]] = []
        at = self._skip(at + 1)
        while self._at(at) != "}":
            if pairs:
                at = self._expect(",", at)
            self._expect('"', at)
            key, at = self._decoder.raw_decode(self._text, at)
            at = self._expect(":", self._skip(at))
            inner = level < len(self._spine) and key == self._spine[level] and self._at(at) == "["
            value, at = self._list(level + 1, at) if inner else self._piece(at)
            pairs.append((key, value if inner or key in self._keep[level] else None))
            at = self._skip(at)
        return self._kept(level, self._decoder.object_pairs_hook(pairs)), at + 1

    def _list(self, level: int, at: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._skip(at + 1)
        while self._at(at) != "]":
            if found:
                at = self._expect(",", at)
            if level < len(self._spine) and self._at(at) == "{":
                value, at = self._object(level, at)
            else:
                value, at = self._piece(at)
                value = self._kept(level, value) if isinstance(value, dict) else value
            found.append(value)
            at = self._skip(at)
        return found, at + 1

    def _kept(self, level: int, value: dict[str, Any]) -> dict[str, Any]:
        keep = self._keep[level]
        return value if value.keys() <= keep else {key: value[key] for key in value if key in keep}

    def _piece(self, at: int) -> tuple[Any, int]:
        window = self._text[at : at + _WINDOW]
        try:
            value, length = self._decoder.raw_decode(window)
        except json.JSONDecodeError:
            length = len(window)
        if length < len(window) or at + length == len(self._text):
            return self._decoder.raw_decode(self._text, at) if length == len(window) else (value, at + length)
        self._measure(at)
        return self._decoder.raw_decode(self._text, at)

    def _measure(self, at: int) -> None:
        """Raise TooManyValues if the value that begins there holds too many."""
        depth = values = 0
        for token in _TOKENS.finditer(self._text, at):
            mark = token[0]
            if mark in "[{":
                depth += 1
            elif mark in "]}":
                depth -= 1
            values += mark in ",[{"
            if values > MOST_VALUES:
                raise TooManyValues
            if depth <= 0:
                return

    def _at(self, at: int) -> str:
        return self._text[at : at + 1]

    def _skip(self, at: int) -> int:
        found = _BLANKS.match(self._text, at)
        assert found is not None
        return found.end()

    def _expect(self, mark: str, at: int) -> int:
        if self._at(at) != mark:
            raise ValueError(f"{mark} expected at {at}")
        return self._skip(at + 1)


# -- The session in a page

_OPENING = '<script type="application/json" id="session">'
_CLOSING = "</script>"
_HEAD = re.compile(r"\s*<!doctype html", re.IGNORECASE)
_ACTIVE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What could end the element or is no text; lone surrogates are none."""


def compact_json(value: Any) -> str:
    """Return a value as short JSON that means nothing to HTML: what could end its element is escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def session_element(session: Any) -> str:
    """Return the script element that holds a session, given as plain JSON values."""
    return f"{_OPENING}{compact_json(session)}{_CLOSING}"


def is_page(text: str) -> bool:
    """Return whether this text begins like a page."""
    return _HEAD.match(text) is not None


def session_text(page: str) -> str | None:
    """Return the JSON text of the session in a page, None if there is none."""
    return _parts(page)[1]


def without_session(page: str) -> str:
    """Return a page without the session in it; raise ValueError if there is none, or one that may end its element."""
    before, session, after = _parts(page)
    if session is None or "<" in session:
        raise ValueError("no session")
    return before + after


def _parts(page: str) -> tuple[str, str | None, str]:
    """Return what is before the session in a page, the session, and what is after it."""
    start = page.find(_OPENING)
    end = page.find(_CLOSING, start) if start >= 0 else -1
    begin = start + len(_OPENING)
    return (page[:begin], page[begin:end], page[end:]) if end >= 0 else (page, None, "")


# -- Session JSON and journals as plain values

LARGEST = 512 * 1024 * 1024
"""Bytes of the largest session file that is read."""
LARGE = 32 * 1024 * 1024
"""Bytes from which a file must say within its first 4096 that it is a session, before it is parsed."""
IN_PIECES = 1024 * 1024
"""Characters from which a text is read in pieces, so that what is no part of a session takes no memory."""
MOST_PARTS = 2_000_000
"""Objects and lists of a large session; some 400,000 plays have as many."""
_HEAD_BYTES = 4096
_TOO_MANY = f"holds more than {MOST_VALUES:,} values beside games, rounds and plays"
SPINE = ("games", "rounds", "turns")
KEPT = (
    frozenset({
        "schema", "program", "session_start", "session_end", "seed", "series", "secret", "games",
        "schema_version", "session_type", "app_version", "saved_at", "llm_metadata", "created_at", "model_provenance",
        "application_provenance",
    }),
    frozenset({
        "game_number", "total_rounds", "turns_per_round", "seed", "drawn", "series", "forked_from", "hints", "rules",
        "seats", "notes", "initial_state", "rounds", "result", "start_time", "started_at",
    }),
    frozenset({
        "round_number", "prompts", "augmented", "independent_llms", "mode", "acting_order", "initial_state",
        "system_header", "ended", "swaps", "notes", "turns", "gameplay_settings_snapshot", "prompt_augmentation",
        "plays",
    }),
    frozenset({
        "turn_number", "turn", "order", "llm_response", "cmd", "status", "reason", "pre_state", "post_state",
        "opponent_state", "timestamp", "latency_s", "tokens", "thought", "say", "queued_from", "raw_cut",
        "plays", "start_time",
    }),
)  # fmt: skip
"""The names that are read in a session, a game, a round and a play, the original game's included: of a large file
all others are dropped."""
_LEVELS = {"session": 0, "game": 1, "round": 2, "play": 3}


class Loaded(NamedTuple):
    """A session as plain JSON `values`, and the file they come from; of a journal its first line that is no good, or 0.

    Of a journal that was cut short in its last line that line is none: the program was killed in it. `lines` is how
    many of its lines were read.
    """

    values: Any
    source: Path
    bad_line: int = 0
    lines: int = 0


def load(path: Path) -> Any:
    """Return a session file, a journal or a page's session as plain JSON values; raise HistoryError if it is none."""
    return load_with_source(path).values


def load_with_source(path: Path) -> Loaded:
    """Return a session and the file it comes from; raise HistoryError if it is no session.

    The journal beside a session file is read if the file is missing, or never ended and so is older than it.
    """
    if is_journal(path):
        return load_journal(path)
    journal = journal_of(path)
    if not os.path.exists(path) and os.path.exists(journal):
        try:
            return load_journal(journal)
        except HistoryError:
            if not os.path.exists(path):
                raise  # else the session ended in this moment, and its file is there
    values = _json(_text(path), path)
    unfinished = isinstance(values, dict) and values.get("session_end") is None and "schema_version" not in values
    return load_journal(journal) if unfinished and os.path.exists(journal) else Loaded(values, path)


def page_of(path: Path) -> str | None:
    """Return the text of a page, None for any other file; raise HistoryError if it cannot be read."""
    if is_journal(path) or not os.path.exists(path):
        return None
    try:
        text = _content(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None  # which whoever reads its session tells
    return text if is_page(text) else None


def _content(path: Path) -> bytes:
    try:
        handle = open_regular(path)
    except OSError as error:
        if error.errno == errno.EINVAL and path.is_dir():
            raise HistoryError(f"{str(path)!r} is a folder; name a session file in it") from None
        if error.errno == errno.EINVAL:
            raise HistoryError(f"{str(path)!r} is no regular file; write the session to a file first") from None
        raise
    content = content_of(handle, LARGEST)
    if len(content) > LARGEST:
        raise HistoryError(f"{path.name!r} is larger than any session this program writes")
    return content


def _text(path: Path) -> str:
    try:
        return _without_page(_checked(path).decode("utf-8-sig"), path)
    except UnicodeDecodeError:
        raise HistoryError(f"{path.name!r} is no session file: {NOT_TEXT}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None


def _checked(path: Path) -> bytes:
    try:
        content = _content(path)
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None
    if len(content) > LARGE and not is_page(content[:_HEAD_BYTES].decode("utf-8", "replace")):
        _check_large(content, path)
    return content


def _without_page(text: str, path: Path) -> str:
    if not is_page(text):
        return text
    session = session_text(text)
    if session is None:
        raise HistoryError(f"{path.name!r} is a page without a session; those that 'share' makes hold one")
    if len(session) > LARGE:
        _check_large(session.encode("utf-8", "replace"), path)
    return session


def _check_large(content: bytes, path: Path) -> None:
    """Raise HistoryError for a large file that is no session: parsing it could take gigabytes."""
    if not any(word in content[:_HEAD_BYTES] for word in (b'"schema', b'{"session"')):
        raise HistoryError(f"{path.name!r} is no session file: it is large and does not begin like one")
    if content.count(b"{") + content.count(b"[") > MOST_PARTS:
        raise HistoryError(f"{path.name!r} is no session file: it holds more objects and lists than any session")


def _json(text: str, path: Path) -> Any:
    try:
        return parsed_json(text)
    except HistoryError as error:
        raise HistoryError(f"{path.name!r} is no session file: {error}") from None
    except MemoryError:
        raise HistoryError(f"{path.name!r} is too large for this machine's memory") from None
    except TooManyValues:
        raise HistoryError(f"{path.name!r} is no session file: it {_TOO_MANY}") from None
    except (ValueError, RecursionError):
        raise HistoryError(f"{path.name!r} is no session file, or was cut short: it is not valid JSON") from None


def parsed_json(text: str, *, in_pieces: bool = True) -> Any:
    """Return JSON text as values; raise ValueError if it is none, HistoryError for a key twice or no finite number.

    The original game's sessions keep such numbers here: its import names the place.
    """
    odd: list[str] = []

    def number(text: str) -> float:
        value = float(text)
        if not isfinite(value):
            odd.append(text)
        return value

    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_float=number, parse_constant=number)
    if len(text) <= IN_PIECES:
        values = decoder.decode(text)
    else:
        values = LargeJson(text, decoder, *((SPINE, KEPT) if in_pieces else ())).value()
    if odd and not (isinstance(values, dict) and "schema_version" in values):
        raise HistoryError(f"one of its numbers is {quoted(odd[0])}")
    return values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = {intern(key): value for key, value in pairs}  # in pieces, every piece has its own copies of the keys
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise HistoryError(f"one of its objects holds {quoted(twice)} twice")
    return found


def _kept(entry: Any) -> Any:
    kind, value = next(iter(entry.items()))
    level = _LEVELS.get(kind)
    return entry if level is None else {kind: {key: value[key] for key in value if key in KEPT[level]}}


def load_journal(path: Path, most: int | None = None) -> Loaded:
    """Return the session in a journal, up to the first line that is no good, and in at most so many lines.

    Raise HistoryError if its first line is no good.
    """
    history, content = HistoryManager(), _checked(path)
    lines, large = content.removesuffix(b"\n").split(b"\n")[:most], len(content) > IN_PIECES
    bad_line = 0
    for number, line in enumerate(lines, 1):
        try:
            entry = parsed_json(line.decode("utf-8"), in_pieces=False)
            history.append(_kept(entry) if large else entry)
        except TooManyValues:
            raise HistoryError(f"{path.name!r} is no journal: line {number} {_TOO_MANY}") from None
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, HistoryError):
            if number == 1:
                raise HistoryError(f"{path.name!r} is no journal: line 1 continues nothing") from None
            bad_line = number if number < len(lines) else 0  # the last is the one the program was killed in
            break
    if not history.session:
        raise HistoryError(f"{path.name!r} is an empty journal")
    return Loaded(history.session, path, bad_line, bad_line - 1 if bad_line else len(lines))


# -- Tapes: a session as typed records


@dataclass(frozen=True, slots=True)
class PlayTape:
    """A play as recorded: what was said and done, and the states it claims."""

    number: int
    turn: int
    bot: int
    decision: Decision
    cmd: str
    status: Status
    reason: str
    latency_s: float
    timestamp: str
    pre_state: BotState
    post_state: BotState
    opponent_state: BotState


@dataclass(frozen=True, slots=True)
class SwapTape:
    number: int
    bot: int
    seat: SeatInfo
    why: Why
    prompt: str | None = None


@dataclass(frozen=True, slots=True)
class RoundTape:
    number: int
    prompts: tuple[str, str]
    augmented: bool
    independent: bool
    apart: bool
    acting_order: tuple[int, int]
    arena: Arena
    system_headers: tuple[str, str]
    ended: Ended | None
    swaps: tuple[SwapTape, ...]
    plays: tuple[PlayTape, ...]
    notes: tuple[NotesWritten, ...] = ()
    """Without the number of the game."""


@dataclass(frozen=True, slots=True)
class GameTape:
    number: int
    total_rounds: int
    turns_per_round: int
    seed: int
    drawn: bool
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    arena: Arena
    rounds: tuple[RoundTape, ...]
    result: Result | None
    series: Series | None = None
    forked_from: ForkedFrom | None = None
    hints: tuple[int, int] = (0, 0)
    notes: tuple[str, str] = ("", "")

    @property
    def states_alone(self) -> bool:
        """Return whether its states are taken as recorded, as nothing in the file leads from one to the next."""
        return not self.drawn and all(seat.brain == STATES_ALONE for seat in self.seats)

    @property
    def stream(self) -> int:
        """Return the number of the game in the names of its random streams: of a fork that of its origin."""
        return self.number if self.forked_from is None else self.forked_from.game


@dataclass(frozen=True, slots=True)
class SessionTape:
    """A session as recorded; `end` is None for one that never ended, `journal` the journal it was read from.

    `bad_line` is the line of the journal up to which it was read, where that is damaged; else 0.
    """

    program: str
    seed: int
    start: str
    end: str | None
    games: tuple[GameTape, ...]
    journal: Path | None = field(default=None, compare=False)
    series: Series | None = None
    bad_line: int = field(default=0, compare=False)
    secret: str = ""
    """What the streams of its seats were keyed with, in hex; "" without bots of files, or without an end."""

    def game(self, number: int) -> GameTape:
        """Return a game, counted from 1; raise HistoryError if there is none of this number."""
        if not 1 <= number <= len(self.games):
            raise no_game(number, len(self.games))
        return self.games[number - 1]


def read(path: Path) -> SessionTape:
    """Return the session in a session file, a journal or a page; raise HistoryError if it is none.

    Without the file its journal is read, and named in `journal`. A saved session of the original game is
    converted.
    """
    return read_with_values(path)[0]


def read_with_values(path: Path) -> tuple[SessionTape, Any]:
    """Return the session as `read` does, and the plain JSON values it was read from."""
    try:
        loaded = load_with_source(path)
        if is_journal(loaded.source):
            return _journal(loaded)
        values = loaded.values
        values = original_import.convert(values).session if original_import.is_original(values) else values
        return session_of(values), values
    except RecursionError:  # some Pythons read deeper nesting than they can show
        raise HistoryError(f"{path.name!r} is no session file: it is nested too deeply") from None


def _journal(loaded: Loaded) -> tuple[SessionTape, Any]:
    """Return the session in a journal, up to the first line that has something wrong in it."""
    good, bad_line = 0, loaded.bad_line
    try:
        session = session_of(loaded.values)
    except HistoryError:
        good, bad_line = 1, loaded.lines  # a line by which it is no session stays one in all that is longer
        session_of(load_journal(loaded.source, good).values)
        while bad_line - good > 1:
            middle = (good + bad_line) // 2
            try:
                session_of(load_journal(loaded.source, middle).values)
                good = middle
            except HistoryError:
                bad_line = middle
        loaded = load_journal(loaded.source, good)
        session = session_of(loaded.values)
    return replace(session, journal=loaded.source, bad_line=bad_line), loaded.values


def session_of(values: Any) -> SessionTape:
    """Return the session in plain JSON values; raise HistoryError naming what is wrong in them."""
    return _session(Node(values, "the session"))


def _session(node: Node) -> SessionTape:
    if not isinstance(node.value, dict) or "games" not in node.value:
        raise HistoryError("this is no session file: it has no 'games'")
    if node.value.get("schema") != SCHEMA:
        schema = quoted(node.value.get("schema"))
        raise HistoryError(f"this session has the schema {schema}; a replay needs one with {SCHEMA!r}")
    end = node["session_end"]
    return SessionTape(
        program=node["program"].text(),
        seed=node["seed"].whole(),
        start=node["session_start"].text(),
        end=None if end.value is None else end.text(),
        games=tuple(_game(game) for game in node["games"].items("game")),
        series=_series(node),
        secret=_secret(node),
    )


def _secret(node: Node) -> str:
    if "secret" not in node.value:
        return ""
    secret = node["secret"].text()
    if not re.fullmatch("[0-9a-f]{64}", secret):
        raise node["secret"].refuse("must be 64 digits of a number in hex")
    return secret


def _series(node: Node) -> Series | None:
    if "series" not in node.value:
        return None
    best_of = node["series"]["best_of"]
    if best_of.value is not None and (type(best_of.value) is not int or best_of.value not in LENGTHS):
        raise best_of.refuse("must be 1, 3, 5, 7 or null")
    return Series(best_of.value)


def _game(node: Node) -> GameTape:
    try:
        rules = rules_from(node["rules"].value if isinstance(node["rules"].value, dict) else {"rules": None})
    except RulesError as error:
        raise HistoryError(f"{node.where}: {error}") from None
    return GameTape(
        number=node["game_number"].whole(),
        total_rounds=node["total_rounds"].whole(),
        turns_per_round=node["turns_per_round"].whole(),
        seed=node["seed"].whole(),
        drawn=bool(node.get("drawn", True).one_of((True, False))),
        rules=rules,
        seats=node["seats"].pair(_seat),
        arena=_start(node["initial_state"], rules),
        rounds=tuple(_round(entry, rules) for entry in node["rounds"].items("round")),
        result=result_of(node["result"]) if "result" in node.value else None,
        series=_series(node),
        forked_from=_forked_from(node["forked_from"]) if "forked_from" in node.value else None,
        hints=node["hints"].pair(Node.whole) if "hints" in node.value else (0, 0),
        notes=node.get("notes", ["", ""]).pair(Node.text),
    )


def _forked_from(node: Node) -> ForkedFrom:
    game, number, turn = (node[key].whole() for key in ("game_number", "round_number", "turn"))
    earlier = tuple(_fork_point(point) for point in node.get("earlier", []).items("fork"))
    start, played_by, ended = node["session_start"].text(), node.get("program", "").text(), _ended(node)
    return ForkedFrom(start, game, number, turn, played_by, earlier, ended)


def _fork_point(node: Node) -> ForkPoint:
    number, turn = node["round_number"].whole(), node["turn"].whole()
    return ForkPoint(node["session_start"].text(), number, turn, node.get("program", "").text(), _ended(node))


def _ended(node: Node) -> bool:
    return bool(node.get("ended", True).one_of((True, False)))


def _start(node: Node, rules: Rules) -> Arena:
    """Return where a game starts; raise HistoryError for a bot far outside, which could not be drawn."""
    arena = arena_of(node)
    for bot in (arena.left, arena.right):
        if not (abs(bot.x) <= 2 * rules.arena_width and abs(bot.y) <= 2 * rules.arena_height):
            raise node.refuse("has a bot far outside the arena")
    return arena


def _seat(node: Node, name: str | None = None) -> SeatInfo:
    options = node.get("options", {}).value
    if not isinstance(options, dict):
        raise node.refuse("has options that are no object")
    named, brain = node["name"] if name is None else node.get("name", name), node["brain"].text()
    adapted = tuple(each.text() for each in node.get("adapted", []).items("change"))
    isolation = node.get("isolation", "").one_of(("sandbox", "process", "none", ""))
    view = node.get("view", "").one_of(("picture", "both", ""))
    return SeatInfo(
        shown_name(named.text(), brain), brain, node.get("model", "").text(), options, adapted=adapted,
        isolation=isolation, view=view,
    )  # fmt: skip


def _round(node: Node, rules: Rules) -> RoundTape:
    header = node.get("system_header", "")
    headers = header.pair(Node.text) if isinstance(header.value, list) else (header.text(), header.text())
    order = node["acting_order"].pair(Node.bot)
    if order[0] == order[1]:
        raise node.refuse("has an 'acting_order' in which a bot acts twice")
    apart = bool(node["independent_llms"].one_of((True, False)))
    mode = node.get("mode", None)
    if mode.one_of(("shared", None)) and not apart:
        raise mode.refuse("must be left out where independent_llms is false")
    plays = tuple(_play(play) for play in node["turns"].items("play"))
    if len(plays) > 2 * rules.turns_per_round:
        raise node.refuse(f"has {len(plays)} plays, more than its rules allow")
    return RoundTape(
        number=node["round_number"].whole(),
        prompts=node["prompts"].pair(Node.text),
        augmented=bool(node["augmented"].one_of((True, False))),
        independent=apart and mode.value is None,
        apart=apart,
        acting_order=order,
        arena=arena_of(node["initial_state"]),
        system_headers=headers,
        ended=node.get("ended", None).one_of(("complete", "knockout", "abandoned", None)),
        swaps=tuple(_swap(swap) for swap in node.get("swaps", []).items("swap")),
        plays=plays,
        notes=tuple(_notes(notes, node["round_number"].whole()) for notes in node.get("notes", []).items("notes")),
    )


def _notes(node: Node, number: int) -> NotesWritten:
    text, reason = node.get("text", "").text(), node.get("reason", "").text()
    return NotesWritten(0, number, node["order"].bot(), text, reason, _tokens(node.get("tokens", None)))


def _tokens(node: Node) -> dict[str, int] | None:
    return None if node.value is None else {key: count.whole() for key, count in node.members()}


def _swap(node: Node) -> SwapTape:
    why = node["why"].one_of(("fallback", "recovered", "swap", "wheel", "fork"))
    seat = _seat(node, own_name(node["brain"].text()))
    prompt = node["prompt"].text() if "prompt" in node.value else None
    return SwapTape(node["turn_number"].whole(), node["order"].bot(), seat, why, prompt)


def _play(node: Node) -> PlayTape:
    cmd = node["cmd"].text()
    tokens, queued, raw_cut = (node.get(key, None) for key in ("tokens", "queued_from", "raw_cut"))
    decision = Decision(
        raw=node["llm_response"].text(),
        command=None if cmd == "ERR" else cmd,
        thought=node.get("thought", "").text(),
        say=node.get("say", "").text(),
        tokens=_tokens(tokens),
        queued_from=None if queued.value is None else queued.whole(),
        raw_cut=None if raw_cut.value is None else raw_cut.whole(),
    )
    return PlayTape(
        number=node["turn_number"].whole(),
        turn=node["turn"].whole(),
        bot=node["order"].bot(),
        decision=decision,
        cmd=cmd,
        status=node["status"].one_of(("ok", "invalid", "timeout", "error", "forfeit")),
        reason=node.get("reason", "").text(),
        latency_s=node["latency_s"].number(),
        timestamp=node["timestamp"].text(),
        pre_state=state_of(node["pre_state"]),
        post_state=state_of(node["post_state"]),
        opponent_state=state_of(node["opponent_state"]),
    )
