"""The window: the imperative shell around the pure view and the match."""
