"""The orders that players give: two editors, the library, and who is written for."""
