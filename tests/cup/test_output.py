"""What comes of a cup: places, the files of its folder, its film and its poster."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cups import plan, play, played

from batllm_arcade.cup.folder import EVENTS, Cup, KeptCup
from batllm_arcade.cup.output import results, write_results
from batllm_arcade.cup.tree import CupEntrant, CupGame, CupPlan, champion, next_match, tree
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.share.write import QuickPages
from batllm_arcade.video.arguments import parsed
from batllm_arcade.video.cup_film import winner_poster
from batllm_arcade.video.film_plan import plan_of
from batllm_arcade.video.films import film_of, session_files

NAMES = ["Ann", "<script>1</script>", "Cy & Di", "[x](y)|z"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A cup that is over, with its results."""
    cup = played(tmp_path_factory.mktemp("cups") / "cup", NAMES, name="Friday", seed=3)
    write_results(cup, QuickPages().write)
    cup.close()
    return cup.folder


def won_by_the_first(cup_plan: CupPlan, games: int = 100, gone: tuple[str, ...] = ()) -> list[list]:
    done: list[CupGame] = []
    while (match := next_match(tree(cup_plan, done, gone))) is not None and len(done) < games:
        one, other = match.names
        done.append(CupGame(match.round, match.place, one, one, "points", 9, {one: 50, other: 1}, "1-1-1.json"))
    return tree(cup_plan, done, gone)


@pytest.mark.parametrize(
    ("count", "places"),
    [(2, ["1", "2"]), (6, ["1", "2", "3-4", "3-4", "5-6", "5-6"]), (8, ["1", "2", "3-4", "3-4", *4 * ["5-8"]])],
)
def test_who_goes_out_in_the_same_round_shares_a_place(count, places):
    cup_plan = plan([f"n{number}" for number in range(count)])
    rows = results(cup_plan, won_by_the_first(cup_plan))
    assert [row.place for row in rows] == places
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows) == count - 1


def test_who_is_still_in_has_no_place_and_who_has_left_has_one():
    cup_plan = plan("abcd")
    rows = results(cup_plan, won_by_the_first(cup_plan, games=1, gone=("a",)))
    assert [row.place for row in rows].count("-") == 2
    assert next(row.place for row in rows if row.name == "a") == "3-4"


def test_the_folder_is_one_as_a_leagues_and_shows_names_as_they_are(folder):
    values = json.loads((folder / "table.json").read_text("utf-8"))
    assert values["players"][0]["name"] == values["champion"] == champion(KeptCup.read(folder).tree)
    page = (folder / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "default-src 'none'" in page
    links = re.findall(r'href="([^"]+)"', page)
    assert len(links) == 3
    assert all(link.startswith("pages/") and (folder / link).is_file() for link in links)
    assert "\\[x\\]" in (folder / "table.md").read_text("utf-8")


def test_what_is_secret_of_a_brain_or_a_machine_is_not_told(tmp_path):
    brains = ("proc:/home/ann/bot.py,api_key=sk-12345678", "scripted:dancer")
    entrants = tuple(CupEntrant(name, brain) for name, brain in zip("ab", brains, strict=True))
    cup = Cup.create(tmp_path / "cup", CupPlan(entrants, config="/home/ann/rules.yaml"))
    write_results(cup)
    cup.close()
    for name in ("table.json", "table.md", "report.html"):
        text = (cup.folder / name).read_text("utf-8")
        assert "/home" not in text
        assert "sk-1234" not in text


def test_a_disk_that_does_not_take_the_results_is_told_in_a_sentence(tmp_path):
    cup = Cup.create(tmp_path / "cup", plan("ab"))
    (cup.folder / "table.json").mkdir()
    with pytest.raises(ArcadeError, match="cannot be written"):
        write_results(cup)
    cup.close()


@pytest.mark.parametrize("change", [{"session": "../../1-1-1.json"}, {"round": 3}, {"place": 2}, {"turns": "x"}])
def test_a_game_of_no_match_of_the_cup_is_refused(tmp_path, change):
    cup = played(tmp_path / "cup", "ab")
    cup.close()
    event = json.loads((cup.folder / EVENTS).read_text("utf-8"))
    event["game"].update(change)
    (cup.folder / EVENTS).write_text(json.dumps(event) + "\n")
    for opened in (KeptCup.read, Cup.open):
        with pytest.raises(UsageError, match="damaged"):
            opened(cup.folder)


def test_a_link_in_place_of_a_file_is_refused(tmp_path):
    Cup.create(tmp_path / "cup", plan("ab")).close()
    (tmp_path / "cup" / "report.html").symlink_to(tmp_path / "mine.html")
    with pytest.raises(UsageError, match="link"):
        Cup.open(tmp_path / "cup")


def test_the_film_tells_the_rounds_as_they_were_played_and_ends_with_the_winner(folder, tmp_path):
    options = parsed([str(folder), "-o", str(tmp_path / "a.mp4"), "--highlights", "--size", "160x128", "--fps", "2"])
    film = plan_of(options)
    made = film_of(options.files, film, print)(film)
    rows = made.script()
    claims = {row.at: row.words for row in reversed(rows) if row.where == "opening card"}
    assert [words for _, words in sorted(claims.items())] == ["Friday: semi-final", "Semi-final", "Final"]
    shown = [{row.words for row in rows if (row.where, row.at) == ("opening card", at)} for at in sorted(claims)]
    assert all(game.left in words for game, words in zip(KeptCup.read(folder).games, shown, strict=True))
    winner = champion(KeptCup.read(folder).tree)
    last = [row.words for row in rows if row.until == made.edit_list.seconds]
    assert {"CHAMPION", winner} <= set(last)
    renderer = made.frame_renderer()
    renderer.draw(made.edit_list.seconds - 0.1)
    assert renderer.surface.get_size() == (160, 128)
    with pytest.raises(UsageError, match="highlights"):
        film_of(options.files, replace(film, highlights=False), print)


def test_sessions_stand_in_the_order_in_which_they_were_played(tmp_path):
    cup = Cup.create(tmp_path / "cup", plan([f"n{number}" for number in range(21)]))
    for _ in range(11):
        cup.take(play(cup))
    (cup.folder / "sessions" / "1-9-7.json").write_text("{}")
    numbers = [tuple(map(int, file.stem.split("-"))) for file in session_files([cup.folder])]
    cup.close()
    assert numbers == sorted(numbers)
    assert len(numbers) == 11
    assert max(place for _, place, _ in numbers) > 9


def test_the_poster_is_a_picture_of_a_cup_that_somebody_has_won(folder, tmp_path):
    poster = winner_poster(KeptCup.read(folder))
    assert poster.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    cup = Cup.create(tmp_path / "cup", plan("ab"))
    with pytest.raises(UsageError):
        winner_poster(cup)
    cup.close()
