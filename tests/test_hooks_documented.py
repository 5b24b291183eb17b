"""What plugin authors are promised is written down, and every example in the documentation runs."""

from __future__ import annotations

import inspect
import re

import pytest
from blocks import blocks
from paths import DOCS

import batllm_arcade
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.plugin import hookspecs, manager
from batllm_arcade.plugin.isolated import INSIDE
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.config import Config

PLUGINS = (DOCS / "plugins.md").read_text("utf-8")
NAMES = PLUGINS.partition("## Public names")[2]
HOOKS = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("batllm_")}


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_is_typed_and_has_one_sentence_that_is_also_in_the_documentation(name):
    hook = HOOKS[name]
    assert re.fullmatch(r"[A-Z][^.]+\.", inspect.getdoc(hook) or ""), "a hook's docstring is one sentence"
    signature = inspect.signature(hook)
    annotations = [signature.return_annotation, *(each.annotation for each in signature.parameters.values())]
    assert inspect.Signature.empty not in annotations
    assert f"`{name}`" in PLUGINS


@pytest.mark.parametrize("name", batllm_arcade.__all__)
def test_a_public_name_exists_has_a_docstring_and_is_in_the_documentation(name):
    value = getattr(batllm_arcade, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__doc__
    assert f"`{name}`" in NAMES


def test_the_table_of_public_names_holds_no_others():
    cells = [line.split("|")[1] for line in NAMES.splitlines() if line.startswith("| `")]
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} <= set(batllm_arcade.__all__)


def played(plugins: manager.Plugins, spec: Spec) -> list[str]:
    """The status of each play of a short match in a session with these plugins."""
    config = Config(rules=Rules(total_rounds=1, turns_per_round=5))
    plan = SessionPlan(config, (spec, Spec("scripted", "sharpshooter")), seed=1)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    table.prepare(lambda _: None)
    records = list(session.match(plan, table))
    session.close()
    table.close()
    return [record.status for record in records if isinstance(record, Play)]


@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.name)
def test_an_example_loads_as_a_dropin_and_plays(tmp_path, block):
    if "import torch" in block.text:
        pytest.importorskip("torch")
    (tmp_path / "example.py").write_text(block.text, "utf-8")
    plugins = manager.load(tmp_path, INSIDE)
    # A program that plays games is no plugin, and only that is said of it.
    assert [problem for problem in plugins.problems if " offers nothing" not in problem] == []
    known = len(plugins.problems)
    others = set(manager.load().kinds)
    for name in (set(plugins.kinds) - others) or {"scripted"}:
        spec = Spec(name) if name != "scripted" else Spec(name, "random")
        missing = plugins.kinds[name].missing
        if missing is not None and missing(spec):
            continue  # the page's provider: its own test gives it a server
        assert played(plugins, spec) == ["ok"] * 10
    assert len(plugins.problems) == known
