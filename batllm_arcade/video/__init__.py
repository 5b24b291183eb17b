"""Films of recorded sessions, and recordings of the window while it is played in."""
