"""One of two packages, so that the folder alone is ambiguous."""
