"""Which known server a brain asks, and what it is called in menus."""

from __future__ import annotations

from urllib.parse import urlsplit

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.models.finding.presets import Preset, preset_at, preset_named, presets


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
