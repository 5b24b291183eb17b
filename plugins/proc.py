"""The brain `proc`: a bot in any language, a process that speaks the line protocol of docs/bots.md."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade import (
    BOT_OPTIONS,
    BrainKind,
    ProcessBrain,
    Spec,
    UsageError,
    bot_file_command,
    hookimpl,
    split_command,
)


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = 'a bot in any language: proc:PATH or proc:cmd="node bot.js"'
    return [BrainKind("proc", summary, make, prompted=True, prepare_s=10.0, prepare_grace_s=15.0)]


def make(spec: Spec) -> ProcessBrain:
    """Return the brain a spec names; raise UsageError if there is no such program, or an option's value is wrong.

    An option that the host does not know is the bot's own.
    """
    line = spec.text("cmd")
    if bool(line) == bool(spec.variant):
        raise UsageError('proc needs a bot: write proc:PATH or proc:cmd="node bot.js"')
    command = split_command(line) if line else bot_file_command(Path(spec.variant))
    own = {key: value for key, value in spec.options.items() if key not in ("cmd", *BOT_OPTIONS)}
    return ProcessBrain(spec, command, own, title=Path(spec.variant or command[-1]).stem)
