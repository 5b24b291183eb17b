"""docs/reference.md is what the code says, and has a row for all that an author may name."""

from __future__ import annotations

import argparse
import dataclasses
import inspect
import re

import brain_options
import pages
import pytest
from paths import DOCS

import batllm_arcade
from batllm_arcade.brains.protocol import options_of
from batllm_arcade.cli.commands import _parser
from batllm_arcade.core.model import RulesError, rules_from
from batllm_arcade.errors import UsageError
from batllm_arcade.plugin import hookspecs
from batllm_arcade.settings import config, user_settings

PAGE = (DOCS / "reference.md").read_text("utf-8")
FOUND = re.split(r"^#+ (.+)\n", PAGE, flags=re.MULTILINE)
SECTIONS = dict(zip(FOUND[1::2], FOUND[2::2], strict=True))


@pytest.mark.parametrize("name", pages.PAGES)
def test_a_page_that_is_made_from_the_code_is_as_the_code_says(name):
    assert (DOCS / name).read_text("utf-8") == pages.PAGES[name](), "run `make docs` and look at what has changed"


def rows(title: str) -> dict[str, str]:
    """The rows of a section by what stands first in them, each with its last cell, the sentence."""
    lines = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in SECTIONS[title].splitlines() if line[:3] == "| `"]
    return {re.split(r"[`(\[ ]", cells[0].strip("`"))[0]: cells[-1] for cells in lines}


@pytest.mark.parametrize("name", batllm_arcade.__all__)
def test_a_public_name_has_a_section_with_all_its_fields_and_methods(name):
    assert SECTIONS[name].strip()
    value = getattr(batllm_arcade, name)
    if not inspect.isclass(value):
        return
    hidden = [base for base in value.__mro__ if base.__module__.startswith("batllm_arcade.")
              and (base is value or base.__name__ not in batllm_arcade.__all__)]  # fmt: skip
    own = [each for base in hidden for each in vars(base) if callable(getattr(base, each))]
    fields = [each.name for each in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    inherited = {each for base in value.__mro__ if base not in hidden for each in dir(base)}
    expected = {each for each in [*own, *fields] if each[0] != "_" and each not in inherited}
    told = rows(name)
    assert sorted(each for each in expected if not told.get(each)) == []


@pytest.mark.parametrize("name", [name for name in vars(hookspecs) if name.startswith("batllm_")])
def test_a_hook_has_a_row(name):
    assert rows("Hooks")[name]


def commands(parser: argparse.ArgumentParser, before: str = "batllm-arcade"):
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield f"{before} {name}", inner
                yield from commands(inner, f"{before} {name}")


@pytest.mark.parametrize(
    ("name", "parser"), list(commands(_parser())), ids=lambda each: each if isinstance(each, str) else ""
)
def test_a_command_has_a_row_for_each_of_its_options(name, parser):
    written = [
        option for action in parser._actions for option in action.option_strings if option not in ("-h", "--help")
    ]
    assert [option for option in written if f"{option}`" not in SECTIONS[name] and f"{option} " not in SECTIONS[name]
            and f"{option}," not in SECTIONS[name]] == []  # fmt: skip


def test_an_option_of_a_brain_has_a_row():
    told = rows("Options of brains")
    declared = {option.name for kind in brain_options.bundled() for option in options_of(kind)}
    assert {"model", "base_url", "deadline_s"} <= declared
    assert [name for name in sorted(declared) if not told.get(name)] == []


def known(sentence: str) -> list[str]:
    """The names that an error lists at its end."""
    return re.split(
        r", ", sentence.rpartition(" are ")[2] if " are " in sentence else sentence.rpartition("it has ")[2]
    )


def keys(tmp_path):
    """Every key that a configuration takes, as the program itself says when it is given another."""
    for group in ("", "payload", "gamepad"):
        (tmp_path / "wrong.yaml").write_text(f"{group}: {{wrong: 1}}" if group else "wrong: 1")
        with pytest.raises(UsageError) as told:
            config.load(str(tmp_path / "wrong.yaml"))
        yield from (f"{group}.{name}" if group else name for name in known(str(told.value)))
    with pytest.raises(RulesError) as told:
        rules_from({"wrong": 1})
    yield from (f"rules.{name}" for name in known(str(told.value)))
    for group in ("picture", "sound", "play"):
        with pytest.raises(UsageError) as told:
            user_settings.read({group: {"wrong": 1}})
        yield from (f"settings.{group}.{name}" for name in known(str(told.value)))


def test_a_key_of_a_configuration_has_a_row(tmp_path):
    found, told = list(keys(tmp_path)), rows("Configuration")
    assert len(found) > 60
    assert [key for key in found if not told.get(key)] == []
