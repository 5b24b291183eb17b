"""Encodes frames and sound into files: mp4, webm, gif, webp."""
