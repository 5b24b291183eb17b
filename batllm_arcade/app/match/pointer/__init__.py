"""What a mouse or a finger does in a live match, and the buttons it does it with."""
