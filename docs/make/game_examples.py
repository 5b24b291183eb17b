"""The page with whole messages and files: all of one short game that is played for it."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from markup import section

from batllm_arcade import Decision, View, bot, payload_messages, play
from batllm_arcade.brains.bots import BotBrain, Reply
from batllm_arcade.core.streams import keyed_name
from batllm_arcade.isolation.dialect import Dialect, write_line
from batllm_arcade.session import live_session

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
WIDTH = 118
NOON = "2026-01-01T12:00:00.000000Z"
INTRO = """\
One game under the rules of `couch`, cut to one round of two turns, and all that was said and written in it. Left
plays a small bot, right `scripted:turtle`; the seed is 7. The page is made from a real game, in which only times
are rounded."""
BOT = """\
What a bot reads and writes in the [line protocol](bots.md#the-line-protocol-version-1): each message is one line,
shown here on several."""
PAYLOAD = """\
What a model would be sent at the same moment, the bot's second play, as [payload](formats.md) `batllm.v3.2`: a
system message, and a user message whose content is this object on one line."""
SESSION = """\
The [session file](formats.md#what-a-session-file-holds) of that game. Keys without a value are left out, such as
`swaps` and `tokens` here. The turtle's second play is a deliberate nothing: `ERR`, with the status `ok` and no
reason."""


@bot("example")
def example(me: Any, foe: Any, clock: Any) -> Reply:
    """Fires where it can, and says so."""
    if me.would_hit(foe):
        return Reply("B", "it is open", "Take that!")
    return Reply(me.turn_to(foe), "turning to it")


class Listening:
    """The example bot, and all views that it was asked with."""

    title = "example"

    def __init__(self) -> None:
        self.views: list[View] = []
        self.answers: list[Decision] = []
        self._bot = BotBrain("example", example)

    def decide(self, view: View) -> Decision:
        """Return what the bot answers."""
        self.views.append(view)
        self.answers.append(self._bot.decide(view))
        return self.answers[-1]


def shown(value: Any, indent: int = 0) -> str:
    """Return a value as JSON, on as few lines as are no longer than WIDTH."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner, space = indent + 2, " " * (indent + 2)
    if isinstance(value, list):
        parts = [f"{space}{shown(each, inner)}" for each in value]
        return "[\n" + ",\n".join(parts) + f"\n{' ' * indent}]"
    lines, row = [], space
    for number, (key, each) in enumerate(value.items()):
        comma = "," if number < len(value) - 1 else ""
        part = f"{json.dumps(key)}: {shown(each, inner)}{comma}"
        if row.strip() and ("\n" in part or len(row) + 1 + len(part) > WIDTH):
            lines.append(row.rstrip())
            row = space
        row += part + (" " if comma else "")
        if "\n" in part:
            lines.append(row.rstrip())
            row = space
    return "{\n" + "\n".join([*lines, *([row.rstrip()] if row.strip() else [])]) + f"\n{' ' * indent}}}"


def block(value: Any) -> str:
    """Return a value as a block of JSON."""
    return f"```json\n{shown(value)}\n```"


def played() -> tuple[Listening, dict[str, Any]]:
    """Return the bot after the game, and the session file's content with times rounded."""
    left = Listening()
    secret = mock.patch.object(live_session, "session_secret", lambda seed: keyed_name("5e" * 32, f"session {seed}"))
    with tempfile.TemporaryDirectory() as folder, secret:  # which is the installation's
        path = Path(folder) / "session.json"
        orders = ("Get close and fire.", "Keep behind your shield.")
        list(play(left, "scripted:turtle", seed=7, config="couch", rounds=1, turns=2, orders=orders, history=path))
        text = path.read_text("utf-8")
    (version,) = re.findall(r'^version = "(.+)"', PYPROJECT.read_text("utf-8"), re.MULTILINE)
    text = re.sub(r'"program":"[^"]+"', f'"program":"batllm-arcade {version}"', text)  # whatever is installed here
    text = re.sub(r'"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"', f'"{NOON}"', text)
    return left, json.loads(re.sub(r'"latency_s":[0-9.e-]+', '"latency_s":0.001', text))


def page() -> str:
    """Return the page."""
    left, session = played()
    dialect = Dialect()
    dialect.reset()
    game, *_ = dialect.question(1, left.views[0], 30_000).splitlines()
    (decide,) = dialect.question(2, left.views[1], 30_000).splitlines()
    answer = left.answers[1]
    said = {"id": 2, "command": answer.command, "thought": answer.thought, "say": answer.say}
    result = {**session["games"][0]["result"], "game": 1, "bot": 0}
    lines = {
        "`hello`": dialect.hello("left", {}),
        "The bot's answer, `ready`": write_line("ready", {"name": "example", "version": "1"}),
        "`game`, before its first play": game,
        "`decide`, its second play": decide,
        "The bot's answer, `play`": write_line("play", {key: each for key, each in said.items() if each}),
        "`result`, at the end of the game": dialect.result(result),
    }
    told = [part for title, line in lines.items() for part in (f"{title}:", block(json.loads(line)))]
    system, user = payload_messages(left.views[1])
    sent = [f"```text\n{system['content'].strip()}\n```", block(json.loads(user["content"]))]
    parts = [section("Line protocol", BOT, *told), section("Payload", PAYLOAD, *sent)]
    parts.append(section("Session", SESSION, block(session)))
    return "\n\n".join(["# A game in full", INTRO, *parts]) + "\n"
