"""The match in words, as HTML for readers without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.match.result_text import describe_result, distinct
from batllm_arcade.share.shown import Shown
from batllm_arcade.terminal.output import printable
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.play_text import describe, outcome
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.words.play_words import play_words
from batllm_arcade.view.words.reading_shown import reading_of

_LONGEST = 1000  # characters of a thought, an answer or orders; the page's session holds all of it


def inert(text: str, longest: int = _LONGEST) -> str:
    """Return a text for HTML that shows as it is and does nothing: escaped, its controls as escapes, shortened."""
    return escape("\n".join(printable(line) for line in shortened(text, longest).split("\n")))


def transcript(shown: Shown) -> str:
    """Return every play that is shown, in order: what was thought, done, and what became of it."""
    return "\n".join(line for segment in shown.segments for line in _lines(segment))


def _lines(segment: Segment) -> Iterator[str]:
    record, board = segment.record, segment.board
    names = [inert(seat.name, 80) for seat in board.seats]
    if isinstance(record, GameStarted):
        yield f"<h2>Game {record.game}: {names[0]} (left) vs {names[1]} (right)</h2>"
    elif isinstance(record, RoundStarted):
        yield f"<h3>Round {record.round}</h3>"
        for seat, prompt in zip(SEATS, record.prompts, strict=True):
            if prompt:
                yield f"<p>Orders {seat}: {inert(prompt)}</p>"
    elif isinstance(record, SeatSwapped):
        yield f"<p>{SEATS[record.bot].capitalize()} is now {inert(record.seat.name, 80)}.</p>"
    elif isinstance(record, Play):
        yield _play(segment, record, inert(distinct((board.seats[0].name, board.seats[1].name))[record.bot], 88))
    elif isinstance(record, GameEnded):
        yield f"<p><b>{inert(describe_result(record.result, (board.seats[0].name, board.seats[1].name)), 200)}</b></p>"


def _play(segment: Segment, play: Play, name: str) -> str:
    decision = play.decision
    if play.status == "ok":
        words = f"<code>{inert(play.command.token, 40)}</code> {describe(play.command)}"
        result = outcome(play, segment.board.rules)[0]
        words += f", {inert(result, 200)}" if result else ""
    else:
        words = f"fumble: {inert(play.reason or play.status, 300)}"
    health = " : ".join(f"{bot.health:g}" for bot in (play.after.left, play.after.right))
    parts = [f"<p><b>{play.round}.{play.turn} {name}</b> {words} <small>{health}</small>"]
    if decision.thought:
        read = reading_of(decision.thought) is not None  # the figures of how orders were read are no words
        parts.append(f"<q>{inert(play_words(play) if read else decision.thought)}</q>")
    elif decision.raw.strip() not in ("", play.command.token):
        parts.append(f"<samp>{inert(decision.raw)}</samp>")
    if decision.say:
        parts.append(f"says <q>{inert(decision.say)}</q>")
    return " ".join(parts) + "</p>"
