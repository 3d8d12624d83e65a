"""Tries to send and to connect; crashes with NETWORK if it can."""

import socket

from base import Base


def can_send():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"hello", ("127.0.0.1", 9)) > 0


def can_connect():
    # Its own listener is the one port that is certainly open.
    with socket.socket() as listener, socket.socket() as caller:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        caller.settimeout(1)
        caller.connect(listener.getsockname())
        return True


class Agent(Base):
    def action(self, **referee):
        for way in (can_send, can_connect):
            try:
                success = way()
            except OSError:
                continue
            if success:
                raise RuntimeError("NETWORK")
        return super().action(**referee)
