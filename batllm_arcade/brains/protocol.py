"""The boundary of plugins: a brain, what it sees and what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import PurePath
from random import Random
from typing import Any, Literal, Protocol
from unicodedata import category, normalize

from batllm_arcade.brains.kinds import Option, PullProgress, SeatState, Why
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.orders import ReadsOrders
from batllm_arcade.brains.redaction import is_secret, looks_like_key, public_variant
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.errors import ArcadeError, UsageError


@dataclass(frozen=True, slots=True)
class PayloadStyle:
    """Options of payload v3.2."""

    mode: Literal["shared", "independent"] = "shared"
    """`independent`: a model sees its own orders and plays alone."""
    aug: bool = True
    """Adds the rules' figures, the states and a system message."""
    order: Literal["document", "append"] = "append"
    """`document`: the published order of the keys; `append`: first what stays the same, for a server's prefix cache."""
    decimals: int = 1
    """What numbers are rounded to."""
    raw_limit: int = 1000
    """Characters to which replies in the history are cut."""
    history_window: int = 0
    """Finished turns that are shown, 0 for all."""
    arena_const: bool | None = None
    """Adds the arena's figures; None: with `append`."""
    sensors: bool | None = None
    """Adds bearing, distance and what follows from them; None: with `append`."""


BUTTONS = ("up", "down", "left", "right", "a", "b", "start", "select")


@dataclass(frozen=True, slots=True)
class Gamepad:
    """What each button of the virtual gamepad does: a command, or "" for nothing.

    `A` and `C` alone turn by `turn_degrees`, which a reply may replace for its own presses.
    """

    up: str = "M"
    down: str = "S1"
    left: str = "A"
    right: str = "C"
    a: str = "B"
    b: str = "S"
    start: str = ""
    select: str = "S0"
    turn_degrees: float = 15
    """How far `A` and `C` turn."""


def split_options(text: str) -> list[str]:
    """Return the parts between commas, of which those within double quotes do not count."""
    # A quote counts at the start of a value only, so that a value such as 5" is what it looks like.
    parts = re.findall(r'(?:^|,)((?:[^,="]*=)?\s*(?:"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]*))', text, re.DOTALL)
    return [str(part) for part in parts]


def unquoted(text: str) -> str:
    """Return a value without the double quotes around it; within them a backslash takes the next quote as it is."""
    if len(text) >= 2 and text[0] == text[-1] == '"' and re.fullmatch(r'"(?:[^"\\]|\\.)*"', text, re.DOTALL):
        return re.sub(r'\\(["\\])', r"\1", text[1:-1])
    return text


def in_quotes(text: str, also: str = "") -> str:
    """Return a value as it can be written again, quoted where it has to be, also where it holds one of `also`."""
    if text == text.strip() and text[:1] != '"' and not any(each in text for each in f",{also}"):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


class BrainError(ArcadeError):
    """A brain cannot decide or cannot start; `str()` is one sentence that says what to do.

    `raw` is the text that was received although it is no answer, such as one that a server cut off, `thought` what
    the model thought until then, `tokens` what it has read and written for that, `why` what a player could do something
    about: where somebody looks on, a match waits for that.
    """

    why: Why = "other"
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
    """A brain's answer."""

    raw: str
    """The exact text received; of a script its token."""
    command: str | None
    """The token for the rules; None does nothing on purpose."""
    thought: str = ""
    """Shown beside the bot."""
    say: str = ""
    """Said aloud, in a speech bubble."""
    tokens: Mapping[str, int] | None = None
    """The tokens a model read and wrote (`prompt`, `completion`)."""
    queued_from: int | None = None
    """Of a later play of one reply, whose `raw` is "": the `View.number` of the play that the reply came with."""
    raw_cut: int | None = None
    """The full length in characters if the host had to cut `raw`, else None."""
    invalid: str = ""
    """Why the brain itself rejects `raw`; the bot then does nothing."""


FAILED = ("timeout", "error", "forfeit")
"""The statuses of plays whose brain gave no answer that counts."""


