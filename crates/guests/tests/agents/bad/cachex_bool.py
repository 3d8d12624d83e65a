"""Places at (False, False) or (False, True)."""

from cachex_base import Base


class Player(Base):
    def action(self):
        _, r, q = super().action()
        return ("PLACE", bool(r), bool(q))
