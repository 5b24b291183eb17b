"""What orders say, word by word: pure text, no model and no arena."""
