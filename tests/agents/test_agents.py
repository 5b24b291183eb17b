"""Agents: the SDK's own client plays, by a pipe and over HTTP, and whatever it does ends its match alone."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from contextlib import contextmanager

import pytest
import requests
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from batllm_arcade import Play, play
from batllm_arcade.agents.matches import Matches
from batllm_arcade.agents.seat import address, waiting
from batllm_arcade.agents.tools import agent_server, mount
from batllm_arcade.cli.main import main
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.plugin import manager
from batllm_arcade.serve.seat import close_pages, open_pages
from batllm_arcade.settings import config as configuration

SHORT = configuration.with_lengths(configuration.load("couch"), 1, 3)


@contextmanager
def matches(deadline_s=0.0):
    begun = Matches(manager.load(), SHORT, deadline_s)
    try:
        yield begun
    finally:
        begun.close()


@contextmanager
def serving(begun):
    user = object()
    try:
        server = open_pages(user)
        mount(server, begun)
        yield server
    finally:
        close_pages(user)


async def call(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    text = answer.content[0].text
    assert not answer.is_error, text
    return json.loads(text) if text.startswith("{") else text


async def refused(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error, answer
    return answer.content[0].text


async def to_the_end(client, told, **seat):
    while not told["over"]:
        made = {"command": "A45", "thought": "SECRET plan"} if told["your_turn"] else {}
        told = await call(client, "play" if made else "wait", **made, **seat)
    return told


def verified(file):
    return main(["verify", str(sessions_folder() / file)]) == 0


def test_an_agent_plays_by_a_pipe_and_what_it_leaves_is_recorded():
    async def playing():
        pipe = StdioServerParameters(
            command=sys.executable, args=["-m", "batllm_arcade", "mcp", "--config", "couch"], env=dict(os.environ)
        )
        async with Client(pipe, mode="legacy") as client:
            await call(client, "new_match", opponent="scripted:dancer", side="right")
            await to_the_end(client, await call(client, "look"))
            again = await call(client, "new_match", seed=3)
            await call(client, "play", command="A20")
            assert again["side"] == "left"

    asyncio.run(playing())  # and the client goes in the middle of its second game
    files = sorted(sessions_folder().glob("*.json*"))
    assert len(files) == 2
    assert all(map(verified, files))


BAD = [
    ("new_match", {"opponent": "nobody"}, "there is no brain"),
    ("new_match", {"opponent": "keyboard"}, "cannot be called"),
    ("new_match", {"opponent": "proc:/bin/sh"}, "not for an agent to choose"),
    ("new_match", {"opponent": "cassette:/etc/passwd"}, "not for an agent to choose"),
    ("new_match", {"opponent": "openai:x,base_url=http://evil.example/v1"}, "not for an agent to choose"),
    ("new_match", {"opponent": "gemini:key_env=HOME"}, "not for an agent to choose"),
    ("new_match", {"config": "/etc/passwd"}, "there is no configuration"),
    ("rules", {"config": "/etc/passwd"}, "there is no configuration"),
    ("new_match", {"side": "up"}, "left or right"),
    ("new_match", {"seed": "x"}, "valid integer"),
    ("new_match", {"code": "ABCDEF"}, "no seat waits"),
    ("play", {"command": "shoot"}, "is no command"),
    ("play", {"command": "C" * 100_000}, "is no command"),
    ("play", {}, "required"),
    ("look", {"seat": "ABCDEFABCDEF"}, "you play no seat"),
    *(("verify", {"file": file}, "no session") for file in ("../x", "/etc/passwd", "-h", "link.json")),
    ("film", {"file": "nothing.json"}, "no session"),
    ("analyse", {"file": ""}, "no session"),
]  # fmt: skip


def test_bad_arguments_and_wrong_order_are_refused_and_the_match_goes_on(tmp_path):
    async def playing(begun):
        async with Client(agent_server(begun)) as client:
            assert "you play no seat" in await refused(client, "play", command="B")
            (tmp_path / "stranger.json").write_text("{}")
            told = await call(client, "new_match", opponent="scripted:turtle")
            (sessions_folder() / "link.json").symlink_to(tmp_path / "stranger.json")
            for tool, arguments, why in BAD:
                given = {"seat": told["seat"], **arguments} if tool == "play" else arguments
                assert why in await refused(client, tool, **given), (tool, arguments)
            ended = await to_the_end(client, told, seat=told["seat"])
            assert "the game is over" in await refused(client, "play", command="B", seat=told["seat"])
            return ended["file"]

    with matches() as begun:
        assert verified(asyncio.run(playing(begun)))


def test_two_agents_meet_by_a_code_over_http_and_neither_reads_the_other_s_thoughts():
    async def playing(at):
        async with Client(at, mode="legacy") as one, Client(at) as two:
            told = await call(one, "new_match", opponent="agent", side="right")
            assert "not your turn" in await refused(one, "play", command="B")
            assert "no seat waits" in await refused(two, "new_match", code="AAAAAA")

            async def second():
                sits = await call(two, "new_match", code=told["code"])
                assert "no seat waits" in await refused(two, "new_match", code=told["code"])
                ended = await to_the_end(two, sits, seat=sits["seat"])
                so_far = await two.read_resource(f"arcade://session/{sits['seat']}")
                assert "SECRET" not in json.dumps(ended) + so_far.contents[0].text
                assert len(json.loads(so_far.contents[0].text)) == 6
                return ended

            ends = await asyncio.gather(to_the_end(one, told), second())
            assert ends[0]["file"] == ends[1]["file"]
            picture = await one.call_tool("picture", {})
            assert picture.content[0].mime_type == "image/png"
            assert "all as recorded" in await call(one, "verify", file=ends[0]["file"])

    with matches() as begun, serving(begun) as server:
        asyncio.run(playing(address(server)))
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        for header in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert requests.post(address(server), json=body, headers=header, timeout=20).status_code == 403


def test_an_agent_that_is_silent_loses_its_plays_and_its_match_ends():
    async def silent(begun):
        async with Client(agent_server(begun)) as client:
            seat = (await call(client, "new_match", opponent="scripted:turtle"))["seat"]
            while "file" not in (told := await call(client, "look", seat=seat)):  # its seat is over before the match
                await asyncio.sleep(0.05)
            assert "over" in await refused(client, "play", command="B", seat=seat)
            return told["file"]

    with matches(0.05) as begun:
        assert verified(asyncio.run(silent(begun)))


def test_an_agent_takes_the_seat_of_a_match_of_the_program_s_own_and_comes_back_to_it(tmp_path):
    async def playing():
        while (seat := waiting()) is None:
            await asyncio.sleep(0.01)
        async with Client(seat.address) as client:
            gone = await call(client, "new_match", code=seat.code)
            assert "kept for you" in await refused(client, "new_match")
        async with Client(seat.address) as client:
            told = await call(client, "new_match", code=seat.code)
            assert "you play no seat" in await refused(client, "look", seat=gone["seat"])
            assert "there is no configuration" in await refused(client, "rules", config="/etc/passwd")
            assert "bullet" in await call(client, "rules", seat=told["seat"])
            return await to_the_end(client, told, seat=told["seat"])

    file = tmp_path / "match.json"
    games = play("scripted:turtle", "mcp", rounds=1, turns=3, history=file, seed=2)
    thread = threading.Thread(target=lambda: list(games), daemon=True)
    thread.start()
    assert asyncio.run(playing())["over"]
    thread.join(20)
    assert main(["verify", str(file)]) == 0


def test_an_agent_comes_in_the_middle_of_a_game_and_is_told_when_it_has_lost_its_seat(tmp_path):
    async def playing():
        while (seat := waiting()) is None:
            await asyncio.sleep(0.01)
        async with Client(seat.address) as client:
            told = await call(client, "new_match", code=seat.code)
            assert told["turn"] == "2 of 9"
            assert "problem" not in await call(client, "play", command="A45", seat=told["seat"])
            ends.append(await to_the_end(client, told, seat=told["seat"]))

    ends, file = [], tmp_path / "match.json"
    with play("scripted:turtle", "scripted:dancer", rounds=1, turns=9, history=file, seed=2) as games:
        thread = threading.Thread(target=lambda: asyncio.run(playing()), daemon=True)
        thread.start()
        for record in games:
            if isinstance(record, Play) and record.number == 1:
                games.swap("left", "mcp")
            if isinstance(record, Play) and record.turn == 5:
                games.swap("left", "scripted:turtle")
    thread.join(20)
    assert ends[0]["over"]
    assert main(["verify", str(file)]) == 0


@pytest.mark.parametrize("arguments", [["mcp"], ["run", "--left", "mcp", "--right", "scripted:turtle"]])
def test_without_the_extra_one_sentence_says_what_to_run(monkeypatch, capsys, arguments):
    monkeypatch.setattr("batllm_arcade.agents.here.find_spec", lambda name: None)
    assert main(arguments) == 2
    assert "pip install 'batllm-arcade[mcp]'" in capsys.readouterr().err
