"""Choosing a game of two players of a league to watch: any that was kept, or the most dramatic one."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.leagues.league_drama import DramaSearch
from batllm_arcade.app.services.leagues.league_games import GameListing, KeptGame
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.history.summary import counted

_DRAMA = ("The most dramatic game", "Of those that were closest the one with the best moments")


class GameChooser:
    """Lists the kept games of a pairing over a menu, and opens the replay of the one that is chosen."""

    def __init__(self, menu: MenuScreen, go: Navigation, services: Services) -> None:
        self._menu, self._go, self._services = menu, go, services
        self._league = (Path(), ("", ""))
        self._task: GameListing | DramaSearch | None = None

    @property
    def words(self) -> str:
        """Return what is being looked for, "" if nothing is."""
        if self._task is None:
            return ""
        return f"{' against '.join(self._league[1])}: {self._task.progress or 'looking for their games'}"

    def watch(self, folder: Path, names: tuple[str, str]) -> None:
        """Let a person choose among the games of two players."""
        if self._task is None:
            self._league = (folder, names)
            self._task = GameListing(folder, names)

    def update(self) -> None:
        """Show what has been found."""
        task = self._task
        if task is None or not task.done:
            return
        self._task = None
        if isinstance(task, GameListing):
            self._offer(task.result or [])
        elif task.result is not None:
            found = task.result
            replay = ReplayScreen(self._menu.ui, self._go, self._services, found.timeline, found.path)
            replay.advisor.start(asked=False)
            self._go.push(replay)
        else:
            self._menu.complain(str(task.error))

    def _offer(self, games: list[KeptGame]) -> None:
        one, other = self._league[1]
        if not games:
            self._menu.complain(f"No game of {one} against {other} was kept")
            return
        items = [_DRAMA, *((game.title, game.about) for game in games)]
        note = counted(len(games), "game")
        self._menu.pick(f"{one} - {other}", items, 0, lambda index: self._open(games, index), note)

    def _open(self, games: list[KeptGame], index: int) -> None:
        if index == 0:
            self._task = DramaSearch(*self._league, self._menu.ui.settings.display)
        else:
            self._go.open_session(games[index - 1].path, None, self._menu.complain)

    def give_up(self) -> bool:
        """Look for nothing more; return whether anything was looked for."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            self._services.wait_at_end(task)
        return task is not None
