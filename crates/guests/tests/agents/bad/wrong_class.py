"""Has no class of the expected name."""

from base import Base


class Bot(Base):
    pass
