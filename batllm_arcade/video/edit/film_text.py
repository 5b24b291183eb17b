"""The words that are posted with a film: its title, who was told what, its chapters."""

from __future__ import annotations

from collections.abc import Iterable

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.result_text import distinct
from batllm_arcade.video.edit.cards import first_round
from batllm_arcade.video.edit.chapters import FilmChapter
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import reads_orders
from batllm_arcade.view.words.script_words import player_words

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
