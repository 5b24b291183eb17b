"""Both players' prompts, before the match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pygame

from batllm_arcade.app.menus.seat_card import called
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.menu_screen import BOTTOM, TOP, MenuScreen
from batllm_arcade.app.ui.prompt_editors import PromptEditor, PromptEditors
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.widgets import Button, Toggle
from batllm_arcade.errors import ArcadeError
from batllm_arcade.session.live_session import SessionPlan


class PromptsScreen(MenuScreen):
    """Two editors and the button that starts the match."""

    heading = "ORDERS"

    def __init__(self, shell: Shell, plan: SessionPlan) -> None:
        super().__init__(shell)
        self._plan = plan
        self.pair = PromptEditors(self, (writer(shell, plan, 0), writer(shell, plan, 1)), plan.config.prompts)
        self._arena_renderer = Button("FIGHT!", self.go_on, big=True, hint="Start the match")
        self._hide = Toggle(
            "Hide orders", shell.settings.hide_prompts, self.pair.hide,
            hint="Each text is covered until its owner looks at it",
        )  # fmt: skip
        self._arena_renderer.group = self._hide.group = "fight"
        self.form.place((widget, None) for widget in (self._arena_renderer, self._hide, *self.pair.widgets()))

    def plan(self) -> SessionPlan:
        """The match with what is written."""
        return replace(self._plan, config=replace(self._plan.config, prompts=self.pair.prompts))

    def go_on(self) -> None:
        """Fight."""
        try:
            self.shell.start(self.plan(), self.complain)
        except ArcadeError as error:
            self.complain(str(error))

    def back(self) -> None:
        """Out of an editor first, then to the seats."""
        if self.form.focus is not self._arena_renderer:
            self.form.set_focus(self._arena_renderer)
        else:
            self.shell.seats(self.plan())

    def key(self, event: pygame.event.Event) -> bool:
        """The editors' own keys."""
        return self.pair.key(event)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Editing, while somebody does; else choosing."""
        label = self.shell.controls.label
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("TAB", "next"), ("F2", "library"), ("CTRL Z", "undo"), ("F6", "hide"), ("CTRL ENTER", "fight")]
        return [(label("confirm"), "choose"), (label("next"), "next player"), (label("back"), "seats")]

    def arrange(self, canvas: Canvas) -> None:
        """The cards above, the button below."""
        self._hide.on = self.shell.settings.hide_prompts
        low = canvas.height - BOTTOM - 74
        self.pair.arrange(canvas, Box(40, TOP, canvas.width - 80, low - TOP - 14))
        wide = min(300.0, canvas.width * 0.32)
        self._arena_renderer.box = Box(canvas.width / 2 - wide / 2, low + 4, wide, 58)
        side = min(250.0, canvas.width / 2 - wide / 2 - 52)
        self._hide.box = Box(canvas.width - 40 - side, low + 13, side, 40)
        self._hide.label_share = 0.62

    def paint(self, canvas: Canvas, now: float) -> None:
        """The cards."""
        self.pair.paint(canvas, now, still=self.still)


def writer(shell: Shell, plan: SessionPlan, seat: int) -> PromptEditor:
    """Who writes at a seat of a plan."""
    spec = plan.seats[seat]
    kind = shell.plugins.kinds.get(spec.name)
    name = spec.text("name") or spec.text("model") or called(spec, shell.plugins.kinds)
    if kind is None:
        return PromptEditor(name, spec.short, False)
    about = kind.about.get(spec.variant, kind.summary).rstrip(".")
    why = f"{about[:1].upper()}{about[1:]}. It decides for itself and takes no orders."
    return PromptEditor(name, spec.short, kind.prompted, kind.human, why)
