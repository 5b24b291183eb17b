"""Widgets, forms, menus and dialogs, made of any words and boxes: they know nothing of matches."""
