"""The texts of a replay: the moment under the mouse, and the pages on which a play is read in full."""

from __future__ import annotations

from batllm_arcade.app.kit.text.text_viewer import Page, Section
from batllm_arcade.core.model import SEATS
from batllm_arcade.history.summary import counted
from batllm_arcade.match.records import Play
from batllm_arcade.story.sentences import say
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline_index import HAPPENED, TimelineIndex


def clock(seconds: float) -> str:
    """Return minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def hint(index: TimelineIndex, t: float, reach: float) -> str:
    """Return what happens around a moment: the event within `reach` seconds, or the play under way."""
    mark = index.near(t, reach)
    play = index.play_at(mark.t if mark else t)
    if play is None:
        return f"{clock(t)}  before the first play"
    several = len(index.starts["game"]) > 1
    place = f"game {play.game}, " if several else ""
    place += f"round {play.round}, turn {play.turn}"
    what = f"{SEATS[play.bot]} {described(play)}"
    if mark is not None:
        what = say("does", who=SEATS[mark.bot], did=HAPPENED[mark.kind])
        what += f": {play.reason}" if mark.kind == "fumble" and play.reason else ""
    return f"{clock(mark.t if mark else t)}  {place}: {what}"


def described(play: Play) -> str:
    """Return a play in words, with its token."""
    return f"{describe(play.command)} ({play.command.token})"


def pages(board: Scoreboard) -> list[Page]:
    """Return both bots' last plays, left first."""
    return [_page(board, bot) for bot in (0, 1)]


def _page(board: Scoreboard, bot: int) -> Page:
    seat, play = board.seats[bot], board.plays[bot]
    title = f"{SEATS[bot].upper()}  {seat.name}"
    brain = f"{seat.brain}  {seat.model}".strip()
    orders = Section("ORDERS", board.prompts[bot] or "none", theme.SOFT)
    if play is None:
        return Page(title, brain, bot, [Section("NOTHING YET", f"{seat.name} has not acted in this game."), orders])
    decision = play.decision
    sections = [Section("DID", described(play), theme.SEAT_COLORS[bot])]
    if play.status != "ok":
        sections.append(Section(f"FUMBLE ({play.status})", play.reason or "no reason was given", theme.DANGER))
    if decision.thought:
        sections.append(Section("THOUGHT", decision.thought, theme.TEXT))
    if decision.say:
        sections.append(Section("SAID ALOUD", decision.say, theme.GOLD))
    sections.append(Section(_reply_heading(play), _reply(play), theme.GOOD if play.status == "ok" else theme.SOFT))
    return Page(title, _facts(play, brain), bot, [*sections, orders])


def _reply_heading(play: Play) -> str:
    length = play.decision.raw_cut or len(play.decision.raw)
    cut = ", of which the file keeps the beginning" if play.decision.raw_cut else ""
    return f"RAW REPLY  {counted(length, 'character')}{cut}" if length else "RAW REPLY"


def _reply(play: Play) -> str:
    if play.decision.raw.strip():
        return play.decision.raw
    if play.decision.queued_from is not None:
        return f"none: it was announced in play {play.decision.queued_from}"
    return "no answer"


def _facts(play: Play, brain: str) -> str:
    latency = f"{play.latency_s * 1000:.0f} ms" if play.latency_s < 1 else f"{play.latency_s:.1f} s"
    facts = [brain, f"game {play.game}, round {play.round}, turn {play.turn}, play {play.number}", latency]
    tokens = play.decision.tokens or {}
    facts += [f"{count:,} {name} tokens" for name, count in tokens.items()]
    return "   ".join(facts)
