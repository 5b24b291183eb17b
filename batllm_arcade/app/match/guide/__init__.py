"""The guide through a first match: what can be done, each named when it can be."""
