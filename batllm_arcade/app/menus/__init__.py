"""The menus: title, setup, prompts, settings, help, sessions."""
