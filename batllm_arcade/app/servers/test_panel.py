"""What is known of a model server, and the turn that was played to try it."""

from __future__ import annotations

from dataclasses import dataclass

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.pictures.portrait import draw_portrait
from batllm_arcade.app.services.server_work import TrialRun, in_window
from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.price import money
from batllm_arcade.core.commands import parse
from batllm_arcade.models.presets import Preset
from batllm_arcade.render.fonts import Face
from batllm_arcade.session.trial_turn import TrialTurn
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import describe

_ASK = "TEST plays one real turn: what it answers, what it thinks, how long that takes, what it costs."
_LABEL = 92.0  # how wide what stands before a figure is
_MOST_LINES = 14


@dataclass(frozen=True, slots=True)
class Facts:
    """What is shown: the server, its address, how it stands, where its key is, and the turn that was tried.

    `seat` is the one that it would play, whose bot is seen as well: asleep as long as it could not play.
    """

    preset: Preset
    address: str
    state: SeatState | None
    key: str
    trial: TrialRun | None
    priced: bool = False
    seat: int = 0
    still: bool = False


def paint(canvas: Canvas, box: Box, facts: Facts, now: float) -> None:
    """Draw the panel."""
    canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=235)
    with canvas.clipped(box.inset(2)):
        inner = box.inset(18, 14)
        y = inner.y + _paint_head(canvas, inner, facts)
        canvas.box(Box(inner.x, y + 6, inner.w, 1), theme.PANEL_EDGE, None, radius=0)
        rest = Box(inner.x, y + 18, inner.w, inner.bottom - y - 18)
        if facts.trial is None:
            y = rest.y + canvas.block((rest.x, rest.y), _ASK, "label", 16, theme.SOFT, rest.w, 4)
        elif facts.trial.turn is None:
            y = _paint_progress(canvas, rest, facts.trial, now)
        else:
            y = _paint_turn(canvas, rest, facts.trial.turn, priced=facts.priced)
        _paint_bot(canvas, Box(rest.x, y + 8, rest.w, rest.bottom - y - 8), facts, now)


def _paint_bot(canvas: Canvas, room: Box, facts: Facts, now: float) -> None:
    """Draw the bot that would play, where there is room."""
    ready = facts.state is not None and facts.state.ready
    draw_portrait(canvas, room, facts.seat, now, ready=ready, still=facts.still)


def _paint_head(canvas: Canvas, box: Box, facts: Facts) -> float:
    """Draw which server it is and how it stands; return how high that is."""
    y = box.y
    canvas.words((box.x, y), facts.preset.title, "title", 28, theme.TEXT, width=box.w)
    where = "   ".join(each for each in (facts.address, facts.key) if each)
    canvas.words((box.x, y + 36), where, "mono", 13, theme.DIM, width=box.w)
    y += 60
    words, color, filled = state_words(facts.state)
    canvas.box(Box(box.x, y + 5, 10, 10), color if filled else None, color, width=2, radius=5)
    y += max(22.0, canvas.block((box.x + 18, y), words, "label", 16, color, box.w - 18, 7))
    preset = facts.preset
    page = (
        preset.key_page.removeprefix("https://")
        if facts.state is not None and facts.state.why in ("key", "wrong key")
        else ""
    )
    # How a server is started is no news where one runs.
    started = preset.local and facts.state is not None and facts.state.why in ("", "model")
    more = f"Keys are made at {page}" if page else "" if started else f"{preset.note[:1].upper()}{preset.note[1:]}"
    if more:
        y += 4 + canvas.block((box.x, y + 4), more, "label", 15, theme.SOFT, box.w, 2)
    return y - box.y


