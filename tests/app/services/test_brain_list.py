"""The one list of brains: which there are, files of bots, recorded sessions, and what is said of servers."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from fakes import ScriptedBrain, eventful, written
from menus import finish

from batllm_arcade.app.menus.seat_card import BotFileRows
from batllm_arcade.app.services.brain_list import (
    AvailabilityCache,
    BrainList,
    RecordedModels,
    bots_at,
    file_to_remember,
    find_recorded,
)
from batllm_arcade.app.services.server_work import as_sentence, in_window, size_words
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import GameStarted
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import user_settings
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.user_settings import Settings, with_bot


def kind(name: str, summary: str = "a brain", **how) -> BrainKind:
    return BrainKind(name, summary, lambda spec: ScriptedBrain([]), **how)


KINDS = {
    each.name: each
    for each in (
        kind("scripted", "plays by itself", variants=("dancer", "turtle"), about={"turtle": "hides"}),
        kind("ollama", prompted=True, missing=lambda spec: "it needs a key; set KEY"),
        kind("person", human=True),
    )
}


def test_persons_come_first_then_those_that_take_orders_and_variants_one_by_one():
    brains = BrainList(KINDS, AvailabilityCache(KINDS), [Spec("ollama", "", {"model": "tiny"}), Spec("person")])
    assert [str(spec) for spec in brains.specs] == [
        "ollama:model=tiny", "person", "ollama", "scripted:dancer", "scripted:turtle",
    ]  # fmt: skip
    ada = Spec("person", "", {"name": "Ada"})
    known = BrainList(KINDS, AvailabilityCache(KINDS), [ada]).specs
    assert [spec for spec in known if spec.name == "person"] == [ada], "who sits there is listed once, by name"


def test_each_brain_has_a_name_and_a_sentence():
    brains = BrainList(KINDS, AvailabilityCache(KINDS))
    named = {str(spec): (brains.called(spec), brains.about(spec)) for spec in [*brains.specs, Spec("nobody")]}
    assert named["person"][0] == "Human"
    assert named["ollama"] == ("Ollama", "a brain")
    assert named["scripted:turtle"] == ("Turtle", "hides")
    assert named["scripted:dancer"] == ("Dancer", "plays by itself")
    assert named["nobody"] == ("Nobody", "there is no such brain")


def test_what_a_brain_misses_is_known_after_a_look():
    kinds = {**KINDS, "own": kind("own", variants=("first", "raw"), missing=lambda spec: f"no {spec.variant}")}
    availability = AvailabilityCache(kinds)
    brains = BrainList(kinds, availability)
    assert brains.problem(Spec("ollama")) is None
    availability.look()
    finish("availability")
    assert brains.problem(Spec("own", "raw")) == "no raw"
    assert brains.problem(Spec("ollama")) == "it needs a key; set KEY"
    assert brains.problem(Spec("person")) == ""
    assert brains.problem(Spec("nobody")) == "'nobody' is not installed"


def test_where_a_bot_runs_is_told_once_that_is_known(monkeypatch):
    kinds = {"proc": BrainKind("proc", "a bot", print, files=True, isolation="process"), "person": KINDS["person"]}
    availability = AvailabilityCache(kinds)
    brains, bot = BrainList(kinds, availability), Spec("proc", "bots/x.py")
    assert (brains.isolation(bot), brains.about(bot)) == ("", "a bot")
    availability.sandboxes_known = True
    assert brains.isolation(bot, short=True) == "in a process, no sandbox"
    assert (
        brains.about(bot) == "it runs in a process of its own, no sandbox: it can read your files and use the network"
    )
    assert brains.about(Spec("proc")) == "a bot"
    assert brains.isolation(Spec("person")) == ""


def test_a_path_is_a_bot_or_a_folder_with_bots_or_a_sentence(tmp_path):
    for name in ("b.py", "a.sh", "notes.txt", "_helper.py", "run"):
        (tmp_path / name).write_text("")
    (tmp_path / "run").chmod(0o755)
    (tmp_path / "empty").mkdir()
    assert [name.rpartition("/")[2] for name in bots_at(str(tmp_path))] == ["a.sh", "b.py", "run"]
    assert bots_at(str(tmp_path / "notes.txt")) == (str(tmp_path / "notes.txt"),)  # who names a file means it
    for path, told in (
        (" ", "type the path"),
        (str(tmp_path / "no"), "no folder 'no'"),
        (str(tmp_path / "empty"), "no bot"),
    ):
        with pytest.raises(UsageError, match=told):
            bots_at(path)


def test_only_the_path_asked_for_last_counts(tmp_path):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("")
    files, ends = BotFileRows(str(tmp_path / "nothing"), lambda: None), time.monotonic() + 30
    files.take(str(tmp_path))
    while not files.update():
        assert time.monotonic() < ends
        time.sleep(0.001)
    assert (files.file, files.problem) == (str(tmp_path / "a.py"), "")
    assert not files.update()


def test_a_policy_that_was_chosen_is_offered_as_one_and_a_bot_as_a_bot():
    kinds = manager.load().kinds
    chosen = [Spec("policy", "/trained/learned.py"), Spec("proc", "/bots/3.py")]
    offered = BrainList(kinds, AvailabilityCache(kinds), files=[file_to_remember(spec) for spec in chosen])
    assert [spec for spec in offered.specs if spec.variant.startswith("/")] == chosen
    assert [offered.called(spec) for spec in chosen] == ["Policy \u00b7 learned.py", "Bot \u00b7 3.py"]
    assert offered.called(Spec("policy")) == "Policy from a file"


def test_the_files_chosen_last_are_kept_and_offered():
    settings = Settings()
    for number in [*range(9), 3]:
        settings = with_bot(settings, f"/bots/{number}.py")
    assert settings.bots == tuple(f"/bots/{number}.py" for number in (3, 8, 7, 6, 5, 4, 2, 1))
    assert user_settings.read(user_settings.values(settings)) == settings
    kinds = manager.load().kinds
    everything = BrainList(kinds, AvailabilityCache(kinds), files=settings.bots)
    ready = BrainList(kinds, AvailabilityCache(kinds), files=settings.bots, with_files=False)
    assert Spec("proc") in everything.specs
    assert Spec("proc", "/bots/3.py") in everything.specs
    assert Spec("proc") not in ready.specs
    assert Spec("cassette") in everything.specs
    assert Spec("cassette") not in ready.specs, "there is no session to choose in the middle of a match"
    assert Spec("proc", "/bots/3.py") in ready.specs
    assert everything.called(Spec("proc", "/bots/3.py")) == "Bot \u00b7 3.py"


CASSETTES = {name: BrainKind(name, f"a {name}", print) for name in ("cassette", "other")}


def recorded(path, model="org/qwen3", brain="ollama"):
    """A session in which a model sat on the right."""

    def seated(record):
        if not isinstance(record, GameStarted):
            return record
        left, right = record.seats
        return replace(record, seats=(left, replace(right, name="Qwen", brain=brain, model=model)))

    return written([seated(record) for record in eventful()], path)


def test_a_session_of_a_model_is_offered_by_its_name_and_others_are_not(tmp_path):
    path = recorded(tmp_path / "night.json")
    recorded(tmp_path / "again.json", brain="cassette:night.json")
    written(eventful(), tmp_path / "scripts.json")
    (tmp_path / "broken.json").write_text("{")
    (found,) = find_recorded(tmp_path, lambda words: None)
    assert found.spec == Spec("cassette", str(path), {"pace": "1"})
    assert found.title.startswith("Qwen \u00b7 ")
    assert "against Qwen" in found.about
    brains = BrainList(CASSETTES, AvailabilityCache(CASSETTES), recorded=(found,))
    assert [str(spec) for spec in brains.specs] == ["other", str(found.spec)]
    assert (brains.called(found.spec), brains.about(found.spec)) == (found.title, found.about)


def test_a_match_with_one_has_the_recorded_rules_seed_and_orders(tmp_path):
    recorded(tmp_path / "night.json")
    started = next(record for record in eventful() if isinstance(record, GameStarted))
    waited = []
    models = RecordedModels(CASSETTES, tmp_path, waited.append)
    waited[0].join(60)
    assert models.update()
    assert not models.update()
    plan = SessionPlan(Config(rules=Rules(), header_template=""), (Spec("other"), models.offered[0].spec), seed=99)
    applied = models.applied(plan)
    assert (applied.config.rules, applied.seed) == (started.rules, started.seed)
    assert applied.config.prompts == models.offered[0].game.rounds[0].prompts
    other = replace(plan, seats=(Spec("other"), Spec("other")))
    assert models.applied(other) is other


def test_without_cassettes_nothing_is_looked_for(tmp_path):
    models = RecordedModels({}, tmp_path, print)
    assert (models.update(), models.offered) == (False, ())


@pytest.mark.parametrize(
    ("problem", "models", "said"),
    [
        ("", 0, ""),
        ("no engine", 3, "no engine"),
        ("X does not take connections; start it, or check base_url", 0,
         "X does not take connections; start it, or check the address"),
        ("X knows no such key; check the key that you have kept", 0, "X knows no such key; check the key"),
        ("X has no model 'm'; set model to another (it has a, b, c)", 3,
         "X has no model 'm'; choose one of the 3 that it has"),
        ("X needs a key; set the environment variable X_API_KEY", 0,
         "X needs a key; type it in the row Server, or set the environment variable X_API_KEY"),
        ("X wants a key or a permission; say which variable holds its key: key_env=NAME", 0,
         "X wants a key or a permission; type its key in the row Server"),
        ("X has no model 'm'; set model to another", 0, "X has no model 'm'; choose another"),
    ],
)  # fmt: skip
def test_a_problem_is_told_in_the_window_s_words(problem, models, said):
    assert in_window(problem, models) == said


def test_a_dialog_says_it_as_a_sentence_and_a_download_in_sizes():
    assert as_sentence("left: it hung up; check base_url.") == "Left: it hung up; check the address."
    assert as_sentence("") == ""
    assert size_words(600_000_000, 2_019_377_376) == "0.6 of 2.0 GB"
    assert size_words(5_000_000, 90_000_000) == "5.0 of 90.0 MB"
