"""What a model is sent and how its answer is read; pure."""
