"""The brain `mcp`: an agent that speaks MCP, such as a coding assistant, sits down at this program's address."""

from batllm_arcade import BrainKind, Observer, Session, Spec, agent_observer, agent_seat, agents_missing, hookimpl


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = "an agent that speaks MCP, such as a coding assistant"
    return [BrainKind("mcp", summary, agent_seat, missing=missing, patient=True, prepare_s=3600.0, options=())]


def missing(_spec: Spec) -> str:
    """Return what is missing to let agents in, in one sentence; "" if nothing is."""
    return agents_missing()


@hookimpl
def batllm_observer(session: Session) -> Observer | None:
    return agent_observer(session)
