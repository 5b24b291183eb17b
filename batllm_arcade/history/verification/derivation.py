"""Check what a session file holds beside its states: starts and acting orders drawn again, results, order of times."""

from __future__ import annotations

from collections.abc import Iterator

from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.model import Arena
from batllm_arcade.core.streams import game_stream
from batllm_arcade.history.reader import GameTape, RoundTape, SessionTape, SwapTape
from batllm_arcade.history.verification.difference import (
    SESSION,
    SESSION_END,
    Difference,
    Place,
    game_place,
    play_place,
    round_place,
)
from batllm_arcade.history.verification.fork_checks import ALONE, fork_differences
from batllm_arcade.history.verification.play_checks import ORIGINAL, SeatHistory, check_name, check_play
from batllm_arcade.history.verification.time_order import TimeOrder, fork_times
from batllm_arcade.match.records import ForkedFrom

_DRAWN = "as drawn from the seed"


def derived_differences(session: SessionTape) -> Iterator[Difference]:
    """Yield every difference between the file and what follows from its seed, its answers and its times."""
    times = TimeOrder()
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
        if game.forked_from is not None:
            yield from _alone(session, game, position, game.forked_from, drawn=drawn)
    if session.end is not None and not played:
        yield SESSION_END.broken("games", [], "must hold a game, as the session has ended")
    if drawn and session.end is not None:
        yield from times.check(SESSION_END, "session_end", session.end)


def is_drawn(game: GameTape) -> bool:
    """Return whether a game's start and acting orders come from its seed.

    Those told to `HistoryManager` and those of the original game do not; older imports do not say so.
    """
    return game.drawn and not (game.seed == 0 and all(seat.brain == ORIGINAL for seat in game.seats))


def stands_alone(session: SessionTape) -> str:
    """Return the sentence that says of a fork that it is not all that was played, "" for any other session."""
    return ALONE if any(game.forked_from is not None for game in session.games) else ""


def not_checked(session: SessionTape) -> str:
    """Return the sentence that says what does not apply to games that no seed began, "" where all games were drawn."""
    if all(map(is_drawn, session.games)):
        return ""
    said = "where its bots start, who acts first and its times are taken as recorded: its games come from no seed"
    if any(seat.brain == ORIGINAL for game in session.games if not is_drawn(game) for seat in game.seats):
        said += "; nor are its commands compared with the answers, which the original game read in its own way"
    return said


def _alone(
    session: SessionTape, game: GameTape, position: int, origin: ForkedFrom, *, drawn: bool
) -> Iterator[Difference]:
    """Yield the differences between a fork and its session, which holds nothing else and began when it did."""
    place = game_place(position, game.number)
    if len(session.games) > 1:
        yield place.broken("forked_from", origin.session_start, "must not be there, as a fork is alone in its session")
    yield from fork_differences(place, game, origin)
    if drawn:
        yield from fork_times(place, game, origin, session.start)


def _series(session: SessionTape, game: GameTape, position: int) -> Iterator[Difference]:
    """Yield the differences in the series that begins with a game: there is one before it, the session's."""
    if game.series is not None and (session.series is None or position == 1):
        first = "as it is the session's in its first game" if position == 1 else "as the session has none"
        yield game_place(position, game.number).broken("series", game.series.best_of, f"must not be there, {first}")


def _game(game: GameTape, position: int, times: TimeOrder | None, *, over: bool) -> Iterator[Difference]:
    place = game_place(position, game.number)
    drawn, origin = is_drawn(game), game.forked_from
    first = position if origin is None else origin.game
    stream = game_stream(game.seed, first)
    if drawn:
        yield from _start(place, game.arena, game_rules.start(stream, game.rules))
    for seat in game.seats:
        yield from check_name(place, seat)
    seats = SeatHistory(game, first)
    for number, tape in enumerate(game.rounds, 1):
        where = round_place(place, number, tape.number)
        if drawn:
            order = game_rules.acting_order(stream)
            yield from where.compare([("acting_order", tape.acting_order, order)], _DRAWN)
            yield from _same_style(where, tape, game.rounds[0])
        yield from _round(where, tape, game, seats, times)
        if tape.ended is None and number < len(game.rounds):
            yield where.broken("ended", None, "must be there, as another round follows")
    for hints, person in zip(game.hints, seats.people, strict=True):
        if hints < 0 or (hints and not person):
            rule = "must be 0 or more" if hints < 0 else "must count none for a seat without a person"
            yield place.broken("hints", list(game.hints), rule)
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
    place: Place, tape: RoundTape, game: GameTape, seats: SeatHistory, times: TimeOrder | None
) -> Iterator[Difference]:
    swaps, queued = list(tape.swaps), set[int]()
    drawn = times is not None
    for position, play in enumerate(tape.plays, 1):
        where, turn = play_place(place, position), (position + 1) // 2
        seats.reach(play.bot, place.round, turn)
        while swaps and swaps[0].number <= position:
            yield from _swap(where, swaps.pop(0), seats, drawn=drawn)
        brain, as_told = seats.brain(play.bot), not is_drawn(game)
        yield from check_play(where, play, position, game.rules, brain, queued, as_told=as_told)
        if play.decision.queued_from is not None:
            queued.add(position)
        if drawn:
            yield from seats.played(where, play)
        if times is not None and not _taken_over(game, place.round, turn):
            yield from times.check_play(where, play)
    for swap in swaps:
        seats.reach(swap.bot, place.round, (swap.number + 1) // 2)
        yield from _swap(place, swap, seats, drawn=drawn)


def _swap(place: Place, swap: SwapTape, seats: SeatHistory, *, drawn: bool) -> Iterator[Difference]:
    yield from check_name(place, swap.seat)
    found = list(seats.swap(place, swap))
    yield from found if drawn else ()


def _taken_over(game: GameTape, number: int, turn: int) -> bool:
    """Return whether a fork has taken this turn over: its order of times starts again where it plays on."""
    origin = game.forked_from
    return origin is not None and (number, turn) <= (origin.round, origin.turn)
