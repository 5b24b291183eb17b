"""What decides for a seat: Brain, the View it gets, the Decision it returns, Spec and BrainKind to choose it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.options import Gamepad, PayloadStyle
from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.brains.redaction import public_variant
from batllm_arcade.brains.spec_text import in_quotes, split_options, unquoted
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.errors import ArcadeError, UsageError


class BrainError(ArcadeError):
    """A brain cannot decide or cannot start; `str()` is one sentence that says what to do.

    `raw` is the text that was received although it is no answer, such as one that a server cut off, `thought` what
    the model thought until then, `tokens` what it has read and written for that.
    """

    raw: str = ""
    thought: str = ""
    tokens: Mapping[str, int] | None = None

    def __init__(
        self, *sentence: object, raw: str = "", thought: str = "", tokens: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(*sentence)
        self.raw, self.thought, self.tokens = raw, thought, tokens


@dataclass(frozen=True, slots=True)
class Decision:
    """A brain's answer: `raw` is the exact text received, `command` the token for the rules.

    `command` None means to do nothing on purpose. `thought` is shown beside the bot, `say` is said aloud,
    `tokens` counts the tokens a model read and wrote (`prompt`, `completion`). If one reply holds several
    plays, the later ones have `raw` "" and `queued_from`, the `View.number` of the play the reply came with.
    `invalid` says why the brain itself rejects `raw`; the bot then does nothing.
    """

    raw: str
    command: str | None
    thought: str = ""
    say: str = ""
    tokens: Mapping[str, int] | None = None
    queued_from: int | None = None
    raw_cut: int | None = None
    """The full length in characters if the host had to cut `raw`, else None."""
    invalid: str = ""


@dataclass(frozen=True, slots=True)
class PastPlay:
    """One bot's action in a finished turn; `say` is what it said aloud.

    `status` is `ok`, `invalid`, `timeout`, `error` or `forfeit`, "" where it is not known.
    """

    bot: int
    raw: str
    cmd: str
    say: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A finished turn of this round: both plays and the state after them."""

    turn: int
    plays: tuple[PastPlay, ...]
    after: Arena


@dataclass(frozen=True, slots=True)
class View:
    """All that a brain may know when it is asked; bots are indices, counters start at 1.

    `number` counts the plays of the round, two a turn. `arena` is the state now, `initial` the state at
    the start of the round, `prompts` both players' prompts (left first), `system_header` the filled header
    for this seat, `history` the finished turns of this round, `gamepad` what a model's button presses do,
    `rng` the seat's own random stream of this game and `stream` that stream's name, `SEED/GAME/SEAT`.
    """

    seat: int
    rules: Rules
    game: int
    round: int
    turn: int
    number: int
    acting_order: tuple[int, int]
    prompts: tuple[str, str]
    arena: Arena
    initial: Arena
    history: tuple[PastTurn, ...] = ()
    system_header: str = ""
    style: PayloadStyle = PayloadStyle()
    gamepad: Gamepad = Gamepad()
    rng: Random = field(default_factory=lambda: Random(0))
    stream: str = ""
    live: Live = field(default_factory=Live)

    @property
    def prompt(self) -> str:
        """Return the prompt of this seat's player."""
        return self.prompts[self.seat]


