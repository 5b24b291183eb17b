"""Agents that speak MCP take seats: what they are told, the tools by which they play, the matches they begin."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from batllm_arcade.agents.match import AgentMatch

told: "list[AgentMatch]" = []
"""What agents in matches of this program's own are told of: one after another; empty before there is an agent."""
