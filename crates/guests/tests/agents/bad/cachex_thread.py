"""Starts a thread, which costs no more memory than its stack."""

from threading import Thread

from cachex_base import Base


class Player(Base):
    def action(self):
        thread = Thread(target=lambda: None)
        thread.start()
        thread.join()
        return super().action()
