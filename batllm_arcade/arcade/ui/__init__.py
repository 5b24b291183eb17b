"""The widgets of the menus: focus, keyboard, mouse and gamepad alike, drawn in the arcade's own style."""
