"""The command `python -m referee`."""

from .run import main

__all__ = ["main"]
