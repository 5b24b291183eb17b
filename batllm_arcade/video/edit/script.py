"""The script of a film."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import distinct
from batllm_arcade.video.edit.captions import FilmChapter, Line
from batllm_arcade.video.edit.cards import CardRow, FilmCards, first_round
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.look.effects import words, words_end
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.play_words import (
    does,
    in_one_line,
    kind_words,
    led,
    player_words,
    quoted,
    reads_orders,
    said,
    short_reply,
)
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline, banner_of

# All that a film says, and when

Where = Literal["opening card", "end card", "ribbon", "panel", "caption", "mark"]
_TOUCH_S = 1e-3


class ScriptRow(NamedTuple):
    """Words that are shown from `at` to `until` seconds of the film.

    `new` says whether they have to be read: names, orders, scores and figures have their places.
    """

    at: float
    until: float
    where: Where
    words: str
    new: bool = True


def script(
    timeline: Timeline, edit_list: EditList, cards: FilmCards | None, captions: Iterable[Line], *, panels: bool
) -> list[ScriptRow]:
    """Return all that a film says, in the order in which it does.

    With two `panels` a play's words stay until the next one of its bot, else until the next play.
    """
    rows = [ScriptRow(line.start, line.end, "caption", line.text) for line in captions]
    rows += [*_ribbons(edit_list), *_panels(timeline, edit_list, both=panels), *_marks(timeline, edit_list)]
    if cards is not None and edit_list.card:
        rows += _card(cards.opening.rows, "opening card", 0.0, edit_list.card)
    if cards is not None and edit_list.end_card:
        rows += _card(cards.closing.rows, "end card", edit_list.ends, edit_list.seconds)
    return sorted((row for row in rows if row.words), key=lambda row: row.at)


def as_lines(rows: Iterable[ScriptRow]) -> Iterator[str]:
    """Yield the rows as lines of JSON, times to a thousandth, and none shorter than it is."""
    for row in rows:
        at, until = round(row.at, 3), round(row.until, 3)
        until = until if until - at >= round(row.until - row.at, 3) else round(until + 0.001, 3)
        values = {**row._asdict(), "at": at, "until": until}
        yield json.dumps({**values, "words": " ".join(row.words.split())}, ensure_ascii=False) + "\n"


def _card(rows: Sequence[CardRow], where: Where, start: float, end: float) -> list[ScriptRow]:
    return [ScriptRow(start, end, where, row.words, row.new) for row in rows]


def _ribbons(edit_list: EditList) -> Iterator[ScriptRow]:
    """Yield the texts of cuts, one for all cuts in a row that have it, and what stands on games' cards."""
    last: ScriptRow | None = None
    for cut, start in zip(edit_list.cuts, edit_list.starts, strict=True):
        end = start + cut.seconds
        if last is not None and last.words == cut.text and abs(last.until - start) < _TOUCH_S:
            last = last._replace(until=end)
            continue
        if last is not None:
            yield last
        last = ScriptRow(start, end, "ribbon", cut.text) if cut.text else None
        for number, row in enumerate(cut.card or ()):
            yield ScriptRow(start, end, "mark", row, number != 1)
    if last is not None:
        yield last


def _panels(timeline: Timeline, edit_list: EditList, *, both: bool) -> Iterator[ScriptRow]:
    """Yield who plays and was told what, then what each play does, why, and what came of it once that is seen."""
    plays = [segment for segment in timeline.segments if isinstance(segment.record, Play)]
    told: tuple[str, ...] = ()
    since = 0.0
    for segment in timeline.segments:
        board = segment.board
        pairs = zip(board.seats, board.prompts, strict=True)
        each = (
            (seat.name, kind_words(seat), level_of(seat), quoted(said) or player_words(seat)) for seat, said in pairs
        )
        now = tuple(chain.from_iterable(each))
        if now != told:
            yield from _shown(edit_list, since, segment.start, told, new=False)
            told, since = now, segment.start
    yield from _shown(edit_list, since, timeline.end, told, new=False)
    ends = {0: timeline.end, 1: timeline.end}
    for segment in reversed(plays):
        play = segment.record
        assert isinstance(play, Play)
        yield from _of_play(segment, play, ends[play.bot], edit_list)
        ends = {**ends, play.bot: segment.start} if both else dict.fromkeys(ends, segment.start)


