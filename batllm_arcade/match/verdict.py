"""What decided a game, in one or two true sentences, and what its loser may do better; both from the records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from batllm_arcade.core.model import Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.account import Account, Accounts, Lead, accounts, lead, together, turn_in_words
from batllm_arcade.match.befell import bared, befell, even, in_hits, in_words, struck_more, worth_more
from batllm_arcade.match.causes import causes
from batllm_arcade.match.counted_words import count, times
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped
from batllm_arcade.match.result_text import distinct

LED, OR_LEVEL, NEVER_BEHIND = "led from", "led or was level from", "was never behind"
TOOK_THE_LEAD = "took the lead for good"
"""What is said of how the winner led where nothing else decided a game."""
_MANY = 5
"""Hits of the winner from which on a cause is told rather than since when it led."""
_SECOND = 0.4
"""A second cause is told if it weighs at least this share of the first."""
_MINOR = 0.5
"""Where the heaviest cause explains less than this share of the damage that one did more, the hits are told first.

So they are where it befell both nearly as often.
"""
_HEAVY = 0.15
"""The share of what the loser of a series did that a cause has to explain to be told where nothing else befell it."""


def verdict(records: Iterable[Record]) -> tuple[str, ...]:
    """Return what decided the last game in the records, in one or two sentences; none unless it was played out."""
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted"):
        return ()
    names = distinct(game.names)
    if game.result.winner is None:
        return (_drawn(names, game.accounts),)
    loser = 1 - game.result.winner
    found = causes(game.accounts, loser, game.rules)
    told = [cause.told for cause in found[:2] if cause.weight >= _SECOND * found[0].weight]
    lost, won = game.accounts[loser], game.accounts[1 - loser]
    minor = bool(found) and (found[0].even or found[0].weight < _MINOR * (won.damage - lost.damage))
    if not told or (won.hits > lost.hits and minor):
        told = [_plainly(lost, won, lead(game.plays, 1 - loser, game.rules)), *told[:1]]
    return tuple(_sentence(each, names[loser], names[1 - loser]) for each in told)


def what_befell(records: Iterable[Record]) -> str:
    """Return how the last game in the records was won by who hit more often, "" if it was not.

    It is what befell the loser most of the times that it was hit: in its side and back, if that cost more than the
    winner's hits there, past its raised shield, from behind, right after it had lowered its shield; else the cause that
    explains enough, else since when the winner led, and "" if it was ever behind.
    """
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted") or game.result.winner is None:
        return ""
    winner, names = game.result.winner, distinct(game.names)
    lost, won = game.accounts[1 - winner], game.accounts[winner]
    if won.hits <= lost.hits:
        return ""
    where = worth_more(won) if sum(won.extra.values()) > sum(lost.extra.values()) else ""
    silent = bool(lost.loaded) and not lost.shots
    told = bared(lost, won, game.rules.initial_health[1 - winner]) if where and not silent else ""
    told = told or ("" if where and silent else befell(lost, won, silent=silent))
    if not told and silent:
        told = f"{{loser}} never fired: {in_hits(won, lost)}{where}"
    told = told or (_enough(game, 1 - winner) if won.hits >= _MANY else "")
    led = lead(game.plays, winner, game.rules)
    if not told and led.always and led.since:
        told = _began(won, lost, led) + (worth_more(won, " of {winner}'s") if where else "")
    return _sentence(told, names[1 - winner], names[winner]) if told else ""


def _enough(game: _GameSoFar, loser: int) -> str:
    """Return the heaviest cause if it explains enough of the damage that the winner did more, "" else."""
    found, (left, right) = causes(game.accounts, loser, game.rules), game.accounts
    enough = _MINOR * abs(left.damage - right.damage)
    return found[0].told if found and not found[0].even and found[0].weight >= enough else ""


def took_the_lead(records: Iterable[Record]) -> tuple[str, Play] | None:
    """Return when the winner of the last game in the records took the lead after which it was never behind again.

    That is a sentence, and the play; None if nobody won the game by playing, or the winner was never ahead.
    """
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted") or game.result.winner is None:
        return None
    led = lead(game.plays, game.result.winner, game.rules)
    if led.play is None:
        return None
    who, when = distinct(game.names)[game.result.winner], turn_in_words(led.play)
    return f"{who} {LED if when == led.since else OR_LEVEL} {when} on.", led.play


def befell_in_all(records: Sequence[Record], winner: int) -> str:
    """Return what befell the loser of all games in the records as `never_behind` tells of one, "" if nothing did.

    Of several games it is else the heaviest cause that `verdict` would tell of one. The same two players must have had
    the same places throughout.
    """
    games, names = list[tuple[Rules, list[Play]]](), set[tuple[str, str]]()
    for record in records:
        if isinstance(record, GameStarted):
            games.append((record.rules, []))
            names.add((record.seats[0].name, record.seats[1].name))
        elif isinstance(record, Play) and games:
            games[-1][1].append(record)
    if len(names) != 1 or any(isinstance(record, SeatSwapped) for record in records):
        return ""
    left, right = distinct(names.pop())
    each = [accounts(plays, rules) for rules, plays in games]
    lost, won = (together(game[bot] for game in each) for bot in (1 - winner, winner))
    silent = bool(lost.loaded) and not lost.shots
    told = "" if silent else struck_more(lost, won)
    told = told or (befell(lost, won, silent=silent) if won.hits > lost.hits else even(lost, won).capitalize())
    if not told and len(games) > 1:
        found = causes((won, lost) if winner == 0 else (lost, won), 1 - winner, games[0][0])
        heavy = bool(found) and found[0].weight >= max(_MINOR * (won.damage - lost.damage), _HEAVY * lost.damage)
        told = found[0].told if heavy and not found[0].even else ""
    return _sentence(told, *((right, left) if winner == 0 else (left, right))) if told else ""


def evenly(records: Iterable[Record]) -> str:
    """Return where one side's hits were worth more in a game in which both hit as often, "" if that is not so.

    It is part of a sentence: `both landed eight hits, one of SmolLM2's in the side`.
    """
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted") or game.result.winner is None:
        return ""
    winner = game.result.winner
    lost, won = game.accounts[1 - winner], game.accounts[winner]
    return even(lost, won).replace("{winner}", distinct(game.names)[winner])


def tip(records: Iterable[Record], loser: int) -> str:
    """Return one true sentence for who lost the last game in the records, "" if that bot did not lose it."""
    game = _GameSoFar.of(records)
    if game is None or game.result.winner != 1 - loser or game.result.reason in ("forfeit", "aborted"):
        return ""
    found = causes(game.accounts, loser, game.rules)
    if found:
        return found[0].tip
    mine, its = game.accounts[loser], game.accounts[1 - loser]
    if its.hits > mine.hits:
        return f"It hit you {times(its.hits)}, you hit it {times(mine.hits)}."
    return f"It did {its.damage:g} damage, you did {mine.damage:g}."


@dataclass(frozen=True, slots=True)
class _GameSoFar:
    """The last game of some records, as far as a verdict needs it."""

    rules: Rules
    names: tuple[str, str]
    plays: tuple[Play, ...]
    accounts: Accounts
    result: Result

    @classmethod
    def of(cls, records: Iterable[Record]) -> _GameSoFar | None:
        """Return the last game of the records, None unless it has ended."""
        rules, names, plays, result = None, ["", ""], list[Play](), None
        for record in records:
            if isinstance(record, GameStarted):
                rules, plays, result = record.rules, [], None
                names = [seat.name for seat in record.seats]
            elif isinstance(record, SeatSwapped):
                names[record.bot] = record.seat.name
            elif isinstance(record, Play):
                plays.append(record)
            elif isinstance(record, GameEnded):
                result = record.result
        if rules is None or result is None:
            return None
        return cls(rules, (names[0], names[1]), tuple(plays), accounts(plays, rules), result)


def _plainly(lost: Account, won: Account, led: Lead) -> str:
    """Return how often both hit and since when the winner led, or the damage where it hit no more often."""
    if won.hits <= lost.hits:
        return f"{{winner}} did {won.damage:g} damage, {{loser}} {lost.damage:g}"
    if won.caught - lost.caught > 0:
        often = "each time" if won.caught == won.hits else times(won.caught)
        hits = f"{{winner}} landed {count(won.hits, 'hit')}, {{loser}} {in_words(lost.hits)}"
        return f"{hits}; {{winner}} {often} while the other's gun was empty"
    return _began(won, lost, led)


def _began(won: Account, lost: Account, led: Lead) -> str:
    """Return since when the winner led, and how often both hit."""
    began = f"{TOOK_THE_LEAD} in {led.since}"
    if led.always and led.play is not None:
        when = turn_in_words(led.play)
        began = f"{LED} {when} on" if when == led.since else f"hit first, in {when}, and {NEVER_BEHIND}"
    return f"{{winner}} {began}: {in_hits(won, lost)}"


def _drawn(names: tuple[str, str], both: Accounts) -> str:
    left, right = both
    stopped = left.blocked + right.blocked
    if not left.shots and not right.shots:
        return "Nobody fired a shot."
    if not left.hits and not right.hits:
        return f"Nobody hit anybody: {count(stopped, 'shot')} ended at a shield." if stopped else "Nobody hit anybody."
    if left.hits == right.hits:
        return f"Both landed {count(left.hits, 'hit')}: neither was ahead in the end."
    hits = f"{names[0]} landed {count(left.hits, 'hit')}, {names[1]} {in_words(right.hits)}"
    return f"{hits}: neither was ahead in the end."


def _sentence(told: str, loser: str, winner: str) -> str:
    names = {"{loser}": loser, "{winner}": winner}  # not str.format: a name may hold braces
    return re.sub(r"\{(?:loser|winner)\}", lambda found: names[found[0]], told) + "."
