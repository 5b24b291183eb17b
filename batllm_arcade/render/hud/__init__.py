"""Panels, banners, speech bubbles and the loading screen around the arena."""