@dataclass(frozen=True, slots=True)
class PastPlay:
    """One bot's action in a finished turn."""

    bot: int
    raw: str
    """What its brain answered."""
    cmd: str
    """The command as it was read, `ERR` where none was."""
    say: str = ""
    """What it said aloud."""
    status: str = ""
    """`ok`, `invalid`, `timeout`, `error` or `forfeit`, "" where it is not known."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A finished turn of this round: both plays and the state after them."""

    turn: int
    plays: tuple[PastPlay, ...]
    """Both plays, in the acting order."""
    after: Arena
    """Both bots after them."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a brain may know when it is asked; bots are indices, counters start at 1."""

    seat: int
    """The index of its own bot, 0 left, 1 right."""
    rules: Rules
    game: int
    round: int
    turn: int
    number: int
    acting_order: tuple[int, int]
    prompts: tuple[str, str]
    """Both players' orders, left first; `prompt` is this seat's. In `independent` mode the other's are ""."""
    arena: Arena
    """Both bots now: who acts second sees what the first did."""
    initial: Arena
    """Both bots at the start of the round."""
    history: tuple[PastTurn, ...] = ()
    """The finished turns of this round; in `independent` mode without what the other one answered and said."""
    system_header: str = ""
    """The system message for this seat, filled with the rules."""
    style: PayloadStyle = PayloadStyle()
    """How payloads are built."""
    gamepad: Gamepad = Gamepad()
    """What a model's button presses do."""
    notes: str = ""
    """What this seat's model has noted after earlier rounds and games, of a brain that writes notes."""
    over: bool = False
    """Whether the round is over: no play is asked for, but notes."""
    rng: Random = field(default_factory=lambda: Random(0))
    """The seat's own random stream of this game; drawing from it alone keeps games repeatable."""
    stream: str = ""
    """That stream's name: `SEED/GAME/SEAT`, or in games with bots of files a text that tells nothing of the other's."""
    live: Live = field(default_factory=Live)
    """The line to the host: partial text, time left, cancellation."""

    @property
    def prompt(self) -> str:
        """Return the prompt of this seat's player."""
        return self.prompts[self.seat]


class Brain(Protocol):
    """Decides for a seat; one instance per seat, called by one thread at a time.

    Optional: `prepare(report)` does what takes time before the first play (`report(text)` shows a line of
    progress), `end_game(result)` is told how a game ended (a mapping with `winner`, a bot's index or None, and
    `reason`), `close()` releases it, `model` names the model, `title` names the seat, `stand_in` is the Spec of who
    takes its seat if it has failed too often (None: the match's fallback). With `notes`, how many words it writes at
    most, `note(view)` is asked after each round: it returns a Decision whose `raw` are the notes, which stand in the
    `notes` of later views. The methods may raise BrainError.
    """

    def decide(self, view: View) -> Decision:
        """Return the decision for this play; raise BrainError if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Spec:
    """A brain as written on the command line: `NAME` or `NAME:VARIANT,key=value,...`; values may stand in "quotes"."""

    name: str
    """The brain's name."""
    variant: str = ""
    """A first option without `=`, "" without one."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Its options as they are written."""
    seat: str = field(default="", compare=False)
    """The seat it is to play, `left` or `right`; "" where that is not known."""
    bundled: bool = field(default=False, compare=False)
    """Whether the bundled brain of this name is meant, also where a plugin was let into its place."""

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
                keeps = f"""double quotes keep a comma in a value: '{name}:"my, file"'"""
                raise UsageError(f"{part!r} in the brain {text!r} is not an option; write key=value; {keeps}")
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
        given = self.options.get(key, default)
        try:
            value = float(given)
        except ValueError:
            value = float("nan")
        if not least <= value <= 1e9:
            raise UsageError(f"{key} of {self.name} must be a number from {least:g} up, not {given!r}")
        return value


