"""The timeline for a page: its segments as lists and objects of short names, which `assets/page/scene.js` reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.events import BotBumped, BotMoved, BotTurned, BulletFlew
from batllm_arcade.core.model import Arena, plain
from batllm_arcade.match.records import GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.match.series import distinct
from batllm_arcade.share.look_export import LookExport, hexadecimal, seconds, short, trimmed, utf16
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view import theme
from batllm_arcade.view.animation import Change, Segment, turn_seconds
from batllm_arcade.view.look.effects import words, words_seconds
from batllm_arcade.view.play_text import did, duration, level_of, outcome
from batllm_arcade.view.play_words import deed_words, player_words
from batllm_arcade.view.reading_words import BARS, command_span, reading_of
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import banner_of

Place = tuple[int, ...]
"""Where a record is in the session: the positions of its game, its round and its play, from 0."""
Entry = dict[str, Any]
_LONGEST = 200  # characters of a name or a banner
_SHOWN_LATENCY_S = 0.1  # shorter response times are shown for models only


class TimelineExport:
    """Exports segments one after the other; what is as in the last one is left out."""

    def __init__(self, look: LookExport, origin: float) -> None:
        self._look, self._origin = look, origin
        self._last: Segment | None = None

    def segment(self, segment: Segment, place: Place) -> Entry:
        """Return a segment; its times are counted from the origin."""
        last, self._last = self._last, segment
        entry: Entry = {"s": self._time(segment.start), "e": self._time(segment.end)}
        record, rules = segment.record, segment.board.rules
        if last is None or isinstance(record, (GameStarted, SeatSwapped)):
            entry["seats"] = _seats(segment.board.seats)
        if last is None or isinstance(record, GameStarted):
            entry |= {
                "game": segment.board.game, "seed": str(segment.board.seed), "look": self._look.index_of(rules),
                "entered": self._time(segment.entered),
            }  # fmt: skip
        if segment.board.score != (last.board.score if last else ""):
            entry["score"] = shortened(segment.board.score, _LONGEST)
        if segment.board.notes != (last.board.notes if last else ("", "")):
            entry["notes"] = segment.board.notes
        if isinstance(record, Play):
            entry |= self._play(segment, record, place)
        elif isinstance(record, RoundStarted):
            entry |= {"round": record.round, "at": place}
        if banner := banner_of(segment):
            lasts = None if banner.lasts is None else seconds(banner.lasts)
            entry["banner"] = [
                shortened(banner.title, _LONGEST),
                shortened(banner.subtitle, _LONGEST),
                lasts,
                banner.bot,
            ]
        return entry | self._state(segment, last)

    def _state(self, segment: Segment, last: Segment | None) -> Entry:
        entry: Entry = {}
        if last is None or segment.arena != last.arena:
            entry["bots"] = states(segment.arena)
        for name, before, now in (
            ("health", last and last.health, segment.health),
            ("shield", last and last.shield, segment.shield),
            ("charge", last and last.charge, segment.charge),
        ):
            changes = [0 if before and before[bot] == now[bot] else self._change(now[bot]) for bot in (0, 1)]
            if any(changes):
                entry[name] = changes
        if last is None or segment.fallen != last.fallen:
            entry["fallen"] = [None if t is None else self._time(t) for t in segment.fallen]
        return entry

    def _play(self, segment: Segment, play: Play, place: Place) -> Entry:
        failed = play.status != "ok"
        text, color = (play.reason, theme.SOFT) if failed else outcome(play, segment.board.rules)
        board = segment.board
        slow = bool(board.seats[play.bot].model) or play.latency_s >= _SHOWN_LATENCY_S
        entry: Entry = {
            "bot": play.bot,
            "at": place,
            "play": [play.round, play.turn, 2 - play.number % 2],
            "did": _did(play),
            "known": self._time(board.known_at[play.bot]),
            "tally": [n for tally in board.tallies for n in (tally.shots, tally.hits, tally.blocks, tally.fumbles)],
        }
        entry |= {"outcome": [text, hexadecimal(color)]} if text else {}
        entry |= {"took": duration(play.latency_s)} if slow else {}
        entry |= _marked(play) | _read(play) | _why(segment, play) | self._motion(segment, play)
        if segment.effects:
            entry["effects"] = [self._effect(effect, segment) for effect in segment.effects]
        return entry

    def _motion(self, segment: Segment, play: Play) -> Entry:
        entry: Entry = {}
        for event in play.events:
            if isinstance(event, BotTurned):
                takes = seconds(turn_seconds(event.degrees))
                entry["turned"] = [short(event.start, 3), short(event.degrees, 3), takes]
            elif isinstance(event, BotMoved):
                entry["moved"] = self._lengths((*event.start, *event.end), segment)
            elif isinstance(event, BotBumped):
                slid = self._lengths((*event.start, *event.end), segment)
                entry["bumped"] = [*slid, short(event.turned, 3), *map(seconds, theme.BUMP_S)]
            elif isinstance(event, BulletFlew) and segment.flight is not None:
                leaves, lands = (self._time(t) for t in segment.flight)
                path = self._lengths([each for point in event.path for each in point], segment)
                entry["bullet"] = [leaves, lands, seconds(segment.hold), *path]
        return entry

    def _effect(self, effect: Effect, segment: Segment) -> list[Any]:
        said, amount = words(effect), effect.amount
        if effect.kind in ("trace", "dust"):
            (amount,) = self._lengths((amount,), segment)
        figures = (
            effect.kind, self._time(effect.start), seconds(effect.duration), *self._lengths(effect.at, segment),
            short(effect.degrees, 2), effect.bot, short(amount, 6), effect.text, seconds(effect.held),
            [said.text, hexadecimal(said.color), said.size, seconds(words_seconds(effect))] if said else 0,
        )  # fmt: skip
        return trimmed(figures)

    def _change(self, change: Change) -> list[float]:
        return trimmed((self._time(change.t), plain(change.old), plain(change.new), seconds(change.held)))

    def _lengths(self, values: Sequence[float], segment: Segment) -> list[float]:
        digits = max(0, 4 - math.floor(math.log10(segment.board.rules.arena_width)))
        return [short(value, digits) for value in values]

    def _time(self, t: float) -> float:
        return seconds(t - self._origin)


def states(arena: Arena) -> list[list[float]]:
    """Return both bots exactly as `verify` computes them: x, y, rot, health, shield (0 or 1), charge."""
    return [
        [plain(bot.x), plain(bot.y), plain(bot.rot), plain(bot.health), int(bot.shield), bot.charge]
        for bot in (arena.left, arena.right)
    ]


def _seats(both: tuple[SeatInfo, SeatInfo]) -> list[list[Any]]:
    """Return each seat's name, its brain on one line, whether it is a model, a name that only it has, its level, and
    what is told of it where it has no orders."""
    names = distinct((shortened(both[0].name, _LONGEST), shortened(both[1].name, _LONGEST)))
    return [_seat(info, name) for info, name in zip(both, names, strict=True)]


def _seat(info: SeatInfo, own: str) -> list[Any]:
    brain = f"{info.brain}  {info.model}" if info.model and info.model not in info.brain else info.brain
    level = shortened(level_of(info), _LONGEST)
    told = shortened(player_words(info), _LONGEST)
    return [shortened(info.name, _LONGEST), shortened(brain, _LONGEST), int(bool(info.model)), own, level, told]


def _did(play: Play) -> list[str]:
    if play.status != "ok":
        return ["FUMBLE!", ""]
    if isinstance(play.command, Nothing):
        return ["speaks" if play.decision.say else "waits", ""]
    return [play.command.token, did(play)]


def _marked(play: Play) -> Entry:
    """Return where in the raw reply its command is, as a browser counts characters."""
    raw = play.decision.raw
    span = command_span(raw, play.decision.command) if play.status == "ok" else None
    return {"marked": [utf16(raw, index) for index in span]} if span else {}


def _why(segment: Segment, play: Play) -> Entry:
    words = "" if play.decision.thought else deed_words(play, segment.board.rules)
    return {"why": words} if words else {}


def _read(play: Play) -> Entry:
    thought = play.decision.thought
    reading = reading_of(thought) if thought else None
    if reading is None:
        return {}
    shares = [[name, short(share, 2)] for name, share in reading.shares[:BARS]]
    return {"read": [shares, reading.sentence, reading.aside]}
