"""Board and search, which know nothing of the referee."""
