"""Unwrapping a model's reply: thoughts and packaging come off, prose stays for the rules to refuse."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from approved import approve
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.prompts.unwrap import command, joined_thoughts, partial_text, split_thought, think_block, unwrap

APPROVED = Path(__file__).parent / "approved"
ANALYSIS, FINAL = "<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"
MARKS = [
    "<think>", "</think>", "<Thinking>", "</thinking>", "[THINK]", "[/THINK]", "<|channel>thought", "<channel|>",
    ANALYSIS, FINAL, "<|end|>", "<|return|>", "<|start|>", "<|channel|>", "<|message|>", "\ufeff", "{", "B", " ", "\n",
]  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(MARKS)).map("".join))


def played(raw):
    """What a reply plays by rules with a back step and without one, and what it thought."""
    tokens = {back: command(raw, back) for back in (0, 60)}
    read = ["on purpose nothing" if token is None else parse(token, back_step=back).token or "nothing"
            for back, token in tokens.items()]  # fmt: skip
    thought = think_block(raw)
    return " or ".join(dict.fromkeys(read)) + (f", thought {thought!r}" if thought else "")


def test_a_token_in_its_packaging_is_found_and_prose_comes_to_nothing():
    approve(APPROVED / "commands.txt", played)


@pytest.mark.parametrize("raw", [
    "{" * 900, '{"cmd":' * 140, '"' + "C" * 2000 + '"', '{"cmd": ' + "9" * 5000 + "}",
])  # fmt: skip
def test_a_long_text_comes_to_nothing(raw):
    assert isinstance(parse(unwrap(raw)), Nothing)


def test_a_thought_in_front_is_told_from_the_answer():
    approve(APPROVED / "thoughts.txt", lambda raw: "thought {!r}, answer {!r}".format(*split_thought(raw)))


def test_while_an_answer_grows_its_thought_is_shown_without_marks_until_it_begins():
    approve(APPROVED / "growing.txt", lambda case: repr(partial_text(*case)))


def test_thoughts_are_joined_each_once():
    assert joined_thoughts(" Close.\n", "", "Ahead.", "Close.") == "Close.\n\nAhead."


@given(TEXTS | st.text(alphabet='{}[]":,cmdCM17\\<>/think '))
def test_an_answer_holds_no_more_thought_and_unwrapping_never_raises(raw):
    thought, answer = split_thought(raw)
    assert split_thought(answer) == ("", answer)
    assert thought == thought.strip() == think_block(raw)
    assert isinstance(unwrap(raw), str)


@given(st.lists(st.sampled_from(MARKS[:8])), st.lists(st.sampled_from(MARKS[:8])))
def test_no_word_between_tags_is_lost(before, after):
    assert "".join(split_thought("".join([*before, "word", *after]))).count("word") == 1


@pytest.mark.parametrize("text", [
    "<think></think>", "</think>", "<think>", "[THINK]", "<|channel|>final<|message|>", ANALYSIS, "<|start|>",
    "<|start|>assistant", "x<|end|><|start|>", " ", "<think>x</think> \ufeff", "<|channel|>", "<", "{</think>",
])  # fmt: skip
def test_a_megabyte_of_marks_is_read_at_once(text):
    began = time.thread_time()
    split_thought(text * (1_000_000 // len(text)))
    assert time.thread_time() - began < 5
