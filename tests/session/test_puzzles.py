"""Puzzles: each is solved by its answer, in no fewer plays, and `analyse` finds nothing better."""

from __future__ import annotations

import pytest
from fakes import played, plays, results

from batllm_arcade.analysis.game import analyse_game, likely_plays
from batllm_arcade.brains.bots import BotView
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.session.puzzles import puzzles


def ways(arena, rules, left):
    """All ways in which the person at the left knocks out a target that stands still, in so many plays at most."""
    me, foe = BotView.pair(arena, 0, rules)
    for token in likely_plays(me, foe) if left > 1 else ["B"] * (me.loaded and not me.shield):
        after, _ = step(arena, 0, read_command(token, rules), rules)
        if after.right.health <= 0:
            yield (token,)
        elif left > 1:
            after, _ = step(after, 1, read_command(None, rules), rules)
            yield from ((token, *rest) for rest in ways(after, rules, left - 1))


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: puzzle.name)
def test_a_puzzle_is_solved_by_its_answer_and_in_no_fewer_plays(puzzle):
    records = played(puzzle.answer, [None] * (len(puzzle.answer) - 1), rules=puzzle.rules, seed=puzzle.seed)
    assert results(records) == [(0, "knockout")]
    own = [play for play in plays(records) if play.bot == 0]
    assert [play.number for play in own] == [*range(1, 2 * len(own), 2)], "the person acts first, all plays are needed"
    assert len(own) == puzzle.rules.turns_per_round == len(puzzle.answer)
    assert next(ways(own[0].before, puzzle.rules, len(own) - 1), None) is None
    assert next(ways(own[0].before, puzzle.rules, len(own)), None) is not None
    judged = [each for each in analyse_game(records) if each.play.bot == 0]
    assert [(each.play.command.token, each.mark, each.best) for each in judged if each.mark in ("?!", "?", "??")] == []
    assert judged[-1].chance == (1.0, 0.0)
