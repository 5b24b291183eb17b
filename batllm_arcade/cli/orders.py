"""`orders`: how the embedded model reads what a player would order."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batllm_arcade.brains.orders import Reading, ReadsOrders
    from batllm_arcade.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("orders", help="how the embedded model reads orders")
    parser.add_argument("texts", nargs="+", metavar="TEXT", help="orders, in quotation marks")
    parser.add_argument("--json", action="store_true", help="print one JSON object a text")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print how each text is read; return 0. Raise BrainError if the model is missing or fails."""
    import sys

    from batllm_arcade.files.reading import argument_text
    from batllm_arcade.terminal import output as terminal

    reader = _reader()
    try:
        reader.prepare(terminal.complain if not options.json else lambda _: None)
        for text in map(argument_text, options.texts):
            reading = reader.read_orders(text)
            terminal.write_line(_json(text, reading) if options.json else _line(text, reading), sys.stdout)
            if reading.note:
                terminal.complain(reading.note)
    finally:
        reader.close()
    return 0


def _reader() -> ReadsOrders:
    from batllm_arcade.brains.protocol import BrainError, Spec
    from batllm_arcade.plugin import manager

    kind = manager.load().kinds.get("embedded")
    reader = kind.orders_reader(Spec("embedded")) if kind is not None and kind.orders_reader is not None else None
    if reader is None:
        raise BrainError("no brain called 'embedded' reads orders here; a plugin of yours may have taken its name")
    return reader


def _json(text: str, reading: Reading) -> str:
    import json

    return json.dumps({"orders": text, **_told(reading)}, ensure_ascii=False)


def _told(reading: Reading) -> dict[str, object]:
    then = {"then": _told(reading.then)} if reading.then is not None else {}
    return {"weights": reading.weights, "rules": reading.rules, **then}


def _line(text: str, reading: Reading) -> str:
    return f"{' '.join(text.split())}: {reading.summary()}"
