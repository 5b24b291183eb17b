"""Keys, mouse, gamepads, the clipboard."""
