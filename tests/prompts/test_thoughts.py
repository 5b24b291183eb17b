"""Taking off what a model marks as its thought: tags, their ends alone, channels; whatever the text, in linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.prompts.unwrap import joined_thoughts, partial_text, split_thought

ANALYSIS, FINAL = "<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"
MARKS = [
    "<think>", "</think>", "<Thinking>", "</thinking>", "[THINK]", "[/THINK]", "<|channel>thought", "<channel|>",
    ANALYSIS, FINAL, "<|end|>", "<|return|>", "<|start|>", "<|channel|>", "<|message|>", "\ufeff", "{", "B", " ", "\n",
]  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(MARKS)).map("".join))


@pytest.mark.parametrize(
    ("raw", "thought", "answer"),
    [
        ("B", "", "B"),
        ("<think>Close.</think>B", "Close.", "B"),
        (" \n<think>\nClose.\n\nAhead.\n</think>\n\nB\n", "Close.\n\nAhead.", "B"),
        ("\ufeff<think>Close.</think>\ufeffB", "Close.", "B"),
        ("<Think>Close.</THINK>B", "Close.", "B"),
        ("<thinking>Close.</thinking>B", "Close.", "B"),
        ("[THINK]Close.[/THINK]B", "Close.", "B"),
        ("<|channel>thought\nClose.<channel|>B", "Close.", "B"),
        ("Close.</think>B", "Close.", "B"),
        ("Close.\n[/THINK]\nB", "Close.", "B"),
        ("<think></think>B", "", "B"),
        ("<think>Close.</think><think>Ahead.</think>B", "Close.\n\nAhead.", "B"),
        (f"{ANALYSIS}Close.<|end|>{FINAL}B", "Close.", "B"),
        (f" <|start|>assistant{ANALYSIS}Close.<|end|>{FINAL}B<|return|>", "Close.", "B"),
        (f"{ANALYSIS}Close.{FINAL}B<|end|>\n", "Close.", "B"),
        (f"{ANALYSIS}Close.<|end|><|channel|>commentary<|message|>So.<|end|>{FINAL}B", "Close.\n\nSo.", "B"),
        ("<|channel|>final <|constrain|>json<|message|>{}<|return|>", "", "{}"),
        (f"Close.<|end|>{FINAL}B<|return|>", "Close.", "B"),
        ("<|channel|>final<|message|>B", "", "B"),
    ],
)  # fmt: skip
def test_a_thought_in_front_is_told_from_the_answer(raw, thought, answer):
    assert split_thought(raw) == (thought, answer)


@pytest.mark.parametrize("raw", ["<think>B", "[THINK] B", f"{ANALYSIS}B", f"{ANALYSIS}B<|end|>", "B</think>"])
def test_a_thought_without_its_end_or_without_an_answer_is_only_thought(raw):
    assert split_thought(raw) == ("B", "")


@pytest.mark.parametrize(
    "raw",
    [
        "B<think>was that right?</think>",
        "so <think>Close.</think>B",
        '{"cmd": "B", "why": "no </think> here"}',
        "I think: B",
        "<thin>Close.</thin>B",
    ],
)
def test_what_is_not_in_front_is_left_in_the_answer(raw):
    assert split_thought(raw) == ("", raw)


@given(TEXTS)
def test_an_answer_holds_no_more_thought(raw):
    thought, answer = split_thought(raw)
    assert split_thought(answer) == ("", answer)
    assert thought == thought.strip()


@given(st.lists(st.sampled_from(MARKS[:8])), st.lists(st.sampled_from(MARKS[:8])))
def test_no_word_between_tags_is_lost(before, after):
    assert "".join(split_thought("".join([*before, "word", *after]))).count("word") == 1


@pytest.mark.parametrize(
    "text",
    [
        "<think></think>", "</think>", "<think>", "[THINK]", "<|channel|>final<|message|>", ANALYSIS, "<|start|>",
        "<|start|>assistant", "x<|end|><|start|>", " ", "<think>x</think> \ufeff", "<|channel|>", "<", "{</think>",
    ],
)  # fmt: skip
def test_a_megabyte_of_marks_is_read_at_once(text):
    began = time.thread_time()
    split_thought(text * (1_000_000 // len(text)))
    assert time.thread_time() - began < 5


@pytest.mark.parametrize(
    ("text", "thought", "seen"),
    [
        ("", "Hm.", "Hm."),
        ("", "", ""),
        ("<", "", ""),
        ("<thi", "Hm.", "Hm."),
        ("<think>Clo", "", "Clo"),
        ("<think>Close.</think>", "", "Close."),
        ("<think>Close.</think>B", "", "B"),
        ("[TH", "", ""),
        ("<|channel|>ana", "", ""),
        (f"{ANALYSIS}Close.<|end|><|start|>assist", "", "Close."),
        ("C1", "Hm.", "C1"),
        (" \n", "Hm.", "Hm."),
        ('{"cmd": ', "", '{"cmd": '),
    ],
)
def test_while_an_answer_grows_its_thought_is_shown_without_marks_until_it_begins(text, thought, seen):
    assert partial_text(text, thought) == seen


def test_thoughts_are_joined_each_once():
    assert joined_thoughts(" Close.\n", "", "Ahead.", "Close.") == "Close.\n\nAhead."
