"""Sound: the player of the window and the mixer of films."""
