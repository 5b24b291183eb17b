"""What to do when a model server fails: what it means, when to ask again, what to leave out."""
