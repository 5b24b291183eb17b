"""The tools and resources by which an agent plays: an MCP server over a pipe, or over HTTP beside the pages."""

from __future__ import annotations

import asyncio
import functools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings

from batllm_arcade.agents.matches import Matches, rules_of
from batllm_arcade.agents.seat import PATH, AgentSeat, admit
from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.paths import NAME, sessions_folder
from batllm_arcade.processes.child import python_command
from batllm_arcade.serve.server import Server

WAIT_S = 45.0
"""Seconds for which a tool waits for the other side, below the time in which clients give a tool up."""
_STEP_S = 1.0
_MOST_SEATS = 1000
_ABOUT = (
    "BatLLM Arcade: two bots fight in a small arena, turn by turn, and you play one. Call rules once, new_match to "
    "begin (or with a code, to take a seat that is kept for you), then play again and again until over is true; where "
    "your_turn is false, wait. look says how it stands. Afterwards analyse, verify and film take `file`."
)


def _told(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Tell an agent what went wrong, in the sentence that says what to do."""

    @functools.wraps(tool)
    async def telling(*args: Any, **kwargs: Any) -> Any:
        try:
            return await tool(*args, **kwargs)
        except ArcadeError as error:
            raise ToolError(without_folders(str(error))) from None

    return telling


def _connection(ctx: Context[Any, Any]) -> str:
    return "stdio" if ctx.headers is None else ctx.headers.get("mcp-session-id", "")


def _name(ctx: Context[Any, Any]) -> str:
    """Return what an agent's program calls itself."""
    client = ctx.session.client_params
    told = "" if client is None else client.client_info.title or client.client_info.name
    return " ".join(told.split())[:16]


def agent_server(matches: Matches | None) -> MCPServer:
    """Return a server for agents; without `matches` they can only take seats that wait for them."""
    mcp = MCPServer(NAME, title="BatLLM Arcade", instructions=_ABOUT, log_level="CRITICAL")
    seats: dict[str, tuple[str, AgentSeat]] = {}  # by their keys; those taken last, with these, by their connections
    waits_at_once = anyio.CapacityLimiter(200)

    def seat_of(key: str, connection: str) -> AgentSeat:
        """Return the seat that is meant; raise UsageError if there is none, or another agent plays it now."""
        found = seats.get(key.strip().upper() or connection)
        if found is None or found[0] != found[1].key:
            raise UsageError("you play no seat; call new_match, and give the seat that it returns to the other tools")
        return found[1]

    def look_at(seat: AgentSeat) -> dict[str, Any]:
        told = {**seat.match.told(seat.bot), "your_turn": seat.asked}
        return told if told["over"] or not seat.over else {**told, "over": True, "problem": "you have lost your seat"}

    async def turn_of(seat: AgentSeat, ctx: Context[Any, Any], *, noted: bool = False) -> dict[str, Any]:
        """Wait until it is the agent's turn, the game is over, or there is a note; say meanwhile that it waits."""
        match, began = seat.match, time.monotonic()

        def step() -> bool:
            with match.changed:
                return bool(match.changed.wait_for(lambda: seat.over or seat.asked or (noted and match.note), _STEP_S))

        while not await anyio.to_thread.run_sync(step, abandon_on_cancel=True, limiter=waits_at_once):
            waited = time.monotonic() - began
            if waited >= WAIT_S:
                break
            await ctx.report_progress(round(waited), message="the other side is thinking")
        return look_at(seat)

    async def new_match(
        ctx: Context[Any, Any], opponent: str = "scripted:sharpshooter", config: str = "", seed: int | None = None,
        side: str = "left", orders: str = "", code: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        """Begin a match and play one side, or take the seat of a code that you were given.

        opponent: scripted:sharpshooter, scripted:turtle, scripted:dancer, scripted:random, scripted:strategist,
        embedded (a small model), browser (a person, at the address in `note`), a model server such as ollama, or
        agent: another agent, which calls new_match with the `code` that you get here. orders: what the opponent is
        told, if it is a model. config: the rules: default, classic, couch or arena. side: left or right. The other
        tools take the `seat` that is returned; within one connection it may be left out.
        """
        if code:
            seat = waits = admit(code, _name(ctx))
        elif matches is None:
            raise UsageError("a seat is kept for you here: give its code")
        else:
            begin = functools.partial(matches.begin, _name(ctx), opponent, config, seed, side, orders)
            seat, waits = await anyio.to_thread.run_sync(begin)
        key = seat.key
        while len(seats) >= _MOST_SEATS:
            del seats[next(iter(seats))]
        for known_by in filter(None, (key, _connection(ctx))):
            seats[known_by] = key, seat
        code_of_other = {"code": waits.code} if waits is not seat else {}
        return {**await turn_of(seat, ctx, noted=True), "seat": key, **code_of_other}

    async def look(ctx: Context[Any, Any], seat: str = "") -> dict[str, Any]:
        """Say how the game stands: both bots, where the opponent is, what has happened since your last play."""
        return look_at(seat_of(seat, _connection(ctx)))

    async def play(ctx: Context[Any, Any], command: str, thought: str = "", seat: str = "") -> dict[str, Any]:
        """Make your play, then wait for the other side's: returns how the game stands at your next turn, or its end.

        command: C45 turns clockwise by 45 degrees, A45 the other way, M steps forward, B fires, S1 and S0 raise and
        lower the shield, wait does nothing. thought: why, in a sentence; whoever watches reads it.
        """
        mine = seat_of(seat, _connection(ctx))
        mine.play(command, thought)
        return await turn_of(mine, ctx)

    async def wait(ctx: Context[Any, Any], seat: str = "") -> dict[str, Any]:
        """Wait until it is your turn or the game is over, at most 45 seconds; call it again if it is neither."""
        return await turn_of(seat_of(seat, _connection(ctx)), ctx)

    async def picture(ctx: Context[Any, Any], seat: str = "") -> Image:
        """Return a picture of the arena as it is now."""
        mine = seat_of(seat, _connection(ctx))
        return Image(data=await anyio.to_thread.run_sync(mine.match.picture, mine.bot), format="png")

    def rules_text() -> str:
        """The rules and the commands."""
        return rules_of("", matches)

    async def rules(ctx: Context[Any, Any], config: str = "", seat: str = "") -> str:
        """Return the rules and the commands: of your game, of a configuration, or as they usually are."""
        playing = seats.get(seat.strip().upper() or _connection(ctx)) if not config else None
        return (playing[1].match.rules(playing[1].bot) if playing else "") or rules_of(config, matches)

    async def analyse(ctx: Context[Any, Any], file: str) -> str:
        """Return each side's chance after every play of a finished game, and what would have been best."""
        return await _run(ctx, "analyse", file)

    async def verify(ctx: Context[Any, Any], file: str) -> str:
        """Play a finished game again and say whether the file holds just that."""
        return await _run(ctx, "verify", file)

    async def film(ctx: Context[Any, Any], file: str) -> str:
        """Make a film of a finished game, beside its file; this takes a minute or more."""
        return await _run(ctx, "video", file, "-o", f"{Path(file).stem}.mp4", "--force")

    def session(seat: str) -> str:
        """All plays of your game so far, by the seat that new_match returned."""
        return json.dumps(seat_of(seat, "").match.history())

    for tool in (new_match, look, play, wait, picture, rules, analyse, verify, film):
        mcp.add_tool(_told(tool))
    mcp.resource("arcade://rules", mime_type="text/plain")(rules_text)
    mcp.resource("arcade://session/{seat}", mime_type="application/json")(session)
    return mcp


async def _run(ctx: Context[Any, Any], command: str, file: str, *options: str) -> str:
    """Run a command of ours on a file of the sessions' folder, in a process of its own; return what it says."""
    folder = sessions_folder()
    path = folder / file
    if Path(file).name != file or not file[:1].isalnum() or path.is_symlink() or not path.is_file():
        raise UsageError(f"there is no session {file!r:.80}; name the `file` of a game that is over")
    child = await asyncio.create_subprocess_exec(
        *python_command(_ARCADE, command, file), *options, cwd=folder, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    saying, began = asyncio.ensure_future(child.communicate()), time.monotonic()
    try:
        while not (await asyncio.wait({saying}, timeout=_STEP_S))[0]:
            await ctx.report_progress(round(time.monotonic() - began), message=f"{command}: working")
    finally:
        if child.returncode is None and not saying.done():
            child.kill()
            await saying
    said = without_folders(saying.result()[0].decode("utf-8", "replace").strip())
    if child.returncode not in (0, 3):
        raise UsageError(said or f"{command} failed")
    return said


_ARCADE = "from batllm_arcade.cli.main import main; sys.exit(main())"


def mount(server: Server, matches: Matches | None = None) -> None:
    """Let agents connect to a server of pages, from this computer alone; a second call does nothing."""
    if PATH in server.mounted:
        return
    mcp = agent_server(matches)
    # Host and Origin are checked by the server, as for its pages.
    app = mcp.streamable_http_app(
        streamable_http_path=PATH, transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False)
    )
    server.mount(PATH, app, mcp.session_manager.run())
