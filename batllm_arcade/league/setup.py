"""What a league needs on every machine that plays for it, checked before anything is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from batllm_arcade.brains.kinds import Price, parse_price
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import rules_from
from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.history import schema
from batllm_arcade.history.schema import Node
from batllm_arcade.league import identity as fingerprint
from batllm_arcade.league.identity import LeagueIdentity, identity_of
from batllm_arcade.league.plan import MANY, LeaguePlan, LeaguePlayer, PairLimits, ScheduledPair
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.statistics.tally import GameLine
from batllm_arcade.match.runner import secret_of
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import ISOLATED, Inspected, IsolationChoice
from batllm_arcade.seats.brain_thread import BrainThread, Kinds, find_kind
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config


@dataclass(frozen=True, slots=True)
class LeagueSetup:
    """The plan with its whole configuration; `agreed` is what all who play for the league must share.

    `isolation` is as `manager.load` takes it. A setup travels to the processes and machines that play, so it holds
    plain values only.
    """

    plan: LeaguePlan
    config: Config
    agreed: LeagueIdentity
    isolation: IsolationChoice = ISOLATED
    inspected: Mapping[str, Inspected] | None = field(default=None, compare=False)
    """What the plugins' bots offer, where the processes of this machine need not find it out themselves."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What readers of the table must know, one sentence each: what changed while it was played."""

    @property
    def identity(self) -> str:
        """Return a text that two leagues share only if they are played alike."""
        isolation = [self.isolation.whose, self.isolation.how]
        agreed = self.agreed.values()
        return fingerprint.of_value([self.plan.values(), config_values(self.config), agreed, isolation])

    def light(self) -> LeagueSetup:
        """Return what a machine needs to play that has been asked for its files already."""
        return replace(self, agreed=LeagueIdentity(plugins=self.agreed.plugins), notes=())


def load_config(plan: LeaguePlan) -> Config:
    """Return the plan's configuration with the plan's lengths; raise UsageError if it cannot be read."""
    config = configuration.with_lengths(configuration.load(plan.config), plan.rounds, plan.turns)
    if plan.shared is not None:
        config = replace(config, style=replace(config.style, mode="shared" if plan.shared else "independent"))
    folder = Path(plan.plugins_dir).absolute() if plan.plugins_dir else config.plugins_dir
    return replace(config, plugins_dir=folder, seats=(None, None), prompts=("", ""), settings={})


def set_up(plan: LeaguePlan, config: Config, isolation: IsolationChoice = ISOLATED) -> LeagueSetup:
    """Return the setup of a plan on this machine; raise UsageError if the plugin folder is missing."""
    if config.plugins_dir is not None and not config.plugins_dir.is_dir():
        raise UsageError(f"{str(config.plugins_dir)!r} is not a folder; --plugins-dir takes the folder of your plugins")
    return LeagueSetup(plan, config, identity_of(plan, config.plugins_dir), isolation)


def load_plugins(setup: LeagueSetup) -> manager.Plugins:
    """Load the plugins; raise UsageError if one of them is not the one the league was begun with."""
    changed = fingerprint.changes(
        setup.agreed.plugins, fingerprint.of_plugins(setup.config.plugins_dir), new_ones=False
    )
    if changed:
        raise UsageError(f"the plugin {changed[0]!r} is another one here than where the league was begun")
    return manager.load(setup.config.plugins_dir, setup.isolation, setup.inspected)


def spec_of(player: LeaguePlayer) -> Spec:
    """Return a player's brain, with the player's name for what is shown and recorded."""
    spec = Spec.parse(player.brain)
    return replace(spec, options={**spec.options, "name": player.name})


def asked_spec(player: LeaguePlayer, plan: LeaguePlan, kinds: Mapping[str, BrainKind]) -> Spec:
    """Return a player's brain as it plays in this league: a model's with the league's `think` and `temperature`."""
    spec = spec_of(player)
    if not asks_a_server(player, kinds):
        return spec
    wished = {"think": plan.think, "temperature": plan.temperature}
    known = {option.name for option in kinds[spec.name].options or ()}
    own = {key: text for key, text in wished.items() if key in known and text not in ("auto", "default")}
    return replace(spec, options={**own, **spec.options})


def fallback_of(player: LeaguePlayer, setup: LeagueSetup) -> Spec | None:
    """Return who takes the seat of a player whose brain fails three plays in a row; None if that forfeits the game."""
    if player.fallback:
        return Spec.parse(player.fallback)
    return setup.config.fallback if setup.plan.on_failure == "fallback" else None


def pair_secret(setup: LeagueSetup, kinds: Kinds) -> Callable[[ScheduledPair], str]:
    """Return what tells the secret of a pair, "" in a league without bots of files.

    Every pair has its own, as bots are kept for the next. It is the coordinator's: workers are told it with the pair.
    """
    players, seed = setup.plan.players, setup.plan.seed
    specs = [spec for each in players for spec in (spec_of(each), fallback_of(each, setup)) if spec is not None]
    if not any(find_kind(kinds, spec).isolation for spec in specs):
        return lambda _pair: ""
    return lambda pair: secret_of(f"pair {pair.number} of league {seed}")


