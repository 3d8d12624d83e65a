"""How the referee and an agent's process write to each other: a pickle in Base64 is a line."""

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
    """An agent's answer, which may name only what the referee has imported itself (and numbers of numpy).

    So that an answer of a class of the agent's own does not get the agent imported, and run, here.
    """
    try:
        return _Reader(io.BytesIO(pickled)).load()
    except Exception:
        return UNPICKLABLE


def encode_answer(value: object) -> bytes:
    """A pickle of whatever an agent has answered; a text that is no action if it cannot be one."""
    try:
        return pickle.dumps(value)
    except Exception:
        return pickle.dumps(UNPICKLABLE)
