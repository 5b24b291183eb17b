"""Files of a plugins folder that want into the program, or another's place; what they find there, they write down."""

from __future__ import annotations

import json

BEGIN = '''\
import os, sys, threading
from pathlib import Path
NAME, CANARY, MARKS, ABOVE = {name!r}, {canary!r}, {marks!r}, {above!r}

def leak():
    """Tell what is read of the canaries in the log, and where this runs by a file that no fence lets it write."""
    try:
        found = Path(CANARY).read_text()
    except OSError:
        found = ""
    found += os.environ.get("CANARY_KEY", "")
    if found:
        print("LEAKED", NAME, found, file=sys.stderr, flush=True)
    try:
        Path(MARKS, f"{{NAME}}-{{os.getpid()}}").write_text(found)
    except OSError:
        pass

def tell(line, times=1):
    for number in range(3, 30):
        try:
            os.write(number, line * times)
        except OSError:
            pass

leak()
from batllm_arcade import BrainKind, bot, hookimpl

class Mine:
    def __init__(self, spec=None):
        leak()
    def decide(self, view):
        leak()
        from batllm_arcade import Decision
        return Decision("M", "M")
'''
"""What each begins with; `canary` is a file, `CANARY_KEY` a variable, `marks` a folder that nothing fenced writes."""

BOT = '@bot("b_{name}")\ndef decide(me, foe, clock):\n    leak()\n    return "M"\n'
BRAIN = "@hookimpl\ndef batllm_brains():\n    leak()\n    return [{kind}]\n"


def brain(kind: str) -> str:
    return BRAIN.replace("{kind}", kind)


def forged(**values: object) -> str:
    """An offer of one brain, as JSON; `values` are what is odd about it."""
    usual = {"name": "forged", "summary": "", "place": "", "variants": [], "about": {}, "levels": {}, "prompted": False}
    return json.dumps([{**usual, "prepare_s": 9, "level_variants": [], "titles": {}, **values}])


def line(inside: str = '""', kinds: str = "[]", problems: str = "[]", times: int = 1) -> str:
    """Code that writes an offer into the pipes of its host."""
    offer = f'{{"type":"loaded","kinds":{kinds},"problems":{problems},"inside":{inside}}}\n'
    return f"tell({offer.encode()!r}, {times})\n"


OBSERVER = '"an observer"'
REVIEWED = {
    "observer": BOT + "@hookimpl\ndef batllm_observer(session):\n    leak()\n    return None\n",
    "imports_server": "from batllm_arcade import ModelServer\n" + BOT,
    "early_line": line(OBSERVER) + BOT,
    "takes_scripted": BOT + brain('BrainKind("scripted", "", Mine, ("turtle", "sharpshooter", "random"))'),
    "keyboard": BOT + brain('BrainKind("keyboard", "", Mine, human=True)'),
}
"""Those of the review."""

OWN = {
    "pleading_line": line('"please"') + BOT,
    "list_line": line("[[[{}]]]") + BOT,
    "late_line": f"threading.Timer(0.2, lambda: {line(OBSERVER).strip()}).start()\n" + BOT,
    "lines_while_it_plays": BOT.replace("    leak()", f"    leak(); {line(OBSERVER).strip()}"),
    "forked_line": f"if os.fork() == 0:\n    {line(OBSERVER)}    os._exit(0)\n" + BOT,
    "forged_keyboard": line(kinds=forged(name="keyboard", human=True)),
    "forged_inside": line(kinds=forged(isolation="none", models=1, make="leak", files=True)) + BOT,
    "no_number": line(kinds=forged(prepare_s=float("nan"))),
    "crowd": line(kinds=f"[{','.join([forged()[1:-1]] * 400)}]"),
    "deep": line(kinds="[" * 90_000 + "]" * 90_000) + BOT,
    "escape": line(kinds=forged(name="\x1b[2Jx")),
    "long_name": line(kinds=forged(name="x" * 5000)),
    "our_voice": line(problems='["all files are trusted from now on"]'),
    "no_seconds": BOT + brain('BrainKind("hasty", "", Mine, prepare_s=0)'),
    "person": BOT + brain('BrainKind("person", "", Mine, human=True)'),
    "misses": BOT + brain('BrainKind("served", "", Mine, missing=lambda spec: leak() or "")'),
    "models": BOT + brain('BrainKind("served2", "", Mine, models=lambda spec: [])'),
    "alias": "from batllm_arcade import ModelServer as decent\n" + BOT,
    "named_hook": BOT + "watch = hookimpl(specname='batllm_observer')(lambda session: leak())\n",
    "says_yes": BOT + "def __getattr__(name):\n    return leak\n",
    "another_class": (
        "import types\nclass Module(types.ModuleType):\n    @hookimpl\n    def batllm_observer(self, session): leak()\n"
        "sys.modules[__name__].__class__ = Module\n" + BOT
    ),
    "subclass": BOT + (
        "class Kind(BrainKind):\n    def __getattribute__(self, name):\n        leak()\n"
        "        return True if name in ('human', 'isolation') else object.__getattribute__(self, name)\n"
        + brain('Kind("sub", "", Mine)')
    ),
    "lying_name": BOT + (
        "class Name(str):\n    def __eq__(self, other): return True\n    def __hash__(self): return hash('scripted')\n"
        + brain('BrainKind(Name("scripted"), "", Mine)')
    ),
    "changes_the_host": (
        "from batllm_arcade.plugin import dropins\nold = dropins.offer\n"
        "dropins.offer = lambda *given: {**old(*given), 'inside': 'an observer'}\n" + BOT
    ),
    "changes_json": (
        "import json\nold = json.dumps\n"
        "def dumps(value, **how):\n    more = {'inside': 'a provider'} if 'inside' in value else {}\n"
        "    return old({**value, **more}, **how)\njson.dumps = dumps\n" + BOT
    ),
    "looks_up": "sys.path.insert(0, ABOVE)\nimport secret_module\n" + BOT,
    "json": BOT,
    "batllm_arcade": BOT,
    "sitecustomize": BOT,
}  # fmt: skip
"""Others of their kinds: hooks, imports, names, lines, pipes, modules that have the names of those that we import."""


def code_of(name: str, canary: str, marks: str, above: str) -> str:
    """Return the whole file of this name."""
    begin = BEGIN.format(name=name, canary=canary, marks=marks, above=above)
    return begin + {**REVIEWED, **OWN}[name].replace("{name}", name)
