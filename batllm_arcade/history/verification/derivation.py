"""Check what a session file holds beside its states: starts and acting orders drawn again, results, order of times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Arena
from batllm_arcade.core.streams import game_stream
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape
from batllm_arcade.history.times import parse_time
from batllm_arcade.history.verification.difference import (
    SESSION,
    SESSION_END,
    Difference,
    Place,
    game_place,
    play_place,
    round_place,
)
from batllm_arcade.history.verification.play_checks import ORIGINAL, SeatHistory, check_play, check_queued

_DRAWN = "as drawn from the seed"
_CLOCKS = timedelta(seconds=1)
"""How far the clock of times may run behind the one of latencies: it is set now and then, the other one never is."""


def derived_differences(session: SessionTape) -> Iterator[Difference]:
    """Yield every difference between the file and what follows from its seed, its answers and its times."""
    times = _Times()
    played = session.games
    drawn = any(map(is_drawn, played))
    if drawn:
        yield from times.check(SESSION, "session_start", session.start)
    if played and is_drawn(played[0]):
        yield from SESSION.compare([("seed", session.seed, played[0].seed)], "in its first game")
    for position, game in enumerate(played, 1):
        yield from _series(session, game, position)
        over = position < len(played) or session.end is not None
        yield from _game(game, position, times if drawn else None, over=over)
    if session.end is not None and not played:
        yield SESSION_END.broken("games", [], "must hold a game, as the session has ended")
    if drawn and session.end is not None:
        yield from times.check(SESSION_END, "session_end", session.end)


def is_drawn(game: GameTape) -> bool:
    """Return whether a game's start and acting orders come from its seed.

    Those told to `HistoryManager` and those of the original game do not; older imports do not say so.
    """
    return game.drawn and not (game.seed == 0 and all(seat.brain == ORIGINAL for seat in game.seats))


def not_checked(session: SessionTape) -> str:
    """Return the sentence that says what does not apply to games that no seed began, "" where all games were drawn."""
    if all(map(is_drawn, session.games)):
        return ""
    said = "where its bots start, who acts first and its times are taken as recorded: its games come from no seed"
    if any(seat.brain == ORIGINAL for game in session.games if not is_drawn(game) for seat in game.seats):
        said += "; nor are its commands compared with the answers, which the original game read in its own way"
    return said


def _series(session: SessionTape, game: GameTape, position: int) -> Iterator[Difference]:
    """Yield the differences in the series that begins with a game: there is one before it, the session's."""
    if game.series is not None and (session.series is None or position == 1):
        first = "as it is the session's in its first game" if position == 1 else "as the session has none"
        yield game_place(position, game.number).broken("series", game.series.best_of, f"must not be there, {first}")


def _game(game: GameTape, position: int, times: _Times | None, *, over: bool) -> Iterator[Difference]:
    place = game_place(position, game.number)
    drawn = is_drawn(game)
    stream = game_stream(game.seed, position if game.forked_from is None else game.forked_from.game)
    if drawn:
        yield from _start(place, game.arena, game_rules.start(stream, game.rules))
    seats = SeatHistory(game)
    for number, tape in enumerate(game.rounds, 1):
        where = round_place(place, number, tape.number)
        if drawn:
            order = game_rules.acting_order(stream)
            yield from where.compare([("acting_order", tape.acting_order, order)], _DRAWN)
            yield from _same_style(where, tape, game.rounds[0])
        yield from _round(where, tape, game, seats, times)
        if tape.ended is None and number < len(game.rounds):
            yield where.broken("ended", None, "must be there, as another round follows")
    if over and game.result is None:
        yield place.broken("result", None, "must be there, as the game is over")


def _start(place: Place, recorded: Arena, drawn: Arena) -> Iterator[Difference]:
    for bot, side in enumerate(("left", "right")):
        yield from place.within(side).compare_states("initial_state", recorded.bot(bot), drawn.bot(bot), _DRAWN)


def _same_style(place: Place, tape: RoundTape, first: RoundTape) -> Iterator[Difference]:
    """Yield the differences in how models were asked, which holds for a whole game."""
    fields = [
        ("augmented", tape.augmented, first.augmented),
        ("independent_llms", tape.independent, first.independent),
    ]
    yield from place.compare(fields, "in the game's first round")
    if not tape.augmented and any(tape.system_headers):
        yield place.broken("system_header", "".join(tape.system_headers)[:40], "must not be there without 'augmented'")


def _round(
    place: Place, tape: RoundTape, game: GameTape, seats: SeatHistory, times: _Times | None
) -> Iterator[Difference]:
    swaps = list(tape.swaps)
    drawn = times is not None
    taken, before = _taken_over(game, tape), _Times()  # a fork's order of times starts again where it plays on
    for position, play in enumerate(tape.plays, 1):
        where = play_place(place, position)
        while swaps and swaps[0].number <= position:
            yield from seats.swap(where, swaps.pop(0), drawn=drawn)
        yield from check_play(where, play, game.rules, seats.brain(play.bot), as_told=not is_drawn(game))
        yield from check_queued(where, tape.plays, position, seats.brain(play.bot))
        if drawn:
            yield from seats.played(where, play)
        if times is not None:
            yield from (before if position <= taken else times).check_play(where, play)
    for swap in swaps:
        yield from seats.swap(place, swap, drawn=drawn)


def _taken_over(game: GameTape, tape: RoundTape) -> int:
    """Return how many plays of a round a fork has taken over from the game that it comes from."""
    origin = game.forked_from
    if origin is None or tape.number > origin.round:
        return 0
    return 2 * origin.turn if tape.number == origin.round else len(tape.plays)


class _Times:
    """Follows the times of a session, which must not run backwards."""

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._text = ""

    def check_play(self, place: Place, play: PlayTape) -> Iterator[Difference]:
        """Yield the differences of a play: its brain was not asked before the time before it."""
        before = self._last
        yield from self.check(place, "timestamp", play.timestamp)
        if before is not None and self._last is not None:
            most = (self._last - before + _CLOCKS).total_seconds()
            if play.latency_s > most:
                yield place.broken("latency_s", play.latency_s, f"must be at most {most:g} by the time before it")

    def check(self, place: Place, field: str, text: str) -> Iterator[Difference]:
        """Yield a difference where the text is no time, or one before the last."""
        try:
            time = parse_time(text)
            time = time if time.tzinfo else time.replace(tzinfo=timezone.utc)
        except ValueError:
            yield place.broken(field, text, "must be a time (ISO 8601)")
            return
        if self._last is not None and time < self._last:
            yield place.broken(field, text, f"must not be before {self._text!r}, the time before it")
            return
        self._last, self._text = time, text
