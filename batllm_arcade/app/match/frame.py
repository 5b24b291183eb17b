"""A frame of a match."""

from __future__ import annotations

from dataclasses import dataclass, replace

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.input.key_labels import player_keys, seat_keys, words_for
from batllm_arcade.app.input.players import Players, Refused
from batllm_arcade.app.match import notifications
from batllm_arcade.app.match.buttons import MatchButton, Touched, match_buttons
from batllm_arcade.app.match.guide import Coach, Guide, GuideCard, PuzzleCard
from batllm_arcade.app.match.notifications import Notification, Notifications, TwistNotes
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import Refusal
from batllm_arcade.match.series import score_text
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Aim, Effect, EffectKind, Keys, Scene, Thinking
from batllm_arcade.view.telegraph.advice import CHOICES, Choice, waits_left
from batllm_arcade.view.telegraph.lines import Telegraph, aim_alone
from batllm_arcade.view.telegraph.person_turn import BestPlay, PersonTurn
from batllm_arcade.view.telegraph.refusals import helps, refusal_words

SOUNDS: dict[Refusal, str] = {
    "shield": "refused", "empty": "empty", "weak": "empty", "wall": "refused", "bot": "refused",
}  # fmt: skip
"""What is heard of each refusal: an empty battery clicks, all else knocks."""


SHOWN_S = 1.5
"""Seconds for which it is shown."""


class RefusalHint:
    """The last refusal, as an effect of the scene; it goes when the turn is over."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._shown: tuple[OpenRequest, Effect] | None = None

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
        self._shown = refused.asked, Effect(kind, state.clock.t, lasts, (me.x, me.y), me.rot, bot, text=words)

    def effects(self, scene: Scene, asked: object) -> tuple[Effect, ...]:
        """Return what is still to be shown in a scene; `asked` is the open request, None if nobody is asked."""
        if self._shown is None or self._shown[0] is not asked or scene.t >= self._shown[1].end:
            return ()
        return (self._shown[1],)


HINT_S = 0.4
"""Seconds of a person's turn after which the picture says whose it is."""


@dataclass(frozen=True, slots=True)
class LoadingFrame:
    """A match that is getting ready, or (`failed`) could not."""

    seats: tuple[SeatInfo, SeatInfo]
    prompts: tuple[str, str]
    progress: str
    failed: bool
    score: str = ""
    """How the series stands, in words."""


@dataclass(frozen=True, slots=True)
class MatchFrame:
    """Everything to draw of a match at `now` seconds; `scene` is None until the first game has started."""

    now: float
    rules: Rules
    display: DisplayOptions
    loading: LoadingFrame
    scene: Scene | None = None
    buttons: tuple[MatchButton, ...] = ()
    """What can be clicked now, each with its key."""
    corner: str = ""
    """How the pause button looks: `plain`, `hovered`, or "" where it is not there."""
    guide: GuideCard | None = None
    notes: tuple[Notification, ...] = ()
    best: BestPlay | None = None
    """The best play of the person asked, where they have asked the coach."""

    def still(self, over: object) -> object:
        """Return what to compare with another frame, with what lies `over` both; None if either moves by itself."""
        return None if self.scene is None or over is None else (replace(self, now=0.0), over)


