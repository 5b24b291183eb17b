"""Words in the arena: where they stand, and how those of effects are drawn."""
