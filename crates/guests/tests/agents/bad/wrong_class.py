"""Has a class, but not the one that the referee asks for."""

from base import Base


class Bot(Base):
    pass
