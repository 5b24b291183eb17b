"""What menus show besides widgets: backdrop, portraits, charts, diagrams."""
