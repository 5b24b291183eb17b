"""From frames to files: mp4, webm, gif, webp, and sound."""
