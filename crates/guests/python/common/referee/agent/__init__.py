"""Agents in processes of their own, measured and limited."""

from .player import AgentProxyPlayer
