"""Draws scenes on pygame surfaces."""
