"""Plays on; the file secret.txt of its package is what `reads_opponent` looks for."""

from .base import Base


class Agent(Base):
    pass
