"""A model server as it is being set up: which one, where, with which model; without pygame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from batllm_arcade.app.services.server_names import preset_of
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.models.finding.presets import Preset, origin_of, preset_named, presets

OWN = Preset(
    "openai", "", "Another address", "", ask="http://192.168.0.10:8080", note="any server that speaks as OpenAI's"
)
"""Any server that is not known by name."""
_HERE = ("base_url", "model", "name")


@dataclass(frozen=True, slots=True)
class ServerDraft:
    """What is chosen so far; `address` is "" for the preset's own, `others` are the options that are set elsewhere."""

    preset: Preset
    address: str = ""
    model: str = ""
    name: str = ""
    others: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, spec: Spec) -> ServerDraft:
        """Return how a brain is set up."""
        known = preset_of(spec) or preset_named(spec.name, "") or replace(OWN, brain=spec.name)
        others = {key: value for key, value in spec.options.items() if key not in _HERE}
        address = spec.text("base_url")
        own = "" if address == known.base_url else address
        return cls(known, own, spec.text("model"), spec.text("name"), others)

    @property
    def spec(self) -> Spec:
        """Return the brain as it would play."""
        set_up = {"base_url": self.address, "model": self.model, "name": self.name, **self.others}
        return Spec(self.preset.brain, self.preset.name, {key: value for key, value in set_up.items() if value})

    @property
    def missing(self) -> str:
        """Return what has to be typed first, in one sentence, else ""."""
        return "" if self.address or self.preset.base_url else f"type the server's address, such as {self.preset.ask}"

    def at(self, address: str) -> ServerDraft:
        """Return it with another address."""
        address = address.strip()
        return replace(self, address="" if address == self.preset.base_url else address)

    def to(self, preset: Preset) -> ServerDraft:
        """Return the draft of another server: only the name that was typed is kept."""
        return ServerDraft(preset, name=self.name)


def offered(brains: Iterable[str]) -> tuple[Preset, ...]:
    """Return the servers to choose from that these brains can ask: those on this computer first, any other last.

    Of a provider that has a brain of its own, only that one.
    """
    there = frozenset(brains)
    own = {origin_of(each.base_url) for each in presets() if not each.name and each.brain in there}
    known = [
        each
        for each in presets()
        if each.brain in there and (not each.name or (each.brain != "anthropic" and not _is_among(each, own)))
    ]
    other = [OWN] if OWN.brain in there else []
    known.sort(key=lambda each: (not each.local, bool(each.name)))
    return (*known, *other)


def _is_among(preset: Preset, origins: set[str]) -> bool:
    return bool(preset.base_url) and origin_of(preset.base_url) in origins
