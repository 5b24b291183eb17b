"""A replay on one page: the timeline, the words and the look of the view, exported for a browser."""
