"""The game as an environment to train in: PettingZoo's AEC and parallel APIs, Gymnasium's `Env` and `VectorEnv`.

Needs the extra `rl`. The names below are looked up when they are first used, so that what needs no library of the
field, such as a policy's process, imports none.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from batllm_arcade.env.agent import ACTIONS as ACTIONS
    from batllm_arcade.env.agent import COMMANDS as COMMANDS
    from batllm_arcade.env.agent import FEATURES as FEATURES
    from batllm_arcade.env.agent import observe as observe
    from batllm_arcade.env.pairs import env as env
    from batllm_arcade.env.pairs import parallel_env as parallel_env
    from batllm_arcade.env.pairs import raw_env as raw_env
    from batllm_arcade.env.single import Rival as Rival
    from batllm_arcade.env.single import make_single as make_single
    from batllm_arcade.env.single import vector_env as vector_env

_HOME = {
    "ACTIONS": "agent", "COMMANDS": "agent", "FEATURES": "agent", "observe": "agent", "env": "pairs",
    "parallel_env": "pairs", "raw_env": "pairs", "Rival": "single", "make_single": "single", "vector_env": "single",
}  # fmt: skip
_LIBRARIES = ("gymnasium", "pettingzoo", "numpy")

__all__ = [
    "ACTIONS", "COMMANDS", "FEATURES", "Rival", "env", "make_single", "observe", "parallel_env", "raw_env",
    "vector_env",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'batllm_arcade.env' has no attribute {name!r}")
    try:
        return getattr(import_module(f"batllm_arcade.env.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in _LIBRARIES:
            raise
        raise ModuleNotFoundError(
            f"batllm_arcade.env needs {error.name}: pip install 'batllm-arcade[rl]'", name=error.name
        ) from None


if "gymnasium" in sys.modules:  # else its id is registered with the first name that needs it
    import_module("batllm_arcade.env.single")
