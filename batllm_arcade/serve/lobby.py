"""Who sits where by a page: seats and their codes, questions and answers, orders; any thread may call any method."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.brains.protocol import BrainError, View
from batllm_arcade.brains.redaction import SECRETS, without_folders
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.records import Record
from batllm_arcade.serve.codes import Codes, new_code
from batllm_arcade.serve.feed import Feed
from batllm_arcade.serve.question import TurnQuestion
from batllm_arcade.serve.votes import Ballot

AWAY_S = 30.0
"""Seconds that a match waits for a page that has gone away."""
BETWEEN_S = 90.0
"""Seconds for new orders between two rounds, at most."""
Orders = tuple[str, str]
"""Both players' orders, left first."""


class ConnectedPage(Protocol):
    """A page that is connected."""

    def tell(self, message: dict[str, Any]) -> None:
        """Send it a message, without waiting for that."""
        ...

    def drop(self) -> None:
        """Close its connection."""
        ...


@dataclass
class PagePlace:
    """A seat, as pages take it: to play there, or to write the orders of who does."""

    page: ConnectedPage | None = None
    """Who is there now."""
    ticket: str = ""
    """What tells the page that was there last from others with its code."""
    name: str = ""
    question: TurnQuestion | None = None
    away: float = 0.0
    """When the page has gone away, in seconds of the clock; 0 before the first."""
    lost: bool = False
    """Whether the match no longer waits for a page that has gone away."""
    wanted: str = ""
    """What a page does here: `seat`, `orders`, "" for nothing."""
    text: str = ""
    reads: str = ""
    ready: bool = False
    reader: ReadsOrders | None = field(default=None, repr=False)