class Brain(Protocol):
    """Decides for a seat; one instance per seat, called by one thread at a time.

    Optional: `prepare(report)` does what takes time before the first play (`report(text)` shows a line of
    progress), `end_game(result)` is told how a game ended (a mapping with `winner`, a bot's index or None, and
    `reason`), `close()` releases it, `model` names the model, `title` names the seat. The methods may raise
    BrainError.
    """

    def decide(self, view: View) -> Decision:
        """Return the decision for this play; raise BrainError if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Spec:
    """A brain as written on the command line: `NAME` or `NAME:VARIANT,key=value,...`; values may stand in "quotes"."""

    name: str
    variant: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seat: str = field(default="", compare=False)
    """The seat it is to play, `left` or `right`; "" where that is not known."""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Parse a brain spec; raise UsageError if malformed."""
        name, _, rest = text.strip().partition(":")
        if not name:
            raise UsageError(f"{text!r} names no brain; write NAME or NAME:VARIANT,key=value")
        variant, options = "", {}
        for position, part in enumerate(split_options(rest) if rest else ()):
            key, equals, value = part.partition("=")
            if position == 0 and (not equals or part.lstrip().startswith('"')):
                variant = unquoted(part.strip())
            elif equals and key.strip():
                options[key.strip()] = unquoted(value.strip())
            else:
                raise UsageError(f"{part!r} in the brain {text!r} is not an option; write key=value")
        return cls(name.strip(), variant, options)

    def __str__(self) -> str:
        variant = in_quotes(self.variant, "=")
        head = f"{self.name}:{variant}" if self.variant else self.name
        options = ",".join(f"{key}={in_quotes(value)}" for key, value in self.options.items())
        return f"{head}{',' if self.variant else ':'}{options}" if options else head

    @property
    def short(self) -> str:
        """Return the name and variant without options, as shown and recorded: of a file without its folders."""
        return f"{self.name}:{public_variant(self.variant)}" if self.variant else self.name

    def allow(self, *keys: str, variants: tuple[str, ...] = ()) -> None:
        """Raise UsageError if an option or the variant is not among those given."""
        if self.variant and self.variant not in variants:
            known = f"one of {', '.join(variants)}" if variants else "left out"
            raise UsageError(f"{self.variant!r} is not a variant of {self.name}; it must be {known}")
        for key in self.options:
            if key not in (*keys, *HOST_OPTIONS):
                raise UsageError(f"{self.name} has no option {key!r}; it knows {', '.join((*keys, *HOST_OPTIONS))}")

    def text(self, key: str, default: str = "") -> str:
        """Return an option's text."""
        return self.options.get(key, default)

    def number(self, key: str, default: float, *, least: float = 0.0) -> float:
        """Return an option's number; raise UsageError if it is not a number from `least` to 1e9."""
        try:
            value = float(self.options.get(key, default))
        except ValueError:
            value = float("nan")
        if not least <= value <= 1e9:
            raise UsageError(f"{key} of {self.name} must be a number from {least:g} up, not {self.options[key]!r}")
        return value


HOST_OPTIONS = ("deadline_s", "name", "prepare_s")
"""Options of every brain, which the host reads."""


@dataclass(frozen=True, slots=True)
class BrainKind:
    """A brain that can be chosen by name; what a plugin's `batllm_brains` hook returns.

    `make(spec)` returns one instance for a seat (raise UsageError for unknown options) and must be quick:
    what takes time belongs in the brain's `prepare`. `missing(spec)` returns one sentence that says what is
    missing to play now, "" if nothing is. `models(spec)` lists the values of the option `model` (raise
    BrainError if unknown). Both return within 2 s. `human` marks a person's seat.
    """

    name: str
    summary: str
    make: Callable[[Spec], Brain]
    variants: tuple[str, ...] = ()
    missing: Callable[[Spec], str] | None = None
    human: bool = False
    prompted: bool = False
    """The player's prompt changes how it plays."""
    about: Mapping[str, str] = field(default_factory=dict)
    """A description by variant, for variants that have one."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """What changes with each value of the option `level`, for brains that have it."""
    level_variants: tuple[str, ...] = ()
    """The variants that have the option `level`; () if there are levels: all."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """What a seat is called by variant, where its brains call themselves something else than the variant."""
    models: Callable[[Spec], Sequence[str]] | None = None
    prepare_s: float = 60.0
    """Seconds in which a brain must be made, and again in which it must be prepared."""
    files: bool = False
    """Its variant is the path of a bot's file, which a player chooses."""
    prepare_grace_s: float = 0.0
    """Seconds for which the host waits longer, for a brain that itself says why it was not ready in time."""
    orders_reader: Callable[[Spec], ReadsOrders | None] | None = None
    """Return what tells how this brain reads orders, None for a spec that does not read them beforehand."""
    max_parallel: int = 0
    """Games that its server can serve at once in a league, 0 for no limit."""
    isolation: str = ""
    """How its bots are isolated unless their option `isolation` says otherwise: `auto`, `sandbox`, `process`, `none`.

    "" for brains that never are.
    """


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who plays a seat, as shown and recorded; holds no secrets and no paths."""

    name: str
    brain: str
    model: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    human: bool = False
    adapted: tuple[str, ...] = ()
    """What requests to its model leave out, rename or add, each in a few words."""
    isolation: str = ""
    """`sandbox`, `process` or `none`, for a bot that can be isolated."""
