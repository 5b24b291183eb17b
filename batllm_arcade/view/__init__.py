"""What is shown and played at each time; pure functions, no pygame."""
