"""A site of many leagues: a folder of pages that can be put on any web server."""
