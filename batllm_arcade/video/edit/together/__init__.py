"""Several games in one film: side by side, or the best of many; pure."""
