"""Replaces functions that the referee's own code in its process uses too."""

import builtins
import json
import os
import pickle
import sys
import traceback

from base import Base


class Agent(Base):
    def action(self, **referee):
        json.dumps = json.loads = os.write = os.read = None
        pickle.dumps = pickle.loads = traceback.format_exception = None
        sys.stdout = sys.stderr = builtins.open = None
        return super().action(**referee)
