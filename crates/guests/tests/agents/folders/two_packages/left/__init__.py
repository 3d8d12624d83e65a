"""One of two packages, of which nobody says which."""
