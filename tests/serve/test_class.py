"""A class: names join, write and vote by page, and a cup is played out among them; spectators vote in a match."""

import threading
import time
from dataclasses import replace

import pytest
from served import Page, Told, serving

from batllm_arcade.brains.ready_made import library
from batllm_arcade.cli.main import main
from batllm_arcade.cup.folder import Cup
from batllm_arcade.cup.tree import CupEntrant, CupPlan, champion, next_match, tree
from batllm_arcade.plugin import manager
from batllm_arcade.serve import lesson, votes
from batllm_arcade.serve.club import Club
from batllm_arcade.serve.lesson import Lesson, LessonPlan
from batllm_arcade.serve.lobby import Lobby
from batllm_arcade.serve.served_match import ServedMatch
from batllm_arcade.serve.votes import Ballot, orders_ballot
from batllm_arcade.settings import config as configuration


@pytest.fixture(scope="module")
def plugins():
    return manager.load()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(lesson, "REST_S", 0.0)
    with serving() as found:
        yield found


@pytest.fixture
def plan(tmp_path):
    config = configuration.with_lengths(configuration.load("couch"), 1, 2)
    return LessonPlan(tmp_path / "cup", "scripted:dancer", "couch", config, 4, minutes=1e-4)


def joined(server, name, page=""):
    found = Page(server)
    found.join("class", "class", page or name, name=name)
    return found


def leading(server, door="teach"):
    found = Page(server)
    found.join("teach", door)
    return found


def state(page, wanted):
    """What a page is told of the cup once this holds for it."""
    while not wanted(told := page.hear("club")):
        pass
    return told


def held(server, *lesson):
    """A lesson on this server."""
    found = Lesson(server.lobby, *lesson)
    server.club = found.club
    return found


def led_to_seats(page, name, play):
    """Play so at every seat that a page is led to, on a thread; return those seats and the thread."""
    sat = []

    def follow():
        codes = {""}
        while not (told := page.hear("club"))["club"]["champion"]:
            if (code := told["mine"]["seat"]) not in codes:
                codes.add(code)
                sat.append(Page(page.server))
                sat[-1].join("seat", code=code, name=name)
                sat[-1].play(play)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    return sat, thread


def champion_of(plan):
    cup = Cup.open(plan.folder)
    cup.close()
    return champion(cup.tree)


def begin(started):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(started.run()), daemon=True)
    thread.start()
    return thread, codes


def test_a_class_joins_by_one_code_and_one_press_leads_to_a_champion(server, plan, plugins):
    thread, codes = begin(held(server, plan, plugins, "orders", None))
    pages = [joined(server, name) for name in ("Ann", "Ben <b>", "Cem")]
    wall, teacher = Page(server), leading(server)
    wall.join("wall")
    start = state(pages[0], lambda told: "mine" in told)["mine"]["text"]
    assert start in dict(library()).values()
    second = joined(server, "ANN", "another")
    assert "another name" in second.hear("wrong")["wrong"]
    pages[0].say(orders="rush <i>")
    pages[0].say(ready=True)
    state(teacher, lambda told: [name[:3] for name in told["club"]["names"][:1]] == [["Ann", True, True]])
    teacher.say(lead="start", name="")
    ends = [state(page, lambda told: told["club"]["champion"])["club"] for page in (*pages, wall, teacher)]
    thread.join(60)
    assert codes == [0]
    assert {end["champion"] for end in ends} <= {"Ann", "Ben <b>", "Cem"}
    cup = Cup.open(plan.folder)
    assert champion(cup.tree) == ends[0]["champion"]
    assert cup.entrant("Ann").orders == "rush <i>"
    assert not (plan.folder / lesson.CODES).exists(), "its codes open nothing any more"
    cup.close()


def test_a_class_goes_on_where_it_was_and_pages_find_their_names(server, plan, plugins, monkeypatch):
    run, played = lesson.headless.run, []

    def twice(*arguments, **options):
        if played:
            raise KeyboardInterrupt
        played.append(run(*arguments, **options))
        return played[0]

    monkeypatch.setattr(lesson.headless, "run", twice)
    first = held(server, plan, plugins, "orders", None)
    for name in ("Ann", "Ben", "Cem"):
        first.club.join(Told(), name, name)
    server.club.lead("start", "")
    with pytest.raises(KeyboardInterrupt):
        first.run()
    known = dict(server.lobby.codes.by_door)
    server.lobby.codes.by_door = {"left": "", "right": "", "watch": "", "class": "AAAAAA", "teach": "BBBBBB"}
    monkeypatch.setattr(lesson.headless, "run", run)
    with pytest.raises(Exception, match="--left scripted:dancer"):
        held(server, replace(plan, brain="scripted:turtle"), plugins, "orders", None)
    again = held(server, plan, plugins, "orders", None)
    assert server.lobby.codes.by_door["class"] == known["class"]
    assert again.club.join(Told(), "a thief", "Ann")
    assert again.club.join(Told(), "Dan", "Dan"), "nobody comes late"
    assert again.club.join(Told(), "Ann", "Ann") == ""
    assert again.run() == 0
    cup = Cup.open(plan.folder)
    assert len(cup.games) >= 2
    assert champion(cup.tree)
    cup.close()


