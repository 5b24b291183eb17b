"""The folder of a league: `league.json`, what was agreed on, and `pairs.jsonl`, a line for every pair that was played.

The coordinator alone writes, the pairs in their order and what comes together at once: whatever ends the program, what
is there is the beginning of what an uninterrupted league writes.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, BinaryIO

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.lock import lock
from batllm_arcade.history.version import program
from batllm_arcade.isolation.modes import mode_of
from batllm_arcade.league import fingerprint
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.plan import LeaguePlan, PairSchedule, plan_from
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import LeagueSetup, config_from, config_now, config_values
from batllm_arcade.league.statistics.tally import LeagueTally

SCHEMA = "batllm_arcade.league.v1"
LEAGUE, PAIRS, TABLE = "league.json", "pairs.jsonl", "table.json"
LARGEST_LINE = 1024 * 1024
"""Bytes of the longest line that is read."""


class LeagueStore:
    """An open league's folder, locked against a second coordinator; `tally` holds what has been played.

    Raise UsageError if another program plays this league now, or its files do not belong together.
    """

    def __init__(self, folder: Path, plan: LeaguePlan) -> None:
        self.folder, self._schedule = folder, PairSchedule(plan)
        self._names = [player.name for player in plan.players]
        self.tally = LeagueTally(plan)
        self._file = _locked(folder / PAIRS)
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    @property
    def played(self) -> int:
        """Return how many pairs are on the disk."""
        return self.tally.pairs

    def add(self, played: Sequence[PlayedPair]) -> None:
        """Write the next pairs, their sessions first; raise ArcadeError if the disk does not take them."""
        try:
            for pair in played:
                for game, text in pair.sessions.items():
                    self._write_session(f"{pair.line['pair']}-{game + 1}.json", text)
            self._file.write(b"".join(json.dumps(pair.line).encode() + b"\n" for pair in played))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise ArcadeError(
                f"the league cannot be written ({error.strerror}); make room and go on with --resume"
            ) from None
        for pair in played:
            self.tally.add(pair.line)

    def _write_session(self, name: str, text: str) -> None:
        folder = self.folder / "sessions"
        folder.mkdir(exist_ok=True)
        # Without a flush to the disk for each: a session that a power cut takes belongs to a line that it takes, too,
        # or is one of thousands.
        temporary = folder / f".{name}.tmp"
        temporary.write_text(text, "utf-8", newline="") if hasattr(os, "fork") else temporary.write_text(text, "utf-8")
        os.replace(temporary, folder / name)

    def close(self) -> None:
        """Give the folder free."""
        self._file.close()

    def _read(self) -> None:
        """Add up the lines that are there, and drop a last one that was not written to its end."""
        self._file.seek(0)
        good = 0
        for line in iter(lambda: self._file.readline(LARGEST_LINE), b""):
            if len(line) == LARGEST_LINE and not line.endswith(b"\n"):
                raise UsageError(f"{PAIRS} holds a line that no league writes; take the whole folder from a backup")
            if not line.endswith(b"\n"):
                break  # the last: it was being written when the program ended
            self._take(line)
            good += len(line)
        self._file.seek(good)
        self._file.truncate()

    def _take(self, line: bytes) -> None:
        number = self.tally.pairs + 1
        problem = f"line {number} of {PAIRS} is not pair {number} of this league; take the whole folder from a backup"
        try:
            value = json.loads(line)
            if number > self._schedule.total:
                raise UsageError(f"{PAIRS} has more pairs than the league; take the whole folder from a backup")
            pair = self._schedule.pair(number)
            expected = [number, [self._names[pair.first], self._names[pair.second]], pair.seed]
            if [value["pair"], value["players"], value["seed"]] != expected:
                raise UsageError(problem)
            self.tally.add(value)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(problem) from None


def _locked(path: Path) -> BinaryIO:
    try:
        file = open(path, "a+b")  # noqa: SIM115 - kept while the league is played
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from None
    try:
        lock(file.fileno())
    except BlockingIOError:
        file.close()
        raise UsageError(f"the league in {str(path.parent)!r} is being played by another program now") from None
    return file


# ---------------------------------------------------------------------------------- league.json


def create(folder: Path, setup: LeagueSetup, run: RunOptions) -> None:
    """Make the folder of a new league; raise UsageError if there is one already, or it cannot be written."""
    if (folder / LEAGUE).exists() or (folder / PAIRS).exists():
        raise UsageError(
            f"{str(folder)!r} holds a league already; go on with --resume {folder}, or name another folder"
        )
    plan, config = setup.plan, config_values(setup.config)
    values = {
        "schema": SCHEMA,
        "program": program(),
        "python": platform.python_version(),
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "plan": plan.values(),
        "config": config,
        "run": asdict(run),
        "hashes": {
            "plan": _hashed(plan.values()),
            "config": _hashed(config),
            "orders": fingerprint.of_orders(plan),
            "plugins": dict(setup.plugins),
            "files": fingerprint.of_brain_files(plan),
        },
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / LEAGUE, [json.dumps(values, indent=1), "\n"])
    except OSError as error:
        raise UsageError(f"the folder {str(folder)!r} cannot be written: {error.strerror}") from None


def _hashed(values: Mapping[str, Any]) -> dict[str, str]:
    return {key: fingerprint.of_value(value) for key, value in values.items()}


def open_league(folder: Path) -> tuple[LeagueSetup, RunOptions]:
    """Return the setup of a league that was begun.

    Raise UsageError that names what has changed since: the plan, the configuration, orders, a plugin, a bot's file.
    """
    values = read_league(folder)
    try:
        plan, config, hashes = plan_from(values["plan"]), config_from(values["config"]), values["hashes"]
        known = {key: dict(hashes[key]) for key in ("plan", "config", "orders", "plugins", "files")}
        run = RunOptions(**values["run"])
        if not all(type(each) is int for each in (run.workers, run.max_tokens, run.max_requests)):
            raise ValueError("run")
        mode_of(run.isolation, "isolation")
    except (KeyError, TypeError, ValueError, AttributeError, ArcadeError):
        raise UsageError(f"{LEAGUE} in {str(folder)!r} is damaged; take it from a backup") from None
    setup = LeagueSetup(plan, config, known["plugins"], run.choice)
    for problem in _changed(values, known, plan, setup):
        raise UsageError(f"{problem}; change it back, or begin another league with --out")
    return setup, run


def _changed(
    values: Mapping[str, Any], known: Mapping[str, Mapping[str, str]], plan: LeaguePlan, setup: LeagueSetup
) -> Iterator[str]:
    """Yield a sentence for everything that is no longer as it was when the league began."""
    since = "since the league began"
    if values.get("program") != program():
        yield f"the program was {values.get('program')} and is {program()} now"
    for name in fingerprint.changes(known["orders"], {**fingerprint.of_orders(plan), **_orders_now(plan)}):
        yield f"the orders of {name} have changed {since}"
    for key in fingerprint.changes(known["plan"], _hashed(plan.values())):
        yield f"{key} of the plan has changed {since}"
    for key in fingerprint.changes(known["config"], _hashed(values["config"])):
        yield f"{key} of the configuration has changed {since}"
    now = config_now(plan)
    if now is not None:
        for key in fingerprint.changes(known["config"], _hashed(config_values(now))):
            yield f"{key} of the configuration {Path(plan.config).name!r} has changed {since}"
    plugins = fingerprint.of_plugins(setup.config.plugins_dir)
    for name in fingerprint.changes(known["plugins"], plugins, new_ones=False):
        yield f"the plugin {name!r} has {'changed' if name in plugins else 'gone'} {since}"
    for name in fingerprint.changes(known["files"], fingerprint.of_brain_files(plan)):
        yield f"the file {name.partition(': ')[2]!r} of {name.partition(': ')[0]} has changed {since}"


def _orders_now(plan: LeaguePlan) -> dict[str, str]:
    """Return the hashes of the orders that come from files which are still there."""
    from batllm_arcade.settings.config import prompt_text

    found = {}
    for player in plan.players:
        if player.orders_file and Path(player.orders_file).is_file():
            with suppress(UsageError):
                found[player.name] = fingerprint.of_value(prompt_text(f"@{player.orders_file}"))
    return found


def read_league(folder: Path) -> dict[str, Any]:
    """Return what is in a league's `league.json`; raise UsageError if it holds no league."""
    from batllm_arcade.files.reading import read_text

    try:
        values = json.loads(read_text(folder / LEAGUE, 16 * LARGEST_LINE))
        if isinstance(values, dict) and values.get("schema") == SCHEMA:
            return values
    except OSError as error:
        raise UsageError(f"there is no league in {str(folder)!r} ({error.strerror})") from None
    except (ValueError, RecursionError):
        pass
    raise UsageError(f"{str(folder / LEAGUE)!r} holds no league")


def differences(before: LeaguePlan, now: LeaguePlan, keys: Iterable[str]) -> list[str]:
    """Return what differs between two plans in these keys, one text each: `pairs 50, not 60`."""
    one, other = before.values(), now.values()
    return [_difference(key, one[key], other[key]) for key in keys if one[key] != other[key]]


def _difference(key: str, one: Any, other: Any) -> str:
    if key != "players":
        return f"{key} {one}, not {other}"
    names = [player["name"] for player in one]
    changed = [player["name"] for player in other if player not in one] or [
        name for name in names if name not in [player["name"] for player in other]
    ]
    return f"other players ({', '.join(changed or names)})"
