"""Check where a fork says that it has left the session it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from batllm_arcade.history.reader import GameTape
from batllm_arcade.history.verification.difference import Difference, Place
from batllm_arcade.match.records import ForkedFrom

ALONE = "this is one game of a session that is not here: others may have been left out"


def fork_differences(place: Place, game: GameTape, origin: ForkedFrom) -> Iterator[Difference]:
    """Yield the differences between the turns that `forked_from` names and those that a game has, or may have."""
    rules = game.rules
    if origin.game < 1:
        yield place.broken("forked_from.game_number", origin.game, "must be 1 or more")
    for name, point in zip([*["forked_from.earlier"] * len(origin.earlier), "forked_from"], origin.points, strict=True):
        if not 1 <= point.round <= rules.total_rounds:
            yield place.broken(f"{name}.round_number", point.round, f"must be from 1 to {rules.total_rounds}")
        elif not 1 <= point.turn <= rules.turns_per_round - (point.round == rules.total_rounds):
            yield place.broken(f"{name}.turn", point.turn, "must be a turn of the round with another one behind it")
    here = game.rounds[origin.round - 1].plays if 1 <= origin.round <= len(game.rounds) else ()
    if not 1 <= origin.turn <= len(here) // 2:
        yield place.broken("forked_from.turn", f"{origin.round}.{origin.turn}", "must be a turn that was played")
        return
    last = here[2 * origin.turn - 1]
    if last.status == "forfeit" or min(last.post_state.health, last.opponent_state.health) <= 0:
        yield place.broken("forked_from.turn", origin.turn, "must be one with which the game was not over")