def check_brains(setup: LeagueSetup, kinds: Kinds) -> None:
    """Raise UsageError, with the player's name, if a brain is unknown, a person, or has wrong options."""
    for player in setup.plan.players:
        for what, spec in (("", spec_of(player)), ("its fallback: ", fallback_of(player, setup))):
            if spec is None:
                continue
            try:
                kind = find_kind(kinds, spec)
                if kind.human or kind.patient:
                    who = "a person" if kind.human else "somebody from outside"
                    raise UsageError(f"{spec.short} is {who}, and a league is played without anybody")
                BrainThread(kinds, spec, setup.config.deadline_s).close()
            except ArcadeError as error:
                raise UsageError(f"{player.name}: {what}{one_line(error, 1000)}") from None


class _NoSession:
    """What observers are made for in a league: no session file, and nothing printed."""

    history = None
    console = ""


_UNTOLD = "which no league tells anything; keep the games with --sessions all and read them with read_session"


def leave_observers_out(plugins: manager.Plugins) -> list[str]:
    """Return a sentence for each installed plugin with an observer: the games are played in other processes.

    Raise UsageError for one of a folder, which somebody has named for this league.
    """
    named = {*plugins.observing} - {*plugins.installed}
    for name in plugins.observers(_NoSession(), named).names:
        raise UsageError(f"the plugin {name!r} has an observer, {_UNTOLD}, and leave it out: --without {name}")
    others = (each for each in plugins.observing if each in plugins.installed)
    strangers = (name for name in others if not manager.is_bundled(plugins.installed[name]))
    return [f"the installed plugin {name!r} has an observer, {_UNTOLD}" for name in strangers]


def server_of(player: LeaguePlayer, kinds: Mapping[str, BrainKind]) -> tuple[str, int]:
    """Return what a player shares with others while it plays, and how many games that can bear at once (0: any).

    Players behind the same server share its limit, if only MANY; any other player has its own.
    """
    spec = Spec.parse(player.brain)
    kind = kinds.get(spec.name)
    if kind is None or kind.models is None:
        return f"player {player.name}", player.max_parallel
    return f"{spec.short} {spec.text('base_url')}", player.max_parallel or kind.max_parallel or MANY


def limits_of(setup: LeagueSetup, kinds: Kinds) -> PairLimits:
    """Return which players share a server, and how many games each server bears at once."""
    shared: list[str] = []
    most: dict[str, int] = {}
    for player in setup.plan.players:
        name, limit = server_of(player, kinds)
        shared.append(name)
        if limit:
            most[name] = min(limit, most.get(name, limit))
    return PairLimits(shared, most)


def asks_a_server(player: LeaguePlayer, kinds: Mapping[str, BrainKind]) -> bool:
    """Return whether every decision of this player is a request to a server that is counted."""
    kind = kinds.get(Spec.parse(player.brain).name)
    return kind is not None and kind.models is not None


def config_values(config: Config) -> dict[str, Any]:
    """Return all of a configuration that decides what is played, as plain values for a JSON file."""
    return {
        "rules": schema.rules(config.rules),
        "payload": asdict(config.style),
        "gamepad": asdict(config.gamepad),
        "system_header": config.header_template,
        "fallback": str(config.fallback),
        "deadline_s": config.deadline_s,
        "plugins_dir": str(config.plugins_dir or ""),
    }


def config_from(values: Any) -> Config:
    """Return the configuration that `config_values` gave; raise UsageError or RulesError if it is none."""
    node = Node(values, "its configuration")
    rules, style, gamepad = (dict(node[key].members()) for key in ("rules", "payload", "gamepad"))
    folder = node["plugins_dir"].text()
    return configuration.checked(
        Config(
            rules=rules_from(_values(rules)),
            style=configuration.style_of({key: value for key, value in _values(style).items() if value is not None}),
            gamepad=configuration.gamepad_of(_values(gamepad)),
            header_template=node["system_header"].text(),
            fallback=Spec.parse(node["fallback"].text()),
            deadline_s=configuration.seconds_of(node["deadline_s"].value),
            plugins_dir=Path(folder) if folder else None,
        )
    )


def _values(members: Mapping[str, Node]) -> dict[str, Any]:
    return {key: node.value for key, node in members.items()}


def config_now(plan: LeaguePlan) -> Config | None:
    """Return the plan's configuration as its file says now, None if there is none any more."""
    with suppress(UsageError):
        return load_config(plan)
    return None


def prices_of(plan: LeaguePlan, given: Mapping[str, str]) -> dict[str, Price]:
    """Return the prices of those players that have one; `given` are the file's, by name."""
    prices = {player.name: price_of(player, given.get(player.name, "")) for player in plan.players}
    return {name: price for name, price in prices.items() if price is not None}


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
    from batllm_arcade.models.presets import preset_named

    spec = Spec.parse(player.brain)
    preset = preset_named(spec.name, spec.variant)
    known = preset is not None and not spec.text("base_url") and spec.text("model") in ("", preset.model)
    price = given or spec.text("price") or (preset.price if preset is not None and known else "")
    return parse_price(price, f"the price of {player.name}")


def cost_of_game(game: GameLine, prices: Mapping[str, Price]) -> float:
    """Return what a game's tokens cost, as far as there are prices."""
    written = game.get("written", {})
    return sum(
        price.of({"prompt": game["tokens"][name] - written.get(name, 0), "completion": written.get(name, 0)})
        for name, price in prices.items()
        if name in game["tokens"]
    )
