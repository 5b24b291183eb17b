"""A bot of a file can foretell nothing of what the other seat draws; a person can repeat its games all the same."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any

import pytest
from fakes import FakeTable
from leagues import small
from paths import TESTS
from sandboxing import require_sandbox

from batllm_arcade.brains.bots import bot
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.core.streams import seat_stream_name
from batllm_arcade.files.paths import data_folder
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import load, read, session_of
from batllm_arcade.history.replay import replay
from batllm_arcade.history.verification import verify
from batllm_arcade.league.engines import pair_play
from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, load_plugins, pair_secret, set_up
from batllm_arcade.match import runner
from batllm_arcade.match import runner as seat_streams
from batllm_arcade.match.records import Play, Record, SessionEnded
from batllm_arcade.match.runner import StreamSecret, installation_key
from batllm_arcade.session import live_session
from batllm_arcade.session.games import play

OTHER = "scripted:random"
NAME, START, EARLIER, CHANCE = range(4)


@pytest.fixture
def bots(tmp_path):
    folder = tmp_path / "bots"
    folder.mkdir()
    copyfile(TESTS / "support" / "foreteller.py", folder / "foreteller.py")
    return folder


def games(bots: Path, **options: Any) -> list[Record]:
    more = {"plugins_dir": bots, "history": None, **options}
    return list(play("foreteller", OTHER, seed=7, rounds=1, turns=20, **more))


def foretold(records: Iterable[Record], bot: int = 0) -> list[float]:
    """Return of each of the bot's ways how many of the other's plays it has foretold, of all that it could."""
    plays = [record for record in records if isinstance(record, Play)]
    pairs = [
        (json.loads(play.decision.thought)[1:], after.command.token)
        for play, after in pairwise(plays)
        if play.bot == bot and play.game == after.game and after.bot != bot
    ]
    assert pairs
    return [sum(said[way] == played for said, played in pairs) / len(pairs) for way in range(4)]


def test_a_bot_cannot_foretell_what_the_other_seat_draws(bots, monkeypatch):
    require_sandbox()
    found = foretold(games(bots, games=6))
    assert max(found) < found[CHANCE] + 0.1 < 0.5
    monkeypatch.setattr(live_session, "session_secret", lambda _seed: "")
    found = foretold(games(bots, games=2))  # as it was before: so the bot does know how
    assert found[NAME] == found[START] == 1 > 0.5 > found[CHANCE]


def test_a_bot_that_is_kept_has_not_learnt_the_other_seats_stream_when_it_sat_there(bots, monkeypatch):
    require_sandbox()
    plan = small("foreteller", OTHER, turns=20, pairs=3, sessions="all", plugins_dir=str(bots))
    setup = set_up(plan, load_config(plan))
    secret = pair_secret(setup, load_plugins(setup).kinds)

    def second_games() -> list[float]:
        worker, records = PairPlayer(setup), list[Record]()
        try:
            for pair in PairSchedule(plan).from_number(1):
                played = worker.play(replace(pair, secret=secret(pair)))
                records += replay(session_of(json.loads(played.sessions[1])))
        finally:
            worker.close()
        return foretold(records, 1)

    found = second_games()
    assert max(found) < found[CHANCE] + 0.15 < 0.55
    monkeypatch.setattr(pair_play, "keyed_name", lambda given, _game: given)
    assert second_games()[EARLIER] == 1  # it would know it, were both games of a pair played with one secret


def test_the_same_seed_gives_the_same_games_wherever_the_bot_runs(bots, tmp_path):
    require_sandbox()
    found = []
    for name, mode in enumerate(("sandbox", "sandbox", "process", "none")):
        file = tmp_path / f"{name}.json"
        line = (
            f"run --left foreteller --right {OTHER} --seed 7 --games 2 --rounds 1 --turns 9 --quiet --isolation {mode}"
        )
        assert main([*line.split(), "--plugins-dir", str(bots), "--history", str(file)]) == 0
        assert not list(verify(read(file)))
        found.append(
            re.sub(
                r'"(session_start|session_end|timestamp|latency_s|isolation)":("[^"]*"|[0-9.]+)', "", file.read_text()
            )
        )
    assert len(set(found)) == 1
    assert '"secret":"' in found[0]


def test_a_league_with_a_bot_of_a_file_repeats_itself_and_its_games_have_secrets_of_their_own(bots, tmp_path):
    require_sandbox()
    found = []
    for name in ("one", "two"):
        folder = tmp_path / name
        line = f"league foreteller {OTHER} --pairs 2 --rounds 1 --turns 6 --workers 1 --sessions all --quiet"
        assert main([*line.split(), "--plugins-dir", str(bots), "--out", str(folder)]) == 0
        kept = [read(path) for path in sorted((folder / "sessions").iterdir())]
        assert len({session.secret for session in kept}) == len(kept) == 4
        found.append([[play.decision.thought for play in replay(each) if isinstance(play, Play)] for each in kept])
    assert found[0] == found[1]


def test_the_secret_is_written_when_the_session_ends_and_never_before(bots, tmp_path, monkeypatch):
    file = tmp_path / "s.json"
    records = play("foreteller", OTHER, seed=7, rounds=1, turns=4, games=2, plugins_dir=bots, history=file)
    seen, secret = list[str](), ""
    with records:
        for record in records:
            if isinstance(record, SessionEnded):
                secret = record.secret
            else:
                assert not file.exists()
                seen.append(journal_of(file).read_text())
    assert re.fullmatch("[0-9a-f]{64}", secret)
    assert secret not in "".join(seen)
    assert read(file).secret == secret


def test_a_fork_goes_on_with_the_secret_of_its_file_on_another_installation_too(bots, tmp_path, monkeypatch):
    file, fork = tmp_path / "s.json", tmp_path / "fork.json"
    list(play("foreteller", OTHER, seed=7, rounds=1, turns=4, plugins_dir=bots, history=file))
    monkeypatch.setattr(seat_streams, "installation_key", lambda: bytes(32))
    line = ["fork", str(file), "--at", "1.2", "--left", "foreteller", "--plugins-dir", str(bots), "--quiet"]
    assert main([*line, "--history", str(fork)]) == 0
    assert read(fork).secret == read(file).secret
    *_, last = (record for record in replay(read(fork)) if isinstance(record, Play) and record.bot == 0)
    name = seat_stream_name(7, 1, "left", "1.2", read(file).secret)
    assert json.loads(last.decision.thought)[0] == name
    assert not list(verify(read(fork)))


def test_sessions_without_bots_of_files_have_no_secret_and_draw_from_plain_names(tmp_path, monkeypatch):
    monkeypatch.setattr(seat_streams, "installation_key", lambda: pytest.fail("nobody needs it"))

    @bot("mine")
    def mine(me: Any, foe: Any, clock: Any) -> str:
        return f"C{clock.rng.random():.6f}"

    assert list(play(mine, OTHER, seed=7, rounds=1, turns=4, history=None))[-1].secret == "", "of one's own program"
    file = tmp_path / "s.json"
    with play(OTHER, "scripted:turtle", seed=7, rounds=1, turns=4, history=file) as records:
        assert isinstance(list(records)[-1], SessionEnded)
    assert "secret" not in load(file)
    streams = seat_streams.SeatStreams(7, 2, StreamSecret(), "1.3")
    assert streams.names == ["7/2/left/1.3", "7/2/right/1.3"]
    assert [stream.random() for stream in streams.streams] == [Random(name).random() for name in streams.names]


def test_a_bot_of_a_file_that_comes_in_mid_game_is_told_nothing_of_the_stream_that_was_drawn_from_before():
    table = FakeTable(["M"] * 4, ["M"] * 4)
    guest = SeatInfo("guest", "proc:guest", isolation="sandbox")
    changes = {3: runner.SeatChange(guest, "swap")}
    names = []

    def ask(bot: int, view: Any) -> Any:
        names.append(view.stream)
        return asked(bot, view)

    def seat_change(bot: int) -> runner.SeatChange | None:
        return changes.pop(len(names), None)

    asked, table.ask, table.seat_change = table.ask, ask, seat_change
    rules, secret = Rules(total_rounds=1, turns_per_round=4), StreamSecret(lambda: "ab" * 32)
    *_, end = runner.play(runner.MatchPlan(rules, 7, secret=secret), table)
    assert set(names[:3]) == {"7/1/left", "7/1/right"}
    assert len(set(names[3:])) == 2
    assert not any("/" in name for name in names[3:])
    assert end.secret == "ab" * 32


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_key_that_secrets_come_from_is_made_at_first_need_and_is_the_owners_alone():
    path = data_folder() / "streams.key"
    key = installation_key()
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o600, key)
    assert len(key) == 32
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    seat_streams._kept_key.cache_clear()
    assert installation_key() == key


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("spoil", ["open to others", "short", "a link", "no folder"])
def test_a_key_that_cannot_be_kept_or_used_is_replaced_by_one_for_this_run(spoil):
    path = data_folder() / "streams.key"
    if spoil == "no folder":
        path.parent.parent.mkdir(parents=True)
        path.parent.write_text("a file")
    else:
        path.parent.mkdir(parents=True)
        kept = path.with_name("kept")
        kept.write_bytes(bytes(3 if spoil == "short" else 32))
        kept.chmod(0o644 if spoil == "open to others" else 0o600)
        kept.rename(path) if spoil != "a link" else path.symlink_to(kept)
    key = installation_key()
    assert (len(key), key == bytes(32), installation_key() == key) == (32, False, True)
    seat_streams._kept_key.cache_clear()
    assert installation_key() != key
