"""What a league is called, and the command that plays it; pure."""

from __future__ import annotations

import shlex
from pathlib import PurePath

from batllm_arcade.league.plan import LeaguePlan


def title_of(plan: LeaguePlan) -> str:
    """Return what a league is called: who plays, under which configuration."""
    names = [player.name for player in plan.players]
    who = " against ".join(names) if len(names) == 2 else f"{len(names)} players"
    return f"{who}, {PurePath(plan.config).stem}, {plan.pairs} pairs each"


def command_of(plan: LeaguePlan) -> str:
    """Return the command that plays this league anew, "" where its players need a file."""
    if any(player.orders or player.fallback or player.max_parallel for player in plan.players):
        return ""
    parts = ["batllm-arcade", "league", *(f"{player.name}={player.brain}" for player in plan.players)]
    parts += ["--config", plan.config, "--pairs", str(plan.pairs), "--seed", str(plan.seed)]
    for option, value in (("--rounds", plan.rounds), ("--turns", plan.turns), ("--plugins-dir", plan.plugins_dir)):
        parts += [option, str(value)] if value else []
    if plan.schedule != "roundrobin":
        parts += ["--schedule", plan.schedule]
    if plan.sprt is not None:
        test = plan.sprt
        parts += ["--sprt", f"{test.elo0:g},{test.elo1:g},{test.alpha:g},{test.beta:g}"]
        parts += ["--sprt-model", test.model] if test.model != "logistic" else []
    return shlex.join(parts)
