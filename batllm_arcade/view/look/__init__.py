"""How things in the arena look, as figures that every picture is drawn from: the window's, a film's, a page's."""
