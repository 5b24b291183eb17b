"""One seat's choices: its brain among all there are, the model, and how strong the bot is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.layout import place, rows
from batllm_arcade.app.kit.text.text_field import Field
from batllm_arcade.app.kit.widgets import ROW, Choice, Slider, Widget
from batllm_arcade.app.menus.bot_file_rows import BotFileRows, Pick
from batllm_arcade.app.pictures.portrait import draw_corner, draw_portrait
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme

HEAD = 150.0
_GAP = 6.0
_PAD = 14.0
_SMALL, _WIDE_CARD = 92.0, 410.0  # a portrait in the head, and how wide a card has room for it
_DEADLINES = (5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
_SHARES = (0.25, 2.0, 0.05)
_DEFAULT = "usual"
_WORDS = {"token": "one word", "json": "JSON", "payload": "this moment", "conversation": "the game so far"}
USUAL = "regular"
"""The level of a brain that has not been set to another one."""


class SeatCard:
    """`spec` is the brain chosen with its options; `health` and `damage` are shares of what the rules say."""

    def __init__(self, seat: int, spec: Spec, brains: BrainList, pick: Pick, strength: tuple[float, float]) -> None:
        self.seat, self._brains, self._pick = seat, brains, pick
        self.health, self.damage = strength
        self._options = dict(spec.options)
        self.person = ""
        """What the person is called who plays this seat, "" where that is not known."""
        self.choices = list(brains.specs)
        self._at = _place(self.choices, spec)
        self.touched = False
        self.note = ""
        """One sentence about why this brain sits here."""
        self.facts: Sequence[tuple[str, str]] = ()
        """How strong its bot is, in names and figures."""
        self._known: Sequence[str] = ()
        self._files = BotFileRows(spec.variant, self._file_changed)
        self._rows: list[Widget] = []
        self._make_rows()

    @property
    def spec(self) -> Spec:
        """Return the brain chosen, with its options."""
        chosen = self.choices[self._at]
        variant = self._files.file if self._is_file else chosen.variant
        return Spec(chosen.name, variant, {key: value for key, value in self._options.items() if value})

    @property
    def _is_file(self) -> bool:
        kind = self._brains.kind(self.choices[self._at])
        return kind is not None and kind.files

    @property
    def kind(self) -> BrainKind | None:
        """Return what is known about the brain, None if there is no such brain."""
        return self._brains.kind(self.spec)

    @property
    def prompted(self) -> bool:
        """Return whether the brain takes orders."""
        return self.kind is not None and self.kind.prompted

    @property
    def problem(self) -> str | None:
        """Return what is missing to play, "" if nothing is, None while that is not known."""
        problem = self._brains.problem(self.spec)
        return self._files.problem if self._is_file and not problem else problem

    def choose(self, index: int, *, by_hand: bool = True) -> None:
        """Choose another brain; the options of the one before are dropped, but for its name."""
        was_human = bool(self.kind and self.kind.human)
        if self.choices[index].name != self.choices[self._at].name:
            self._options = {key: value for key, value in self._options.items() if key == "name"}
        self._at, self.note = index, ""
        is_human = bool(self.kind and self.kind.human)
        if was_human != is_human:  # a person's name is not a model's
            self._options["name"] = self.person if is_human else ""
        if not self._brains.levels(self.spec):
            self._options.pop("level", None)
        if self._is_file and self.choices[index].variant:
            self._files.take(self.choices[index].variant)
        self.touched = self.touched or by_hand
        self._make_rows()

    @property
    def name_row(self) -> Field:
        """The row for what the seat is called."""
        return next(row for row in self._rows if isinstance(row, Field))

    def replace_with(self, spec: Spec, why: str) -> None:
        """Choose another brain because the shipped choice cannot play here, and say why."""
        if spec in self.choices:
            self.choose(self.choices.index(spec), by_hand=False)
            self.note = why

    # -- rows -----------------------------------------------------------------------------------

    @property
    def widgets(self) -> Sequence[Widget]:
        """Return the rows."""
        return self._rows

    def update(self) -> bool:
        """Make the rows anew if the server's models have become known; return whether they were."""
        renewed = (self._is_file and self._files.update()) or self._models() != self._known
        if renewed:
            self._make_rows()
        return renewed

    def _models(self) -> Sequence[str]:
        return self._brains.models(self.spec) if self.kind is not None and self.kind.models is not None else ()

    def _make_rows(self) -> None:
        kind = self.kind
        names = [self._brains.called(choice) for choice in self.choices]
        brain = Choice("Player", names, self._at, self.choose, hint="Who plays this bot", pick=self._pick_brain)
        self._known = self._models()
        made: list[Widget] = [self._brain_row(brain)]
        if self._is_file:
            made += self._files.rows(self._pick)
        if kind is not None and kind.models is not None:
            made += [self._model_row()]
        if self._brains.levels(self.spec):
            made += [self._level_row()]
        if kind is not None and not kind.human:
            made += [self._deadline_row()]
        if kind is not None and kind.models is not None:
            made += [
                self._option_row(
                    "Replies", "reply", ("token", "json"), "How the model answers: one word, or JSON, which is slower"
                ),
                self._option_row(
                    "Memory",
                    "context",
                    ("payload", "conversation"),
                    "What the model is told: only how things stand, or the game so far as well",
                ),
            ]
        made += [
            Field("Name", self._options.get("name", ""), self._set_name, hint="The name shown in the match", most=16),
            self._share_row("Health", self.health, "health", "A handicap: more or less health to start with"),
            self._share_row("Damage", self.damage, "damage", "A handicap: its shots do more or less damage"),
        ]
        for row in made:
            row.group = SEATS[self.seat]
        self._rows = made

    def _brain_row(self, brain: Choice) -> Choice:
        """Return the row there is, changed, so that it keeps the focus while its choice changes the other rows."""
        if self._rows:
            old = self._rows[0]
            assert isinstance(old, Choice)
            old.options, old.chosen = brain.options, brain.chosen
            return old
        brain.color = theme.SEAT_COLORS[self.seat]
        return brain

    def _file_changed(self) -> None:
        self.touched = True

    def _set(self, key: str, value: str) -> None:
        self._options[key] = value
        self.touched = True

    def _set_name(self, name: str) -> None:
        self._set("name", "".join(c for c in name if c not in ",=").strip())

    def _model_row(self) -> Choice:
        model = self._options.get("model", "")
        models = [*([model] if model and model not in self._known else []), *self._known]
        options = ["any", *models]
        at = options.index(model) if model else 0
        hint = "Which of the server's models plays" if self._known else "The server has not told which models it has"

        def pick(row: Choice) -> None:
            self._pick("Model", [(name, "") for name in options], row.chosen, row.choose, f"{len(models)} models")

        return Choice("Model", options, at, lambda n: self._set("model", options[n] if n else ""), hint=hint, pick=pick)

    def _level_row(self) -> Choice:
        levels = list(self._brains.levels(self.spec))
        at = levels.index(self._options.get("level") or USUAL)

        def choose(index: int) -> None:
            self._set("level", "" if levels[index] == USUAL else levels[index])

        return Choice("Level", [level.capitalize() for level in levels], at, choose, hint="How well it plays")

    def _deadline_row(self) -> Choice:
        option = self._options.get("deadline_s", "")
        values = ["", *sorted({*(f"{seconds:g}" for seconds in _DEADLINES), *([option] if option else [])}, key=float)]
        shown = [f"{value} s" if value else _DEFAULT for value in values]
        hint = "How long it may think; if it answers too late it loses that turn"
        return Choice(
            "Thinks for", shown, values.index(option), lambda n: self._set("deadline_s", values[n]), hint=hint
        )

    def _option_row(self, label: str, key: str, words: tuple[str, ...], hint: str) -> Choice:
        values = ["", *words]
        option = self._options.get(key, "")
        at = values.index(option) if option in values else 0
        return Choice(
            label, [_DEFAULT, *(_WORDS[word] for word in words)], at, lambda n: self._set(key, values[n]), hint=hint
        )

    def _share_row(self, label: str, share: float, name: str, hint: str) -> Slider:
        def change(value: float) -> None:
            setattr(self, name, value)
            row.mark = value != 1.0

        row = Slider(label, share, _SHARES, change, hint=hint, shown=lambda value: f"{value * 100:.0f} %")
        row.mark = share != 1.0
        return row

    def _pick_brain(self, row: Choice) -> None:
        items = []
        for choice in self.choices:
            problem = self._brains.problem(choice) if self._brains.kind(choice) is not None else ""
            about = f"Not ready: {problem}" if problem else self._brains.about(choice)
            items.append((self._brains.called(choice), about))
        self._pick(f"Who plays {SEATS[self.seat]}?", items, row.chosen, row.choose, f"{len(items)} to choose from")

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, left: float, top: float, width: float) -> float:
        """Lay the rows out below the head; return how high the card is."""
        area = Box(left + _PAD, top + HEAD, width - 2 * _PAD, 0)
        place(self._rows, rows(area, len(self._rows), ROW, _GAP))
        for row in self._rows:
            if isinstance(row, (Choice, Slider, Field)):
                row.label_share = 0.32
        return self._rows[-1].box.bottom - top + _PAD

    def room(self, card: Box) -> float:
        """Return how high a corner fits below the rows."""
        return card.h - HEAD - len(self._rows) * (ROW + _GAP) - _PAD - 6

    def paint(self, canvas: Canvas, card: Box, now: float, still: bool, corner: float) -> None:
        """Draw the card, its head, and its bot in a corner of this height (0: none)."""
        color = theme.SEAT_COLORS[self.seat]
        canvas.box(card, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=235)
        canvas.box(Box(card.x, card.y, card.w, 5), color, None, radius=2.5)
        spec = self.spec
        x, wide = card.x + _PAD + 4, card.w - 2 * _PAD - 8
        canvas.words((x, card.y + 14), SEATS[self.seat].upper(), "label", 14, color)
        name = spec.text("name") or self._brains.called(spec)
        canvas.words((x, card.y + 30), name, "title", 30, theme.TEXT, width=wide)
        short = f"{spec.short} {spec.text('level')}".strip()
        canvas.words((card.right - _PAD - 4, card.y + 15), short, "mono", 12, theme.DIM, side="right")
        if corner:
            place = Box(card.x + _PAD, card.bottom - _PAD - corner, card.w - 2 * _PAD, corner)
            draw_corner(canvas, place, self.seat, now, self.facts, ready=not self.problem, still=still)
        elif card.w >= _WIDE_CARD:
            place = Box(card.right - _PAD - _SMALL, card.y + 40, _SMALL, _SMALL)
            draw_portrait(canvas, place, self.seat, now, ready=not self.problem, still=still)
            wide -= _SMALL + 8
        state, tint, mark = self._state()
        canvas.box(Box(x, card.y + 79, 10, 10), tint if mark else None, tint, width=2, radius=5 if mark != "!" else 1)
        if self.problem:
            canvas.block((x + 18, card.y + 74), state, "label", 15, tint, wide - 18, 3)
            return
        canvas.words((x + 18, card.y + 74), state, "label", 15, tint, width=wide - 18)
        level = self.kind.levels.get(spec.text("level"), "") if self.kind is not None else ""
        about = self.note or (f"{spec.text('level')}: {level}" if level else self._brains.about(spec))
        about = about[:1].upper() + about[1:]
        canvas.block((x, card.y + 98), about, "label", 15, theme.GOLD if self.note else theme.SOFT, wide, 2)

    def _state(self) -> tuple[str, theme.Color, str]:
        problem = self.problem
        if problem is None:
            return "looking...", theme.DIM, ""
        if problem:
            return problem, theme.GOLD, "!"
        runs = self._brains.isolation(self.spec, short=True)
        return f"ready, {runs}" if runs else "ready", theme.GOOD, "o"


def _place(choices: list[Spec], spec: Spec) -> int:
    """Return a brain's index among the choices: without a variant its first one; an unknown brain is added."""
    plain = replace(spec, options={})
    for index, choice in enumerate(choices):
        if choice == plain or (not spec.variant and choice.name == spec.name):
            return index
    choices.append(plain)
    return len(choices) - 1
