"""A seat of the match to come: its card, the rows of its options, what is done about a player that is not ready."""
