"""What a model is sent and how its answer is parsed; pure."""
