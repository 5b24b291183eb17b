"""How the orders of a league's players are read, and who will play alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress

from batllm_arcade.brains.orders import Reading
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError
from batllm_arcade.league.plan import LeaguePlayer
from batllm_arcade.seats.brain_thread import Kinds


def readings(players: Sequence[LeaguePlayer], kinds: Kinds) -> tuple[dict[str, str], list[str]]:
    """Return how orders are read by the names of those whose brain tells, and a sentence on each group read alike.

    Where a model is missing its players have none.
    """
    read: dict[str, tuple[str, Reading]] = {}
    with ExitStack() as open_readers:
        for brain in dict.fromkeys(player.brain for player in players if player.orders):
            spec = Spec.parse(brain)
            kind = kinds.get(spec.name)
            with suppress(ArcadeError):
                reader = kind.orders_reader(spec) if kind is not None and kind.orders_reader is not None else None
                if reader is None:
                    continue
                open_readers.enter_context(closing(reader))
                reader.prepare(lambda text: None)
                own = [player for player in players if player.brain == brain and player.orders]
                read |= {player.name: (brain, reader.read_orders(player.orders)) for player in own}
    return {
        name: "; ".join(filter(None, [reading.summary(), reading.not_understood]))
        for name, (_, reading) in read.items()
    }, _alike(read)


def _alike(read: Mapping[str, tuple[str, Reading]]) -> list[str]:
    groups: list[list[str]] = []
    for name, (brain, reading) in read.items():
        known = (each for each in groups if read[each[0]][0] == brain and read[each[0]][1].alike(reading))
        group = next(known, None)
        groups.append([name]) if group is None else group.append(name)
    return [
        f"{', '.join(names[:-1])} and {names[-1]} are read alike ({read[names[0]][1].summary()}) and will play alike"
        for names in groups
        if len(names) > 1
    ]
