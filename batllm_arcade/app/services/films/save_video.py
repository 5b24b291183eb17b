"""The results' button for films of the game that is over: which one, how far it is, and its folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.films.film_choices import CHOICES, FilmChoice, measure
from batllm_arcade.app.services.films.film_jobs import FilmJobs
from batllm_arcade.app.services.films.show_folder import has_desktop

_HINT, _STOP = "The best of this game, or all of it, made while you go on", "Nothing of it is kept then"
_SHOW = ("Show the last one", "Opens the folder that it is in")


Pick = Callable[[str, Sequence[tuple[str, str]], Callable[[int], None]], None]
"""Shows a list under a title; a choice calls a function with its index."""


class SaveVideo:
    """Makes films of one session's game on request, one at a time; `show_films` opens the folder of films."""

    def __init__(self, films: FilmJobs, show_films: Callable[[], None], pick: Pick, session: Path, game: int) -> None:
        self._films, self._show_films, self._pick, self._session, self._game = films, show_films, pick, session, game
        self._measured: BackgroundTask[list[float]] = measure(session, game)
        self._made_before = self._films_made()
        self._asked = False
        self.button = Button("Save a video", self._press, hint=_HINT)

    def _films_made(self) -> Path | None:
        """Return the last film of this session, None while there is none or one is being made."""
        films = self._films
        return films.saved[1] if films.made_of(self._session) and films.saved is not None else None

    def update(self) -> None:
        """Say on the button what it does now; show the folder once a film that was asked for here is made."""
        films = self._films
        free = films.share is None
        self.button.text, self.button.hint = ("Save a video", _HINT) if free else ("Stop the video", _STOP)
        if self._asked and films.share is None:
            self._asked = False
            if self._films_made() not in (None, self._made_before) and has_desktop():
                self._show_films()

    def _press(self) -> None:
        """Ask which film is to be made; stop the one being made."""
        if self._films.share is not None:
            self._films.stop()
            return
        lengths: Sequence[float | None] = (self._measured.result if self._measured.done else None) or [None] * 3
        items = [(choice.name, choice.words(seconds)) for choice, seconds in zip(CHOICES, lengths, strict=True)]
        if self._films_made() is not None:
            items.append(_SHOW)
        self._pick("Save a video of this game", items, self._chosen)

    def _chosen(self, index: int) -> None:
        if index == len(CHOICES):
            self._show_films()
        else:
            self._make(CHOICES[index])

    def _make(self, choice: FilmChoice) -> None:
        self._made_before, self._asked = self._films_made(), True
        out = choice.out(self._session)
        self._films.start(self._session, out, ["--game", str(self._game), *choice.options])
