"""A clock that is set in the middle of a match, forth or back, makes no record look forged."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import pytest
from honest import fork, live, outside, run, swap
from leagues import small

from batllm_arcade import HistoryManager
from batllm_arcade.cli.main import main
from batllm_arcade.files import session_clock
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.session.games import play

DAY = 86_400.0


class SetClock(datetime):
    """The computer's clock: somebody sets it by `step_s` whenever it is looked at."""

    step_s, looks = 0.0, count()

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2026, 6, 1, 12, tzinfo=timezone.utc) + timedelta(seconds=cls.step_s * next(cls.looks))


@pytest.fixture(params=[-2.0, DAY])
def stepped(request, monkeypatch):
    monkeypatch.setattr(session_clock, "datetime", SetClock)
    monkeypatch.setattr(SetClock, "step_s", request.param)
    monkeypatch.setattr(SetClock, "looks", count())
    return float(request.param)


def times(path: Path) -> list[str]:
    session = json.loads(path.read_text())
    turns = [turn for game in session["games"] for entry in game["rounds"] for turn in entry["turns"]]
    return [session["session_start"], *(turn["timestamp"] for turn in turns), session["session_end"]]


@pytest.mark.parametrize("stepped", [-DAY], indirect=True)
def test_a_session_verifies_though_the_clock_was_set(stepped, tmp_path, capsys):
    scripts = run(tmp_path / "s.json", "scripted:random", "scripted:dancer", "--games", "2")
    first = fork(scripts, tmp_path / "f.json", "2.1.3", "--left", "scripted:turtle")
    made = [
        scripts, first, fork(first, tmp_path / "again.json", "1.1.5"),
        run(tmp_path / "b.json", "draws", "scripted:turtle", *outside(tmp_path / "bots", "draws")),
        live(tmp_path / "live.json", {4: swap(0, "scripted:turtle")}),
    ]  # fmt: skip
    for path in made:
        assert main(["verify", str(path)]) == 0, capsys.readouterr().out
    for path in (scripts, *made[3:]):
        assert times(path) == sorted(times(path))


def test_so_does_one_of_a_program_s_own_and_of_a_league(stepped, tmp_path, capsys):
    for _ in play("scripted:random", "scripted:turtle", rounds=1, turns=4, seed=1, history=tmp_path / "s.json"):
        pass
    plan = small("scripted:turtle", "scripted:random", sessions="all")
    player = PairPlayer(set_up(plan, load_config(plan)))
    pairs = [player.play(PairSchedule(plan).pair(number)) for number in (1, 2, 3)]
    player.close()
    for number, text in enumerate(text for pair in pairs for text in pair.sessions.values()):
        (tmp_path / f"{number}.json").write_text(text)
        assert main(["verify", str(tmp_path / f"{number}.json")]) == 0, capsys.readouterr().out
    finished = [pair.line["finished"] for pair in pairs]
    assert finished == sorted(finished)
    assert main(["verify", str(tmp_path / "s.json")]) == 0


def test_the_clock_of_a_session_does_not_run_back(stepped):
    clock = SessionClock()
    told = [clock.now() for _ in range(50)]
    assert all(one <= other for one, other in pairwise(told))
    assert told[0].startswith("2026-06-01T12:00:00")
    assert SessionClock(datetime(2030, 1, 1, tzinfo=timezone.utc)).now().startswith("2030-01-01T00:00:00")


def test_a_history_of_somebody_s_own_keeps_one_clock(stepped):
    history = HistoryManager()
    history.start_session()
    history.end_session()
    assert history.session["session_start"] <= history.session["session_end"]
