"""Each side's chance to win after every play of a recorded game, and what would have been best."""
