"""The brain `policy`: what somebody has trained in the environment, a Python or an ONNX file (docs/training.md)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from batllm_arcade import Brain, BrainKind, Option, Spec, UsageError, hookimpl, hosted_policy

OPTIONS = (
    Option("sample", "choice", "no", "whether an ONNX file's actions are drawn by their chances", ("no", "yes")),
    Option(
        "isolation",
        "text",
        "auto",
        "how it runs: sandbox, process, auto (the safer one that there is here), none (inside, for your own)",
    ),
    Option(
        "network", "text", "no", "the network in a sandbox: no, yes, or loopback (also this computer's own servers)"
    ),
    Option("memory_mb", "text", "2048", "megabytes of memory that it may take", advanced=True),
    Option("processes", "text", "8", "processes that it may have", advanced=True),
)
LIBRARIES = {".py": ("numpy", "rl"), ".onnx": ("onnxruntime", "onnx")}
"""What each kind of file needs, and the extra that installs it."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = "a policy that you have trained: policy:FILE.py or policy:FILE.onnx"
    return [
        BrainKind(
            "policy", summary, make, missing=missing, files=True, prepare_s=60.0, prepare_grace_s=30.0,
            isolation="auto", options=OPTIONS,
        )
    ]  # fmt: skip


def make(spec: Spec) -> Brain:
    """Return the brain of a policy's file; raise UsageError if there is no such file."""
    return hosted_policy(checked(spec), spec)


def checked(spec: Spec) -> Path:
    """Return the policy's file; raise UsageError if there is none."""
    if not spec.variant:
        raise UsageError("policy needs a file: write policy:FILE.py or policy:FILE.onnx")
    path = Path(spec.variant).expanduser().absolute()
    if path.suffix not in LIBRARIES:
        raise UsageError(f"{path.name!r} is no policy; it is a Python file (.py) or an ONNX file (.onnx)")
    if not path.is_file():
        raise UsageError(f"there is no policy {path.name!r}; policy:FILE takes the file of one")
    return path


def missing(spec: Spec) -> str:
    """Return what is missing to play, in one sentence, "" if nothing is; a file that is still to be chosen is not."""
    try:
        suffix = checked(spec).suffix if spec.variant else ".py"
    except UsageError as error:
        return str(error)
    library, extra = LIBRARIES[suffix]
    return "" if find_spec(library) else f"it needs {library}: pip install 'batllm-arcade[{extra}]'"
