"""The constraints for a model's output accept what the parser reads, and every whole-degree command."""

from __future__ import annotations

import re
from random import Random

import pytest

from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.prompts.formats import command_grammar, command_schema, pattern, portable_schema
from batllm_arcade.prompts.unwrap import command

PLAIN = ["M", "S1", "S0", "S", "B"] + [f"{side}{degrees}" for side in "CA" for degrees in range(361)]
FREE = ["M0", "M5", "M-5", "M130", "M-1000", "M9999"]


def as_expression(grammar):
    """A GBNF grammar without recursion as a regular expression; enough of the language for ours."""
    rules = dict(line.split(" ::= ") for line in grammar.strip().splitlines())

    def expand(name):
        pieces = re.findall(r'"[^"]*"|\[[^\]]*\]|[a-z-]+|[()|?*+]|\s+', rules[name])
        assert "".join(pieces) == rules[name]
        out = []
        for piece in pieces:
            if piece.startswith('"'):
                out.append(f"(?:{re.escape(piece[1:-1])})")
            elif re.fullmatch("[a-z-]+", piece):
                out.append(f"(?:{expand(piece)})")
            elif not piece.isspace():
                out.append(piece)
        return "".join(out)

    return expand("root")


def constraints(free_move):
    return {"pattern": pattern(free_move), "gbnf": as_expression(command_grammar(free_move))}


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize("free_move", [False, True])
def test_every_whole_degree_command_is_accepted(kind, free_move):
    expression = re.compile(constraints(free_move)[kind])
    for token in PLAIN + (FREE if free_move else []):
        assert expression.fullmatch(token), token


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize("free_move", [False, True])
def test_what_is_accepted_is_a_command_for_the_parser(kind, free_move):
    expression = re.compile(constraints(free_move)[kind])
    rng, accepted = Random(1), 0
    texts = [f"{head}{digits}" for head in ("C", "A", "M", "S", "B", "") for digits in ["", *range(1100)]]
    texts += ["".join(rng.choices("CAMSB0123456789-. ", k=rng.randint(0, 5))) for _ in range(20_000)]
    for text in texts:
        if expression.fullmatch(text):
            accepted += 1
            assert not isinstance(parse(text, free_move), Nothing), text
    assert accepted >= 727


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize(
    "text", ["", "C", "C361", "C007", "C-5", "S2", "M5", "MB", "C17 ", "c17", "B1", "xM", "36", "C1.5"]
)
def test_what_no_model_should_write_is_not_accepted(kind, text):
    assert not re.fullmatch(constraints(False)[kind], text)


def test_the_pattern_is_anchored_for_servers_that_search_with_it():
    assert not re.search(pattern(), "go M")
    assert not re.search(pattern(), "Sure! C17 it is")


def test_without_patterns_only_actions_and_whole_angles_can_be_said():
    schema = portable_schema(command_schema())
    assert schema["required"] == list(schema["properties"]) == ["action", "degrees"]
    assert schema["properties"]["degrees"] == {"type": "integer", "minimum": -180, "maximum": 180}
    for action in schema["properties"]["action"]["enum"]:
        for degrees in (-180, -1, 0, 180):
            token = command(f'{{"action": "{action}", "degrees": {degrees}}}')
            assert token is None if action == "nothing" else not isinstance(parse(token), Nothing)
