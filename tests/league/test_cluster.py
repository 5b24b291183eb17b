"""Leagues on a Dask cluster: two workers over TLS, one of them killed with -9; who may not be connected to."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from certificates import certificates
from leagues import FOUR, SHORT, small, uninterrupted, written
from sandboxing import require_sandbox

from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines.cluster import ClusterAddress, address_in, forget_player, is_loopback, play_pairs
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.plugin.isolated import IsolationChoice

PAIRS = 10
CLUSTER = """\
import json, sys
import dask
from distributed import LocalCluster
from distributed.security import Security

def main():
    files = {f"tls_{who}_{what}": sys.argv[2 + number] for who in ("client", "scheduler", "worker")
             for number, what in enumerate(("cert", "key"))}
    security = Security(require_encryption=True, tls_ca_file=sys.argv[1], **files)
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, protocol="tls://",
                      security=security, silence_logs=50) as cluster:
        pids = [nanny.process.process.pid for nanny in cluster.workers.values()]
        print(json.dumps([cluster.scheduler_address, pids]), flush=True)
        sys.stdin.read()

if __name__ == "__main__":
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})  # its modules are imported once
    main()
"""


def test_a_league_on_two_machines_over_tls_survives_one_of_them(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "cluster.py").write_text(CLUSTER)
    ca, cert, key = certificates(tmp_path)
    command = [sys.executable, tmp_path / "cluster.py", ca, cert, key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as machines:
        try:
            address, pids = json.loads(machines.stdout.readline())
            tls = ["--cluster", address, "--tls-ca", ca, "--tls-cert", cert, "--tls-key", key]
            league = [*FOUR, *SHORT, "--pairs", PAIRS, "--sessions", "none", "--out", tmp_path / "out", "--quiet"]
            arguments = map(str, ["-m", "batllm_arcade", "league", *league, *tls])
            running = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            pairs, ends = tmp_path / "out" / "pairs.jsonl", time.monotonic() + 90
            while not (pairs.exists() and pairs.stat().st_size):
                assert running.poll() is None, running.communicate()
                assert time.monotonic() < ends
                time.sleep(0.005)
            os.kill(pids[0], signal.SIGKILL)
            _, said = running.communicate(timeout=90)
            found = {"CA_FILE": ca, "CLIENT__CERT": cert, "CLIENT__KEY": key}
            configured = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in found.items()}
            (tmp_path / "scheduler.json").write_text(json.dumps({"type": "Scheduler", "address": address}))
            short = [*FOUR[:2], *SHORT, "--pairs", 1, "--out", tmp_path / "two", "--quiet"]
            arguments = map(
                str, ["-m", "batllm_arcade", "league", *short, "--scheduler-file", tmp_path / "scheduler.json"]
            )
            env = {**os.environ, **configured}
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=env, timeout=90)
        finally:
            machines.stdin.close()
    assert running.returncode == 0, said.decode()
    assert written(tmp_path / "out") == uninterrupted(small(pairs=PAIRS))


NOSY = """
import json, os, sys
def found():
    try:
        with open({canary!r}) as file:
            return file.read()
    except OSError as error:
        return type(error).__name__
def left():
    try:
        open({canary!r} + ".mine", "w").close()
    except OSError:
        pass
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready"}}), flush=True)
    elif message["type"] == "decide":
        left()
        print(json.dumps({{"type": "play", "id": message["id"], "command": "M", "thought": found()}}), flush=True)
"""


@pytest.mark.parametrize("mode", ["sandbox", "process"])
def test_a_worker_s_bots_are_in_the_sandbox_that_the_league_was_begun_with(mode, tmp_path, monkeypatch):
    require_sandbox()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("home", "bots"):
        (tmp_path / folder).mkdir()
    canary, bot = tmp_path / "home" / "canary", tmp_path / "bots" / "nosy.py"
    canary.write_text("canary-5d1e07")
    bot.write_text(NOSY.format(canary=str(canary)))
    plan = small(f"nosy=proc:{bot}", "scripted:turtle", pairs=1, turns=1, sessions="all")
    setup = pickle.loads(pickle.dumps(set_up(plan, load_config(plan), IsolationChoice("files", mode))))
    try:
        (pair,) = play_pairs("a league", setup, [PairSchedule(plan).pair(1)])
    finally:
        forget_player()
    assert pair.sessions
    for game, text in pair.sessions.items():
        assert json.loads(text)["games"][0]["seats"][game]["isolation"] == mode
        assert ("canary-5d1e07" in text, Path(f"{canary}.mine").exists()) == ((mode == "process"),) * 2


def test_who_is_not_this_machine_is_only_talked_to_over_tls(tmp_path):
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("192.168.1.7", "0.0.0.0", "example.org", "127.0.0.1.example.org")] == [
        False
    ] * 4
    ClusterAddress("tcp://127.0.0.1:8786").check()
    for address in ("tcp://10.0.0.2:8786", "tcp://league.example.org:8786", "ucx://127.0.0.1:1", "tls://10.0.0.2:8786"):
        with pytest.raises(UsageError, match="tls://"):
            ClusterAddress(address).check()
    for text in ("", "{", '{"address": 3}', '["address"]'):
        (tmp_path / "scheduler.json").write_text(text)
        with pytest.raises(UsageError, match="is no such file"):
            address_in(tmp_path / "scheduler.json")
    file = tmp_path / "file"
    file.touch()
    ClusterAddress("tls://10.0.0.2:8786", file, file, file).check()
    with pytest.raises(UsageError, match="--tls-key is missing"):
        ClusterAddress("tls://10.0.0.2:8786", file, file).check()
    with pytest.raises(UsageError, match="there is no"):
        ClusterAddress("tls://10.0.0.2:8786", file, file, tmp_path / "none").check()
