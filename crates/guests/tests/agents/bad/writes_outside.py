"""Tries to write files named written_by_agent everywhere."""

import os

from base import Base


class Agent(Base):
    def action(self, **referee):
        here = os.path.dirname(os.path.abspath(__file__))
        for folder in ("/", os.path.expanduser("~"), "..", ".", here, "/etc", "/var/tmp", "/dev/shm"):
            try:
                with open(os.path.join(folder, "written_by_agent"), "w") as file:
                    file.write("it can write here")
            except OSError:
                pass
        return super().action(**referee)
