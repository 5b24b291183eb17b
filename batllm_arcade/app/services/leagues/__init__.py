"""The leagues beside the window: the list of all, their games, the one that is set up and the one that is played."""
