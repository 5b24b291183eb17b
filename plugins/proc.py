"""The brain `proc`: a bot in any language, a process that speaks the line protocol of docs/bots.md.

A Python file with `@bot` is one, too: a process of our own speaks for it.
"""

from __future__ import annotations

from pathlib import Path

from batllm_arcade import (
    BOT_OPTIONS,
    BrainKind,
    Option,
    ProcessBrain,
    Spec,
    UsageError,
    bot_file_command,
    hookimpl,
    hosted_bot,
    split_command,
)

OPTIONS = (
    Option("cmd", "text", "", 'the command that runs it, in place of a path: "node bot.js --fast"'),
    Option("isolation", "text", "auto", "how it runs: sandbox, process, or auto, the safer one that there is here"),
    Option(
        "network", "text", "no", "the network in a sandbox: no, yes, or loopback (also this computer's own servers)"
    ),
    Option("memory_mb", "text", "512", "megabytes of memory that it may take", advanced=True),
    Option("processes", "text", "8", "processes that it may have", advanced=True),
)
"""Its own options; any other is handed to the bot."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = 'a bot of your own in any language: proc:PATH or proc:cmd="node bot.js"'
    return [
        BrainKind(
            "proc", summary, make, prompted=True, files=True, prepare_s=10.0, prepare_grace_s=30.0, isolation="auto",
            options=OPTIONS, other_options=True,
        )
    ]  # fmt: skip


def make(spec: Spec) -> ProcessBrain:
    """Return the brain a spec names; raise UsageError if there is no such program, or an option's value is wrong.

    An option that the host does not know is the bot's own.
    """
    line = spec.text("cmd")
    if bool(line) == bool(spec.variant):
        raise UsageError('proc needs a bot: write proc:PATH or proc:cmd="node bot.js"')
    own = {key: value for key, value in spec.options.items() if key not in ("cmd", *BOT_OPTIONS)}
    if line:
        command = split_command(line)
        return ProcessBrain(spec, command, own, title=Path(command[-1]).stem)
    path = Path(spec.variant).expanduser()
    hosted = hosted_bot(path, spec)
    if hosted is not None:
        return hosted
    return ProcessBrain(spec, bot_file_command(path), own, title=path.stem, watched=path.absolute())
