"""A cup: entrants meet two by two, and who loses is out."""
