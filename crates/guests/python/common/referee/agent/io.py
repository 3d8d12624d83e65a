"""Messages between the referee and an agent's process: each line is a pickle in Base64."""

from __future__ import annotations

import io
import pickle
import sys
from base64 import b64decode, b64encode

UNPICKLABLE = "<unpickleable>"


def encode(value: object) -> bytes:
    return b64encode(pickle.dumps(value))


def decode(line: bytes) -> object:
    return pickle.loads(b64decode(line))


class _Stranger(pickle.UnpicklingError):
    pass


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str):
        if module not in sys.modules and module.partition(".")[0] != "numpy":
            raise _Stranger(f"{module}.{name}")
        return super().find_class(module, name)


def decode_answer(pickled: bytes) -> object:
    """An agent's answer, in which only classes may occur that the referee has imported itself (or numpy's).

    Otherwise an answer of the agent's own class would import the agent, and run its code, in the referee.
    """
    try:
        return _Reader(io.BytesIO(pickled)).load()
    except Exception:
        return UNPICKLABLE


def encode_answer(value: object) -> bytes:
    """The pickle of an agent's answer; of a text that is not an action if it cannot be pickled."""
    try:
        return pickle.dumps(value)
    except Exception:
        return pickle.dumps(UNPICKLABLE)
