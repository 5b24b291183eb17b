"""Work with servers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from batllm_arcade.app.services.background import BackgroundTask, Leftover
from batllm_arcade.brains.kinds import PullProgress
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.models.presets import Preset, preset_at, preset_named, presets
from batllm_arcade.session.trial_turn import Trial, TrialTurn

_OTHERWISE = (
    ("base_url", "the address"),
    ("the key that you have kept", "the key"),
    ("needs a key; set the", "needs a key; type it in the row Server, or set the"),
)


_TYPED = re.compile(r"; type (it|its key) in the row Server\b.*")


def in_window(problem: str, models: int = 0) -> str:
    """Return a sentence about a server that has so many `models` in the window's words; others as they are."""
    problem, other, _ = problem.partition("; set model to another")
    if other:
        problem += f"; choose {f'one of the {models} that it has' if models > 1 else 'another'}"
    problem, unnamed, _ = problem.partition("; say which variable holds its key")
    if unnamed:
        problem += "; type its key in the row Server"
    for before, after in _OTHERWISE:
        problem = problem.replace(before, after)
    return problem


def size_words(done: int, total: int) -> str:
    """Return how much of so many bytes is there."""
    unit, name = (1e9, "GB") if total >= 1e9 else (1e6, "MB")
    return f"{done / unit:.1f} of {total / unit:.1f} {name}"


def as_sentence(problem: str) -> str:
    """Return a problem as a sentence of a dialog, "" for none; where a key is typed, its ways say."""
    said = _TYPED.sub("", in_window(problem))
    return f"{said[:1].upper()}{said[1:].rstrip('.')}." if said else ""


def set_up_words(why: str) -> str:
    """Return what leads to a server's page where a seat cannot play for this kind of reason, "" where nothing there
    helps."""
    return {"key": "Type a key", "wrong key": "Type a key", "model": "Choose a model", "options": "Choose a model"}.get(
        why, ""
    )


class TrialRun(BackgroundTask[TrialTurn]):
    """One real turn, played on a thread."""

    def __init__(self, kinds: Mapping[str, BrainKind], spec: Spec) -> None:
        self._trial = Trial(kinds, spec)
        super().__init__("trying a server", self._trial.play)

    @property
    def failure(self) -> str:
        """Why it cannot play or its turn failed, "" as long as that is not known."""
        return self.problem or (self.result.problem if self.result is not None else "")

    def cancel(self) -> None:
        """Give it up: the request is ended."""
        self._trial.cancel()
        super().cancel()


class Pull(BackgroundTask[bool]):
    """A model being pulled; `share` is how much of it is there, None as long as that is not known."""

    def __init__(self, kind: BrainKind, spec: Spec, model: str, pulled: Callable[[Spec], None]) -> None:
        assert kind.pull is not None
        self.model, self.spec = model, spec
        self.words, self.share = "asking for it", 0.0
        self.given_up = False
        self._live = live = Live()
        pull = kind.pull

        def work(report: Callable[[str], None]) -> bool:
            try:
                pull(spec, model, live, self._follow)
            except Cancelled:
                return False
            pulled(spec)
            return True

        super().__init__("pulling a model", work)

    def _follow(self, progress: PullProgress) -> None:
        comes = 0 < progress.done < progress.total
        self.words = size_words(progress.done, progress.total) if comes else progress.words
        self.share = progress.share or 0.0

    @property
    def failure(self) -> str:
        """Why it could not be pulled, in one sentence, else ""."""
        return "" if self.given_up else self.problem

    def cancel(self) -> None:
        """Give it up; what has come is kept by the server, which goes on from there."""
        self.given_up = True
        self._live.cancel()


class Pulls:
    """The models being pulled, by server and name; they go on whichever screen is shown.

    `pulled` is called with the brain whose model is there, on any thread.
    """

    def __init__(self, wait_at_end: Callable[[Leftover], None], pulled: Callable[[Spec], None]) -> None:
        self._wait_at_end, self._pulled = wait_at_end, pulled
        self._pulls: dict[tuple[str, str, str], Pull] = {}

    def start(self, kind: BrainKind, spec: Spec, model: str) -> Pull:
        """Pull a model, or go on with the pull that is under way."""
        pull = self.of(spec, model)
        if pull is None or pull.done:
            pull = self._pulls[_key(spec, model)] = Pull(kind, spec, model, self._pulled)
            self._wait_at_end(pull)
        return pull

    def of(self, spec: Spec, model: str) -> Pull | None:
        """Return the pull of a model to the server of a brain, None if there has been none."""
        return self._pulls.get(_key(spec, model))

    def close(self) -> None:
        """Give all of them up."""
        for pull in self._pulls.values():
            pull.cancel()


def _key(spec: Spec, model: str) -> tuple[str, str, str]:
    return f"{spec.name}:{spec.variant}", spec.text("base_url"), model


class KeyWork(BackgroundTask[bool]):
    """A key being kept on a thread, which may have to ask the person's desktop for that."""

    def __init__(self, keep: Callable[[], None], undo: Callable[[], None]) -> None:
        def work(report: Callable[[str], None]) -> bool:
            keep()
            return True

        super().__init__("keeping a key", work, discard=lambda _: undo())


def preset_of(spec: Spec) -> Preset | None:
    """Return the known server that a brain asks: by its name, its address, or the brain's own; None for another."""
    if spec.variant:
        return preset_named(spec.name, spec.variant)
    if spec.text("base_url"):
        found = preset_at(spec.text("base_url"), spec.name)
        return found if found is not None and found.brain == spec.name else None
    return next((each for each in presets(spec.name) if not each.name), None)


def server_name(spec: Spec) -> str:
    """Return what a model server is called in menus: by its name, its provider or its host, and by its model."""
    name, model = spec.text("name") or where_it_is(spec), spec.text("model")
    return f"{name} \u00b7 {model}" if model else name


def where_it_is(spec: Spec) -> str:
    """Return which server a spec asks in a few words: a known one's name, else the host."""
    host, preset = _host(spec.text("base_url")), preset_of(spec)
    if host and (preset is None or _host(preset.base_url) != host):
        return f"{preset.title}, {host}" if preset is not None and spec.variant else host
    return preset.title if preset is not None else spec.short[:1].upper() + spec.short[1:]


def _host(address: str) -> str:
    try:
        return urlsplit(address).netloc or address
    except ValueError:  # as long as it is being typed
        return address
