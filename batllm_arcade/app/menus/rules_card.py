"""Rules of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text_fields import Field
from batllm_arcade.app.kit.widgets import ROW, Button, Choice, Pressable, Widget, grid, place
from batllm_arcade.app.pictures.rules import draw_rules
from batllm_arcade.core.model import Rules
from batllm_arcade.match.series import LENGTHS, Series
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.config import Config
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- A card for each set of rules: a picture, a name and a sentence; one of them is chosen

HIGH = 54.0
OWN = "your own"
_SHOWN = {
    "couch": ("Quick", "Short, and walking loads", "Short games; good for a first match"),
    "arena": (
        "Arena",
        "Quick, and bullets bounce",
        "As Quick; bullets come off a wall once, bots can step back",
    ),
    "default": ("Long", "A large arena, long games", "Small bots far from each other; guns are always loaded"),
    "classic": ("Original", "As in the original game", "The rules of BatLLM, with shields up at the start"),
    OWN: ("Your own", "The rules of your file", "The rules of the configuration that was given"),
}
"""What each is called, in a sentence, and what is said at the bottom of the screen."""
ORDER = tuple(name for name in _SHOWN if name in configuration.SHIPPED)


class RulesChoice(Pressable):
    """The card of the configuration `name`."""

    def __init__(self, name: str, choose: Callable[[str], None]) -> None:
        shown, self.sentence, hint = _SHOWN[name]
        super().__init__(shown, lambda: choose(name), hint)
        self.name, self.chosen = name, False

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the picture at the left, the words beside it, in gold what is chosen."""
        edge = theme.GOLD if self.chosen else theme.PANEL_EDGE
        share = 0.16 if self.chosen else 0.75 if focused else 0.0
        fill = mixed(theme.PANEL, theme.GOLD if self.chosen else theme.PANEL_EDGE, share)
        canvas.box(box, fill, edge, width=2 if self.chosen else 1, radius=7)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        picture = Box(box.x + 5, box.y + 5, (box.h - 10) * 1.7, box.h - 10)
        draw_rules(canvas, picture, self.name)
        x, wide = picture.right + 10, box.right - picture.right - 18
        canvas.words((x, box.y + 5), self.text, "title", 20, theme.GOLD if self.chosen else theme.TEXT, width=wide)
        canvas.words((x, box.y + box.h - 24), self.sentence, "label", 14, theme.SOFT, width=wide)


# -- The rules of the match to be set up: a configuration, lengths, the turn clock and the seed

_ROUNDS = (1, 2, 3, 4, 5, 7, 9)
_TURNS = (4, 6, 8, 10, 12, 15, 18, 20, 25, 30, 40)
_CLOCKS = (0, 10, 15, 20, 30, 45, 60)
_GAP = 6.0
_TWO_CARDS = 560.0  # from this width on two cards of rules are beside each other
Pair = tuple[float, float]