class Lobby:
    """Both seats of the matches of one server; `clock` gives the time in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, away_s: float = AWAY_S) -> None:
        self._clock, self._away_s = clock, away_s
        self.codes = Codes(*SEATS, "watch")
        self.feed = Feed(clock)
        self.shown: object = None
        """Who shows a session on the pages."""
        self.places = (PagePlace(), PagePlace())
        self.ballots: list[Ballot] = []
        """What is asked of pages that watch."""
        self.changed = threading.Condition(threading.RLock())
        """Held and notified whenever something here changes."""
        self.wake: Callable[[], None] = lambda: None
        """Called whenever there is something to send."""
        self.version = 0
        self.over = False
        """Whether nothing more will be played here."""
        self.invited = False
        """Whether people have been told already where the pages are."""
        self._questions = 0
        self._writing = 0
        """The round for which orders are written, 0 while none are."""

    # -- what pages do

    def take(self, bot: int, page: ConnectedPage, role: str, ticket: str, name: str) -> str:
        """Let a page take a seat; return in a sentence why it cannot, "" if it can.

        Nobody takes the place of a page that is there but the same one, which may have lost its connection unnoticed.
        """
        place = self.places[bot]
        with self.changed:
            if place.wanted != role:
                return "nobody plays this seat by phone" if role == "seat" else "nobody writes orders for this seat"
            if place.page is not None and (not ticket or ticket != place.ticket):
                return "somebody has taken this seat already"
            if place.page is not None:
                place.page.drop()
            place.page, place.ticket, place.lost = page, ticket, False
            place.name = plain_name(name) or place.name
            if place.question is not None:
                page.tell(self._asked(place.question))
            self.change()
        return ""

    def leave(self, page: ConnectedPage) -> None:
        """Take note that a page has gone."""
        with self.changed:
            for place in self.places:
                if place.page is page:
                    place.page, place.away = None, self._clock()
            for ballot in self.ballots:
                ballot.votes.pop(page, None)
            self.change()

    def expire(self) -> None:
        """Give up the seats of pages that have been away for too long; called twice a second."""
        with self.changed:
            for place in self.places:
                if place.question is not None and self._gone(place):
                    place.lost = True
                    place.question.fail(self._away())

    def _gone(self, place: PagePlace) -> bool:
        return place.page is None and self._clock() - place.away >= self._away_s

    def _away(self) -> BrainError:
        return BrainError(f"the page of this seat has been away for {self._away_s:g} s; open it again")

    def aim(self, bot: int, values: dict[str, Any]) -> dict[str, Any]:
        """Return what the person of a seat sees while they aim or hold a button."""
        question = self._open(bot, values["ask"])
        if question is None:
            return {"wrong": "it is not your turn"}
        return {"ask": question.number, "aim": values["aim"], "shows": question.shown(values["aim"], values["hold"])}

    def play(self, bot: int, values: dict[str, Any]) -> dict[str, Any]:
        """Take the play of the person of a seat; return what came of it."""
        with self.changed:
            question = self._open(bot, values["ask"])
            if question is None:
                return {"wrong": "it is not your turn"}
            refused = question.answer(values["play"], values["by"])
            if refused:
                return {"refused": refused}
            self.places[bot].question = None
        return {"done": values["ask"]}

    def _open(self, bot: int, number: int) -> TurnQuestion | None:
        question = self.places[bot].question
        return question if question is not None and question.number == number else None

    def write(self, bot: int, text: str) -> None:
        """Take the orders that are being written for a seat; who changes them is not ready any more."""
        with self.changed:
            place = self.places[bot]
            if self._writing and text != place.text:
                place.text, place.reads, place.ready = text, "", False
                self.change()

    def be_ready(self, bot: int, ready: bool) -> None:
        """Take that the orders of a seat are written, or not any more."""
        with self.changed:
            self.places[bot].ready = ready and bool(self._writing)
            self.change()

    def vote(self, voter: object, choice: int, number: int) -> None:
        """Take a vote for a question that is open."""
        with self.changed:
            for ballot in self.ballots:
                if ballot.open and ballot.number == number and choice < len(ballot.choices):
                    ballot.votes[voter] = choice
                    self.change()

    # -- what a match does

    def put(self, ballots: Sequence[Ballot], *, open: bool = True) -> None:
        """Ask pages that watch nothing but this, or show what has come of it; votes count while it is open."""
        with self.changed:
            for ballot in (*self.ballots, *ballots):
                ballot.open = open and ballot in ballots
            self.ballots = list(ballots)
            self.change()

    def renew(self) -> None:
        """Have nobody at the seats, for another match: who was there is told to leave, and old codes open nothing."""
        with self.changed:
            for place in self.places:
                if place.page is not None:
                    place.page.tell({"leave": True})
            self.places = (PagePlace(), PagePlace())
            self.codes.by_door.update({seat: new_code() for seat in SEATS})
            self.change()

    def sits(self, bot: int, page: ConnectedPage) -> bool:
        """Return whether this page is the one at a seat."""
        return self.places[bot].page is page

    def expect(self, bot: int) -> None:
        """Let a page take this seat, to play it."""
        with self.changed:
            self.places[bot].wanted = "seat"
            self.change()

    def sit(self, bot: int, given_up: Callable[[], bool]) -> str:
        """Wait until a page has taken this seat, which is expected; return the name that was typed there.

        Raise Cancelled once that is `given_up`, BrainError for the seat of a page that was away for too long and still
        is: nobody waits for it twice.
        """
        place = self.places[bot]
        with self.changed:
            while place.page is None:
                if given_up():
                    raise Cancelled
                if place.lost:
                    raise self._away()
                self.changed.wait(0.2)
            return place.name

    def ask(self, bot: int, view: View) -> str:
        """Return the command of the person in the page of this seat, once they have given it.

        Raise Cancelled when it is not wanted any more, BrainError if the page is away for too long.
        """
        place = self.places[bot]
        with self.changed:
            if place.lost:
                raise self._away()
            self._questions += 1
            number = self._questions
        question = TurnQuestion(number, view)
        asked = self._asked(question)  # which is worked out while nobody waits for this lobby
        with self.changed:
            place.question = question
            if place.page is not None:
                place.page.tell(asked)
            self.change()
        unseen = self.feed.unseen_s
        if unseen:  # nobody's clock runs while they look at what has just happened
            view.live.hold(True)
            timer = threading.Timer(unseen, view.live.hold, (False,))
            timer.daemon = True
            timer.start()
        try:
            return question.wait()
        finally:
            with self.changed:
                if place.question is question:
                    place.question = None
                if place.page is not None:
                    place.page.tell({"asked": question.number})

    def _asked(self, question: TurnQuestion) -> dict[str, Any]:
        view = question.view
        return {
            "ask": question.number, "bot": view.seat, "back": bool(view.rules.back_step),
            "most": view.rules.turn_limit or 180, "shows": question.shown(), "left": view.live.seconds_left(),
        }  # fmt: skip

    def notify(self, record: Record) -> None:
        """Show a record on all pages."""
        self.feed.notify(record)
        self.wake()

    def want_orders(self, bot: int, text: str, reader: ReadsOrders | None) -> None:
        """Let a page write the orders of this seat, which are `text` so far, and tell it how they are read."""
        with self.changed:
            place = self.places[bot]
            place.wanted, place.text, place.reader = "orders", text, reader
            self.change()

    def written(self, seats: Sequence[int], round_: int, given_up: Callable[[], bool]) -> dict[int, str]:
        """Wait until the orders of these seats are written for a round, all of them; return them by seat.

        Before the first round it waits for the pages; later only for those that are there, and not for ever.
        """
        limit = self._clock() + BETWEEN_S if round_ > 1 else None
        with self.changed:
            self._writing = round_
            for bot in seats:
                self.places[bot].ready = False
            self.change()
            while not given_up() and not all(self._has_written(self.places[bot], limit) for bot in seats):
                self.changed.wait(0.2)
            self._writing = 0
            self.change()
            return {bot: self.places[bot].text for bot in seats}

    def _has_written(self, place: PagePlace, limit: float | None) -> bool:
        if place.ready:
            return True
        return limit is not None and (self._clock() >= limit or self._gone(place))

    def end(self) -> None:
        """Tell all pages that it is over."""
        with self.changed:
            self.over = True
            self.change()
            readers = [place.reader for place in self.places if place.reader is not None]
        for reader in readers:
            reader.close()

    # -- what pages are told

    def change(self) -> None:
        """Have all pages told how things stand; called with `changed` held."""
        self.version += 1
        self.changed.notify_all()
        self.wake()

    def state(self, bot: int | None) -> dict[str, Any]:
        """Return how the seats stand, for a page: the orders of a seat for the page that writes them alone."""
        with self.changed:
            seats = [
                {"wanted": each.wanted, "here": each.page is not None, "ready": each.ready, "name": each.name}
                for each in self.places
            ]
            told: dict[str, Any] = {"lobby": seats, "over": self.over, "now": self.feed.now}
            if bot is None:
                told["votes"] = [each.told() for each in self.ballots]
            if self._writing:
                told["writing"] = {"round": self._writing}
            if bot is not None:
                place = self.places[bot]
                told["bot"] = bot
                if place.wanted == "orders":
                    told["mine"] = {"text": place.text, "reads": place.reads}
            return told

    def read(self, bot: int) -> None:
        """Find out how the orders of a seat are read, and tell its page; this takes a while."""
        place = self.places[bot]
        text, reader = place.text, place.reader
        if reader is None or not text.strip():
            return
        with self.changed:
            place.reads = "reading ..."
            self.change()
        words = how_read(reader, text)
        with self.changed:
            if place.text == text:
                place.reads = words
                self.change()


def how_read(reader: ReadsOrders, text: str) -> str:
    """Return in words how orders are read; this takes a while."""
    try:
        reader.prepare(lambda _line: None)
        reading = reader.read_orders(text)
    except (ArcadeError, Cancelled) as error:
        return SECRETS.left_out(without_folders(str(error)))
    doubt = "not sure: " if reading.in_doubt else "It understands: "
    return "; ".join(filter(None, (doubt + reading.in_words(), reading.not_understood, reading.note)))


def plain_name(text: str) -> str:
    """Return a name as it was typed without what cannot be seen."""
    return " ".join("".join(each for each in text if each.isprintable()).split())
