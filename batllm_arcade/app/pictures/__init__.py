"""What is drawn of matches beside the arena: stat cards, charts, portraits, diagrams of the rules, the logo."""
