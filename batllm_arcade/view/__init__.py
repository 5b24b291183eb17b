"""What is seen and heard, as a function of time; pure."""