def test_who_leaves_forfeits_and_a_pause_holds_what_comes_next(server, plan, plugins):
    started = held(server, replace(plan, minutes=0), plugins, "orders", None)
    for name in ("Ann", "Ben"):
        started.club.join(Told(), name, name)
    teacher = leading(server)
    teacher.say(lead="pause", name="")
    teacher.say(lead="start", name="")
    thread, codes = begin(started)
    assert state(teacher, lambda told: told["club"]["next"])["club"]["paused"]
    teacher.say(lead="leaves", name="Ann")
    assert state(teacher, lambda told: told["club"]["champion"])["club"]["champion"] == "Ben"
    thread.join(60)
    assert codes == [0]


def test_who_plays_is_led_to_a_seat_and_back(server, plan, plugins):
    config = configuration.with_lengths(plan.config, 1, 1)
    thread, codes = begin(held(server, replace(plan, brain="browser", config=config), plugins, "seat", None))
    pages = [joined(server, name) for name in ("Ann", "Ben")]
    for page in pages:
        state(page, lambda told: "mine" in told)
    server.club.lead("start", "")
    seats = [led_to_seats(pages[0], "Ann", "fire"), led_to_seats(pages[1], "Ben", "wait")]
    thread.join(60)
    assert codes == [0]
    for sat, following in seats:
        following.join(10)
        ends = time.monotonic() + 30
        while not all(any(message.get("leave") for message in seat.heard) for seat in sat):
            assert time.monotonic() < ends
            time.sleep(0.01)
    assert champion_of(plan) == "Ann"


def test_a_match_that_waits_for_somebody_ends_when_they_leave(server, plan, plugins):
    started = held(server, replace(plan, brain="browser"), plugins, "seat", None)
    for name in ("Ann", "Ben"):
        started.club.join(Told(), name, name)
    thread, codes = begin(started)
    teacher = leading(server)
    teacher.say(lead="start", name="")
    state(teacher, lambda told: told["club"]["on"])
    teacher.say(lead="leaves", name="Ben")
    assert state(teacher, lambda told: told["club"]["champion"])["club"]["champion"] == "Ann"
    thread.join(60)
    assert codes == [0]


def test_pages_of_a_class_do_what_is_theirs_alone(server):
    club = Club(server.lobby, "orders", library=library())
    server.club = club
    for door, message in (("class", {"lead": "start", "name": ""}), ("class", {"play": "wait", "by": 0, "ask": 1})):
        page = joined(server, "Ann")
        page.hear("club")
        page.say(**message)
        assert page.closed(), (door, message)
    for role, door in (("teach", "class"), ("class", "teach"), ("class", "watch"), ("orders", "class")):
        page = Page(server)
        page.join(role, door)
        assert page.hear("wrong")["wrong"], (role, door)
    for number in range(63):
        assert club.join(Told(), f"{number}", f"n{number}") == ""
    assert club.join(Told(), "65", "n65")
    assert club.join(Told(), "x", " \u202e ")


def test_most_votes_choose_the_orders_and_without_votes_they_stay(monkeypatch):
    monkeypatch.setattr(votes, "VOTE_S", 0.3)
    both = Lobby()
    asked = {}

    def propose(seat, round_, present):
        asked[seat] = orders_ballot(seat, round_, present, library(), 5)
        for voter, choice in enumerate((1, 2, 2, 1) if seat else ()):
            threading.Timer(0.05, both.vote, (voter, choice, asked[seat].number)).start()
        return asked[seat]

    present = library()[0][1]
    given = ServedMatch(both, voted=(0, 1), propose=propose).orders((present, present))
    assert given == (present, asked[1].choices[1]), "of as many votes the first choice counts"
    for ballot in asked.values():
        assert len({*ballot.choices, present}) == 4
    both.vote("late", 0, asked[1].number)
    assert "late" not in asked[1].votes


def test_a_page_has_one_vote_while_it_is_there():
    both, page = Lobby(), Told()
    both.put([Ballot("Who wins?", ("Ann", "Ben"))])
    number = both.ballots[0].number
    for choice in (0, 1, 1, 2):
        both.vote(page, choice, number)
    assert both.ballots[0].counts == [0, 1]
    both.leave(page)
    assert both.ballots[0].chosen is None


def test_who_plays_has_no_vote():
    both = Lobby()
    club = Club(both, "orders")
    pages = {name: Told() for name in ("Ann", "Ben", "Cem")}
    for name, page in pages.items():
        club.join(page, name, name)
    cup = CupPlan(tuple(CupEntrant(name, "scripted:dancer") for name in pages))
    now = tree(cup, [], [])
    match = next_match(now)
    club.call(now, match, match.names)
    both.put([Ballot("Who wins?", match.names)])
    for page in pages.values():
        club.vote(page, 0, both.ballots[0].number)
    assert sum(both.ballots[0].counts) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--class", "--left", "scripted:turtle"], "takes no orders"), (["--class", "--right", "embedded"], "--right"),
        (["--class", "--vote", "both"], "--vote winner"), (["--minutes", "5"], "--class"),
        (["--vote", "left", "--left", "scripted:turtle"], "takes no orders"),
    ],
)  # fmt: skip
def test_what_makes_no_class_and_no_vote_is_refused(options, said, capsys):
    assert main(["serve", *options]) == 2
    assert said in capsys.readouterr().err
