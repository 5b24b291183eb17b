"""Whether a session is what it says it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from heapq import merge
from operator import attrgetter

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import FAILED, Brain, BrainKind, SeatInfo, Spec, View, looks_like
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.core.streams import game_stream
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import program, utc_time
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape, SwapTape
from batllm_arcade.history.replay import (
    SESSION,
    SESSION_END,
    Difference,
    Place,
    game_place,
    play_place,
    round_place,
    simulate,
)
from batllm_arcade.history.schema import ORIGINAL, STATES_ALONE
from batllm_arcade.history.summary import counted
from batllm_arcade.match.records import ForkedFrom, GameStarted, Play, Record, RoundStarted, SeatSwapped
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK as _LIMIT
from batllm_arcade.match.runner import SeatStreams, StreamSecret, command_of, decision_faults
from batllm_arcade.prompts import notes

ALONE = "this is one game of a session that is not here: others may have been left out"


def fork_differences(place: Place, game: GameTape, origin: ForkedFrom) -> Iterator[Difference]:
    """Yield the differences between the turns that `forked_from` names and those that a game has, or may have."""
    rules = game.rules
    if origin.game < 1:
        yield place.broken("forked_from.game_number", origin.game, "must be 1 or more")
    for name, point in zip([*["forked_from.earlier"] * len(origin.earlier), "forked_from"], origin.points, strict=True):
        if not 1 <= point.round <= rules.total_rounds:
            yield place.broken(f"{name}.round_number", point.round, f"must be from 1 to {rules.total_rounds}")
        elif not 1 <= point.turn <= rules.turns_per_round - (point.round == rules.total_rounds):
            yield place.broken(f"{name}.turn", point.turn, "must be a turn of the round with another one behind it")
    here = game.rounds[origin.round - 1].plays if 1 <= origin.round <= len(game.rounds) else ()
    if not 1 <= origin.turn <= len(here) // 2:
        yield place.broken("forked_from.turn", f"{origin.round}.{origin.turn}", "must be a turn that was played")
        return
    last = here[2 * origin.turn - 1]
    if last.status == "forfeit" or min(last.post_state.health, last.opponent_state.health) <= 0:
        yield place.broken("forked_from.turn", origin.turn, "must be one with which the game was not over")


# -- A recorded play beside its states

_PEOPLE = ("keyboard", "browser")
"""Brains that are a person, who gives the very command and draws nothing at random."""
_SCRIPTS = ("scripted", *_PEOPLE)
"""Brains whose answer is always the very command."""
NO_PEOPLE = (
    "anthropic", "cassette", "embedded", "gemini", "mcp", "mistral", "ollama", "openai", "policy", "proc",
    "scripted",
)  # fmt: skip
"""Brains that are never a person; there may be others."""
_ANYBODY = SeatInfo("", "")
_BY_ITSELF = ("fallback", "recovered", "fork")
"""Why brains change without a person's wish in the middle of a match."""


def check_name(place: Place, seat: SeatInfo) -> Iterator[Difference]:
    """Yield the difference of a brain that is not the bundled one that it looks like."""
    like = looks_like(seat.brain, (*NO_PEOPLE, *_PEOPLE))
    if like and seat.brain.partition(":")[0] != like:
        yield place.broken("brain", ascii(seat.brain), f"must not look like {like!r}, which it is not")


def check_play(
    place: Place, play: PlayTape, number: int, rules: Rules, brain: str, queued: Collection[int], *, as_told: bool
) -> Iterator[Difference]:
    """Yield the differences of a play that this brain made, by its number in the round.

    `queued` are the numbers of the plays before it that a reply had announced.
    `as_told` are games that no seed began: those of the original game read their models' answers in its own way.
    """
    decision, free = play.decision, as_told and brain in (ORIGINAL, STATES_ALONE)
    if play.latency_s < 0:
        yield place.broken("latency_s", play.latency_s, "must be 0 or more")
    if play.status == "timeout" and decision.raw:
        yield place.broken("llm_response", decision.raw, "must be empty, as there was no answer in time")
    for fault in decision_faults(decision, play.cmd, play.status, rules, number, queued):
        if not (free and fault.field == "cmd"):
            yield place.broken(*fault)
    if brain.partition(":")[0] in _SCRIPTS and not free:
        yield from _script(place, play, rules, brain)


