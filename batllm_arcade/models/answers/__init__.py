"""How a model's answer is read: events, parts, thoughts; servers that stream and servers that do not."""
