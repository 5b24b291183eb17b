"""Requests that adapt to what a model server refuses."""
