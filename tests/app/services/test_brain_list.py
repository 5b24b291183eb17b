"""The one list of brains that setup and the swap dialog show."""

from __future__ import annotations

from fakes import ScriptedBrain
from menus import finish

from batllm_arcade.app.services.brain_list import AvailabilityCache, BrainList
from batllm_arcade.brains.protocol import BrainKind, Spec


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


def test_each_brain_has_a_name_and_a_sentence():
    brains = BrainList(KINDS, AvailabilityCache(KINDS))
    named = {str(spec): (brains.called(spec), brains.about(spec)) for spec in [*brains.specs, Spec("nobody")]}
    assert named["person"][0] == "Human"
    assert named["ollama"] == ("Ollama", "a brain")
    assert named["scripted:turtle"] == ("Turtle", "hides")
    assert named["scripted:dancer"] == ("Dancer", "plays by itself")
    assert named["nobody"] == ("Nobody", "there is no such brain")


def test_what_a_brain_misses_is_known_after_a_look():
    availability = AvailabilityCache(KINDS)
    brains = BrainList(KINDS, availability)
    assert brains.problem(Spec("ollama")) is None
    availability.look()
    finish("availability")
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
