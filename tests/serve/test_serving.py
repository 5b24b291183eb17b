"""Pages at seats, over real sockets: matches are played, and nothing that a page sends does more than it may."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress

import pytest
from served import Page, Told, serving
from websockets.exceptions import ConnectionClosed, InvalidStatus

from batllm_arcade import SEATS, Play, SeatSwapped, bot, play
from batllm_arcade.cli.main import main
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.serve import codes, lobby
from batllm_arcade.serve.checks import host_of
from batllm_arcade.serve.feed import Feed
from batllm_arcade.serve.messages import LONGEST, RATE
from batllm_arcade.serve.seat import open_server
from batllm_arcade.serve.server import CONNECTIONS


@pytest.fixture
def server():
    with serving() as found:
        yield found


def begin(records, *seats, **how):
    """A match on a thread, which adds its records as they happen."""
    match = play(*seats, **{"rounds": 1, "turns": 3, **how}, config="couch", seed=4)

    def run():
        with suppress(UserWarning):  # that a fallback played on
            records.extend(match)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def seated(server, door, page="p", name=""):
    found = Page(server)
    server.lobby.expect(SEATS.index(door))
    found.join("seat", door, page, name=name)
    return found


def test_two_pages_play_a_match_that_everybody_sees_and_that_verifies(server, tmp_path):
    left, right, late = seated(server, "left", name="Ann <b>"), seated(server, "right"), Page(server)
    records = []
    thread = begin(records, "browser", "browser", history=tmp_path / "match.json")
    playing = [left.play("move", "turn", "fire"), right.play("shield", "move")]
    thread.join(90)
    late.join("watch")
    story = late.hear("start")["start"]
    plays = [record for record in records if isinstance(record, Play)]
    assert len(plays) == 6
    assert {record.status for record in plays} == {"ok"}
    turns = [turn["cmd"] for round_ in story["session"]["games"][0]["rounds"] for turn in round_["turns"]]
    assert turns == [record.command.token for record in plays]
    tape = read(tmp_path / "match.json")
    assert [*verify(tape)] == []
    assert tape.games[0].seats[0].name == "Ann <b>"
    assert any("shows" in message for message in left.heard)
    late.close()
    for page, thread in ((left, playing[0]), (right, playing[1])):
        page.close()
        thread.join(10)


def test_a_page_finds_its_seat_again_and_one_that_stays_away_loses_it_until_it_is_back(server, tmp_path):
    records = []

    def lost():
        return any(isinstance(record, SeatSwapped) for record in records)

    @bot("idle")
    def idle(me, foe, clock):
        while lost() and server.lobby.places[0].page is None:
            time.sleep(0.01)
        return "S0"

    server.lobby._away_s = 0.3
    first = seated(server, "left", "mine")
    thread = begin(records, "browser", idle, rounds=3, turns=6, history=tmp_path / "match.json")
    asked = first.hear("ask")["ask"]
    other = Page(server)
    other.join("seat", "left", "another")
    assert "taken" in other.hear("wrong")["wrong"]
    again = seated(server, "left", "mine")  # before anybody has noticed that the first one is gone
    assert again.hear("ask")["ask"] == asked
    again.say(play="wait", by=0, ask=asked)
    again.hear("done")
    again.close()
    ends = time.monotonic() + 60
    while not lost():
        assert time.monotonic() < ends
        time.sleep(0.01)
    back = seated(server, "left", "mine")
    playing = back.play("wait", rest=0.1)
    thread.join(90)
    back.close()
    playing.join(10)
    swaps = [record for record in records if isinstance(record, SeatSwapped)]
    assert [swap.why for swap in swaps] == ["fallback", "recovered"]
    assert "away" in swaps[0].problem
    assert [*verify(read(tmp_path / "match.json"))] == []


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "evil.example:{port}"}, {"Host": "127.0.0.1"}, {"Origin": "http://evil.example"},
     {"Origin": "null"}, {"Origin": "http://127.0.0.1:1"}],
    ids=str,
)  # fmt: skip
def test_another_host_or_origin_gets_403(server, headers):
    """Names that point here (DNS rebinding), other sites."""
    headers = {name: value.format(port=server.port) for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}/seat", headers=headers)
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request, timeout=10)
    if "Origin" in headers:
        with pytest.raises(InvalidStatus, match="403"):
            Page(server, origin=headers["Origin"])


def test_a_page_of_ours_is_shown_and_may_ask_its_own_server_alone(server):
    for path in ("", "seat", "orders", "watch", "overlay"):
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{path}", timeout=10) as answer:
            policy, text = answer.headers["Content-Security-Policy"], answer.read().decode()
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert f"connect-src ws://127.0.0.1:{server.port}/socket; frame-ancestors 'none'" in policy
        assert not any(code in text for code in server.lobby.codes.by_door.values())


PLAY = '{"play": "wait", "by": 0, "ask": 1}'
HOSTILE = {
    "too long": '{"orders": "%s"}' % ("x" * LONGEST),
    "deep": "[" * 4000,
    "bytes": b"\x00\xff",
    "no JSON": "{",
    "a list": "[1]",
    "no such message": '{"eval": "1"}',
    "one key too many": '{"ready": true, "code": "x"}',
    "a turn too far": '{"play": "turn", "by": 181, "ask": 1}',
    "a command of its own": '{"play": "M1000", "by": 0, "ask": 1}',
    "half a character": '{"orders": "\\ud800"}',
    "a list for a text": '{"play": [], "by": 0, "ask": 1}',
    "a number for a truth": '{"ready": 1}',
    "a huge number": '{"aim": 1e400, "hold": "", "ask": 1}',
    "orders at a seat": '{"orders": "hide"}',
    "another join": '{"join": "watch", "code": "", "page": "", "name": "", "match": 0, "have": 0}',
}


def test_what_no_page_sends_ends_that_page_alone_and_the_match_goes_on(server, tmp_path):
    seat = seated(server, "left", "mine")
    records = []
    thread = begin(records, "browser", "scripted:turtle", history=None)
    for role in ("seat", "watch", ""):
        for what, text in HOSTILE.items():
            if role == "seat":
                seat.close()
            if not role and what == "another join":
                continue  # it is the first
            page = Page(server)
            if role:
                page.join(role, "left" if role == "seat" else "watch", "mine")
                page.hear("lobby")
            page.send(text)
            assert page.closed(), (role, what)
        page = Page(server)
        page.send(PLAY)  # in nobody's name
        assert page.closed()
    seat = seated(server, "left", "mine")
    asked = seat.hear("ask")["ask"]
    seat.say(play="wait", by=0, ask=asked + 1)  # of a turn that is none
    assert "not your turn" in seat.hear("wrong")["wrong"]
    with suppress(ConnectionClosed):  # before the last is sent
        for _ in range(3 * RATE):
            seat.send(PLAY)
    assert seat.closed()
    seat = seated(server, "left", "mine")
    playing = seat.play("move")
    thread.join(90)
    assert [record.status for record in records if isinstance(record, Play)] == ["ok"] * 6
    seat.close()
    playing.join(10)


def test_a_code_opens_its_own_seat_and_ten_wrong_ones_shut_the_door():
    now = [0.0]
    doors = codes.Codes("left", "right", "watch", clock=lambda: now[0])
    for door, code in doors.by_door.items():
        assert doors.door(f" {code.lower()} ", "a") == door
        assert len(code) == codes.LENGTH
    for _ in range(codes.GUESSES):
        assert doors.door("AAAAA", "a") == ""
    assert doors.door(doors.by_door["left"], "a") is None
    assert doors.door(doors.by_door["left"], "b") == "left"  # nobody else pays for that
    now[0] = codes.WITHIN_S
    assert doors.door(doors.by_door["left"], "a") == "left"


def test_a_seat_needs_its_own_code(server):
    server.lobby.expect(0)
    for door, code in (("", ""), ("right", None), ("watch", None), ("", "é\ud800"[:1])):
        page = Page(server)
        page.join("seat", door, code=code)
        assert page.hear("wrong")["wrong"]
        page.close()
    assert server.lobby.places[0].page is None


def test_orders_are_hidden_from_every_other_page_until_both_sides_are_ready():
    both = lobby.Lobby()
    for seat in (0, 1):
        both.want_orders(seat, f"given {seat}", None)
        assert both.take(seat, Told(), "orders", str(seat), "") == ""
    found = []
    thread = threading.Thread(target=lambda: found.append(both.written((0, 1), 1, lambda: False)), daemon=True)
    thread.start()
    while "writing" not in both.state(None):
        pass
    both.write(0, "SECRET rush")
    both.be_ready(0, True)
    assert both.state(0)["mine"]["text"] == "SECRET rush"
    for seat in (1, None):
        assert "SECRET" not in json.dumps(both.state(seat))
    both.write(1, "hide")
    both.be_ready(1, True)
    thread.join(10)
    assert found == [{0: "SECRET rush", 1: "hide"}]


def test_beyond_two_hundred_connections_nobody_is_let_in(server):
    begun = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(CONNECTIONS)]
    late = [socket.create_connection(("127.0.0.1", server.port), 10) for _ in range(5)]
    for each in late:
        with suppress(ConnectionError):
            assert each.recv(1) == b""
    begun[0].sendall(b"GET /watch HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port)
    assert b"200 OK" in begun[0].recv(100)
    for each in (*begun, *late):
        each.close()


@pytest.mark.parametrize(
    ("own", "host", "right"),
    [
        ("192.168.1.5", "192.168.1.5:8765", True), ("192.168.1.5", "localhost:8765", False),
        ("192.168.1.5", "192.168.1.6:8765", False), ("192.168.1.5", "mybox.local:8765", False),
        ("127.0.0.1", "LOCALHOST:8765", True), ("127.0.0.1", "192.168.1.5:8765", False),
    ],
)  # fmt: skip
def test_a_request_s_host_is_the_address_at_which_it_has_come_in(own, host, right):
    """Also on a network, where these tests do not listen."""
    scope = {"type": "http", "server": (own, 8765), "headers": [(b"host", host.encode())]}
    assert host_of(scope) == (host.lower() if right else "")
    assert host_of({**scope, "type": "websocket"}) == ""  # which has an Origin


def test_serve_plays_a_match_and_says_where_its_pages_are(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(Feed, "unseen_s", 0.0)  # nobody looks
    match = ["--left", "scripted:turtle", "--right", "scripted:dancer", "--rounds", "1", "--turns", "1"]
    assert main(["serve", *match, "--history", str(tmp_path / "match.json")]) == 0
    told = capsys.readouterr().err
    assert "watch at http://127.0.0.1:" in told
    assert [*verify(read(tmp_path / "match.json"))] == []
    assert main(["serve", *match, "--orders", "left", "--history", str(tmp_path / "other.json")]) == 2
    assert "left takes no orders" in capsys.readouterr().err
    assert open_server() is None
