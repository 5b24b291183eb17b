"""What the players of a league cost: the price in the league's file, that of the brain, or that of a known server."""

from __future__ import annotations

from collections.abc import Mapping

from batllm_arcade.brains.kinds import Price, parse_price
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import LeagueSetup, asks_a_server
from batllm_arcade.league.statistics.tally import GameLine
from batllm_arcade.seats.brain_thread import Kinds


def prices_of(plan: LeaguePlan, given: Mapping[str, str]) -> dict[str, Price]:
    """Return the prices of those players that have one; `given` are the file's, by name."""
    found = {player.name: price_of(player, given.get(player.name, "")) for player in plan.players}
    return {name: price for name, price in found.items() if price is not None}


def check_budget(setup: LeagueSetup, run: RunOptions, kinds: Kinds) -> None:
    """Raise UsageError if money is limited and the price of a player who asks a server is not known."""
    for player in setup.plan.players:
        if run.max_cost and asks_a_server(player, kinds) and price_of(player, run.prices.get(player.name, "")) is None:
            raise UsageError(
                f"--max-cost needs the price of {player.name}: write price: IN/OUT (of a million tokens) in the "
                "league's file, or price=IN/OUT behind the brain"
            )


def price_of(player: LeaguePlayer, given: str = "") -> Price | None:
    """Return what a million tokens cost: as given, by the brain's option, or of a known server's own model."""
    spec = Spec.parse(player.brain)
    return parse_price(given or spec.text("price") or _known(spec), f"the price of {player.name}")


def _known(spec: Spec) -> str:
    from batllm_arcade.models.presets import preset_named

    preset = preset_named(spec.name, spec.variant)
    if preset is None or spec.text("base_url") or spec.text("model") not in ("", preset.model):
        return ""
    return preset.price


def cost_of_game(game: GameLine, prices: Mapping[str, Price]) -> float:
    """Return what a game's tokens cost, as far as there are prices."""
    written = game.get("written", {})
    return sum(
        price.of({"prompt": game["tokens"][name] - written.get(name, 0), "completion": written.get(name, 0)})
        for name, price in prices.items()
        if name in game["tokens"]
    )
