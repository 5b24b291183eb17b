"""Plans of leagues, read and written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from annotated_types import Ge, Le, Lt

from batllm_arcade.brains.kinds import parse_price
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_variant
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.files.paths import new_path
from batllm_arcade.files.reading import read_bytes, read_text
from batllm_arcade.history.paths import sessions_folder
from batllm_arcade.isolation.sandbox import AUTO, Mode
from batllm_arcade.league.plan import (
    MOST_ELO,
    NAME_LIMIT,
    SPRT_MODELS,
    LeaguePlan,
    LeaguePlayer,
    SprtPlan,
    check_name,
    checked,
    league_name,
    named,
)
from batllm_arcade.league.statistics.rating import Anchor
from batllm_arcade.league.validation import Count, read_as
from batllm_arcade.plugin.isolated import Isolate, IsolationChoice
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.foreign import brain_of_file, own_file
from batllm_arcade.settings.parsing import decoded, mapping, parse_table, parse_yaml, plain_text

LISTS = (".csv", ".tsv")
SUFFIXES = (".yaml", ".yml", *LISTS)
QUOTE = 'put orders in quotation marks, as in orders: "Stay back: shoot."'
PLAYER_KEYS = ("name", "brain", "orders", "fallback", "max_parallel", "price")
KEYS = (
    "players", "config", "rounds", "turns", "seed", "pairs", "schedule", "sessions", "sprt", "sprt_model",
    "plugins_dir", "on_failure", "shared", "think", "temperature", "notes", "accuracy",
    "anchor", "workers", "max_tokens", "max_requests", "max_cost", "minutes", "name", "fail_below",
    "brain", "orders", "price",
)  # fmt: skip
"""What may stand in a league's file; the last three are for players that have none of their own."""
OWN = ("brain", "orders", "price")
_OF_PLAN = (
    "rounds", "turns", "seed", "pairs", "schedule", "sessions", "on_failure", "shared", "think", "temperature",
    "notes", "accuracy",
)  # fmt: skip
_OF_RUN = ("workers", "max_tokens", "max_requests", "max_cost", "minutes", "fail_below")
"""Those that the plan and how it is run have under the same names, each with its limits."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What does not change what is played: budgets (`max_tokens`, `max_requests`, `max_cost`, `minutes`; 0: none) are
    for each start of the league, `name` is what it is called, `prices` of a million tokens (`IN/OUT`) are by player.

    `workers` 0 is one a processor. `isolate` says whose bots run in processes of their own, `isolation` how these are
    isolated: where the league was begun `auto` has become `sandbox` or `process`, which then holds for all who play it.
    """

    workers: Count = 0
    max_tokens: Count = 0
    max_requests: Count = 0
    max_cost: Annotated[float, Ge(0), Lt(1e9)] = 0.0
    minutes: Annotated[float, Ge(0), Le(1e6)] = 0.0
    name: str = ""
    anchor: Anchor | None = None
    """A player, and the Elo that its rating is set to; without it the mean of all players is 0."""
    prices: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    """How the orders of players are read, by their names."""
    isolate: Isolate = "files"
    isolation: Mode = AUTO
    reuse: tuple[str, ...] = ()
    """The folders of leagues whose pairs are taken over where they are the same."""
    fail_below: Annotated[float, Ge(-MOST_ELO), Le(MOST_ELO)] | None = None
    """Elo: a league whose first player is surely less than that better than another ends with exit code 1."""

    @property
    def has_budget(self) -> bool:
        """Return whether anything but the last pair ends it."""
        return bool(self.max_tokens or self.max_requests or self.max_cost or self.minutes)

    @property
    def choice(self) -> IsolationChoice:
        """Return whose bots are isolated, and how, as `manager.load` takes it."""
        return IsolationChoice(self.isolate, self.isolation)


def run_from(values: Any) -> RunOptions:
    """Return the options of a league's file; raise UsageError, which names the place, if they are none."""
    run = read_as(RunOptions, values, "its run")
    for name, price in run.prices.items():
        parse_price(price, f"the price of {quoted(name)}")
    return replace(run, name=league_name(run.name) if run.name else "")


def is_plan_file(text: str) -> bool:
    """Return whether an argument names a league's file and not a player."""
    return text.lower().endswith(SUFFIXES) and "=" not in text and ":" not in Path(text).name


def player_of(text: str) -> tuple[str, str]:
    """Return the name ("" if none is given) and the brain of `BRAIN` or `NAME=BRAIN`; raise UsageError if malformed."""
    head, equals, rest = text.partition("=")
    name, brain = (head.strip(), rest) if equals and ":" not in head and "," not in head else ("", text)
    Spec.parse(brain)
    return name, brain.strip()


def players_of(arguments: Sequence[str]) -> tuple[LeaguePlayer, ...]:
    """Return the players of a command line; those without a name get one from their brain."""
    given = [player_of(text) for text in arguments]
    return _with_names([LeaguePlayer(name, brain) for name, brain in given])


