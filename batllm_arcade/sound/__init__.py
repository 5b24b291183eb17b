"""What is heard: cues from the timeline, the window's player, the mix of a film."""