def _script(place: Place, play: PlayTape, rules: Rules, brain: str) -> Iterator[Difference]:
    raw, queued = play.decision.raw, play.decision.queued_from
    readable = not isinstance(read_command(raw, rules), Nothing)
    if queued is not None:
        yield place.broken("queued_from", queued, f"must not be there, as {brain!r:.40} answers every play")
    elif readable and play.status == "invalid":
        yield from place.compare([("status", play.status, "ok")], "by its llm_response")
    elif not readable and play.status == "ok" and play.cmd != "ERR":
        yield from place.compare([("llm_response", raw, play.cmd)], "by its cmd")


class SeatHistory:
    """Who sits where in a game, and how many plays in a row each brain has left without an answer.

    `number` is the game's in its session, or in that of the first of those that it was forked from.
    """

    def __init__(self, game: GameTape, number: int) -> None:
        self._seats, self._origin = list(game.seats), game.forked_from
        self._failures = [0, 0]
        self._recovered = [False, False]
        # Who lost a seat in a game before is not in the record of this one.
        self._lost: list[SeatInfo | None] = [_ANYBODY if number > 1 else None] * 2
        self._session, self._forked = [0, 0], [False, False]
        self.people = [_may_be_person(seat) for seat in game.seats]
        """Whether a person may have played for each bot."""
        # A person who changes seats may be about to do so when the third answer fails: no fallback comes then.
        self._changed_by_hand = any(swap.why not in _BY_ITSELF for tape in game.rounds for swap in tape.swaps)

    def brain(self, bot: int) -> str:
        """Return the brain that plays for this bot now."""
        return self._seats[bot].brain

    def reach(self, bot: int, round_number: int, turn: int) -> None:
        """Note which turn comes next for a bot: behind a fork no model is asked again that has lost its seat before."""
        session = 0 if self._origin is None else self._origin.session_of(round_number, turn)
        if session != self._session[bot]:
            self._session[bot], self._forked[bot] = session, True
            self._lost[bot] = None

    def swap(self, place: Place, swap: SwapTape) -> Iterator[Difference]:
        """Let another brain take a seat; yield the differences where none can have come in this way."""
        bot = swap.bot
        before, lost = self._seats[bot], self._lost[bot]
        if swap.why == "fallback" and self._failures[bot] < _LIMIT:
            yield place.broken("swaps.why", swap.why, f"must come after {_LIMIT} plays in a row without an answer")
        if swap.why == "fork" and not self._forked[bot]:
            yield place.broken("swaps.why", swap.why, "must come with a bot's first play behind 'forked_from'")
        if swap.why == "recovered" and not _same(swap.seat, lost):
            yield place.broken("swaps.brain", swap.seat.brain, "must be the one that lost this seat to a fallback")
        self._recovered[bot] = swap.why == "recovered"
        if swap.why != "wheel":
            self._lost[bot] = before if swap.why == "fallback" else None
        self._seats[bot], self._failures[bot] = swap.seat, 0
        self.people[bot] |= _may_be_person(swap.seat)

    def played(self, place: Place, play: PlayTape) -> Iterator[Difference]:
        """Count a play of the brain at its seat; yield the differences in who should have played it."""
        if self._failures[play.bot] >= _LIMIT and not self._changed_by_hand:
            yield place.broken("swaps", "without a swap here", "must name the fallback's, after so many failures")
        failed = play.status in FAILED
        if failed and self._recovered[play.bot]:
            yield place.broken("status", play.status, "must be an answer where a model gets its seat back")
        self._recovered[play.bot] = self._forked[play.bot] = False
        self._failures[play.bot] = self._failures[play.bot] + 1 if failed else 0
        if play.status == "forfeit" and self._failures[play.bot] < _LIMIT:
            yield place.broken("status", play.status, f"must be the last of {_LIMIT} in a row without an answer")


