"""Films: what they show, how they are drawn and encoded."""
