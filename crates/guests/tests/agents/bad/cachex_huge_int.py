"""Returns a row with more digits than Python writes."""

from cachex_base import Base


class Player(Base):
    def action(self):
        return ("PLACE", 10**5000, 0)
