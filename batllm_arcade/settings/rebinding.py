"""Keys change hands: one that is taken from another action is swapped, and no action is left without any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from batllm_arcade.settings.key_bindings import KEYS, PAD, Bindings, refused
from batllm_arcade.settings.user_settings import Settings, bindings, bound

Place = tuple[str, str]
"""A group of bindings and an action in it."""
Names = tuple[str, ...]


def shipped(group: str, action: str) -> Names:
    """Return the keys or buttons of an action as shipped."""
    found: Bindings = PAD if group == "pad" else KEYS[group]
    return found.get(action, ())


def assigned(
    now: Settings, group: str, action: str, names: Names, *, swap: bool
) -> tuple[Settings, list[tuple[Place, Names]]] | Place:
    """Return the settings with an action on these keys, and what other actions that had one of them have now.

    An action that would be left without any gets a key that this one gives up or (without `swap`, before that) its own
    as shipped. If neither is possible nothing changes: return the action that would be left without.
    """
    given_up = tuple(name for name in bindings(now, group).get(action, ()) if name not in names)
    changed, others = bound(now, group, action, names), []
    for place in _holders(now, group, names):
        if place == (group, action):
            continue
        kept = tuple(name for name in bindings(now, place[0])[place[1]] if name not in names)
        own = shipped(*place)
        instead = kept or _free(changed, place, (*given_up, *own) if swap else (*own, *given_up))
        if not instead:
            return place
        changed = bound(changed, *place, instead)
        others.append((place, instead))
    return changed, others


def settled(now: Settings) -> Settings:
    """Return the settings with every action that has no key on its shipped ones, which are taken back."""
    for group, actions in {**KEYS, "pad": PAD}.items():
        for action in actions:
            if not bindings(now, group).get(action):
                found = assigned(now, group, action, shipped(group, action), swap=False)
                now = found[0] if isinstance(found[0], Settings) else now
    return now


def _groups(group: str) -> Sequence[str]:
    """Return the groups that share a keyboard, or the gamepad's one."""
    return ("pad",) if group == "pad" else tuple(KEYS)


def _holders(now: Settings, group: str, names: Names) -> Iterator[Place]:
    for other in _groups(group):
        for action, held in bindings(now, other).items():
            if any(name in names for name in held):
                yield other, action


def _free(now: Settings, place: Place, candidates: Names) -> Names:
    """Return the first of the candidates that may be bound there and that nothing is bound to, "()" if none."""
    for name in candidates:
        if not refused(*place, name) and not list(_holders(now, place[0], (name,))):
            return (name,)
    return ()