class RulesCard:
    """Rows for the rules; `plan(...)` is the plan they were made for, with what is chosen in them."""

    def __init__(self, ui: Ui, plan: SessionPlan) -> None:
        self._ui, self._plan = ui, plan
        self._base, name = _base_of(plan.config)
        self._name, self._bases = name, {name: self._base}
        self.choices = [RulesChoice(each, self._configure) for each in (*ORDER, *([OWN] if name == OWN else []))]
        self._rounds, self._turns = plan.config.rules.total_rounds, plan.config.rules.turns_per_round
        self._seed, self.series = plan.seed, plan.series or Series()
        self._rows = self._new_rows()
        self.widgets: list[Widget] = [*self.choices, *self._rows]
        self._mark_chosen()

    def _new_rows(self) -> list[Widget]:
        rounds, turns = sorted({*_ROUNDS, self._rounds}), sorted({*_TURNS, self._turns})
        self._turns_row = Choice("Turns", [str(n) for n in turns], turns.index(self._turns), self._set_turns)
        self._turns_row.hint = "How long a round is: in each turn both bots act once"
        self._rounds_row = Choice("Rounds", [str(n) for n in rounds], rounds.index(self._rounds), self._set_rounds)
        self._rounds_row.hint = "How long a game is; new orders can be given between rounds"
        self._seed_row = Field(
            "Places", str(self._seed), self._set_seed, allowed="0123456789", most=18,
            hint="Where the bots start and who acts first; the same number gives the same beginning",
        )  # fmt: skip
        seed_button = Button("Other places", self._new_seed, hint="Start from other places")
        lengths = [self._rounds_row, self._turns_row, self._series_row()]
        return [*lengths, self._clock_row(), self._seed_row, seed_button]

    def _series_row(self) -> Choice:
        shown = ["endless" if length is None else str(length) for length in LENGTHS]
        hint = "How many games decide who wins; a drawn game is played again"
        return Choice("Best of", shown, LENGTHS.index(self.series.best_of), self._set_series, hint=hint)

    def _set_series(self, index: int) -> None:
        before = self._plan.series or Series()
        self.series = before if before.best_of == LENGTHS[index] else Series(LENGTHS[index])

    def _clock_row(self) -> Choice:
        clock = round(self._ui.settings.turn_clock_s)
        clocks = sorted({*_CLOCKS, clock})
        shown = [f"{seconds} s" if seconds else "off" for seconds in clocks]
        hint = "How long you may take for a turn"
        return Choice("Turn clock", shown, clocks.index(clock), lambda n: self._set_clock(clocks[n]), hint=hint)

    # -- choices --------------------------------------------------------------------------------

    def _configure(self, name: str) -> None:
        if name not in self._bases:
            self._bases[name] = configuration.load(name)
        self._name, self._base = name, self._bases[name]
        self._rounds, self._turns = self._base.rules.total_rounds, self._base.rules.turns_per_round
        for row, value in ((self._rounds_row, self._rounds), (self._turns_row, self._turns)):
            if str(value) not in row.options:
                row.options = tuple(sorted((*row.options, str(value)), key=int))
            row.chosen = row.options.index(str(value))
        self._mark_chosen()

    def _mark_chosen(self) -> None:
        for choice in self.choices:
            choice.chosen = choice.name == self._name

    def _set_rounds(self, index: int) -> None:
        self._rounds = int(self._rounds_row.options[index])

    def _set_turns(self, index: int) -> None:
        self._turns = int(self._turns_row.options[index])

    def _set_clock(self, seconds: int) -> None:
        self._ui.apply(settings.changed(self._ui.settings, "turn_clock_s", float(seconds)))

    def _set_seed(self, text: str) -> None:
        self._seed = int(text) if text else 0

    def _new_seed(self) -> None:
        self._seed = new_seed()
        self._seed_row.editor.set(str(self._seed))

    # -- what is chosen -------------------------------------------------------------------------

    def strength(self, seat: int) -> Pair:
        """Return a bot's health and damage in the plan, as shares of what its configuration says."""
        now, base = self._plan.config.rules, self._base.rules
        return (
            round(now.initial_health[seat] / base.initial_health[seat], 3),
            round(now.bullet_damage[seat] / base.bullet_damage[seat], 3) if base.bullet_damage[seat] else 1.0,
        )

    def rules(self, health: Pair, damage: Pair) -> Rules:
        """Return the rules that are chosen, with handicaps as shares of health and damage, left first."""
        return replace(
            self._base.rules,
            total_rounds=self._rounds,
            turns_per_round=self._turns,
            initial_health=_scaled(self._base.rules.initial_health, health),
            bullet_damage=_scaled(self._base.rules.bullet_damage, damage),
        )

    def plan(self, rules: Rules) -> SessionPlan:
        """Return the plan with these rules and all else that is chosen; its prompts are kept."""
        base = self._base
        config = replace(
            self._plan.config, rules=rules, style=base.style, gamepad=base.gamepad, header_template=base.header_template
        )
        return replace(
            self._plan,
            series=self.series,
            config=config,
            seed=self._seed,
            turn_clock_s=self._ui.settings.turn_clock_s,
        )

    # -- picture --------------------------------------------------------------------------------

    def arrange(self, left: float, top: float, width: float, columns: int) -> float:
        """Lay the cards and the rows out in columns; return where they end."""
        across = 2 if width >= _TWO_CARDS else 1
        boxes = grid(Box(left, top, width, 0), len(self.choices), across, HIGH, 8, _GAP)
        place(self.choices, boxes)
        below = boxes[-1].bottom + 10
        place(self._rows, grid(Box(left, below, width, 0), len(self._rows), columns, ROW, 12, _GAP))
        for row in self._rows:
            if isinstance(row, (Choice, Field)):
                row.label_share = 0.42
        return self.widgets[-1].box.bottom + _GAP + 8

    def paint(self, canvas: Canvas, box: Box, series: Series) -> None:
        """Draw the card that the rows lie on, and what becomes of a series that has been begun."""
        canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=235)
        canvas.words((box.x + 16, box.y + 13), "THE MATCH", "label", 14, theme.GOLD)
        before = self._plan.series
        if before is not None and before.wins != (0, 0):
            words = f"{series.wins[0]} : {series.wins[1]} goes on" if series.wins == before.wins else "a new series"
            canvas.words((box.right - 16, box.y + 13), words, "label", 14, theme.SOFT, side="right")

    def paint_versus(self, canvas: Canvas, box: Box, top: float) -> None:
        """Draw "VS" and the match's length between `top` and the card's end, if there is room."""
        room = box.bottom - top
        if room < 76:
            return
        x, y, size = box.middle[0], (top + box.bottom) / 2, 62 if room >= 100 else 44
        canvas.words((x, y - 12), "VS", "title", size, theme.GOLD, side="middle")
        length = f"{self._rounds} round{'s' * (self._rounds != 1)} of {self._turns} turns"
        canvas.words((x, y + size / 2 + 3), length, "label", 16, theme.SOFT, side="middle", width=box.w - 24)


def _base_of(config: Config) -> tuple[Config, str]:
    """Return the configuration without lengths and handicaps, and its name: a shipped one's, or the player's own."""
    for name in configuration.SHIPPED:
        shipped = configuration.load(name)
        alike = replace(
            config.rules,
            total_rounds=shipped.rules.total_rounds,
            turns_per_round=shipped.rules.turns_per_round,
            initial_health=shipped.rules.initial_health,
            bullet_damage=shipped.rules.bullet_damage,
        )
        if alike == shipped.rules and config.style == shipped.style and config.gamepad == shipped.gamepad:
            return replace(shipped, header_template=config.header_template), name
    return config, OWN


def _scaled(pair: Pair, shares: Pair) -> Pair:
    return pair[0] * shares[0], pair[1] * shares[1]
