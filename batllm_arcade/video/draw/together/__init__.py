"""Pictures of several games in one film: side by side, or one after the other."""
