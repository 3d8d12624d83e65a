"""A referee for course agents, with the interface of the official one."""
