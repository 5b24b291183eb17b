"""What decided a game, in one or two true sentences, and what its loser may do better; both from the records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from batllm_arcade.core.model import Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.account import ARMOURED, Account, Accounts, Lead, accounts, lead, together, turn_in_words
from batllm_arcade.match.causes import as_it_moved, causes, struck
from batllm_arcade.match.counted_words import count, number_word, times
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped
from batllm_arcade.match.result_text import distinct

LED, NEVER_BEHIND, TOOK_THE_LEAD = "led from", "was never behind", "took the lead for good"
"""What is said of how the winner led where nothing else decided a game."""
_SECOND = 0.4
"""A second cause is told if it weighs at least this share of the first."""
_MINOR = 0.5
"""Where the heaviest cause explains less than this share of the damage that one did more, the hits are told first.

So they are where it befell both nearly as often.
"""
_MORE = 1.4
"""Times as many shots, from which on they are told where the loser had clear ones that it did not fire."""
_HEAVY = 0.15
"""The share of what the loser of a series did that a cause has to explain to be told where nothing else befell it."""
_DOWN = 0.75
"""The share of the hits on a bot that raised its shield, from which on it is told that the shield was down then."""
_MOSTLY, _OFTEN, _SOME = 0.4, 3, 2
"""The share of hits, and how many, from which on what they have in common is told, and how many shields of a loser."""


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


def never_behind(records: Iterable[Record]) -> str:
    """Return how the last game in the records was won by who hit first, more often, and was never behind, "" if not.

    It is what befell the loser most of the times that it was hit: past its raised shield, from behind, right after it
    had lowered its shield, in its side and back. It is said where hits struck, if those in the side and in the back
    cost more than the loser's; else that the winner was never behind.
    """
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted") or game.result.winner is None:
        return ""
    winner, names = game.result.winner, distinct(game.names)
    lost, won = game.accounts[1 - winner], game.accounts[winner]
    led = lead(game.plays, winner, game.rules)
    if not led.always or not led.since or won.hits <= lost.hits:
        return ""
    where = _where(won) if sum(won.extra.values()) > sum(lost.extra.values()) else ""
    silent = bool(lost.loaded) and not lost.shots
    told = _bared(lost, won, game.rules.initial_health[1 - winner]) if where and not silent else ""
    told = told or ("" if where and silent else befell(lost, won, silent=silent))
    if not told and silent:
        told = f"{{loser}} never fired: {_hits(won, lost)}{where}"
    began = _began(won, lost, led) + (_where(won, " of {winner}'s") if where else "")
    return _sentence(told or began, names[1 - winner], names[winner])


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
    return f"{who} {LED if when == led.since else f'{NEVER_BEHIND} from'} {when} on.", led.play


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
    told = "" if silent else _struck_more(lost, won)
    told = told or (befell(lost, won, silent=silent) if won.hits > lost.hits else "")
    if not told and len(games) > 1:
        found = causes((won, lost) if winner == 0 else (lost, won), 1 - winner, games[0][0])
        heavy = bool(found) and found[0].weight >= max(_MINOR * (won.damage - lost.damage), _HEAVY * lost.damage)
        told = found[0].told if heavy and not found[0].even else ""
    return _sentence(told, *((right, left) if winner == 0 else (left, right))) if told else ""


def befell(lost: Account, won: Account, *, silent: bool = False) -> str:
    """Return what befell the loser most of the times that it was hit, and less often the winner; "" if nothing did.

    With `{loser}` and `{winner}` for the names. `silent`: the loser never fired although it could.
    """
    mostly = _mostly(
        lost, won, ((won.past, lost.past, "past its shield"), (won.behind, lost.behind, "from behind")), silent
    )
    if mostly:
        return mostly
    if lost.opened >= _MOSTLY * won.hits and lost.opened >= _OFTEN and 2 * won.opened <= lost.opened:
        return f"{{loser}} lowered its shield and was hit at once, {times(lost.opened)}; {_hits(won, lost)} in all"
    if lost.raised >= _SOME and not won.blocked and won.hits >= _OFTEN:
        return _in_vain(lost, won, silent=silent)
    if lost.shots and won.shots >= _MORE * lost.shots and lost.held >= _OFTEN and 2 * won.held <= lost.held:
        let = f"{{loser}} fired {times(lost.shots)} and let {count(lost.held, 'clear shot')} pass"
        return f"{let}, {{winner}} fired {times(won.shots)}; {_hits(won, lost)}"
    return _mostly(lost, won, ((won.off, lost.off, "off the wall"),), silent)


def _mostly(lost: Account, won: Account, ways: Iterable[tuple[int, int, str]], silent: bool) -> str:
    """Return how the loser was hit most of the times, the winner less often; "" if in none of these ways.

    Each has how often the loser was hit so, how often the winner, and the way.
    """
    for mine, its, how in ways:
        if mine >= _MOSTLY * won.hits and mine >= _OFTEN and 2 * its <= mine:
            part = f"{'all' if mine == won.hits else f'{number_word(mine)} of them'} {how}"
            if silent:
                return f"{{loser}} never fired: {_hits(won, lost)}, {part}"
            return f"{{loser}} was hit {times(won.hits)}, {part}; {{winner}} {times(lost.hits)}"
    return ""


def _in_vain(lost: Account, won: Account, *, silent: bool) -> str:
    """Return how the loser was hit although it raised its shield: mostly while that was down, if that is so."""
    down = won.hits - won.past
    if down < _DOWN * won.hits:
        return f"{{loser}}'s shield stopped none of {count(won.shots, 'shot')}; {_hits(won, lost)}"
    when = "each time" if down == won.hits else f"{number_word(down)} of {number_word(won.hits)} times"
    raised = f"raised its shield {times(lost.raised)} but was hit {when} while it was down"
    return f"{{loser}} never fired; it {raised}" if silent else f"{{loser}} {raised}; {_hits(won, lost)}"


def _bared(lost: Account, won: Account, full: float) -> str:
    """Return how the loser was hit in its side and back, and what of its `full` health that cost.

    "" if that was less than half of what it lost.
    """
    taken = sum(won.taken[part] for part in ARMOURED)
    if 2 * taken < sum(won.taken.values()):
        return ""
    cost = "all of its health" if taken == full else f"{taken:g} of its {full:g} health"
    return f"{{loser}} was hit {struck(won)}{as_it_moved(lost, won)}: {cost}"


def _struck_more(lost: Account, won: Account) -> str:
    """Return how often the loser of a series was hit in its side and back, "" if the winner was about as often."""
    mine, its = (sum(each.extra[part] > 0 and each.parts[part] for part in ARMOURED) for each in (won, lost))
    if mine < max(_OFTEN, _MOSTLY * won.hits) or 2 * its > mine:
        return ""
    told, others = struck(won, walls=False), struck(lost, walls=False) or "never there"
    return f"{{loser}} was hit {told}{as_it_moved(lost, won)}; {{winner}} {others}"


def evenly(records: Iterable[Record]) -> str:
    """Return where one side's hits were worth more in a game in which both hit as often, "" if that is not so.

    It is part of a sentence: `both landed eight hits, one of SmolLM2's in the side`.
    """
    game = _GameSoFar.of(records)
    if game is None or game.result.reason in ("forfeit", "aborted") or game.result.winner is None:
        return ""
    winner = game.result.winner
    lost, won = game.accounts[1 - winner], game.accounts[winner]
    if won.hits != lost.hits or sum(won.extra.values()) <= sum(lost.extra.values()):
        return ""
    return f"both landed {count(won.hits, 'hit')}" + _where(won, f" of {distinct(game.names)[winner]}'s")


def _where(account: Account, whose: str = "") -> str:
    """Return how many hits struck where they cost more: `, one in the side, two in the back`, and `whose` they were."""
    told = ""
    for part in ARMOURED:
        if account.extra[part] > 0:
            hits = account.parts[part]
            told += f", {'all' if hits == account.hits else number_word(hits)}{'' if told else whose} in the {part}"
    return told


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
        hits = f"{{winner}} landed {count(won.hits, 'hit')}, {{loser}} {_number(lost.hits)}"
        return f"{hits}; {{winner}} {often} while the other's gun was empty"
    return _began(won, lost, led)


def _began(won: Account, lost: Account, led: Lead) -> str:
    """Return since when the winner led, and how often both hit."""
    began = f"{TOOK_THE_LEAD} in {led.since}"
    if led.always and led.play is not None:
        when = turn_in_words(led.play)
        began = f"{LED} {when} on" if when == led.since else f"hit first, in {when}, and {NEVER_BEHIND}"
    return f"{{winner}} {began}: {_hits(won, lost)}"


def _hits(won: Account, lost: Account) -> str:
    """Return how often both hit: `three hits to none`."""
    return f"{count(won.hits, 'hit')} to {_number(lost.hits)}"


def _number(hits: int) -> str:
    """Return a number of hits as a word, after those of the other bot: `three`, `none`."""
    return number_word(hits) if hits else "none"


def _drawn(names: tuple[str, str], both: Accounts) -> str:
    left, right = both
    stopped = left.blocked + right.blocked
    if not left.shots and not right.shots:
        return "Nobody fired a shot."
    if not left.hits and not right.hits:
        return f"Nobody hit anybody: {count(stopped, 'shot')} ended at a shield." if stopped else "Nobody hit anybody."
    if left.hits == right.hits:
        return f"Both landed {count(left.hits, 'hit')}: neither was ahead in the end."
    hits = f"{names[0]} landed {count(left.hits, 'hit')}, {names[1]} {_number(right.hits)}"
    return f"{hits}: neither was ahead in the end."


def _sentence(told: str, loser: str, winner: str) -> str:
    names = {"{loser}": loser, "{winner}": winner}  # not str.format: a name may hold braces
    return re.sub(r"\{(?:loser|winner)\}", lambda found: names[found[0]], told) + "."
