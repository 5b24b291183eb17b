"""A YAML loader that refuses a mapping that holds a key twice; imported only where YAML is read."""

from __future__ import annotations

from typing import Any

import yaml

from batllm_arcade.errors import UsageError, quoted


class UniqueKeyLoader(yaml.SafeLoader):
    """`yaml.SafeLoader`, but UsageError names a key that is given twice: which one counts is a guess."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping; raise UsageError for a key given twice."""
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = (key.tag, key.value)
                if name in seen:
                    raise UsageError(f"{quoted(key.value)} is given twice, again in line {key.start_mark.line + 1}")
                seen.add(name)
        return super().construct_mapping(node, deep)
