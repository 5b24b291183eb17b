"""The results' button for films: it asks which one, says how long each is, stops one, and shows where it is."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import film_jobs as film_choices
from batllm_arcade.app.services import film_jobs as save_video
from batllm_arcade.app.services.film_jobs import SaveVideo

pytest.importorskip("av")


class Films:
    """Film jobs that note what is asked of them."""

    def __init__(self) -> None:
        self.share: float | None = None
        self.saved: tuple[Path, Path] | None = None
        self.asked: list[object] = []

    def made_of(self, session: Path) -> bool:
        return self.share is None and self.saved is not None and self.saved[0] == session

    def start(self, session: Path, out: Path, options: list[str]) -> None:
        self.share = 0.0
        self.asked.append((out.name, options))

    def stop(self) -> None:
        self.asked.append("stop")
        self.share = None


@pytest.fixture
def offered(tmp_path, monkeypatch):
    """The button for films of a session, what it has done, and the list that it shows."""
    monkeypatch.setattr(film_choices, "films_folder", lambda: tmp_path / "films")
    monkeypatch.setattr(save_video, "has_desktop", lambda: True)
    session, films, shown, lists = written(eventful(), tmp_path / "s.json"), Films(), [], []
    pick = lambda title, items, chosen: lists.append((items, chosen))  # noqa: E731, short
    made = SaveVideo(films, lambda: shown.append("folder"), pick, session, 2)
    made._measured.join()
    return SimpleNamespace(made=made, films=films, shown=shown, lists=lists, session=session)


def test_it_offers_the_best_one_for_telephones_and_all_each_with_its_length_and_size(offered):
    offered.made.button.take("confirm")
    ((items, chosen),) = offered.lists
    assert [name for name, _ in items] == ["The best 30 seconds", "For telephones", "The whole game"]
    assert all(" s, about " in more and more.endswith(" MB") for _, more in items)
    chosen(1)
    assert offered.films.asked == [("s-phone.mp4", ["--game", "2", "--highlights", "--vertical"])]


def test_pressed_while_a_film_is_made_it_stops_it(offered):
    offered.made.button.take("confirm")
    offered.lists[-1][1](2)
    offered.made.update()
    assert offered.made.button.text == "Stop the video"
    offered.made.button.take("confirm")
    offered.made.update()
    assert offered.films.asked == [("s.mp4", ["--game", "2"]), "stop"]
    assert offered.made.button.text == "Save a video"
    assert offered.shown == []


def test_once_a_film_is_made_its_folder_is_shown_and_can_be_shown_again(offered):
    offered.made.button.take("confirm")
    offered.lists[-1][1](0)
    offered.films.share, offered.films.saved = None, (offered.session, Path("s-best.mp4"))
    for _ in range(3):
        offered.made.update()
    assert offered.shown == ["folder"]
    offered.made.button.take("confirm")
    items, chosen = offered.lists[-1]
    assert items[-1][0] == "Show the last one"
    chosen(3)
    assert offered.shown == ["folder", "folder"]
