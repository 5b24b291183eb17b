"""What a film shows and when; pure."""
