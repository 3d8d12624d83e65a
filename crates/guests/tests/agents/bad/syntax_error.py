"""Is not Python."""

class Agent
    def action(self):
