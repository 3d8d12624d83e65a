"""Plays on; the file secret.txt of its package is what `reads_opponent` searches for."""

from .base import Base


class Agent(Base):
    pass
