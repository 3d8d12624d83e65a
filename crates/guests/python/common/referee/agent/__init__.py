"""Agents in their own processes, under limits."""

from .player import AgentProxyPlayer
