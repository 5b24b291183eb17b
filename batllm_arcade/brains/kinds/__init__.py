"""What a kind of brain says of itself: its options, what it misses to play now, how a model of it is fetched."""
