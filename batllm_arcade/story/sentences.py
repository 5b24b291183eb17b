"""All that a film, a page, the results of a match and a league's page may say of a game.

Each kind has its words, at most ten with a name counted as one, and what it counts. `say` fills them in. How a result
is called ("by knock-out", "on points") is `match.result_text`'s, which sessions and the terminal use, too.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A sentence: its `words` and what it `counts`.

    `{n}` is a number as a word, `{n:times}` how often (`twice`), `{n:hits}` so many of them (`one hit`).
    """

    words: str
    counts: str


KINDS = {
    # How a game ended.
    "wins": Kind("{winner} wins", "who won the game, or more games of several; nobody if nobody did"),
    "unfinished": Kind("To be continued", "a game that is shown or recorded without its end"),
    "knock-out": Kind("Knock-out in round {round}, turn {turn}", "the turn in which a bot's health ended"),
    "score": Kind("{how}, {left} : {right}", "on points or a draw, and both healths after the last turn"),
    "forfeit": Kind("{loser} failed to answer too often", "a seat and its stand-in that gave no answers"),
    "left": Kind("The game was left before its end", "a game that somebody ended"),
    "played": Kind("From round {round}, turn {turn} on {name} played {seat}", "a seat that changed hands"),
    "counts for nobody": Kind("The win counts for nobody", "a win of a seat that a person gave to somebody else"),
    # Why it ended so: of these one is told.
    "last shot": Kind(
        "At {left} : {right} {winner} fired first",
        "the last shot, before which the next hit in front would have ended it for either bot",
    ),
    "silent": Kind("{loser} never fired a shot", "no bullet of the loser's in the whole game, although it could fire"),
    "part": Kind(
        "{loser} was hit {n:times} in the {part}",
        "straight hits in the side or back, where they take more: of all parts that are named",
    ),
    "beside": Kind("{loser} was hit {n:times} beside its raised shield", "straight hits on it while that was up"),
    "opened": Kind(
        "{loser} was hit {n:times} right after lowering its shield", "hits in the play after it had taken that down"
    ),
    "walls": Kind("{winner} hit {n:times} off the wall", "its hits that had come off a wall"),
    "stopped": Kind("{winner}'s shield stopped {n} of {m:shots}", "the loser's shots that ended at a raised shield"),
    "missed": Kind("{loser} missed with {n} of {m:shots}", "its shots that met nothing but walls"),
    "empty": Kind(
        "{loser}'s gun was empty in {n} of {m:turns}", "its plays at whose beginning it had too little charge to fire"
    ),
    "fired": Kind("{winner} fired {n:times}, {loser} {m:times}", "bullets of both"),
    "no command": Kind("{loser} gave no command in {n} of {m:turns}", "plays that were late, failed or not understood"),
    "harder": Kind(
        "{winner}'s {n:hits} took more than {loser}'s {m}", "hits of both, where the winner did not hit more often"
    ),
    "comeback": Kind("Comeback by {winner}, once {n} behind", "the most health it was behind after a hit"),
    "led": Kind(
        "{winner} led from round {round}, turn {turn} on", "the turn after which its share of health stayed the larger"
    ),
    "hits": Kind("{one} hit {n:times}, {other} {m:times}", "hits of both"),
    "both hit": Kind("Both hit {n:times}", "hits of both in a draw"),
    "no hit": Kind("Nobody hit anybody", "a draw without a hit"),
    "games": Kind("Game by game: {scores}", "both healths at the end of each game of a few"),
    # The turn at which it tipped, as `analysis/tipping.py` finds it.
    "turning": Kind("Turning point{when}: {who} {did}", "the play that gave the game away, and afterwards when"),
    "no turning": Kind("No single play decided it", "a game that tipped at no play"),
    # What is seen of it.
    "lead": Kind("Lead change: {who}", "who has the larger share of health after a hit, and had the smaller one"),
    "next hit": Kind("Next hit wins", "the first moment at which either bot falls with the next hit in front"),
    "hit": Kind("{who} hits{where}, {stands}", "a hit, where it struck if that matters, and both healths after it"),
    "knocks out": Kind("{who} knocks {foe} out", "the hit that ends a bot's health"),
    "does": Kind("{who} {did}", "what a bot does in a play"),
    "blocks": Kind("{who} blocks{where}", "a shot that ended at its shield, and whether near to its edge"),
    "breaks": Kind("{who} breaks the shield", "a shot after which the other's shield is gone"),
    "later": Kind("{when}{turns} later{stands}", "turns that a film leaves out, and both healths after them"),
    "more": Kind("\u00bb {n} more {what}", "hits or blocks that are shown faster"),
    # Which of two games went better for the side that is compared.
    "compared": Kind("{which} better?", "players in one seat, or two games of the same players"),
    "apart": Kind("{better} {did}, {worse} {other}", "the results of both games"),
    "better": Kind(
        "{how}, {better} does better", "one result, and a lead of more than two hits, or a game still going on"
    ),
    "no difference": Kind("{how}no clear difference", "one result, and a lead of two hits or less"),
    "margin": Kind("by {how}", "the healths by which one lead is larger, or turns where these are the same"),
    # What a film is about.
    "who wins": Kind("{what}: who wins?", "which players are models, and what differs between their seats"),
    "reads": Kind("AI reads orders once; a tactician plays them", "both seats' model reads the orders alone"),
    "told": Kind("Will the AI do as it is told?", "one model with orders, against a script"),
}
"""The kinds, by what they are called in the code."""
_TIMES = ("never", "once", "twice")
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def say(kind: str, **values: object) -> str:
    """Return the sentence of a kind, without a full stop."""
    filled = {name: _Number(value) if type(value) is int else value for name, value in values.items()}
    return KINDS[kind].words.format(**filled)


def times(number: int) -> str:
    """Return how often in words: `once`, `twice`, `five times`, `14 times`."""
    return _TIMES[number] if number < len(_TIMES) else f"{number_word(number)} times"


def count(number: int, what: str) -> str:
    """Return so many of something in words: `one play`, `three plays`."""
    return f"{number_word(number)} {what}{'' if number == 1 else 's'}"


def number_word(number: int) -> str:
    """Return a number as a word up to twelve: `no`, `one`, `twelve`, `13`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def score(left: float, right: float) -> str:
    """Return both healths as they are shown: `64 : 40`."""
    return f"{round(left, 1):g} : {round(right, 1):g}"


class _Number(int):
    """A number that is put into a sentence."""

    def __format__(self, form: str) -> str:
        if form == "times":
            return times(self)
        return count(self, form.removesuffix("s")) if form else number_word(self)
