"""Texts of small agents for whole games."""

# Agents that play the moves of a script and print every move that they are told.
SCRIPTED = {
    "infexion": """
from referee.game import *
class Agent:
    def __init__(self, color, **referee):
        self.color = color
        self.script = iter({script})
    def action(self, **referee):
        return eval(next(self.script))
    def turn(self, color, action, **referee):
        print("heard", self.color, color, action)
""",
    "tetress": """
from referee.game import *
class Agent:
    def __init__(self, color, **referee):
        self.color = color
        self.script = iter({script})
    def action(self, **referee):
        return eval(next(self.script))
    def update(self, color, action, **referee):
        print("heard", self.color, color, action)
""",
    "cachex": """
class Player:
    def __init__(self, player, n):
        self.player = player
        self.script = iter({script})
    def action(self):
        return eval(next(self.script))
    def turn(self, player, action):
        print("heard", self.player, player, action)
""",
}


def scripted(game, *script):
    """The text of an agent that plays these expressions as its moves."""
    return SCRIPTED[game].replace("{script}", repr(script))


def faulty(listener, **bodies):
    """The text of an agent whose methods have these bodies."""
    return "import os, sys, time\nfrom referee.game import *\nclass Agent:\n" + "".join(
        f"    def {name}(self, *args, **referee):\n        {bodies.get(name, 'pass')}\n"
        for name in ("__init__", "action", listener)
    )
