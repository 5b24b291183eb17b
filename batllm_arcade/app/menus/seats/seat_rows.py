"""The rows of a seat's card: those of every brain, and those that its options make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from batllm_arcade.app.kit.text.text_field import Field
from batllm_arcade.app.kit.value_row import ValueRow
from batllm_arcade.app.kit.widgets import Choice, Row, Slider, Toggle, Widget
from batllm_arcade.app.servers.model_row import ModelRow
from batllm_arcade.app.servers.option_rows import ELSEWHERE, USUAL, label_of, option_row
from batllm_arcade.app.servers.pulling import pull_row
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.server_names import where_it_is
from batllm_arcade.app.services.server_words import in_window
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.kinds.declared import options_of
from batllm_arcade.brains.kinds.option import Option
from batllm_arcade.brains.protocol import BrainKind, Spec

REGULAR = "regular"
"""The level of a brain that has not been set to another one."""
ADD = ("Add a server...", "LM Studio, Ollama, llama.cpp, OpenRouter, OpenAI, Claude and others, or your own address")
"""What comes before all players in their list."""
_DEADLINES = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
_SHARES = (0.25, 2.0, 0.05)
_ASSUMED = (
    Option(
        "reply", "choice", choices=("token", "json"),
        sentence="how the model answers: one word, or JSON, which is slower",
    ),
    Option(
        "context", "choice", choices=("payload", "conversation"),
        sentence="what the model is told: only how things stand, or the game so far as well",
    ),
)  # fmt: skip
"""Options of models whose plugin declares none."""


class SeatsScreen(Protocol):
    """What a card asks of the screen it is on."""

    @property
    def services(self) -> Services: ...

    def pick(
        self, title: str, items: Sequence[tuple[str, str]], at: int, chosen: Callable[[int], None], note: str = ""
    ) -> None:
        """Put a list over the screen."""
        ...

    def search(
        self, title: str, items: Sequence[tuple[str, str]], at: str, chosen: Callable[[str], None], note: str = ""
    ) -> None:
        """Put a list over the screen that is searched by typing."""
        ...

    def open_server(self, seat: int, *, new: bool) -> None:
        """Show the server that plays a seat, or a `new` one, to be set up."""
        ...


Set = Callable[[str, str], None]
"""Takes an option's name and its value, "" for the usual one."""


def server_rows(
    screen: SeatsScreen, kind: BrainKind, spec: Spec, brains: BrainList, seat: int, set_to: Set
) -> list[Widget]:
    """Return the rows of a model server: where it is, which model plays, what could be fetched."""
    if kind.models is None:
        return []
    known = brains.models(spec)
    made: list[Widget] = [ModelRow(kind, spec, known, lambda model: set_to("model", model), screen.search)]
    if kind.presets or kind.state is not None:
        hint = "Where it is and whose key it gets; try it with one turn"
        made.insert(0, ValueRow("Server", where_it_is(spec), lambda: screen.open_server(seat, new=False), hint=hint))
    return [*made, *pull_row(screen.services, kind, spec, brains.seat(spec))]


def level_rows(levels: Sequence[str], now: str, set_to: Set) -> list[Row]:
    """Return the row for how well a brain plays, if it has levels."""
    if not levels:
        return []

    def choose(index: int) -> None:
        set_to("level", "" if levels[index] == REGULAR else levels[index])

    words = [level.capitalize() for level in levels]
    return [Choice("Level", words, levels.index(now or REGULAR), choose, hint="How well it plays")]


def option_rows(
    kind: BrainKind, spec: Spec, set_to: Set, *, more: bool, show_more: Callable[[bool], None]
) -> list[Row]:
    """Return the rows of a brain's options: how long it may think, what it declares, and on demand what few need.

    How long those may think that ask no server is among the latter: they take no time.
    """
    if kind.human:
        return []
    declared = options_of(kind, spec.variant)
    if kind.options is None and kind.models is not None:
        declared = (*_ASSUMED, *declared)
    served = kind.models is not None
    own = [option for option in declared if option.name not in ELSEWHERE or (option.name == "model" and not served)]
    hidden = [option for option in own if option.advanced or option.name == "model"]
    made = [_row(option, spec.options, set_to) for option in own if option not in hidden]
    time = _deadline_row(spec.text("deadline_s"), set_to)
    if all(option.name == "prepare_s" for option in hidden):
        return [time, *made]
    names = ", ".join(label_of(option).lower() for option in hidden)
    toggle = Toggle("More options", more, show_more, hint=f"What few need: {names}")
    made = [time, *made, toggle] if served else [*made, toggle, *([time] if more else [])]
    return made + [_row(option, spec.options, set_to) for option in hidden if more]


def _row(option: Option, options: Mapping[str, str], set_to: Set) -> Row:
    return option_row(option, options.get(option.name, ""), lambda value: set_to(option.name, value))


def _deadline_row(now: str, set_to: Set) -> Choice:
    values = ["", *sorted({*(f"{seconds:g}" for seconds in _DEADLINES), *([now] if now else [])}, key=float)]
    shown = [f"{value} s" if value else USUAL for value in values]
    hint = "How long it may think; if it answers too late it loses that turn"
    return Choice("Thinks for", shown, values.index(now), lambda n: set_to("deadline_s", values[n]), hint=hint)


def name_row(name: str, changed: Callable[[str], None]) -> Field:
    """Return the row for what the seat is called."""
    return Field("Name", name, changed, hint="The name shown in the match", most=16)


def handicap_rows(
    health: float, set_health: Callable[[float], None], damage: float, set_damage: Callable[[float], None]
) -> list[Row]:
    """Return the rows for how strong a bot is, in shares of what the rules say."""
    return [
        _share_row("Health", health, set_health, "A handicap: more or less health to start with"),
        _share_row("Damage", damage, set_damage, "A handicap: its shots do more or less damage"),
    ]


def _share_row(label: str, share: float, changed: Callable[[float], None], hint: str) -> Slider:
    """Return the row for a handicap, marked while there is one."""

    def change(value: float) -> None:
        changed(value)
        row.mark = value != 1.0

    row = Slider(label, share, _SHARES, change, hint=hint, shown=lambda value: f"{value * 100:.0f} %")
    row.mark = share != 1.0
    return row


def player_items(brains: BrainList, choices: Sequence[Spec]) -> list[tuple[str, str]]:
    """Return the players as a list shows them, each with what it is or why it is not ready; ask those not known."""
    items = []
    for choice in choices:
        brains.check(choice)
        state = brains.seat(choice)
        problem = brains.problem(choice) if brains.kind(choice) is not None else ""
        if state is not None and state.why == "key":
            problem = "it needs a key; type it in the row Server"
        items.append((brains.called(choice), f"Not ready: {in_window(problem)}" if problem else brains.about(choice)))
    return items
