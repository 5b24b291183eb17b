"""The configuration of a match and a person's settings: parsing, validation, files."""
