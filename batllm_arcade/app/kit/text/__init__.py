"""Texts that are read and written: buffer, layout, area, field, viewer."""
