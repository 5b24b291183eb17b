"""A match in the window waits for an agent, off screen: what it says, and an agent that comes."""

from __future__ import annotations

import asyncio
import time

from mcp import Client
from menus import shell

from batllm_arcade import Spec
from batllm_arcade.app.input import sdl
from batllm_arcade.app.match.agent_dialog import AgentDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config as configuration


def test_the_window_says_how_an_agent_connects_and_the_match_begins_when_it_does(tmp_path, monkeypatch):
    def until(condition):
        ends = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < ends
            app.update(time.monotonic())
            time.sleep(0.01)

    async def sit(seat):
        async with Client(seat.address) as client:
            sits = asyncio.ensure_future(client.call_tool("new_match", {"code": seat.code}))
            while not app.screen.state.table.thinking:
                app.update(time.monotonic())
                await asyncio.sleep(0.01)
            sits.cancel()

    copied = []
    monkeypatch.setattr(sdl, "copy", copied.append)
    seats = Spec("mcp"), Spec("scripted", "turtle")
    plan = SessionPlan(configuration.load("couch"), seats, 5, history=tmp_path / "match.json")
    with shell(plan, manager.load()) as app:
        app.go.start(plan)
        until(lambda: isinstance(app.screen, MatchScreen) and isinstance(app.screen.menu.dialog, AgentDialog))
        dialog, seat = app.screen.menu.dialog, app.screen.menu.dialog.seat
        for entry in dialog.form.widgets[:2]:
            entry.do()
        assert seat.code in copied[0]
        assert copied[1] == f"claude mcp add --transport http batllm-arcade {seat.address}"
        asyncio.run(sit(seat))
        until(lambda: app.screen.state.started)
        assert app.screen.menu.dialog is None
        assert app.screen.state.table.seat(0).name == "mcp"
        app.go.title()
