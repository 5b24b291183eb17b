"""Who plays against an agent: any brain, asked on this very thread, with the view and stream that a match gives it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec, View
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.streams import TAMPERED, resumed, state_of
from batllm_arcade.env.env_match import EnvMatch
from batllm_arcade.errors import UsageError
from batllm_arcade.match.decision_faults import why_refused
from batllm_arcade.match.records import Status, known_prompts, known_turn
from batllm_arcade.match.runner import FAILURES_BEFORE_FALLBACK, Answer
from batllm_arcade.match.seat_streams import SeatStreams
from batllm_arcade.plugin.isolation_choice import ISOLATED
from batllm_arcade.plugin.manager import load
from batllm_arcade.prompts import payload
from batllm_arcade.seats.asking import decision_of
from batllm_arcade.seats.brain_thread import BrainThread, find_kind
from batllm_arcade.seats.late_answer import answer_of
from batllm_arcade.session.given_seats import Given, seated
from batllm_arcade.settings.config import Config


class Opponents:
    """Makes opponents for a seat: a brain as on the command line, a bot with `@bot` or an object with `decide(view)`.

    Raise UsageError if it is a person or no player.
    """

    def __init__(
        self, given: Given, bot: int, config: Config, plugins_dir: str | Path | None = None,
        trust: str | Iterable[str] = (),
    ) -> None:  # fmt: skip
        folder = config.plugins_dir if plugins_dir is None else Path(plugins_dir)
        plugins = load(folder, ISOLATED.trusting(trust))
        for sentence in (*plugins.problems, *plugins.notes):
            warnings.warn(sentence, stacklevel=3)
        self._bot, self._config = bot, config
        self._kinds: dict[str, BrainKind] = plugins.kinds
        both = (given, config.fallback) if bot == 0 else (config.fallback, given)
        self._spec: Spec = seated(both, self._kinds, Spec(""))[bot]
        if find_kind(self._kinds, self._spec).human:
            raise UsageError(f"{self._spec.name} is a person, who has no keyboard here; name another opponent")
        self._keyed = isinstance(given, str | Spec)

    def make(self) -> Opponent:
        """Return a new one, ready to play; raise BrainError if it cannot get ready, UsageError for wrong options."""
        seat = BrainThread(self._kinds, replace(self._spec, seat=SEATS[self._bot]), self._config.deadline_s)
        try:
            headers = payload.headers(self._config.header_template, self._config.rules, aug=self._config.style.aug)
            seat.prepare(lambda _line: None, self._config.prompts[self._bot], headers[self._bot], self._bot)
        except BaseException:
            seat.close()
            raise
        return Opponent(seat, self._bot, self._config, headers[self._bot], keyed=self._keyed)


class Opponent:
    """A brain at a seat. It has its deadline as in a match, as far as it looks at it: nobody can interrupt a script.

    One that is `keyed`, a bot of a file, draws from a stream with the session's secret, as in a match.
    """

    def __init__(self, seat: BrainThread, bot: int, config: Config, header: str, *, keyed: bool) -> None:
        self._seat, self._bot, self._config, self._header, self._keyed = seat, bot, config, header, keyed
        self._failures = 0
        self._queued: set[int] = set()  # its plays of the round that an earlier reply had announced

    @property
    def info(self) -> SeatInfo:
        """Who it is."""
        return self._seat.info

    def begin_game(self, match: EnvMatch) -> None:
        """Get ready for a new game."""
        game = match.game
        streams = SeatStreams(game.seed, game.number, match.secret)
        if self._keyed:
            streams.seated(self.info)
        self._stream, self._name, self._failures = streams.streams[self._bot], streams.names[self._bot], 0

    def play(self, match: EnvMatch) -> None:
        """Make the play of its bot; one that fails does nothing, and the third in a row forfeits the game."""
        view, began = self._view(match), time.monotonic()
        before = self._stream.getstate()
        if view.turn == 1:
            self._queued.clear()
        brain = self._seat.brain
        decision, problem = decision_of(lambda: brain.decide(view), self._seat.spec.short, brain)
        took = time.monotonic() - began
        if decision is None or problem:
            self._fail(match, answer_of(decision, problem, took, self._seat, view.live, ""), before)
        elif (kept := _kept(self._stream)) is None:
            self._fail(match, answer_of(None, TAMPERED, took, self._seat, view.live, ""), before)
        elif refused := why_refused(decision, view.rules, view.number, self._queued):
            self._fail(match, answer_of(None, refused, took, self._seat, view.live, ""), before)
        else:
            self._stream, self._failures = kept, 0
            if decision.queued_from is not None:
                self._queued.add(view.number)
            match.play(decision, "ok", "", took)

    def _fail(self, match: EnvMatch, answer: Answer, before: tuple[Any, ...]) -> None:
        self._stream = resumed(before)
        self._failures += 1
        lost = self._failures >= FAILURES_BEFORE_FALLBACK
        status: Status = "forfeit" if lost else answer.status
        match.play(answer.decision, status, answer.reason, answer.latency_s)
        if lost:
            warnings.warn(f"{self.info.name} has forfeited a game: {answer.reason}", stacklevel=5)

    def _view(self, match: EnvMatch) -> View:
        game, config, bot = match.game, self._config, self._bot
        return View(
            seat=bot, rules=config.rules, game=game.number, round=game.round, turn=game.turn,
            number=game.play_number, acting_order=game.order, arena=game.arena, initial=match.initial,
            prompts=known_prompts(config.prompts, bot, config.style), system_header=self._header,
            history=tuple(known_turn(turn, bot, config.style) for turn in match.turns), style=config.style,
            gamepad=config.gamepad, rng=self._stream, stream=self._name, live=Live(self._seat.deadline_s),
        )  # fmt: skip

    def end_game(self, match: EnvMatch) -> None:
        """Tell it how the game has ended."""
        result = match.game.result
        tell = getattr(self._seat.brain, "end_game", None)
        if result is not None and callable(tell):
            told = {"game": match.game.number, "bot": self._bot, "winner": result.winner, "reason": result.reason}
            decision_of(lambda: tell(told), self._seat.spec.short)

    def close(self) -> None:
        """End it."""
        self._seat.close()


def _kept(stream: Random) -> Random | None:
    """Return the stream that a brain had in its hands, another where it replaced a part, None if broken."""
    if type(stream) is Random and vars(stream).keys() == {"gauss_next"}:
        return stream
    state = state_of(stream)
    return None if state is None else resumed(state)
