"""All that may be said of a game: one list, short, and as it was approved over forty games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from duels import fought
from fakes import FAILED, LATE, Sits, played

import batllm_arcade
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import SeatSwapped
from batllm_arcade.story.games import called, games_of
from batllm_arcade.story.moments import moment, turning, turnings, twists
from batllm_arcade.story.result import REASONS, ended, who_played, why
from batllm_arcade.story.sentences import KINDS, say

APPROVED = Path(__file__).parent / "approved" / "sentences.txt"
NAMES = "Ann", "Bob"
PAIRS = (
    ("sharpshooter", "dancer"), ("dancer", "turtle"), ("turtle", "sharpshooter"), ("random", "dancer"),
    ("random", "turtle"), ("turtle", "turtle"),
)  # fmt: skip
SHORT = Rules(total_rounds=1, turns_per_round=4)
MADE = {
    "a seat that fails": played(
        [LATE] * 3, ["M"] * 5, fallbacks={0: [FAILED] * 3}, rules=Rules(total_rounds=1, turns_per_round=6)
    ),
    "a draw without a shot": played(["S1"] * 4, ["S1"] * 4, rules=SHORT),
    "a seat that is lent": played(["M", Sits("a:b"), "M", "M", "M"], ["M"] * 4, rules=SHORT),
}


def told(games):
    """All sentences on some games, as a film, a page and the results have them."""
    for game in games:
        yield ended(game, NAMES) or "-"
        found = turning(game)  # which is found once: `turnings` takes as long again
        shown = [found] if found is not None and found.shows and game.played_out else []
        yield f"  why: {why([game], NAMES, shown) or '-'}"
        yield f"  {'no turning point' if found is None else found.sentence(NAMES)}"
        yield from (f"  {twist.kind}: {twist.text}" for twist in twists(game, NAMES, *shown))
        seen = zip((None, *game.plays), game.plays, strict=False)
        texts = dict.fromkeys(each.text for before, play in seen if (each := moment(play, before, game.rules, NAMES)))
        yield from (f"    {text}" for text in texts)
        yield from (f"  {sentence}" for sentence in who_played(game))


def all_games():
    """The games, each with what it is called."""
    for config in ("default", "couch", "arena"):
        for left, right in PAIRS:
            for game in games_of(fought(left, right, 2, 5, config)):
                yield f"{config}, {left} against {right}, game {game.number}", [game]
    yield "arena, random against sharpshooter", games_of(fought("random", "sharpshooter", 1, 5, "arena"))
    for name, records in MADE.items():
        yield name, games_of(records)


@pytest.fixture(scope="module")
def sentences():
    return {name: list(told(games)) for name, games in all_games()}


def test_sentences_of_forty_games_are_those_that_were_approved(sentences):
    text = "\n".join(line for name, lines in sentences.items() for line in ["", name, *lines]) + "\n"
    if not APPROVED.exists():
        APPROVED.write_text(text, "utf-8")
    accept = f"read what differs; to accept it delete {APPROVED.name} and run this test again"
    assert text == APPROVED.read_text("utf-8"), accept
    assert len(sentences) == 40


def test_turning_points_of_records_are_those_of_their_games():
    for records in (fought("dancer", "turtle", 1, 5, "couch"), MADE["a draw without a shot"]):
        found = [turning(game) for game in games_of(records) if game.played_out]
        assert [point for point in found if point is not None and point.shows] == list(turnings(records))


def test_no_sentence_has_more_than_ten_words_or_names_what_plays(sentences):
    for name, lines in sentences.items():
        for line in lines:
            words = re.sub(r"^ +(?:why|lead|next|comeback|turning): ", "", line).split()
            assert len(words) <= 10, (name, line)
            assert "embedded" not in line


def test_the_list_is_short_and_each_kind_says_what_it_counts():
    assert len(KINDS) <= 45
    assert all(kind.counts and "{" not in kind.counts for kind in KINDS.values())


def test_each_kind_of_the_list_is_said_somewhere():
    room = "".join(path.read_text("utf-8") for path in Path(batllm_arcade.__file__).parent.rglob("*.py"))
    said = {*re.findall(r'\bsay\(\s*"([^"]+)"', room), *(row.kind for row in REASONS)}
    assert set(KINDS) <= said


def test_games_of_a_series_are_told_by_what_befell_their_loser_or_game_by_game():
    games = games_of(fought("turtle", "sharpshooter", 4, 5, "couch"))
    assert why(games, NAMES)
    few = [game for game in games if game.result.winner is not None][:1] * 2
    assert len(why(few, NAMES).split()) <= 10


def test_where_a_game_tipped_names_who_made_that_play():
    records = list(fought("turtle", "sharpshooter", 1, 5, "couch"))
    (game,) = games_of(records)
    point = turning(game)
    at = records.index(point.play)
    sat = SeatInfo("later", "scripted")
    swapped = SeatSwapped(1, point.play.round, point.play.number, point.play.bot, sat, "swap")
    for place, who in ((at, "later"), (at + 1, game.names[point.play.bot])):
        (told,) = games_of([*records[:place], swapped, *records[place:]])
        assert f": {who} " in turning(told).sentence(told.names)
        assert not any(name in why([told], told.names) for name in told.names), "none of them played the whole game"


def test_players_of_one_name_are_called_by_their_colours():
    assert called(("Ann", "Bob")) == ("Ann", "Bob")
    assert called(("Ann", "ann")) == called(("Ann (blue)", "Ann (orange)")) == ("Blue", "Orange")


def test_names_may_hold_braces():
    assert say("wins", winner="{winner}") == "{winner} wins"
