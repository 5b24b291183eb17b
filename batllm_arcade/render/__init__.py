"""Drawing with pygame: a scene onto a surface."""
