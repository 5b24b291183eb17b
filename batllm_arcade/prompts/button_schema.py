"""The JSON-only response as pydantic models; imported only when a response is read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

# Asked for, so that a model whose text never ends is stopped; a longer one is no less valid.
ShortText = Annotated[str, Field(json_schema_extra={"maxLength": 100})]
Button = Literal["up", "down", "left", "right", "a", "b", "start", "select"]


class ButtonReply(BaseModel):
    """The fields of every response; text lengths are in code points, unknown fields are ignored."""

    model_config = ConfigDict(strict=True, extra="ignore")

    button_presses: Annotated[list[Button], Field(min_length=1, max_length=3)]
    reasoning: Annotated[str, Field(max_length=200)]
    observations: Annotated[str, Field(max_length=300)]
    context_detected: Literal["battle", "navigation", "menu", "unknown"]
    confidence: Literal["high", "medium", "low"] = "medium"
    turn_degrees: Annotated[float, Field(gt=0, le=360)] = 0.0  # 0, which is invalid in a reply: the gamepad's own


class BattleReply(ButtonReply):
    """The response when a shot now would hit."""

    battle_phase: ShortText = ""
    move_strategy: ShortText = ""


class NavigationReply(ButtonReply):
    """The response when a shot now would not hit."""

    exploration_goal: ShortText = ""


class RecoveryReply(ButtonReply):
    """The response after plays that changed nothing."""

    recovery_strategy: ShortText = ""


TEMPLATES: dict[str, type[ButtonReply]] = {
    "battle": BattleReply,
    "navigation": NavigationReply,
    "recovery": RecoveryReply,
}
