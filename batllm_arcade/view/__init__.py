"""What a match looks like: the picture is a function of t; only draw and hud know pygame."""
