"""Agents need the extra `mcp`, which is part of `dev`."""

from batllm_arcade.agents.here import agents_missing

collect_ignore_glob = ["test_*.py"] if agents_missing() else []