@dataclass(frozen=True, slots=True)
class BrainKind:
    """A brain that can be chosen by name; what a plugin's `batllm_brains` hook returns."""

    name: str
    """What it is chosen by: letters, digits, - and _."""
    summary: str
    """What it is, in a few words."""
    make: Callable[[Spec], Brain]
    """Return one brain for a seat; raise UsageError for an unknown option. Quick: what takes time is for `prepare`."""
    variants: tuple[str, ...] = ()
    """What may stand after its name, as in `scripted:turtle`."""
    missing: Callable[[Spec], str] | None = None
    """Return within 2 s what is missing to play now, in one sentence, "" if nothing is."""
    human: bool = False
    """A person's seat."""
    remote: bool = False
    """Whether that person is somewhere else, so that no key here is theirs and no window is needed."""
    patient: bool = False
    """It has as long as it likes for an answer, unless its option `deadline_s` says otherwise."""
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
    """Return within 2 s what the option `model` may be; raise BrainError if that is unknown."""
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
    options: tuple[Option, ...] | None = None
    """The options that it has beside the host's; None for a kind that does not declare them and checks them itself."""
    other_options: bool = False
    """Whether it takes options that it does not declare, as a bot of one's own does."""
    presets: tuple[str, ...] = ()
    """The servers that it knows by name, each of which may stand where a variant does."""
    state: Callable[[Spec], SeatState] | None = None
    """Return what is missing to play now, with its cause; like `missing`, within 2 s."""
    pull: Callable[[Spec, str, Live, Callable[[PullProgress], None]], None] | None = None
    """Have its server fetch a model by name, telling how far it is, until `Live` is cancelled; raise BrainError."""
    pullable: tuple[str, ...] = ()
    """Models that are worth fetching, by name."""
    pull_sizes: Mapping[str, str] = field(default_factory=dict)
    """How large some of them are, such as `2.0 GB`."""
    place: str = ""
    """Where its author defines its bot, as ` (bot.py, line 4)`; "" for where `make` is."""


_SCRIPTS = "scripted:"


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who plays a seat, as shown and recorded; holds no secrets and no paths."""

    name: str
    """What the seat is called."""
    brain: str
    """The brain's name and variant, such as `scripted:turtle`."""
    model: str = ""
    """The model's name, "" for what has none."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The brain's options, without secrets."""
    human: bool = False
    """Whether a person plays."""
    adapted: tuple[str, ...] = ()
    """What requests to its model leave out, rename or add, each in a few words."""
    isolation: str = ""
    """`sandbox`, `process` or `none`, for a bot that can be isolated."""
    account: str = ""
    """The variables with which its server lets it in; in no file."""
    view: str = ""
    """`picture` or `both` where its model is shown the arena in pictures."""
    notes: bool = field(default=False, compare=False)
    """Whether its model writes notes after each round; in no file."""

    @property
    def recorded_name(self) -> str:
        """The name as files hold it."""
        own = own_name(self.brain)
        return own if self.name == shown_name(own, self.brain) else self.name

    @property
    def is_script(self) -> bool:
        """Whether one of the game's own scripts plays, which take no orders."""
        return self.brain.startswith(_SCRIPTS)

    def shares_model_with(self, other: SeatInfo) -> bool:
        """Return whether both seats ask one and the same model: by one brain, at one address, with one key."""
        mine, theirs = ((s.brain, s.model, s.options.get("base_url"), s.account) for s in (self, other))
        return bool(self.model) and mine == theirs


def own_name(brain: str) -> str:
    """Return the name that files give a brain without one: its variant, else its kind."""
    return brain.partition(":")[2] or brain


def shown_name(name: str, brain: str) -> str:
    """Return a seat's name as it is shown: a script's own, which files hold as `dancer`, with a capital."""
    return name.capitalize() if brain.startswith(_SCRIPTS) and name == own_name(brain) else name


HOST = (
    Option("deadline_s", "number", "30", "seconds for one play, after which nothing is done", least=0.01),
    Option("name", sentence="what the seat is called"),
    Option(
        "prepare_s", "number", "60", "seconds for getting ready before a match: starting, loading a model", least=0.01,
        advanced=True,
    ),
)  # fmt: skip
"""The options of every brain, which the host reads."""
HOST_OPTIONS = tuple(option.name for option in HOST)


def options_of(kind: BrainKind, variant: str = "") -> tuple[Option, ...]:
    """Return the options of a brain's variant, its own first; only the host's for a kind that declares none."""
    variant = variant or next(iter(kind.variants), "")
    own = [each for each in kind.options or () if not each.variants or variant in each.variants]
    usual = {"prepare_s": f"{kind.prepare_s:g}"}
    shared = (replace(each, default=usual.get(each.name, each.default)) for each in HOST)
    names = {each.name for each in own}
    return (*own, *(each for each in shared if each.name not in names))


