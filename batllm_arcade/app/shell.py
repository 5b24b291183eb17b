"""What the window gives to its screens: where they can lead, and what works beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from batllm_arcade.app.kit.screen import Screen
from batllm_arcade.app.services.availability_cache import AvailabilityCache
from batllm_arcade.app.services.background import Leftover, Leftovers
from batllm_arcade.app.services.film_jobs import FilmJobs
from batllm_arcade.app.services.league_jobs import LeagueJobs
from batllm_arcade.app.services.server_work import Pulls
from batllm_arcade.audio.player import Player
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan


class Navigation(Protocol):
    """Where a screen can lead."""

    def push(self, screen: Screen) -> None:
        """Put a screen over this one, which is kept and held still."""
        ...

    def pop(self) -> None:
        """Leave the screen on top and go back to the one below; the last one closes the window."""
        ...

    def title(self, plan: SessionPlan | None = None) -> None:
        """Show the title with these choices, else the last match's; in a window for one match or replay, close it."""
        ...

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        ...

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        ...

    def sessions(self) -> None:
        """Show the recorded sessions."""
        ...

    def leagues(self) -> None:
        """Show the leagues."""
        ...

    def new_league(self) -> None:
        """Show a league to be set up."""
        ...

    def open_session(
        self, path: Path, game: int | None = None, failed: Callable[[str], None] | None = None, *,
        play: int | None = None,
    ) -> None:  # fmt: skip
        """Put a recorded session's replay over this screen, at this game's start, once it has been read on a thread.

        With `play`, counted from 0, it stands still where that play of the game starts.
        `failed` is given one sentence if that cannot be done; without it the window closes with the error.
        """
        ...

    def settings_screen(self) -> None:
        """Put the settings over this screen."""
        ...

    def help_screen(self) -> None:
        """Put the help with the controls over this screen, or take it away again."""
        ...

    def start(self, plan: SessionPlan, failed: Callable[[str], None] | None = None) -> None:
        """Play a match with this plan, once its brains have been made on a thread.

        `failed` is given one sentence if a seat's options are wrong; without it the window closes with the error.
        """
        ...

    def play_on(self, path: Path, place: TurnPlace, bot: int | None, failed: Callable[[str], None]) -> None:
        """Play on from a turn of a recorded session, a person in the seat of `bot` (None: both as they were).

        `failed` is given one sentence if that cannot be done.
        """
        ...

    def leave_match(self) -> None:
        """Go back to where the match was started from: the title, or the command line."""
        ...

    def quit(self) -> None:
        """Close the window after this frame."""
        ...


class Services:
    """What works beside the window; `show_films` opens the folder of films, or a notice says that it cannot."""

    sounds: Player
    """What is heard, from when the window is open."""

    def __init__(self, plugins: Plugins, show_films: Callable[[], None]) -> None:
        self.plugins, self.show_films = plugins, show_films
        self.availability = AvailabilityCache(plugins.kinds)
        self.films = FilmJobs()
        self.league_jobs = LeagueJobs()
        self.match_ended: float | None = None
        """When the results of the last match were first shown, in the window's seconds; None while one is played."""
        self._leftovers = Leftovers()
        self.pulls = Pulls(self.wait_at_end, lambda spec: self.availability.check(spec, again=True))
        """The models that servers are fetching."""
        self._known_problems = len(plugins.problems)

    def new_problems(self) -> list[str]:
        """Return what was dropped since the window was opened, a sentence each."""
        return self.plugins.problems[self._known_problems :]

    def take_plugins(self, plugins: Plugins) -> None:
        """Play with these plugins, where the window was opened without any, for a replay."""
        self.plugins, self._known_problems = plugins, len(plugins.problems)
        self.availability = AvailabilityCache(plugins.kinds)

    def wait_at_end(self, work: Leftover) -> None:
        """Wait for this work, whose screen is gone, when the window closes, for a few seconds."""
        self._leftovers.add(work)

    def finish(self, seconds: float) -> BaseException | None:
        """Wait for what was left, `seconds` altogether; return the first thing that went wrong unexpectedly."""
        self.pulls.close()
        return self._leftovers.close(seconds)
