"""Who takes part in a cup by page: names, orders, whose match is up; any thread may call any method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.core.model import SEATS
from batllm_arcade.cup.tree import MOST, Match, Tree, champion, is_over, next_match
from batllm_arcade.errors import UsageError
from batllm_arcade.league.plan import check_name
from batllm_arcade.serve.codes import new_code
from batllm_arcade.serve.lobby import ConnectedPage, Lobby, how_read, plain_name

Wants = Literal["orders", "seat"]
"""What somebody does in a cup: write the orders of a model, or play."""


@dataclass
class Member:
    """Somebody who takes part by page: `page` while it is there, `ticket` what it is known by when it comes back."""

    name: str
    text: str = ""
    ticket: str = ""
    page: ConnectedPage | None = None
    reads: str = ""
    ready: bool = False
    seat: int | None = None
    """Where they sit in the match that is on."""


class Club:
    """The members of one cup and their pages, which find each other by the lobby's code `class`.

    Whoever holds a cup calls `begin`, then for each game `call` and `rest`; members who want a `seat` are led to it and
    back. `led` is called with what the page of a leader wants (`start`, `pause`, `next`, `leaves`) and a name.
    """

    def __init__(
        self, lobby: Lobby, wants: Wants = "seat", *, reader: ReadsOrders | None = None,
        library: Sequence[tuple[str, str]] = (), led: Callable[[str, str], None] | None = None,
    ) -> None:  # fmt: skip
        self.wants, self.library = wants, library
        self.members: dict[str, Member] = {}
        """By name, in the order in which they came."""
        self.paused = False
        """Whether no match begins for now."""
        self.invitation: Mapping[str, Any] = {}
        """What a wall shows so that others come: an address and the rows of its QR code."""
        self.lobby, self._reader, self._led = lobby, reader, led
        self._begun = False
        self._cup: dict[str, Any] = {"phase": "joining", "rounds": [], "on": None, "next": None, "champion": None}
        self._gone: Sequence[str] = ()
        with lobby.changed:
            for door in ("class", "teach"):
                lobby.codes.by_door.setdefault(door, new_code())
            lobby.change()

    # -- what pages do

    def join(self, page: ConnectedPage, ticket: str, name: str) -> str:
        """Let a page take part by a name, or find its name again; return in a sentence why it cannot, "" if it can."""
        name = plain_name(name)
        with self.lobby.changed:
            known = next((each for each in self.members.values() if each.name.casefold() == name.casefold()), None)
            if known is not None and known.ticket and ticket != known.ticket:
                return f"somebody is called {name} already; choose another name"
            if known is None and self._begun:
                return "it has begun; watch it on the wall"
            if known is None and len(self.members) >= MOST:
                return f"there are {MOST} names already, which is the most"
            if known is None:
                try:
                    check_name(name)
                except UsageError as error:
                    return str(error)
                start = self.library[len(self.members) % len(self.library)][1] if self.library else ""
                known = self.members[name] = Member(name, start)
            if known.page is not None:
                known.page.drop()
            known.page, known.ticket = page, ticket
            if self.wants == "orders":
                page.tell({"library": [list(each) for each in self.library]})
            self.lobby.change()
        return ""

    def member(self, page: ConnectedPage) -> Member | None:
        """Return whose page this is."""
        return next((each for each in self.members.values() if each.page is page), None)

    def has(self, name: str) -> bool:
        """Return whether somebody's page is there."""
        member = self.members.get(name)
        return member is not None and member.page is not None

    def leave(self, page: ConnectedPage) -> None:
        """Take note that a page has gone: its orders go on."""
        with self.lobby.changed:
            if (member := self.member(page)) is not None:
                member.page = None

    def write(self, page: ConnectedPage, text: str) -> None:
        """Take orders as they are being written: they count from their writer's next match on."""
        with self.lobby.changed:
            member = self.member(page)
            if member is not None and text != member.text:
                member.text, member.reads = text, ""
                if member.ready:
                    member.ready = False
                    self.lobby.change()

    def be_ready(self, page: ConnectedPage, ready: bool) -> None:
        """Take that somebody's orders are written, or not any more."""
        with self.lobby.changed:
            if (member := self.member(page)) is not None:
                member.ready = ready
                self.lobby.change()

    def read(self, page: ConnectedPage) -> None:
        """Find out how the orders of a page are read, and tell it; this takes a while."""
        member = self.member(page)
        if member is not None and self._reader is not None and member.text.strip():
            text = member.text
            words = how_read(self._reader, text)
            with self.lobby.changed:
                if member.text == text:
                    member.reads = words
                    page.tell({"reads": words})

    def vote(self, page: ConnectedPage, choice: int, number: int) -> None:
        """Take a vote of somebody who does not play now."""
        member = self.member(page)
        if member is not None and member.seat is None:
            self.lobby.vote(member.name, choice, number)

    def lead(self, what: str, name: str) -> None:
        """Do what the page of whoever leads asks for; who `leaves` before it has begun was never there."""
        with self.lobby.changed:
            if what == "leaves" and not self._begun and (member := self.members.pop(name, None)) is not None:
                if member.page is not None:
                    member.page.tell({"wrong": "you have been taken off the list; choose another name", "out": True})
                self.lobby.change()
        if self._led is not None:
            self._led(what, name)

    # -- what whoever holds the cup does

    def begin(self, tree: Tree, gone: Sequence[str] = ()) -> None:
        """Let nobody come any more, and show how the cup stands."""
        with self.lobby.changed:
            self._begun = True
            self.rest(tree, gone)

    def call(self, tree: Tree, match: Match, sides: tuple[str, str]) -> None:
        """Show that a game of this match is on, left first, and lead those who play it to their seats."""
        with self.lobby.changed:
            self.lobby.renew()
            self.lobby.ballots = []
            for member in self.members.values():
                member.seat = sides.index(member.name) if member.name in sides else None
                if member.seat is not None and self.wants == "seat":
                    self.lobby.expect(member.seat)
            self._show("match", tree, match)

    def rest(self, tree: Tree, gone: Sequence[str] = ()) -> None:
        """Show how the cup stands while nobody plays; who sat is led back."""
        with self.lobby.changed:
            self.lobby.renew()
            self._gone = tuple(gone)
            for member in self.members.values():
                member.seat = None
            self._show("over" if is_over(tree) else "rest", tree, None)

    def _show(self, phase: str, tree: Tree, on: Match | None) -> None:
        following = (each for matches in tree for each in matches if each.playable and (on is None or each.id != on.id))
        after = next_match(tree) if on is None else next(following, None)
        self._cup = {
            "phase": phase, "rounds": [[_match(each) for each in matches] for matches in tree],
            "on": on.id if on is not None else None, "next": after.id if after is not None else None,
            "champion": champion(tree),
        }  # fmt: skip
        self.lobby.change()

    # -- what pages are told

    def state(self, page: ConnectedPage, role: str) -> dict[str, Any]:
        """Return how everything stands, for a page of this role."""
        with self.lobby.changed:
            lobby = self.lobby
            names = [
                [each.name, each.page is not None or each.seat is not None, each.ready, each.name in self._gone]
                for each in self.members.values()
            ]
            told: dict[str, Any] = {
                "club": {**self._cup, "names": names, "paused": self.paused},
                "votes": [each.told() for each in lobby.ballots], "over": lobby.over, "now": lobby.feed.now,
            }  # fmt: skip
            member = self.member(page) if role == "class" else None
            if member is not None:
                seat = lobby.codes.by_door[SEATS[member.seat]] if member.seat is not None else ""
                told["mine"] = {
                    "name": member.name, "wants": self.wants, "text": member.text, "reads": member.reads,
                    "ready": member.ready, "plays": member.seat is not None,
                    "seat": seat if self.wants == "seat" else "", "watch": lobby.codes.by_door["watch"],
                }  # fmt: skip
            if role != "class":
                told["invitation"] = {**self.invitation, "code": lobby.codes.by_door["class"]}
            return told


def _match(match: Match) -> dict[str, Any]:
    return {"names": match.names, "wins": match.wins, "winner": match.winner, "ending": match.ending}