def check_options(kind: BrainKind, spec: Spec) -> None:
    """Raise UsageError if an option of a spec is not one that its kind has declared, or has a wrong value."""
    if kind.options is not None:
        check_spec(spec, options_of(kind, spec.variant), other=kind.other_options)


def check_spec(spec: Spec, options: Iterable[Option], *, other: bool = False) -> None:
    """Raise UsageError if an option of a spec is not among these (unless it may have `other` ones) or is wrong."""
    known = {each.name: each for each in options}
    if any(each.type == "variable" for each in known.values()):
        _refuse_secrets(spec, known)
    for key, text in spec.options.items():
        if key not in known and not other:
            raise UsageError(f"{spec.name} has no option {key!r}; it knows {', '.join(known)}")
        if key in known:
            of = f"{spec.name}:{spec.variant}" if known[key].variants and spec.variant else spec.name
            if problem := known[key].problem(of, text):
                raise UsageError(problem)


def _refuse_secrets(spec: Spec, known: Collection[str]) -> None:
    """Raise UsageError, which quotes nothing of it, for a secret that is written out where a variable can be named."""
    for key, text in (("what stands behind its name", spec.variant), *spec.options.items()):
        if looks_like_key(text) or (key not in known and is_secret(key)):
            raise UsageError(
                f"{spec.name} takes no key, password or header that is written out ({key}): files and lists of "
                "processes would hold it; put it into an environment variable and write key_env=NAME, auth_env=NAME or "
                "header_env=HEADER:NAME"
            )


def option_lines(kind: BrainKind, variant: str = "") -> Iterator[str]:
    """Yield the lines of `batllm-arcade brains NAME --options`: each option's name, default and meaning."""
    for option in options_of(kind, variant):
        default = option.default or "-"
        values = f" ({option.values})" if option.values else ""
        yield f"{option.name:12} {default:24} {option.sentence}{values}".rstrip()


class BrainKinds(dict[str, BrainKind]):
    """The kinds of brain by name; `replaced` are the bundled ones whose places others were let into."""

    def __init__(self) -> None:
        super().__init__()
        self.replaced: dict[str, BrainKind] = {}


BOT_FILES = (".py", ".js", ".mjs", ".sh")


def unknown_brain(kinds: Mapping[str, BrainKind], spec: Spec) -> UsageError:
    """Return the error for a spec whose name no brain has: what is like it, how a file is played, else all names."""
    if PurePath(spec.name).suffix.lower() in BOT_FILES:
        folder = str(PurePath(spec.name).parent)
        return UsageError(
            f"there is no brain {spec.name!r}; a bot's file is played as proc:{spec.name}, or by the name in its @bot "
            f"with --plugins-dir {folder} (from Python plugins_dir={folder!r})"
        )
    variants = {variant: f"{kind.name}:{variant}" for kind in kinds.values() for variant in kind.variants}
    meant = ""
    for near in get_close_matches(spec.name, [*kinds, *variants], 1, cutoff=0.7):
        named = near in kinds and spec.variant in kinds[near].variants
        meant = f" (did you mean {f'{near}:{spec.variant}' if named else variants.get(near, near)}?)"
    return UsageError(f"there is no brain {spec.name!r}{meant}; choose one of {', '.join(sorted(kinds))}")


_ANY = "\0"
"""Stands for a letter that is none of ASCII, which may look like any."""


def looks_like(name: str, known: Collection[str]) -> str:
    """Return which of these names it is, or looks like up to a `:`, `,` or `=`; "" where that is none.

    Capitals, wide letters, accents, spaces and what is not seen make no other name, nor do single foreign letters.
    """
    seen = "".join(map(_seen, normalize("NFKD", normalize("NFKD", name).casefold())))
    head = re.split("[:,=]", seen, maxsplit=1)[0]
    if head in known or not head.strip(_ANY):
        return head if head in known else ""
    same = (each for each in known if len(each) == len(head))
    return next((each for each in same if all(a in (b, _ANY) for a, b in zip(head, each, strict=True))), "")


def _seen(character: str) -> str:
    kind = category(character)[0]
    if kind in "CMZ":
        return ""
    if character.isascii():
        return character
    return _ANY if kind in "LN" else ":"