def _of_play(segment: Segment, play: Play, end: float, edit_list: EditList) -> Iterator[ScriptRow]:
    rules = segment.board.rules
    reply = short_reply(play, segment.board.seats[play.bot])
    yield from _shown(edit_list, segment.start, end, (reply, said(play, rules), does(play)))
    yield from _shown(edit_list, segment.known, end, (led(play, rules, known=True)[0],))


def _marks(timeline: Timeline, edit_list: EditList) -> Iterator[ScriptRow]:
    """Yield the words that pop up in the arena, and the titles over it; an end card says again who was knocked out."""
    for segment in timeline.segments:
        for effect in segment.effects:
            if (popped := words(effect)) is not None:
                yield from _shown(edit_list, effect.start, words_end(effect), (popped.text,), "mark")
        banner = banner_of(segment)
        told_next = segment.board.result is not None and segment.board.result.reason == "knockout"
        if banner is not None and not (told_next and edit_list.end_card and segment is timeline.segments[-1]):
            end = segment.end if banner.lasts is None else min(segment.end, segment.start + banner.lasts)
            yield from _shown(edit_list, segment.start, end, (banner.title, banner.subtitle), "mark")


def _shown(
    edit_list: EditList, start: float, end: float, said: Sequence[str], where: Where = "panel", *, new: bool = True
) -> Iterator[ScriptRow]:
    pieces: list[tuple[float, float]] = []
    for first, last in edit_list.spans(start, end):
        if pieces and abs(pieces[-1][1] - first) < _TOUCH_S:
            pieces[-1] = pieces[-1][0], last
        else:
            pieces.append((first, last))
    for first, last in pieces:
        for each in said:
            yield ScriptRow(first, last, where, each, new)


# What is posted with a film

_LONGEST_NAME, _LONGEST_ORDERS = 80, 500


def title_of(timeline: Timeline, title: str) -> str:
    """Return a film's title: the one that was given, else who plays whom."""
    left, right = _names(timeline.segments[0].board)
    return title or f"{left} vs {right}"


def description(timeline: Timeline, edit_list: EditList) -> str:
    """Return who plays and was told what, and which games are shown, a sentence a line."""
    first = next((cut.start for cut in edit_list.cuts), 0.0)
    board = first_round(timeline, first)
    lines = []
    for seat, orders in zip(board.seats, board.prompts, strict=True):
        told = shortened(in_one_line(orders), _LONGEST_ORDERS)
        words = f"\u201c{told}\u201d" if told and not seat.human else player_words(seat)
        lines.append(f"{shortened(seat.name, _LONGEST_NAME)}: {words}")
    plays = [segment.record for segment in timeline.segments]
    read = dict.fromkeys(seat.name for bot, seat in enumerate(board.seats) if reads_orders(plays, bot))
    lines += [f"{shortened(name, _LONGEST_NAME)} reads its orders once; a tactician plays them." for name in read]
    games = sorted({segment.board.game for segment in timeline.segments})
    which = f"Game {games[0]}" if len(games) == 1 else f"Games {games[0]} to {games[-1]}"
    lines.append(f"{which} of seed {board.seed}, in BatLLM Arcade: two bots in an arena, who decide by themselves.")
    return "\n".join(lines)


def _names(board: Scoreboard) -> tuple[str, str]:
    left, right = (shortened(seat.name, _LONGEST_NAME) for seat in board.seats)
    return distinct((left or SEATS[0], right or SEATS[1]))


def film_text(title: str, description: str, chapters: Iterable[FilmChapter]) -> str:
    """Return what is posted with a film: its title, its description, and when each chapter begins."""
    times = [f"{_clock(chapter.start)} {chapter.title}" for chapter in chapters]
    return "\n\n".join(part for part in (title, description, "\n".join(times)) if part) + "\n"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
