"""What is drawn for a film alone: frames, overlays, title cards."""
