"""A person's command that was refused: the words beside their bot, for a moment."""

from __future__ import annotations

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.input.key_labels import words_for
from batllm_arcade.app.input.players import Refused
from batllm_arcade.app.input.refusal_text import helps, refusal_words
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.view.scene import Effect, EffectKind, Scene

SHOWN_S = 1.5
"""Seconds for which it is shown."""


class RefusalHint:
    """The last refusal, as an effect of the scene; it goes when the turn is over."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._refused: Refused | None = None
        self._effect: Effect | None = None

    def show(self, refused: Refused, state: MatchState) -> None:
        """Show this refusal from now on."""
        view, why = refused.asked.view, refused.why
        arena, bot = view.arena, view.seat
        actions, helping = helps(why, arena, bot, view.rules)
        humans = state.humans if not state.taken_over else (bot == 0, bot == 1)
        words = refusal_words(why, helping, words_for(self._controls, actions, bot, humans))
        kind: EffectKind = "uncharged" if why in ("empty", "weak") else "refused"
        me = arena.bot(bot)
        lasts = SHOWN_S * state.clock.speed  # the scene's time runs at that speed
        self._refused = refused
        self._effect = Effect(kind, state.clock.t, lasts, (me.x, me.y), me.rot, bot, text=words)

    def effects(self, scene: Scene, asked: object) -> tuple[Effect, ...]:
        """Return what is still to be shown in a scene; `asked` is the open request, None if nobody is asked."""
        effect, refused = self._effect, self._refused
        if effect is None or refused is None or refused.asked is not asked or scene.t >= effect.end:
            return ()
        return (effect,)
