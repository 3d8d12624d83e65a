"""Crashes with ENVIRONMENT and the name if there is an unexpected environment variable."""

import os
import re

from base import Base


HARMLESS = "PATH|HOME|USER|LOGNAME|LANG|LC_.*|TMPDIR|PYTHON.*|.*_NUM_THREADS"


class Agent(Base):
    def __init__(self, color, **referee):
        super().__init__(color)
        for name in os.environ:
            if not re.fullmatch(HARMLESS, name):
                raise RuntimeError("ENVIRONMENT " + name)
