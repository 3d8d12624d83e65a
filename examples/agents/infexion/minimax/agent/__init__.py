# The entry point that the referee looks for.
from .program import Agent
