from agent.player import Player
