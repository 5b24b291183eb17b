"""What is said of a recorded session in a list or on one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fakes import eventful, played, plays, session_values, written
from values import changeable, roomy

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import SessionTape, read, session_of
from batllm_arcade.history.summary import contents, counted, journal_note, remark, summary
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped, SessionEnded


def turns(games: int) -> list[Record]:
    """The records of games of one turn each."""
    return played(["M"] * games, ["S0"] * games, rules=Rules(total_rounds=1, turns_per_round=1), games=games)


def session(*winners: int | None) -> SessionTape:
    """A session of games with these winners."""
    ends = [Result(winner, "draw" if winner is None else "points") for winner in winners]
    records = [
        replace(each, result=ends[each.game - 1]) if isinstance(each, GameEnded) else each
        for each in turns(len(winners))
    ]
    return session_of(session_values(records))


def test_a_session_is_summed_up():
    records = eventful()
    found = summary(session_of(session_values(records)))
    assert (found.names, found.brains) == (("fallback", "right"), ("fake:fallback", "fake:right"))
    assert (found.games, found.plays, found.turns, found.ended) == (2, 22, 11, True)
    assert found.seconds == pytest.approx(sum(play.latency_s for play in plays(records)))
    assert found.start


@pytest.mark.parametrize(
    ("winners", "words", "winner"),
    [
        ((1,), "right wins on points", 1),
        ((None,), "draw", None),
        ((0, 0, 1), "left wins 2 : 1", 0),
        ((1, 1, 0), "right wins 2 : 1", 1),
        ((0, 1), "1 : 1, nobody is ahead", None),
    ],
)
def test_a_session_was_won_by_who_won_more_games(winners, words, winner):
    found = summary(session(*winners))
    assert (found.result, found.winner, found.games) == (words, winner, len(winners))


def test_a_game_that_never_ended_has_no_result_and_its_only_play_was_a_turn():
    found = summary(session_of(session_values(turns(1)[:4])))
    assert (found.result, found.winner, found.plays, found.turns, found.ended) == ("never ended", None, 1, 1, False)


def swapped(records: list[Record], game: int, bot: int, why: str = "swap") -> SessionTape:
    """The session of these records, in which a seat of one game was given to a turtle in its first turn."""
    at = next(n for n, each in enumerate(records) if isinstance(each, Play) and (each.game, each.bot) == (game, bot))
    change = SeatSwapped(game, 1, records[at].number, bot, SeatInfo("turtle", "scripted:turtle"), why)
    return session_of(session_values([*records[:at], change, *records[at:]]))


def won_by_left(games: int) -> list[Record]:
    return [replace(each, result=Result(0, "points")) if isinstance(each, GameEnded) else each for each in turns(games)]


def test_a_win_is_told_of_who_sat_there_last_and_counts_for_nobody_where_a_person_changed_that():
    assert summary(swapped(won_by_left(1), 1, 0)).result == "Turtle wins on points"
    assert summary(swapped(won_by_left(3), 2, 0)).result == "left wins 2 : 0"
    assert summary(swapped(won_by_left(3), 2, 1)).result == "left wins 3 : 0"
    assert summary(swapped(won_by_left(3), 2, 0, "fallback")).result == "left wins 3 : 0"


def test_only_the_games_of_the_last_two_players_are_added_up_wherever_they_sat():
    kinds = {name: SeatInfo(name, "keyboard") for name in ("ann", "bob", "cid")}
    pairs = [("ann", "bob"), ("ann", "cid"), ("cid", "bob"), ("bob", "ann"), ("ann", "bob")]
    records = [
        replace(each, seats=tuple(kinds[name] for name in pairs[each.game - 1]))
        if isinstance(each, GameStarted)
        else each
        for each in won_by_left(len(pairs))
    ]
    found = summary(session_of(session_values(records)))
    assert (found.games, found.pairings, found.names) == (5, 3, ("ann", "bob"))
    assert (found.result, found.winner) == ("ann wins 2 : 1", 0)
    assert summary(session(0, 1)).pairings == 1


def test_it_is_said_how_much_there_is():
    assert [counted(number, "play") for number in (0, 1, 2, 1234)] == ["0 plays", "1 play", "2 plays", "1,234 plays"]
    assert contents(session(0, 1)) == "2 games, 4 plays"


def test_it_is_said_once_that_a_journal_is_read_and_why(tmp_path: Path):
    path = written([each for each in eventful() if not isinstance(each, SessionEnded)], tmp_path / "s.json")
    journal = journal_of(path)
    unfinished = read(path)
    assert remark(unfinished) == " (the session never ended; read from the journal 's.json.journal')"
    assert journal_note(unfinished, journal) == ""
    assert journal_note(unfinished, path) == "'s.json' is not there; it is read from the journal 's.json.journal'"
    path.write_text("half of it")
    assert journal_note(unfinished, path).startswith("'s.json' was never finished; it is read from the journal")
    whole = session(0)
    assert (remark(whole), journal_note(whole, path)) == ("", "")


def test_what_is_read_of_a_session_are_values():
    assert changeable("batllm_arcade.history") == {"ImportReport"}  # which is counted up
    assert roomy("batllm_arcade.history") == set()
