"""Both players' prompts, written before the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, Toggle
from batllm_arcade.app.orders import PromptEditor, PromptEditors
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.errors import ArcadeError
from batllm_arcade.session.live_session import SessionPlan


class PromptsScreen(MenuScreen):
    """Two editors and the button that starts the match."""

    heading = "ORDERS"

    def __init__(self, ui: Ui, go: Navigation, services: Services, plan: SessionPlan) -> None:
        super().__init__(ui)
        self.go, self.services = go, services
        self._plan = plan
        editors = (editor_for(services, plan, 0), editor_for(services, plan, 1))
        self.pair = PromptEditors(self, editors, plan.config.prompts)
        self._fight = Button("FIGHT!", self.go_on, big=True, hint="Start the match; or just write on")
        self.types_anywhere = any(writer.prompted for writer in self.pair.writers)
        self._hide = Toggle(
            "Hide orders", ui.settings.hide_prompts, self.pair.hide,
            hint="Each player's orders stay covered while the other one can see the screen",
        )  # fmt: skip
        self._fight.group = self._hide.group = "fight"
        self.form.place((widget, None) for widget in (self._fight, self._hide, *self.pair.widgets()))

    def leave(self) -> None:
        """Stop taking text and reading orders."""
        super().leave()
        self.pair.close(self.services.wait_at_end)

    def plan(self) -> SessionPlan:
        """Return the plan with the prompts as they are written now."""
        return replace(self._plan, config=replace(self._plan.config, prompts=self.pair.prompts))

    def go_on(self) -> None:
        """Start the match."""
        try:
            self.go.start(self.plan(), self.complain)
        except ArcadeError as error:
            self.complain(str(error))

    def back(self) -> None:
        """Leave an editor first, then go back to the seats."""
        if self.form.focus is not self._fight:
            self.form.set_focus(self._fight)
        else:
            self.go.seats(self.plan())

    def leave_screen(self) -> None:
        """Go back to the seats."""
        self.go.seats(self.plan())

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Take letters for the orders wherever the focus is, then what every menu takes."""
        if self.picker is not None or not self.pair.typed(event):
            super().handle(event, meaning, now)

    def key(self, event: pygame.event.Event) -> bool:
        """Take the editors' own keys."""
        return self.pair.key(event)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys for editing while somebody does, else those for choosing."""
        label = self.ui.controls.label
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("TAB", "next"), ("F2", "library"), ("CTRL Z", "undo"), ("F6", "hide"), ("CTRL ENTER", "fight")]
        on_button = [(label("confirm"), "fight" if self.form.focus is self._fight else "choose")]
        if self.ui.controls.device == "keyboard":
            on_button = [*on_button, ("SPACE", on_button[0][1]), ("A\u2013Z", "write")]
        return [*on_button, (label("next"), "next player"), (label("back"), "seats")]

    def update(self, now: float) -> None:
        """Show whether orders are hidden, which a key changes, too."""
        super().update(now)
        self._hide.on = self.ui.settings.hide_prompts

    def arrange(self, canvas: Canvas) -> None:
        """Lay out the cards above, the button below."""
        low = canvas.height - BOTTOM - 74
        margin = canvas.margin
        self.pair.arrange(canvas, Box(margin, TOP, canvas.width - 2 * margin, low - TOP - 14))
        self._hide.label_share = 0.62
        if canvas.narrow:
            self._hide.box = Box(margin, low + 13, 236, 40)
            self._fight.box = Box(margin + 248, low + 4, canvas.width - 2 * margin - 248, 58)
            return
        wide = min(300.0, canvas.width * 0.32)
        self._fight.box = Box(canvas.width / 2 - wide / 2, low + 4, wide, 58)
        side = min(250.0, canvas.width / 2 - wide / 2 - 52)
        self._hide.box = Box(canvas.width - 40 - side, low + 13, side, 40)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw the cards."""
        self.pair.paint(canvas, now, still=self.still)


def editor_for(services: Services, plan: SessionPlan, seat: int) -> PromptEditor:
    """Return who writes the prompt for a seat of a plan."""
    spec, brains = plan.seats[seat], BrainList(services.plugins.kinds, services.availability)
    kind = brains.kind(spec)
    name = spec.text("name") or spec.text("model") or brains.called(spec)
    if kind is None:
        return PromptEditor(name, spec.short, False)
    about = brains.about(spec).rstrip(".")
    why = f"{about[:1].upper()}{about[1:]}. It plays by itself and takes no orders."
    return PromptEditor(name, spec.short, kind.prompted, kind.human, why, brains.orders_reader(spec))