def _may_be_person(seat: SeatInfo) -> bool:
    return seat.brain.partition(":")[0] not in NO_PEOPLE


def _same(seat: SeatInfo, known: SeatInfo | None) -> bool:
    """Return whether this brain is the one known; one that got ready meanwhile may have found its model."""
    return known is _ANYBODY or (known is not None and (seat.brain, seat.options) == (known.brain, known.options))


# -- The times of a session do not run backwards

_CLOCKS = timedelta(seconds=1)
"""By how much a latency may be longer than the time between: sessions of before had two clocks for them."""


def fork_times(place: Place, game: GameTape, origin: ForkedFrom, start: str) -> Iterator[Difference]:
    """Yield the differences in the times of what a fork has taken over: session by session, all before its `start`."""
    times, points, reached = TimeOrder(), origin.points, -1
    for position, tape in enumerate(game.rounds, 1):
        for number, play in enumerate(tape.plays, 1):
            session = origin.session_of(position, (number + 1) // 2)
            if session > reached:
                reached = session
                if session == len(points):
                    break
                yield from times.check(place, "forked_from.session_start", points[session].session_start)
            if session < len(points):
                yield from times.check_play(play_place(round_place(place, position, tape.number), number), play)
    yield from times.check(place, "the session's session_start", start)


class TimeOrder:
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
            time = utc_time(text)
        except ValueError:
            yield place.broken(field, text, "must be a time (ISO 8601)")
            return
        if self._last is not None and time < self._last:
            yield place.broken(field, text, f"must not be before {self._text!r}, the time before it")
            return
        self._last, self._text = time, text


# -- What a session file holds beside its states

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
        if game.series is not None and (session.series is None or position == 1):
            first = "as it is the session's in its first game" if position == 1 else "as the session has none"
            yield game_place(position, game.number).broken("series", game.series.best_of, f"must not be there, {first}")
        known = {"", *_last_notes(played[position - 2])} if position > 1 else {*game.notes}
        for text in {*game.notes} - known:
            yield game_place(position, game.number).broken("notes", text, "must be written in the game before")
        over = position < len(played) or session.end is not None
        yield from _game(game, position, times if drawn else None, over=over)
        if game.forked_from is not None:
            yield from _alone(session, game, position, game.forked_from, drawn=drawn)
    if session.end is not None and not played:
        yield SESSION_END.broken("games", [], "must hold a game, as the session has ended")
    if drawn and session.end is not None:
        yield from times.check(SESSION_END, "session_end", session.end)


def _last_notes(game: GameTape) -> list[str]:
    """Return what stood in both seats' notes when the next game began."""
    last = list(game.notes)
    for each in (each for tape in game.rounds for each in tape.notes):
        last[each.bot] = each.text or last[each.bot]
    return last


def is_drawn(game: GameTape) -> bool:
    """Return whether a game's start and acting orders come from its seed.

    Those told to `HistoryManager` and those of the original game do not; older imports do not say so.
    """
    return game.drawn and not (game.seed == 0 and all(seat.brain == ORIGINAL for seat in game.seats))


def stands_alone(session: SessionTape) -> str:
    """Return the sentence that says of a fork that it is not all that was played, "" for any other session."""
    return ALONE if any(game.forked_from is not None for game in session.games) else ""


def states_alone(session: SessionTape) -> bool:
    """Return whether there are games of which it cannot be said that one state follows from another."""
    return any(game.states_alone for game in session.games)


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
    place = game_place(position, game.number)
    if len(session.games) > 1:
        yield place.broken("forked_from", origin.session_start, "must not be there, as a fork is alone in its session")
    yield from fork_differences(place, game, origin)
    if drawn:
        yield from fork_times(place, game, origin, session.start)


def _game(game: GameTape, position: int, times: TimeOrder | None, *, over: bool) -> Iterator[Difference]:
    place = game_place(position, game.number)
    drawn, origin = is_drawn(game), game.forked_from
    first = position if origin is None else origin.game
    stream = game_stream(game.seed, first)
    if drawn:
        yield from _start(place, game.arena, game_rules.start(stream, game.rules))
    for seat in game.seats:
        yield from check_name(place, seat)
    for text in game.notes:
        yield from _text(place, text)
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
    mode, before = ("independent" if each.independent else "shared" for each in (tape, first))
    fields = [("augmented", tape.augmented, first.augmented), ("mode", mode, before)]
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
    yield from _notes(place, tape, seats)


def _notes(place: Place, tape: RoundTape, seats: SeatHistory) -> Iterator[Difference]:
    for each in tape.notes:
        brain = seats.brain(each.bot)
        if brain.partition(":")[0] in _SCRIPTS:
            yield place.broken("notes", each.text or each.reason, f"must not be there, as {brain!r:.40} writes none")
        if bool(each.text) == bool(each.reason):
            yield place.broken("notes.reason", each.reason, "must be there where there is no text, and nowhere else")
        yield from _text(place, each.text)
    if len({each.bot for each in tape.notes}) < len(tape.notes):
        yield place.broken("notes.order", [each.bot for each in tape.notes], "must each be there once")


def _text(place: Place, text: str) -> Iterator[Difference]:
    if text != notes.kept(text):
        yield place.broken("notes", text, f"must be one line of at most {notes.MOST} words")


def _swap(place: Place, swap: SwapTape, seats: SeatHistory, *, drawn: bool) -> Iterator[Difference]:
    yield from check_name(place, swap.seat)
    found = list(seats.swap(place, swap))
    yield from found if drawn else ()


def _taken_over(game: GameTape, number: int, turn: int) -> bool:
    origin = game.forked_from
    return origin is not None and (number, turn) <= (origin.round, origin.turn)


# -- Plays scripts again

SCRIPTED = "scripted"
"""The kind of brain that is played again."""
_OF_THE_PROCESS = ("isolation", "memory_mb", "network", "processes")
"""Options of a script that has played in a process of its own."""
_RANDOM = "another brain had drawn from the same random numbers"
_NO_SECRET = "the session they were played in never ended, so that the secret of its random numbers is not known"
_NO_FORK = "who sat at the other seat behind the fork, and so which random numbers they had, is not recorded"
_TOLD = "one of its plays is told already"


class ScriptedSeats:
    """Compares what scripts are recorded to have played with what they play, record by record of a simulation.

    `kind` is the bundled one.
    """

    def __init__(self, session: SessionTape, kind: BrainKind) -> None:
        self._session, self._kind = session, kind
        self._position = 0
        self._game: _Game | None = None
        self._unknown, self._failed, self._otherwise = Counter[tuple[str, str]](), Counter[str](), ""

    def differences(self, record: Record) -> Iterator[Difference]:
        """Yield the differences that a record shows, but those for which there may be an honest reason."""
        if isinstance(record, GameStarted):
            self._position += 1
            self._game = _Game(self._session, self._position, self._kind)
        if self._game is None:
            return
        found = list(self._game.differences(record))
        if isinstance(record, Play):
            self._count(record, self._game)
        if found and self._game.otherwise:
            self._otherwise = self._game.otherwise
        else:
            yield from found

    def _count(self, play: Play, game: _Game) -> None:
        brain, why = game.seats[play.bot].brain, game.unknown[play.bot]
        if not _is_script(game.seats[play.bot]):
            return
        if play.failed:
            self._failed[brain] += 1
        elif why not in ("", _TOLD):
            self._unknown[brain, why] += 1

    @property
    def open(self) -> bool:
        """Whether more is not checked than what a fallback plays at the seat of a brain that drew before it."""
        return bool(self._otherwise or self._failed or any(why != _RANDOM for _, why in self._unknown))

    def sentences(self) -> Iterator[str]:
        """Yield what is not checked of scripts, each in a sentence."""
        if self._otherwise:
            yield f"{self._otherwise}: who played is not checked"
        for (brain, why), count in self._unknown.items():
            yield f"{counted(count, 'play')} of {brain} not played again: {why}"
        for brain, count in self._failed.items():
            yield f"{counted(count, 'play')} of {brain} recorded as failed, which nobody can prove"


class _Game:
    """A game that is simulated: who sits at its seats, and where their random streams stand."""

    def __init__(self, session: SessionTape, position: int, kind: BrainKind) -> None:
        self._started: RoundStarted
        self._tape, self._kind, self._live = session.games[position - 1], kind, Live()
        self._secret, self._ended = session.secret, session.end is not None
        self._program = session.program
        self._points = () if self._tape.forked_from is None else self._tape.forked_from.points
        self._place = game_place(position, self._tape.number)
        self._rounds, self._plays, self._session = 0, 0, 0
        self.seats = list(self._tape.seats)
        self.unknown = ["", ""]
        """Why a seat's stream is not known, "" where it is; left first."""
        self._brains: list[Brain | None] = [None, None]
        self._draw_anew(self.seats)

    @property
    def otherwise(self) -> str:
        """Return why scripts may honestly have played otherwise here than they do now, "" where they cannot have."""
        point = next(iter(self._points[self._session : self._session + 1]), None)
        played_by = (point.program if point is not None else "").strip() or self._program.strip() or program()
        if played_by != program():
            return f"{played_by!r:.60} has played this, not {program()!r}, whose scripts play otherwise"
        return "" if is_drawn(self._tape) else "scripts play otherwise than it is told of a game that no seed began"

    @property
    def _secret_lost(self) -> bool:
        """Whether a fork has taken this over from a session that never ended, or from one that such a one had."""
        return not all(point.ended for point in self._points[self._session :])

    def differences(self, record: Record) -> Iterator[Difference]:
        """Yield the differences that the next record of the game shows."""
        if isinstance(record, GameStarted):
            for bot in (0, 1):
                yield from self._sit(bot, self._place)
        elif isinstance(record, RoundStarted):
            self._rounds, self._plays, self._started = self._rounds + 1, 0, record
        elif isinstance(record, SeatSwapped):
            self._reach((record.number + 1) // 2)
            self.seats[record.bot] = record.seat
            self._take_secret(record.seat)
            yield from self._sit(record.bot, round_place(self._place, self._rounds, record.round))
        elif isinstance(record, Play):
            self._plays += 1
            self._reach((self._plays + 1) // 2)
            if not record.failed:
                yield from self._play(record)

    def _play(self, play: Play) -> Iterator[Difference]:
        bot, seat = play.bot, self.seats[play.bot]
        brain = self._brains[bot]
        if not _is_script(seat):
            self.unknown[bot] = self.unknown[bot] or ("" if seat.brain in _PEOPLE else _RANDOM)
        elif brain is not None and not self.unknown[bot]:
            where = play_place(round_place(self._place, self._rounds, play.round), self._plays)
            found = _difference(where, seat.brain, brain, play, self._view(play))
            if found is not None:
                self.unknown[bot] = _TOLD
                yield found

    def _view(self, play: Play) -> View:
        started = self._started
        return View(
            seat=play.bot, rules=self._tape.rules, game=play.game, round=play.round, turn=play.turn, number=play.number,
            acting_order=started.acting_order, prompts=started.prompts, arena=play.before, initial=started.arena,
            rng=self._streams.streams[play.bot], live=self._live,
        )  # fmt: skip

    def _sit(self, bot: int, place: Place) -> Iterator[Difference]:
        seat, self._brains[bot] = self.seats[bot], None
        if not _is_script(seat):
            return
        options = {key: str(text) for key, text in seat.options.items() if key not in _OF_THE_PROCESS}
        name, _, variant = seat.brain.partition(":")
        try:
            self._brains[bot] = self._kind.make(Spec(name, variant, options, SEATS[bot]))
        except UsageError as error:
            self.unknown[bot] = _TOLD
            yield place.broken("brain", seat.brain, f"must be one that can play: {error}")
        if of_model := seat.model or seat.adapted or seat.view:
            yield place.broken("model", of_model, "must not be there, as a script has none")
        if seat.isolation and self._ended and not self._secret and not self._secret_lost:
            yield place.broken("isolation", seat.isolation, "must not be there without the secret that comes with it")

    def _reach(self, turn: int) -> None:
        """Go on to a turn of the round: behind a fork both seats draw from streams of their own."""
        origin = self._tape.forked_from
        session = 0 if origin is None else origin.session_of(self._rounds, turn)
        if origin is None or session == self._session:
            return
        self._session, point, tape = session, origin.points[session - 1], self._tape.rounds[self._rounds - 1]
        new = {swap.bot: swap.seat for swap in tape.swaps if swap.why == "fork" and (swap.number + 1) // 2 == turn}
        sitting = [new.get(bot, seat) for bot, seat in enumerate(self.seats)]
        self._draw_anew(sitting, f"{point.round}.{point.turn}")
        alone = len(tape.plays) < 2 * turn  # the other one may have been new as well
        if alone and self._secret and not any(seat.isolation for seat in sitting):
            self.unknown = [_NO_FORK, _NO_FORK]

    def _draw_anew(self, seats: list[SeatInfo], fork: str = "") -> None:
        self._streams = SeatStreams(self._tape.seed, self._tape.stream, StreamSecret(lambda: self._secret), fork)
        self.unknown = ["", ""]
        for seat in seats:
            self._take_secret(seat)

    def _take_secret(self, seat: SeatInfo) -> None:
        """Let both seats draw anew where a bot of a file is the first to sit down; sessions of before had no secret."""
        before = self._streams.names
        lost = self._secret_lost or not (self._secret or self._ended)
        if self._secret and not lost:
            self._streams.seated(seat)
        if self._streams.names != before:
            self.unknown = ["", ""]
        elif seat.isolation and lost:
            self.unknown = [_NO_SECRET, _NO_SECRET]


def _is_script(seat: SeatInfo) -> bool:
    return seat.brain.partition(":")[0] == SCRIPTED


def _difference(where: Place, name: str, brain: Brain, play: Play, view: View) -> Difference | None:
    try:
        decision = brain.decide(view)
    except Exception as error:  # noqa: BLE001 - rules that nobody has played by
        return where.broken("status", play.status, f"'error', as {name} fails there: {error!r:.100}")
    recorded, command = play.decision, command_of(decision, view.rules)
    cmd = "ERR" if recorded.command is None else recorded.command
    if cmd != command.token:
        return where.broken("cmd", cmd, f"{name} plays {command.token!r} there")
    for field, found, expected in (
        ("status", play.status, "invalid" if isinstance(command, Nothing) and command.reason else "ok"),
        ("llm_response", recorded.raw, decision.raw),
        ("thought", recorded.thought, decision.thought),
        ("say", recorded.say, decision.say),
        ("tokens", recorded.tokens, decision.tokens),
        ("queued_from", recorded.queued_from, decision.queued_from),
        ("raw_cut", recorded.raw_cut, decision.raw_cut),
    ):
        if found != expected:
            return where.broken(field, found, f"{expected!r:.60} by {name}")
    return None


# -- Verify a session


def verify(session: SessionTape, scripts: ScriptedSeats | None = None) -> Iterator[Difference]:
    """Yield every difference between the file and what it must hold, game by game; with `scripts` who played, too.

    First come those of the states that a game's commands lead to, and of what scripts play; then those of what follows
    from the seed, the answers and the times; each with the first play first.
    """
    yield from merge(_simulated(session, scripts), derived_differences(session), key=attrgetter("game"))


def _simulated(session: SessionTape, scripts: ScriptedSeats | None) -> Iterator[Difference]:
    for item in simulate(session):
        if isinstance(item, Difference):
            yield item
        elif scripts is not None:
            yield from scripts.differences(item)