def _with_names(players: Sequence[LeaguePlayer]) -> tuple[LeaguePlayer, ...]:
    own = {player.name for player in players if player.name}
    for name in own:
        check_name(name)
    unnamed = [player for player in players if not player.name]
    new_names = iter(named([*((name, name) for name in own), *map(_wished, unnamed)])[len(own) :])
    return tuple(player if player.name else replace(player, name=next(new_names)) for player in players)


def _wished(player: LeaguePlayer) -> tuple[str, str]:
    spec = Spec.parse(player.brain)
    short = spec.text("name") or spec.text("model") or public_variant(spec.variant) or spec.name
    short = Path(short).stem if short.endswith(".gguf") else short
    return short[: NAME_LIMIT - len(" 99")], player.brain  # which leaves room for a number


def shipped() -> list[str]:
    """Return the names of the leagues that are shipped."""
    return sorted(each.name for each in (files("batllm_arcade.configs") / "leagues").iterdir())


def load_plan(path: Path) -> tuple[LeaguePlan, RunOptions]:
    """Return the plan in a YAML file, and how it is to be run; raise UsageError that says what is wrong in it.

    A name without a folder that no file has is that of a league that is shipped.
    """
    try:
        return _plan(_read(path), path.absolute().parent)
    except UsageError as error:
        raise UsageError(f"the league {path.name!r}: {error}") from None


def added_players(arguments: Sequence[str], plan: LeaguePlan) -> tuple[list[LeaguePlayer], dict[str, str]]:
    """Return the players to add to a plan, and the prices of files: BRAIN, NAME=BRAIN, or a file's that it has not.

    Raise UsageError if an argument is no player, or a player of a file is another one in the plan.
    """
    added: list[LeaguePlayer] = []
    prices: dict[str, str] = {}
    for text in arguments:
        if not is_plan_file(text):
            name, brain = player_of(text)
            added.append(LeaguePlayer(name, brain))
            continue
        there = {player.name: player for player in plan.players}
        values = _read(Path(text))
        players = _with_names(_players(values, Path(text).absolute().parent))
        fresh = [player.name for player in players if player.name not in there]
        prices.update({name: price for name, price in _prices(values, players).items() if name in fresh})
        for player in players:
            if player.name in fresh:
                added.append(player)
            elif replace(player, orders_file="") != replace(there[player.name], orders_file=""):
                raise UsageError(
                    f"{player.name} is another player in {text!r} than in the league; give it another name"
                )
    return list(_with_names((*plan.players, *added))[len(plan.players) :]), prices


def _read(path: Path) -> Mapping[str, Any]:
    """Return what a league's file holds; raise UsageError if it cannot be read."""
    try:
        if path.name == str(path) and path.name in shipped() and not path.exists():
            text = (files("batllm_arcade.configs") / "leagues" / path.name).read_text("utf-8")
        else:
            text = decoded(read_bytes(path)) if path.suffix.lower() in LISTS else read_text(path)
    except (OSError, ValueError) as error:
        why = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
        raise UsageError(
            f"the league {str(path)!r} cannot be read{why}; name a YAML file, one of {', '.join(shipped())}, or players"
        ) from None
    if path.suffix.lower() in LISTS:
        players = parse_table(text, ("name", "orders"))
        # An @ is no file's here.
        return {"brain": "embedded", "players": [{**row, "orders": f" {row.get('orders', '')}"} for row in players]}
    try:
        return mapping("it", parse_yaml(text))
    except UsageError as error:
        raise UsageError(f"{error}; {QUOTE}" if "orders:" in text else str(error)) from None


def _players(values: Mapping[str, Any], folder: Path) -> list[LeaguePlayer]:
    players = values.get("players")
    if not isinstance(players, list):
        raise UsageError("players must be a list, each with a brain, and a name, orders, a fallback if you like")
    return [_player(player, folder) for player in _filled_in(players, values)]


def _filled_in(players: Sequence[Any], values: Mapping[str, Any]) -> list[Any]:
    """Return the players of a file with what it says once for all of them, where they do not say it themselves."""
    common = {key: values[key] for key in OWN if values.get(key) is not None}
    if not common:
        return list(players)
    return [
        {**common, **_named(player)} if isinstance(player, str) else {**common, **mapping("a player", player)}
        for player in players
    ]


def _named(text: str) -> dict[str, str]:
    name, brain = player_of(text)
    return {"brain": brain, **({"name": name} if name else {})}


