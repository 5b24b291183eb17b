"""The JSON-only response as pydantic models; imported where one is read, not before."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Button = Literal["up", "down", "left", "right", "a", "b", "start", "select"]


class ButtonReply(BaseModel):
    """What every response holds; text lengths are code points, fields beyond these are welcome."""

    model_config = ConfigDict(strict=True, extra="ignore")

    button_presses: Annotated[list[Button], Field(min_length=1, max_length=3)]
    reasoning: Annotated[str, Field(max_length=200)]
    observations: Annotated[str, Field(max_length=300)]
    context_detected: Literal["battle", "navigation", "menu", "unknown"]
    confidence: Literal["high", "medium", "low"] = "medium"
    turn_degrees: Annotated[float, Field(gt=0, le=360)] = 0.0  # 0, which nobody can write: the gamepad's own


class BattleReply(ButtonReply):
    """The response while there is a line to the opponent."""

    battle_phase: str = ""
    move_strategy: str = ""


class NavigationReply(ButtonReply):
    """The response while there is none."""

    exploration_goal: str = ""


class RecoveryReply(ButtonReply):
    """The response after plays that changed nothing."""

    recovery_strategy: str = ""


TEMPLATES: dict[str, type[ButtonReply]] = {
    "battle": BattleReply,
    "navigation": NavigationReply,
    "recovery": RecoveryReply,
}