class FrameComposer:
    """Puts frames together from a match and what its players do; it only reads."""

    def __init__(
        self, state: MatchState, controls: Controls, players: Players, notes: Notifications, touched: Touched
    ) -> None:
        self._state, self._controls, self._players, self._notes = state, controls, players, notes
        self._touched = touched
        self._person_turn: PersonTurn | None = None
        self.guide: Guide | PuzzleCard | None = None
        """The guide through a first match, or what a puzzle asks for; None in every other match."""
        self.coach, self._twists = Coach(state), TwistNotes()
        self.refusal = RefusalHint(controls)
        """The command of a person that was refused last."""

    def compose(
        self, now: float, display: DisplayOptions, person: OpenRequest | None, problems: list[str], *, covered: bool
    ) -> MatchFrame:
        """Return the frame of this moment; `person` may act now; `covered`: a dialog hides the keys."""
        state = self._state
        corner = "" if covered else "hovered" if self._touched.hovered == "pause" else "plain"
        frame = MatchFrame(now, state.plan.config.rules, display, self._loading(), corner=corner)
        if not state.started:
            return frame
        scene = self._scene(now, display, person, problems)
        frame = replace(frame, scene=scene, rules=scene.board.rules)
        if state.over:
            return frame
        notes = self._all_notes(now, covered=covered)
        if covered:
            return replace(frame, notes=tuple(notes))
        buttons = match_buttons(state, self._controls, self._players, person, self._touched)
        guide = self._guide(now, person, scene)
        turn = self._turn(person, scene) if guide is None else ()  # the card says what to do
        advice = self.coach.advice(person)
        if advice is not None and person is not None:
            notes.append(Notification(advice.sentence, theme.GOLD))
        best = advice.best if advice is not None and scene.aim is not None and not round(scene.aim.turned) else None
        return replace(frame, notes=(*turn, *notes), buttons=buttons, guide=guide, best=best)

    def _loading(self) -> LoadingFrame:
        thread, table = self._state.thread, self._state.table
        progress = "" if thread.problem else thread.progress
        seats = (table.seat(0), table.seat(1))
        plan = self._state.plan
        score = "" if plan.series is None else score_text(plan.series, (seats[0].name, seats[1].name))
        return LoadingFrame(seats, plan.config.prompts, progress, bool(thread.problem), score)

    def _scene(self, now: float, display: DisplayOptions, person: OpenRequest | None, problems: list[str]) -> Scene:
        state = self._state
        timeline, t = state.timeline, state.clock.t
        scene = timeline.framed(t) if state.watched else timeline.at(t)  # who aims needs all of the arena
        scene = replace(scene, notices=tuple(problems[-2:]), keys=self._seat_keys(scene))
        asking = state.table.thinking
        if asking is None or state.over or (asking.seat.human and not asking.remote and asking is not person):
            return scene
        seconds, human = max(0.0, now - asking.since), asking is person
        text = "" if human else asking.live.text
        thinking = Thinking(asking.bot, seconds, text, human, asking.live.seconds_left())
        effects = (*scene.effects, *self.refusal.effects(scene, person))
        scene = replace(scene, thinking=thinking, aim=self._players.aim if human else None, effects=effects)
        return replace(scene, telegraph=self._telegraph(scene.aim, asking, display)) if scene.aim is not None else scene

    def _telegraph(self, aim: Aim, asking: OpenRequest, display: DisplayOptions) -> Telegraph | None:
        arena, rules, wanted = asking.view.arena, asking.view.rules, display.telegraphs
        if wanted != "all":
            return aim_alone(arena, rules, aim.bot, aim.rot, named=True) if wanted == "own" else None
        humans = self._state.humans
        asked = (arena, rules, aim.bot, player_keys(self._controls, aim.bot, humans), self._turn_words(aim.bot))
        if self._person_turn is None or self._person_turn.asked != asked:
            self._person_turn = PersonTurn(*asked)
        shown = self._person_turn.telegraph(aim.turned, self._choice())
        if not self._players.waiting:
            return shown
        stops = "click" if self._controls.pointer_of(aim.bot, humans) else "key"
        left = waits_left(arena, aim.bot, rules)
        return replace(shown, banner=f"waiting until loaded, {left} to go: any {stops} stops it")

    def _choice(self) -> Choice:
        held = self._players.chosen
        name = held if held is not None else self._touched.hovered if self._players.pointing.used else ""
        return name if name in CHOICES else ""

    def _seat_keys(self, scene: Scene) -> tuple[Keys, Keys]:
        humans = self._state.humans
        people = [humans[bot] and scene.board.seats[bot].human for bot in (0, 1)]
        back = scene.board.rules.back_step > 0
        keys = [seat_keys(self._controls, bot, humans, back=back) if people[bot] else () for bot in (0, 1)]
        return keys[0], keys[1]

    def _guide(self, now: float, person: OpenRequest | None, scene: Scene) -> GuideCard | None:
        if self.guide is None or self.guide.over or self._players.aiming:
            return None
        bot, humans = person.bot if person is not None else 0, self._state.humans
        turn = (person.view.arena, person.bot) if person is not None else None
        controls = self._controls
        pointer = controls.pointer_of(bot, humans)
        return self.guide.card(
            now, turn, scene.board.rules, lambda actions: words_for(controls, actions, bot, humans),
            "" if pointer or not controls.used else controls.label("skip"), pointer or controls.device,
        )  # fmt: skip

    def _turn(self, person: OpenRequest | None, scene: Scene) -> tuple[Notification, ...]:
        """Return whose turn it is, where nothing else says so."""
        state, said = self._state, scene.telegraph is not None and scene.telegraph.banner
        if said or person is None or state.clock.t - state.timeline.end <= HINT_S or self._players.aiming:
            return ()
        lower = "    (lower your shield to fire)" if person.view.arena.bot(person.bot).shield else ""
        return (Notification(f"{self._turn_words(person.bot)}{lower}", theme.SEAT_COLORS[person.bot]),)

    def _turn_words(self, bot: int) -> str:
        name = self._state.table.seat(bot).name.upper()
        return f"{name}, YOUR TURN" if all(self._state.humans) else "YOUR TURN"

    def _all_notes(self, now: float, *, covered: bool) -> list[Notification]:
        state = self._state
        notes = self._notes.standing(state.table, self._controls.mention("wheel", "HAND BACK"), now)
        notes += self._notes.recent(now)
        asking = state.table.thinking
        slow = notifications.waiting(asking, now) if asking is not None else None
        if slow is not None:
            notes.append(slow)
        twist = self._twists.at(state.timeline, state.clock.t) if state.watched else None
        notes += [twist] if twist is not None and not covered else []
        if state.clock.paused and not covered:
            notes.insert(0, Notification("paused", theme.GOLD))
        return notes