def _plan(values: Mapping[str, Any], folder: Path) -> tuple[LeaguePlan, RunOptions]:
    for key in values:
        if key not in KEYS:
            raise UsageError(f"{quoted(key)} is not a setting of a league; the settings are {', '.join(KEYS)}")
    players = _with_names(_players(values, folder))
    given = {key: _unquoted(key, values[key]) for key in _OF_PLAN if key in values}
    plan = read_as(LeaguePlan, {"players": [], **given}, "")
    choices: dict[str, Any] = {"players": players}
    if "config" in values:
        name = plain_text("config", values["config"])
        instead = "write it on the command line: --config FILE"
        shipped = name in configuration.SHIPPED
        choices["config"] = name if shipped else str(own_file(folder, name, "config", instead))
    if "plugins_dir" in values:
        name = plain_text("plugins_dir", values["plugins_dir"])
        choices["plugins_dir"] = str(configuration.plugins_folder(folder, name))
    if "sprt" in values:
        parts = values["sprt"] if isinstance(values["sprt"], list) else [values["sprt"]]
        choices["sprt"] = sprt_of(",".join(map(str, parts)))
    if "sprt_model" in values:
        choices["sprt"] = with_model(choices.get("sprt"), values["sprt_model"])
    run = read_as(RunOptions, {key: values[key] for key in _OF_RUN if values.get(key) is not None}, "")
    if "anchor" in values:
        run = replace(run, anchor=read_as(Anchor, values["anchor"], "anchor"))
    name = "" if values.get("name") is None else league_name(str(values["name"]))
    return checked(replace(plan, **choices)), replace(run, name=name, prices=_prices(values, players))


def _unquoted(key: str, value: Any) -> Any:
    """Return a value of a file as it was written: YAML reads `off` as false, and a temperature as a number."""
    if key in ("think", "notes") and value is False:
        return "off"
    return str(value) if key == "temperature" and type(value) in (int, float) else value


def _player(value: Any, folder: Path) -> LeaguePlayer:
    given = _named(value) if isinstance(value, str) else mapping("a player", value)
    orders = given.get("orders", "")
    if not isinstance(orders, str) or any(each is None and key not in PLAYER_KEYS for key, each in given.items()):
        raise UsageError(QUOTE)
    values = {key: each for key, each in given.items() if each is not None or key == "name"}
    for key in values:
        if key not in PLAYER_KEYS:
            raise UsageError(f"a player has no {quoted(key)}; it has {', '.join(PLAYER_KEYS)}")
    name = values.get("name", "")
    player = read_as(LeaguePlayer, {**values, "name": str(name) if type(name) in (int, float) else name}, "a player")
    for brain in filter(None, (player.brain, player.fallback)):
        brain_of_file(Spec.parse(brain), "a player", folder)
    orders, file = _orders(player.orders, folder)
    return replace(player, brain=player.brain.strip(), orders=orders, orders_file=file)


def _prices(values: Mapping[str, Any], players: Sequence[LeaguePlayer]) -> dict[str, str]:
    prices = {
        player.name: str(each["price"])
        for player, each in zip(players, _filled_in(values["players"], values), strict=True)
        if isinstance(each, dict) and each.get("price") is not None
    }
    for price in prices.values():
        parse_price(price, "a player's price")
    return prices


def _orders(text: str, folder: Path) -> tuple[str, str]:
    """Return orders and the file they come from: a text, or @FILE beside the league's file."""
    if not text.startswith("@"):
        return text.strip(), ""
    path = own_file(folder, text[1:], "the file of orders", "put it there")
    return configuration.prompt_text(f"@{path}"), str(path)


def sprt_of(text: str) -> SprtPlan:
    """Return the test written as `ELO0,ELO1[,ALPHA,BETA]`; raise UsageError if malformed."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 4):
        raise UsageError(f"--sprt takes ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, such as 0,50,0.05,0.05, not {text!r}")
    elo0, elo1, alpha, beta = (*numbers, 0.05, 0.05)[:4]
    return SprtPlan(elo0, elo1, alpha, beta)


def anchor_of(text: str) -> Anchor:
    """Return the anchor written as `PLAYER=ELO`; raise UsageError if malformed."""
    player, _, rating = text.rpartition("=")
    if not player or not re.fullmatch(r"[+-]?[0-9]{1,5}(\.[0-9]+)?", rating):
        raise UsageError(f"--anchor takes PLAYER=ELO, such as turtle=1000, not {text!r}")
    return Anchor(player, float(rating))


def with_model(sprt: SprtPlan | None, model: str) -> SprtPlan:
    """Return a test with this model; raise UsageError if there is no test, or no such model."""
    if sprt is None:
        raise UsageError("--sprt-model says what the Elo of --sprt ELO0,ELO1 are; add --sprt")
    if model not in SPRT_MODELS:
        raise UsageError(f"sprt_model must be {' or '.join(SPRT_MODELS)}, not {quoted(model)}")
    return replace(sprt, model=next(each for each in SPRT_MODELS if each == model))


def leagues_folder() -> Path:
    """Return the folder of leagues without a named one; it may not exist yet."""
    return sessions_folder().parent / "leagues"


def new_folder() -> Path:
    """Return a free folder for a league, named by the time; raise UsageError if there can be none."""
    instead = "add --out DIR, or set XDG_DATA_HOME to a folder of yours"
    return new_path(leagues_folder(), "leagues", instead, "%Y%m%d-%H%M%S")
