"""What a policy's process loads: the brain that plays a policy's file. The program itself never imports this."""

from __future__ import annotations

import os
from pathlib import Path

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.plugin.hookspecs import hookimpl
from batllm_arcade.plugin.isolated import samples

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported: a bot has a share of one processor


def make(spec: Spec) -> object:
    """Return the brain of a policy's file; raise UsageError without numpy."""
    try:
        from batllm_arcade.env.policy_brain import PolicyBrain
    except ModuleNotFoundError as error:
        raise UsageError(f"policies need {error.name}: pip install 'batllm-arcade[rl]'") from None
    return PolicyBrain(Path(spec.variant), sample=samples(spec))


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """Return the kind of brain that a policy is."""
    return [BrainKind("policy", "a policy", make)]  # type: ignore[arg-type]
