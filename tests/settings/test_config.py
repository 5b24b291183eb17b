"""Configurations: the shipped figures, and one sentence for whatever is wrong in a file."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import pytest
from approved import approve

from batllm_arcade.brains.protocol import Gamepad, PayloadStyle, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.settings.config import SHIPPED, Config, load, prompt_text, with_lengths


@pytest.fixture
def write(tmp_path):
    """Write a configuration file; returns its path as text."""

    def write_it(text):
        path = tmp_path / "mine.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write_it


def refusal(path):
    with pytest.raises(UsageError) as error:
        load(path)
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 500
    return text


def test_the_figures_of_what_is_shipped_are_those_that_were_approved():
    def figures(name):
        config = load(name)
        assert "$commands" in config.header_template
        parts = {"rules": asdict(config.rules), "style": asdict(config.style), "gamepad": asdict(config.gamepad)}
        parts["seats"] = dict(zip(("left", "right"), config.seats, strict=True))
        parts["else"] = {"fallback": str(config.fallback), "deadline_s": config.deadline_s, "prompts": config.prompts}
        on = ((part, name, value) for part, values in parts.items() for name, value in values.items() if value)
        return "\n".join(f"{part} {name}: {value}" for part, name, value in on)

    approve(Path(__file__).parent / "approved" / "shipped.txt", figures)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_configuration_is_read_as_a_persons_own_copy_of_it(name, write):
    """A quicker reader, which would not notice a name given twice, reads it."""
    text = (files("batllm_arcade.configs") / f"{name}.yaml").read_text("utf-8")
    assert load(name) == load(write(text))


def test_an_empty_file_is_the_default(write):
    assert load(write("")) == load(write("# nothing\n")) == load("default")


def test_a_file_sets_what_it_names_and_leaves_the_rest(write, tmp_path):
    (tmp_path / "header.txt").write_text("Say one of $commands.", "utf-8")
    config = load(
        write(
            """
            rules: {arena_width: 800, bullet_damage: [5, 10], free_move: true}
            payload: {mode: independent, aug: false, order: document, decimals: 3, raw_limit: 9, history_window: 4,
                      arena_const: true, sensors: false}
            left: scripted:turtle
            right: ollama:model=llama3.2,deadline_s=20
            prompts: {left: "Hide — ¡ya!", right: }
            fallback: scripted:dancer
            deadline_s: 2.5
            plugins_dir: bots
            system_header: header.txt
            """
        )
    )
    assert config == Config(
        rules=Rules(arena_width=800, bullet_damage=(5, 10), free_move=True),
        style=PayloadStyle("independent", False, "document", 3, 9, 4, True, False),
        header_template="Say one of $commands.",
        seats=(Spec("scripted", "turtle"), Spec("ollama", "", {"model": "llama3.2", "deadline_s": "20"})),
        prompts=("Hide — ¡ya!", ""),
        fallback=Spec("scripted", "dancer"),
        deadline_s=2.5,
        plugins_dir=tmp_path / "bots",
    )


def test_files_named_in_a_configuration_stand_beside_it_and_not_where_the_program_runs(write, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "header.txt").write_text("wrong", "utf-8")
    (tmp_path / "header.txt").write_text("right", "utf-8")
    path = write("{system_header: header.txt, plugins_dir: bots}")
    monkeypatch.chdir(elsewhere)
    assert load(path).header_template == "right"
    assert load(path).plugins_dir == tmp_path / "bots"


def test_a_file_may_be_called_like_a_shipped_configuration_when_it_has_an_ending(write, tmp_path, monkeypatch):
    (tmp_path / "default.yaml").write_text("deadline_s: 1", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load("default.yaml").deadline_s == 1
    assert load("default").deadline_s == 30


def test_whatever_is_wrong_in_a_file_is_one_sentence_that_names_it(write):
    approve(Path(__file__).parent / "approved" / "configurations.txt", lambda text: refusal(write(text)))


@pytest.mark.parametrize("text", ["rules: {arena_width: " + "9" * 5000 + "}", "rules: " + "[" * 3000,
                                  "rules: {arena_width: 0x" + "f" * 5000 + "}"])  # fmt: skip
def test_what_is_huge_is_one_short_sentence_too(write, text):
    assert refusal(write(text)).startswith("the configuration 'mine.yaml': ")


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("You go $speed far.", "the system header asks for $speed, which is not a rule"),
        ("A hit costs 5 $ each.", "the system header has a lone $; write $$ for a dollar sign"),
        ("${commands", "the system header has a lone $"),
    ],
)
def test_a_header_that_cannot_be_filled_is_refused_when_it_is_read(write, tmp_path, header, says):
    (tmp_path / "header.txt").write_text(header, "utf-8")
    assert says in refusal(write("system_header: header.txt"))


def test_what_is_no_text_is_refused(write, tmp_path):
    (tmp_path / "header.txt").write_bytes(b"\xff\xfe\x00")
    assert "the system header 'header.txt' cannot be read" in refusal(write("system_header: header.txt"))
    assert "cannot be read" in refusal(write(b"\xff\xfe\xff"))


@pytest.mark.parametrize("name", ["nowhere.yaml", "defualt", "."])
def test_a_configuration_that_is_not_there_is_named_with_what_there_is(name):
    message = refusal(name)
    assert repr(name) in message
    assert "default, couch, arena, classic" in message


def test_a_prompt_is_its_text_or_that_of_a_file(tmp_path):
    (tmp_path / "brave.txt").write_text("\nRush!\nAlways.\n", "utf-8")
    assert prompt_text("Hide.") == "Hide."
    assert prompt_text(f"@{tmp_path / 'brave.txt'}") == "Rush!\nAlways."
    assert prompt_text("") == ""
    assert prompt_text("mail me @home") == "mail me @home"


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_prompt_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "gone.txt"
    if content:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"the prompt file '.*gone\.txt' cannot be read"):
        prompt_text(f"@{path}")


def test_rounds_and_turns_given_replace_those_configured_and_leave_the_rest():
    config = load("classic")
    assert with_lengths(config, None, None) == config
    changed = with_lengths(config, 4, None).rules
    assert (changed.total_rounds, changed.turns_per_round, changed.bot_radius) == (4, 8, 0.05)
    changed = with_lengths(config, None, 5).rules
    assert (changed.total_rounds, changed.turns_per_round) == (2, 5)


def test_a_gamepad_may_map_its_buttons_to_any_command_or_to_nothing(write):
    read = load(write("gamepad: {up: ' S0 ', a: , left: c, right: A90, start: M5, turn_degrees: 22.5}\n"
                             "rules: {free_move: true}"))  # fmt: skip
    assert read.gamepad == Gamepad(up="S0", a="", left="c", right="A90", start="M5", turn_degrees=22.5)
    assert load("default").gamepad == Gamepad()


def test_settings_in_a_configuration_are_checked_with_it(tmp_path):
    file = tmp_path / "club.yaml"
    file.write_text("settings: {play: {turn_clock_s: 20}, keys: {left: {fire: [f]}}}\n")
    assert load(str(file)).settings["play"] == {"turn_clock_s": 20}


def test_a_key_that_a_merged_mapping_has_too_is_not_given_twice(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("prompts: &p {left: a}\nrules: {step_length: 1}\nsettings: {picture: {bubbles: true}}\n")
    assert load(str(file)).prompts == ("a", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_system_header_that_is_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "header.txt")
    (tmp_path / "mine.yaml").write_text("system_header: header.txt\n")
    with pytest.raises(UsageError, match=r"'header.txt' cannot be read \(it is not a regular file\)"):
        load(str(tmp_path / "mine.yaml"))
