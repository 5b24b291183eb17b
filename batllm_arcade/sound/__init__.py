"""What a match sounds like: cues are a function of the timeline; the window plays them, a film has them mixed in."""
