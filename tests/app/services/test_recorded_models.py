"""Recorded sessions as players: those of a model are offered, with the match that they need."""

from __future__ import annotations

from dataclasses import replace

from fakes import eventful, written

from batllm_arcade.app.services.brain_list import AvailabilityCache, BrainList, RecordedModels, find_recorded
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config

KINDS = {name: BrainKind(name, f"a {name}", print) for name in ("cassette", "other")}


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
    brains = BrainList(KINDS, AvailabilityCache(KINDS), recorded=(found,))
    assert [str(spec) for spec in brains.specs] == ["other", str(found.spec)]
    assert (brains.called(found.spec), brains.about(found.spec)) == (found.title, found.about)


def test_a_match_with_one_has_the_recorded_rules_seed_and_orders(tmp_path):
    recorded(tmp_path / "night.json")
    started = next(record for record in eventful() if isinstance(record, GameStarted))
    waited = []
    models = RecordedModels(KINDS, tmp_path, waited.append)
    waited[0].join(60)
    assert models.update()
    assert not models.update()
    plan = SessionPlan(Config(rules=Rules(), header_template=""), (Spec("other"), models.offered[0].spec), seed=99)
    applied = models.applied(plan)
    assert (applied.config.rules, applied.seed) == (started.rules, started.seed)
    assert applied.config.prompts == models.offered[0].prompts
    other = replace(plan, seats=(Spec("other"), Spec("other")))
    assert models.applied(other) is other


def test_without_cassettes_nothing_is_looked_for(tmp_path):
    models = RecordedModels({}, tmp_path, print)
    assert (models.update(), models.offered) == (False, ())