def state_words(state: SeatState | None) -> tuple[str, theme.Color, bool]:
    """Return how a server stands in words, their colour, and whether its sign is filled."""
    if state is None:
        return "looking...", theme.DIM, False
    count = len(state.models)
    if state.problem:
        # What the environment has to do with it is for the command line: here it is typed.
        words = "it needs a key: type or paste it" if state.why == "key" else state.problem
        return in_window(words, count), theme.GOLD, True
    has = f", {count} model{'s' * (count != 1)}" if count else ""
    return f"ready{has}{f'; {state.model} plays' if state.model else ''}", theme.GOOD, True


def _paint_progress(canvas: Canvas, box: Box, trial: TrialRun, now: float) -> float:
    """Draw what is being done, and what has been written so far; return where that ends."""
    if trial.problem:
        return box.y + canvas.block((box.x, box.y), in_window(trial.problem), "label", 16, theme.DANGER, box.w, 6)
    dots = "." * (1 + int(now * 2) % 3)
    canvas.words((box.x, box.y), f"PLAYING A TURN{dots}", "label", 14, theme.GOLD)
    lines = max(1, int((box.h - 30) // 20))
    most, y = min(lines, _MOST_LINES), box.y + 26
    return y + canvas.block((box.x, y), trial.progress, "label", 15, theme.SOFT, box.w, most)


def _paint_turn(canvas: Canvas, box: Box, turn: TrialTurn, *, priced: bool) -> float:
    """Draw what came of the turn: its answer first, what it thought last; return where that ends."""
    y = box.y
    if turn.problem:
        y += 8 + canvas.block((box.x, y), in_window(turn.problem), "label", 16, theme.DANGER, box.w, 5)
    else:
        words, color = _meaning(turn)
        y += 10 + canvas.block((box.x, y), words, "title", 24, color, box.w, 2)
    figures = (
        ("ANSWER", " ".join(turn.raw.split())), ("SAYS", turn.say), ("TIME", _time(turn)), ("TOKENS", _tokens(turn)),
        ("PRICE", _price(turn, priced=priced)), ("CHANGED", ", ".join(turn.adapted)),
    )  # fmt: skip
    beside = box.w - _LABEL
    for label, words in figures:
        if words and y + 20 < box.bottom:
            canvas.words((box.x, y + 2), label, "label", 13, theme.GOLD)
            face: Face = "mono" if label == "ANSWER" else "label"
            y += max(22.0, canvas.block((box.x + _LABEL, y), words, face, 15, theme.TEXT, beside, 2) + 3)
    lines = min(int((box.bottom - y - 2) // 20), _MOST_LINES)
    if turn.thought and lines > 0:
        canvas.words((box.x, y + 2), "THOUGHT", "label", 13, theme.GOLD)
        y += canvas.block((box.x + _LABEL, y), turn.thought, "label", 15, theme.SOFT, beside, lines)
    return y


def _meaning(turn: TrialTurn) -> tuple[str, theme.Color]:
    """Return in words what the bot would have done."""
    if turn.refused:
        return f"No command: {turn.refused}", theme.GOLD
    words = describe(parse(turn.command)) if turn.command else "does nothing"
    return f"{words[:1].upper()}{words[1:]}", theme.TEXT


def _time(turn: TrialTurn) -> str:
    ready = f", after {turn.ready_s:.1f} s to get ready" if turn.ready_s >= 0.1 else ""
    return f"{turn.seconds:.1f} s{ready}" if turn.seconds else ""


def _tokens(turn: TrialTurn) -> str:
    tokens = turn.tokens or {}
    read, written = tokens.get("prompt"), tokens.get("completion")
    parts = [f"{count:,} {word}" for count, word in ((read, "read"), (written, "written")) if count is not None]
    return ", ".join(parts) or ("not told" if not turn.problem else "")


def _price(turn: TrialTurn, *, priced: bool) -> str:
    if turn.cost is not None:
        return f"{money(turn.cost) if turn.cost >= 1e-4 else f'{turn.cost:.6f}'} for this turn"
    return "" if turn.problem else "not known: its options have a field for it" if not priced else ""
