"""Strangers as a plugin: `@bot`s of one file, which find what they look for in the file beside it."""

import json
import os
import sys
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from batllm_arcade import bot

spec = spec_from_file_location("stranger", Path(__file__).with_name("_stranger.py"))
stranger = module_from_spec(spec)
sys.argv[0] = __file__  # where its folder is
spec.loader.exec_module(stranger)
for kind in ("home", "tcp", "write_home", "wink_at_all"):  # while it is loaded
    stranger.KINDS[kind]()


def rudely() -> None:
    json.dumps = json.loads = None


def by_descriptor() -> None:
    for number in range(3, 20):
        with suppress(OSError):
            os.write(number, b'{"type":"play","id":1,"command":[]}\n')


TOGETHER = ("home", "all_environments", "tcp", "write_home", "change_own_folder", "kill_everybody")
OWN = {
    "together": stranger.each(*(stranger.KINDS[kind] for kind in TOGETHER)), "forks": stranger.KINDS["forks"],
    "exit": lambda: os._exit(0), "rudely": rudely, "by_descriptor": by_descriptor,
}  # fmt: skip


def made(name, attack):
    @bot(f"py_{name}")
    def decide(me, foe, clock):
        if not done:
            done.append(name)
            attack()
        return "C10"

    done = []
    return decide


for name, attack in OWN.items():
    globals()[name] = made(name, attack)
