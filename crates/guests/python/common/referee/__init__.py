"""A referee for agents of the course, with the interface of the course's own."""
